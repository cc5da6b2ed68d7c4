// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/window/arrangement.h"

#include <QFrame>

class QLabel;
class QSettings;
class QStatusBar;
class QToolButton;

namespace binade::app {

/// A line above the status bar that says what to do first in an arrangement. It is shown until the user closes it; the
/// settings remember that for each arrangement.
class ArrangementHint : public QFrame {
  Q_OBJECT

 public:
  /// Both must outlive the hint, which lies over the window of the status bar.
  ArrangementHint(QSettings* settings, QStatusBar* foot);

  /// Shows the hint of an arrangement, unless it was closed.
  void showFor(Arrangement which);
  /// Shows all hints again.
  void forget();
  QString text() const;
  QToolButton* closeButton() const { return close_; }

  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void dismiss();
  void place();

  QSettings* settings_;
  QStatusBar* foot_;
  Arrangement which_ = Arrangement::kExplore;
  QLabel* text_;
  QToolButton* close_;
};

/// The hint of an arrangement, one sentence or two.
QString hintText(Arrangement which);
/// Whether hints are shown at all, as `--shots` does not.
bool hintsWanted(const QSettings& settings);
void setHintsWanted(QSettings& settings, bool wanted);

}  // namespace binade::app
