// SPDX-License-Identifier: Apache-2.0
#include "views/style/bars.h"

#include "views/style/boxes.h"
#include "views/theme.h"

#include <QFrame>
#include <QPainter>
#include <QStyleOption>

#include <algorithm>

namespace binade::views {

namespace {

constexpr int kSectionHigh = 24;
constexpr int kSectionPad = 8;
constexpr int kSortArrow = 8;

}  // namespace

QSize headerSectionSize(const QSize& size) {
  return {size.width() + 2 * kSectionPad, std::max(size.height(), kSectionHigh)};
}

QRect headerLabelRect(const QStyleOptionHeader& option) {
  const int arrow = option.sortIndicator == QStyleOptionHeader::None ? 0 : kSortArrow + 4;
  return option.rect.adjusted(kSectionPad, 0, -kSectionPad - arrow, -1);
}

QRect headerArrowRect(const QStyleOptionHeader& option) {
  const int top = option.rect.top() + (option.rect.height() - kSortArrow) / 2;
  return {option.rect.right() - kSectionPad - kSortArrow + 2, top, kSortArrow, kSortArrow};
}

void paintSection(QPainter& painter, const QStyleOptionHeader& option) {
  const Colors& c = colors();
  const QRect& all = option.rect;
  painter.fillRect(all, c.bar);
  painter.fillRect(QRect(all.left(), all.bottom(), all.width(), 1), c.line);
  const bool last = option.position == QStyleOptionHeader::End || option.position == QStyleOptionHeader::OnlyOneSection;
  if (!last) painter.fillRect(QRect(all.right(), all.top(), 1, all.height()), c.line);
}

// The arrow points up if the smallest value is first.
void paintSortArrow(QPainter& painter, const QStyleOptionHeader& option) {
  if (option.sortIndicator == QStyleOptionHeader::None) return;
  const bool up = option.sortIndicator == QStyleOptionHeader::SortUp;
  paintChevron(painter, option.rect, up ? Qt::UpArrow : Qt::DownArrow, colors().secondText);
}

void paintTab(QPainter& painter, const QStyleOptionTab& option) {
  const Colors& c = colors();
  const QRect& all = option.rect;
  const bool selected = option.state.testFlag(QStyle::State_Selected);
  painter.fillRect(all, selected ? c.panel : c.bar);
  if (!selected) {
    painter.fillRect(QRect(all.left(), all.bottom(), all.width(), 1), c.line);
    return;
  }
  painter.fillRect(QRect(all.right(), all.top(), 1, all.height()), c.line);
  const QColor top = option.state.testFlag(QStyle::State_HasFocus) ? c.indigo : c.text;
  painter.fillRect(QRect(all.left(), all.top(), all.width(), 2), top);
}

void paintFrame(QPainter& painter, const QStyleOptionFrame& option) {
  const QColor line = colors().line;
  const QRect& all = option.rect;
  switch (option.frameShape) {
    case QFrame::NoFrame:
      return;
    case QFrame::HLine:
      return painter.fillRect(QRect(all.left(), all.center().y(), all.width(), 1), line);
    case QFrame::VLine:
      return painter.fillRect(QRect(all.center().x(), all.top(), 1, all.height()), line);
    default:
      return paintBox(painter, all, Qt::transparent, line, 1, 0);
  }
}

}  // namespace binade::views
