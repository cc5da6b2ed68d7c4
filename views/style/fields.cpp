// SPDX-License-Identifier: Apache-2.0
#include "views/style/fields.h"

#include "views/style/boxes.h"
#include "views/theme.h"

#include <QPainter>
#include <QStyleOption>

#include <algorithm>

namespace binade::views {

namespace {

constexpr int kDropDown = 20;

void paintField(QPainter& painter, const QStyleOption& option, bool wrong, bool hovers) {
  const Colors& c = colors();
  const bool enabled = option.state.testFlag(QStyle::State_Enabled);
  QColor border = c.line;
  if (hovers && enabled && option.state.testFlag(QStyle::State_MouseOver)) border = c.thirdText;
  if (option.state.testFlag(QStyle::State_HasFocus)) border = c.indigo;
  if (wrong) border = c.crimson;
  paintBox(painter, option.rect, enabled ? c.panel : c.bar, border);
}

}  // namespace

QSize comboBoxSize(const QSize& contents) {
  return {contents.width() + 20 + kDropDown, std::max(contents.height() + 2, kFieldHigh)};
}

QSize lineEditSize(const QSize& contents) {
  return {contents.width() + 14, std::max(contents.height() + 2, kFieldHigh)};
}

std::optional<QRect> comboBoxPart(const QRect& rect, QStyle::SubControl part) {
  switch (part) {
    case QStyle::SC_ComboBoxEditField:
      return rect.adjusted(8, 1, -kDropDown - 1, -1);
    case QStyle::SC_ComboBoxArrow:
      return QRect(rect.right() - kDropDown, rect.top() + 1, kDropDown, rect.height() - 2);
    default:
      return std::nullopt;
  }
}

std::optional<QRect> scrollBarPart(const QStyleOptionSlider& option, QStyle::SubControl part) {
  const bool across = option.orientation == Qt::Horizontal;
  const QRect& all = option.rect;
  const int length = across ? all.width() : all.height();
  const qint64 range = qint64(option.maximum) - option.minimum;
  const qint64 shown = range > 0 ? option.pageStep * qint64(length) / (range + option.pageStep) : length;
  const int handle = static_cast<int>(std::clamp<qint64>(shown, std::min(kScrollHandle, length), length));
  const int start = QStyle::sliderPositionFromValue(option.minimum, option.maximum, option.sliderPosition,
                                                    length - handle, option.upsideDown);
  const auto piece = [&](int from, int size) {
    return across ? QRect(all.left() + from, all.top(), size, all.height())
                  : QRect(all.left(), all.top() + from, all.width(), size);
  };
  switch (part) {
    case QStyle::SC_ScrollBarGroove:
      return all;
    case QStyle::SC_ScrollBarSlider:
      return piece(start, handle);
    case QStyle::SC_ScrollBarSubPage:
      return piece(0, start);
    case QStyle::SC_ScrollBarAddPage:
      return piece(start + handle, length - start - handle);
    case QStyle::SC_ScrollBarAddLine:
    case QStyle::SC_ScrollBarSubLine:
      return QRect();
    default:
      return std::nullopt;
  }
}

std::optional<QRect> sliderPart(const QStyleOptionSlider& option, QStyle::SubControl part) {
  if (option.orientation != Qt::Horizontal) return std::nullopt;
  if (part == QStyle::SC_SliderGroove) return option.rect;
  if (part != QStyle::SC_SliderHandle) return std::nullopt;
  const int at = QStyle::sliderPositionFromValue(option.minimum, option.maximum, option.sliderPosition,
                                                 option.rect.width() - kSliderHandle, option.upsideDown);
  const int top = option.rect.top() + (option.rect.height() - kSliderHandle) / 2;
  return QRect(option.rect.left() + at, top, kSliderHandle, kSliderHandle);
}

void paintLineEdit(QPainter& painter, const QStyleOption* option, bool wrong) {
  const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option);
  if (frame == nullptr || frame->lineWidth == 0) return;  // part of another field
  paintField(painter, *option, wrong, false);
}

void paintComboBox(QPainter& painter, const QStyleOptionComplex& option, bool wrong) {
  paintField(painter, option, wrong, true);
  const QRect arrow(option.direction == Qt::RightToLeft ? option.rect.left() + 1 : option.rect.right() - kDropDown,
                    option.rect.top(), kDropDown, option.rect.height());
  paintChevron(painter, arrow, Qt::DownArrow, colors().secondText);
}

void paintScrollBar(QPainter& painter, const QStyleOptionSlider& option, const QRect& handle) {
  if (option.maximum <= option.minimum) return;
  const Colors& c = colors();
  const bool lit =
      option.state.testFlag(QStyle::State_MouseOver) && option.activeSubControls.testFlag(QStyle::SC_ScrollBarSlider);
  paintBox(painter, handle.adjusted(2, 2, -2, -2), lit ? c.thirdText : c.line, Qt::transparent, 0, 3);
}

void paintSlider(QPainter& painter, const QStyleOptionSlider& option, const QRect& handle) {
  const Colors& c = colors();
  const bool enabled = option.state.testFlag(QStyle::State_Enabled);
  const QColor color = enabled ? c.indigo : c.line;
  QRect groove(option.rect.left(), handle.center().y(), option.rect.width(), 2);
  painter.fillRect(groove, c.line);
  if (option.upsideDown) {
    groove.setLeft(handle.center().x());
  } else {
    groove.setRight(handle.center().x());
  }
  painter.fillRect(groove, color);
  paintBox(painter, handle, option.state.testFlag(QStyle::State_HasFocus) ? c.indigo : c.panel, color, 1, 6);
}

void paintProgress(QPainter& painter, const QStyleOptionProgressBar& option) {
  const qint64 range = qint64(option.maximum) - option.minimum;
  // The bar is full if the end is not known.
  const double part = range > 0 ? static_cast<double>(qint64(option.progress) - option.minimum) / double(range) : 1;
  if (part <= 0) return;
  QRect chunk = option.rect;
  chunk.setWidth(static_cast<int>(chunk.width() * std::min(part, 1.0)));
  paintBox(painter, chunk, colors().indigo, Qt::transparent, 0, 2);
}

}  // namespace binade::views
