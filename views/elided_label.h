// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QLabel>

namespace binade::views {

/// One line of plain words that gives way to what stands beside it: what does not fit ends in an ellipsis, and is the
/// tool tip then. Its context menu copies the whole.
class ElidedLabel : public QLabel {
  Q_OBJECT

 public:
  explicit ElidedLabel(const QString& text = {}, QWidget* parent = nullptr);

  /// Whether words are missing from what is shown.
  bool isElided() const;

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  QRect textRect() const;
};

}  // namespace binade::views
