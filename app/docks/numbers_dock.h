// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/docks/dock.h"

#include <QStringList>

class QSettings;

namespace binade::views {
class NumbersView;
}

namespace binade::app {

/// One number in every format, bit by bit and on a ruler. Needs neither a run nor an engine.
class NumbersDock : public Dock {
  Q_OBJECT

 public:
  explicit NumbersDock(QWidget* parent = nullptr);

  /// The view is made when the dock is first shown, or at the first call.
  views::NumbersView* view();

  /// Reads and writes the number, the formats, the axis of the ruler and the treatment of overflow. Entries that cannot
  /// be read are ignored.
  void read(const QSettings& settings);
  void write(QSettings& settings) const;

 public Q_SLOTS:
  /// Sets the number and selects its format, if known.
  void look(const binade::views::PickedNumber& number);

 private:
  struct Kept {
    double value = 1;
    QString typed;  ///< the number as it was typed, which `value` may round; empty: it was not
    QStringList added;
    QString selected;
    bool linear = false;
    bool saturate = false;
  };

  Kept kept_;  ///< from the settings, until there is a view
  views::NumbersView* view_ = nullptr;
};

}  // namespace binade::app
