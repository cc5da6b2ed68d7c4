// SPDX-License-Identifier: Apache-2.0
#include "views/beside_or_below.h"

#include <QBoxLayout>

#include <algorithm>

namespace binade::views {

namespace {
constexpr int kSecondBelow = 2;  // parts of the height that the second gets if it is below; the first gets one
}

BesideOrBelow::BesideOrBelow(QWidget* first, QWidget* second, int wide, QWidget* parent)
    : QWidget(parent), layout_(new QBoxLayout(QBoxLayout::TopToBottom, this)), wide_(wide) {
  layout_->setContentsMargins(0, 0, 0, 0);
  layout_->setSpacing(0);
  layout_->addWidget(first, 1);
  layout_->addWidget(second, kSecondBelow);
}

bool BesideOrBelow::isBeside() const {
  return layout_->direction() == QBoxLayout::LeftToRight;
}

void BesideOrBelow::setShares(int first, int second) {
  first_beside_ = first;
  second_beside_ = second;
  applyShares();
}

void BesideOrBelow::applyShares() {
  layout_->setStretch(0, isBeside() ? first_beside_ : 1);
  layout_->setStretch(1, isBeside() ? second_beside_ : kSecondBelow);
}

QSize BesideOrBelow::minimumSizeHint() const {
  const int first = layout_->itemAt(0)->minimumSize().width();
  const int second = layout_->itemAt(1)->minimumSize().width();
  return {std::max(first, second), layout_->minimumSize().height()};
}

void BesideOrBelow::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  // Large text may need more than the width from which on there usually is room.
  const int least = layout_->itemAt(0)->minimumSize().width() + layout_->itemAt(1)->minimumSize().width();
  const bool beside = width() >= std::max(wide_, least);
  if (beside == isBeside()) return;
  layout_->setDirection(beside ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
  applyShares();
  layout_->update();
}

}  // namespace binade::views
