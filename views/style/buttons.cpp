// SPDX-License-Identifier: Apache-2.0
#include "views/style/buttons.h"

#include "views/style/boxes.h"
#include "views/theme.h"

#include <QPainter>
#include <QStyleOption>

#include <algorithm>

namespace binade::views {

namespace {

constexpr int kButtonHigh = 28;
constexpr int kButtonPad = 13;  // the border is part of it
constexpr int kToolButtonPad = 6;
constexpr int kSegmentPad = 9;
constexpr int kMenuSign = 16;     // chevron of 14 px, and a gap
constexpr double kFocusRing = 2;  // wider than any border, so that focus does not look like a pressed button

}  // namespace

QSize pushButtonSize(const QSize& contents) {
  return {contents.width() + 2 * kButtonPad, std::max(contents.height() + 2, kButtonHigh)};
}

QSize toolButtonSize(const QSize& contents, bool segment) {
  const QSize inside = contents.expandedTo({segment ? 72 : 16, 26}) + QSize(3, 3);
  return inside + QSize(2 * (segment ? kSegmentPad : kToolButtonPad), 2);
}

// QToolButton adds a space on both sides of its text.
QSize inlineButtonSize(const QSize& contents, const QStyleOption& option) {
  const int spaces = 2 * option.fontMetrics.horizontalAdvance(u' ');
  return {contents.width() - spaces + menuSignWidth(&option), contents.height()};
}

int menuSignWidth(const QStyleOption* option) {
  if (const auto* push = qstyleoption_cast<const QStyleOptionButton*>(option))
    return push->features.testFlag(QStyleOptionButton::HasMenu) && !push->text.isEmpty() ? kMenuSign : 0;
  const auto* tool = qstyleoption_cast<const QStyleOptionToolButton*>(option);
  const bool text = tool != nullptr && tool->toolButtonStyle != Qt::ToolButtonIconOnly && !tool->text.isEmpty();
  return text && tool->features.testFlag(QStyleOptionToolButton::HasMenu) ? kMenuSign : 0;
}

void paintMenuSign(QPainter& painter, const QStyleOption& option, bool atEdge) {
  constexpr int kSign = 14;
  const int edge = atEdge ? 0 : 8;
  if (menuSignWidth(&option) == 0) return;
  const QRect& box = option.rect;
  const int left = option.direction == Qt::RightToLeft ? box.left() + edge : box.right() - edge - kSign + 1;
  const bool enabled = option.state.testFlag(QStyle::State_Enabled);
  paintChevron(painter, {left, box.top(), kSign, box.height()}, Qt::DownArrow,
               enabled ? colors().secondText : colors().thirdText);
}

void paintPushButton(QPainter& painter, const QStyleOptionButton& option, bool primary) {
  const Colors& c = colors();
  const bool enabled = option.state.testFlag(QStyle::State_Enabled);
  const bool focus = option.state.testFlag(QStyle::State_HasFocus);
  const bool hover = enabled && option.state.testFlag(QStyle::State_MouseOver);
  const bool down = option.state.testFlag(QStyle::State_Sunken);
  if (primary) {
    if (!enabled) return paintBox(painter, option.rect, c.line, c.line);
    paintBox(painter, option.rect, c.text, focus ? c.indigo : hover ? c.thirdText : c.text, focus ? kFocusRing : 1);
    return;
  }
  const bool on = enabled && option.state.testFlag(QStyle::State_On);
  const QColor ground = !enabled || down ? c.bar : on ? c.selectedRow : c.panel;
  paintBox(painter, option.rect, ground, focus ? c.indigo : hover ? c.thirdText : c.line, focus ? kFocusRing : 1);
  paintMenuSign(painter, option);
}

void paintToolButton(QPainter& painter, const QStyleOptionToolButton& option, bool segment, bool lit) {
  const Colors& c = colors();
  const bool enabled = option.state.testFlag(QStyle::State_Enabled);
  const bool on = option.state.testFlag(QStyle::State_On);
  const bool focus = option.state.testFlag(QStyle::State_HasFocus);
  QColor ground = segment ? c.panel : QColor(Qt::transparent);
  if (enabled && option.state.testFlag(QStyle::State_MouseOver)) ground = c.selectedRow;
  if (option.state.testFlag(QStyle::State_Sunken)) ground = c.line;
  if (on) ground = segment ? c.text : c.selectedRow;
  if (lit) ground = c.text;
  QColor border = segment ? on ? c.text : c.line : QColor(Qt::transparent);
  if (focus) border = c.indigo;
  paintBox(painter, option.rect, ground, border, focus ? kFocusRing : 1, segment ? 0 : 4);
}

void paintCheckBox(QPainter& painter, const QStyleOption& option, bool wrong) {
  const Colors& c = colors();
  const bool enabled = option.state.testFlag(QStyle::State_Enabled);
  const bool on = option.state.testFlag(QStyle::State_On);
  const bool partly = option.state.testFlag(QStyle::State_NoChange);
  QColor ground = on ? enabled ? c.text : c.thirdText : enabled ? c.panel : c.bar;
  QColor border = on ? ground : enabled ? c.thirdText : c.line;
  if (enabled && option.state.testFlag(QStyle::State_HasFocus)) border = c.indigo;
  if (wrong) border = c.crimson;
  paintBox(painter, option.rect, ground, border, 1, 3);
  if (on) paintTick(painter, option.rect, c.panel);
  if (partly) {
    const QRect middle(option.rect.left() + 4, option.rect.center().y(), option.rect.width() - 8, 2);
    painter.fillRect(middle, enabled ? c.text : c.thirdText);
  }
}

}  // namespace binade::views
