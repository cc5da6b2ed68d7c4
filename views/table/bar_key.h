// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <QWidget>

namespace binade::views {

/// Names the two parts of the bars of a BarDelegate: a square in the colour of each, with its name. GUI thread.
class BarKey : public QWidget {
  Q_OBJECT

 public:
  /// `first` names the dark part at the start, `second` the paler part at the end (BarSecondRole).
  BarKey(QString first, QString second, QWidget* parent = nullptr);

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return sizeHint(); }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QString first_;
  QString second_;
};

}  // namespace binade::views
