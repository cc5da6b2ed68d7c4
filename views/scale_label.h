// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/values/picked_number.h"

#include <QLabel>

#include <optional>

namespace binade::views {

/// A label for one number in weight 600; superscripts are drawn like drawText(). Its context menu looks at the number.
class ScaleLabel : public QLabel {
  Q_OBJECT

 public:
  explicit ScaleLabel(QWidget* parent = nullptr);
  QSize sizeHint() const override;
  /// Sets the number that the text states; nullopt: none.
  void setNumber(std::optional<PickedNumber> number) { number_ = number; }

 Q_SIGNALS:
  void numberRequested(const binade::views::PickedNumber& number);

 protected:
  void contextMenuEvent(QContextMenuEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  std::optional<PickedNumber> number_;
};

}  // namespace binade::views
