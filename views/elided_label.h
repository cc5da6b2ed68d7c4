// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QLabel>

namespace binade::views {

/// A single-line plain-text label that shrinks: text that does not fit is elided and shown in the tool tip. The context
/// menu copies the whole text.
class ElidedLabel : public QLabel {
  Q_OBJECT

 public:
  explicit ElidedLabel(const QString& text = {}, QWidget* parent = nullptr);

  /// Returns whether the shown text is elided.
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
