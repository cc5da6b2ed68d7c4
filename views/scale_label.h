// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QLabel>

namespace binade::views {

/// A label for one number in weight 600; superscripts are drawn like drawText().
class ScaleLabel : public QLabel {
  Q_OBJECT

 public:
  explicit ScaleLabel(QWidget* parent = nullptr);
  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
};

}  // namespace binade::views
