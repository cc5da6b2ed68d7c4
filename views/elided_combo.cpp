// SPDX-License-Identifier: Apache-2.0
#include "views/elided_combo.h"

#include "views/values/elide.h"

#include <QStylePainter>

namespace binade::views {

ElidedComboBox::ElidedComboBox(Qt::TextElideMode mode, QWidget* parent) : QComboBox(parent), mode_(mode) {
  connect(this, &QComboBox::currentTextChanged, this, &QWidget::setToolTip);
}

QString ElidedComboBox::elided(const QStyleOptionComboBox& option) const {
  const QRect room = style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this);
  const double wide = room.width() - 2;
  return mode_ == Qt::ElideMiddle ? elidedMiddle(option.currentText, font(), wide)
                                  : elidedRight(option.currentText, font(), wide);
}

QString ElidedComboBox::shownText() const {
  QStyleOptionComboBox option;
  initStyleOption(&option);
  return elided(option);
}

void ElidedComboBox::paintEvent(QPaintEvent*) {
  QStylePainter painter(this);
  QStyleOptionComboBox option;
  initStyleOption(&option);
  option.currentText = elided(option);
  painter.drawComplexControl(QStyle::CC_ComboBox, option);
  painter.drawControl(QStyle::CE_ComboBoxLabel, option);
}

}  // namespace binade::views
