// SPDX-License-Identifier: Apache-2.0
#include "views/flow_layout.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace binade::views {

FlowLayout::FlowLayout(QWidget* parent, int spacing, int lineSpacing) : QLayout(parent), line_spacing_(lineSpacing) {
  setSpacing(spacing);
}

FlowLayout::~FlowLayout() {
  qDeleteAll(items_);
}

void FlowLayout::addItem(QLayoutItem* item) {
  items_.append(item);
}

int FlowLayout::count() const {
  return static_cast<int>(items_.size());
}

QLayoutItem* FlowLayout::itemAt(int index) const {
  return items_.value(index);
}

QLayoutItem* FlowLayout::takeAt(int index) {
  return index >= 0 && index < count() ? items_.takeAt(index) : nullptr;
}

// Returns the total height of the lines; sets geometries only if `place`.
int FlowLayout::layOut(const QRect& rect, bool place) const {
  const QRect room = rect.marginsRemoved(contentsMargins());
  int x = room.left();
  int y = room.top();
  int high = 0;
  std::vector<std::pair<QLayoutItem*, QRect>> line;
  const auto end_line = [&] {
    for (auto& [item, box] : line) {
      if (place) item->setGeometry(QRect(box.left(), y, box.width(), high));
    }
    line.clear();
  };
  for (QLayoutItem* item : items_) {
    if (item->isEmpty()) continue;
    const QSize size = item->sizeHint();
    if (x > room.left() && x + size.width() > room.left() + room.width()) {
      end_line();
      x = room.left();
      y += high + line_spacing_;
      high = 0;
    }
    line.emplace_back(item, QRect(QPoint(x, y), size));
    x += size.width() + spacing();
    high = std::max(high, size.height());
  }
  end_line();
  return y + high - rect.top() + contentsMargins().bottom();
}

int FlowLayout::heightForWidth(int width) const {
  return layOut(QRect(0, 0, width, 0), false);
}

QSize FlowLayout::sizeHint() const {
  const QMargins margins = contentsMargins();
  int wide = 0;
  int high = 0;
  for (const QLayoutItem* item : items_) {
    if (item->isEmpty()) continue;
    wide += item->sizeHint().width() + (wide > 0 ? spacing() : 0);
    high = std::max(high, item->sizeHint().height());
  }
  return {wide + margins.left() + margins.right(), high + margins.top() + margins.bottom()};
}

QSize FlowLayout::minimumSize() const {
  const QMargins margins = contentsMargins();
  QSize least(0, 0);
  for (const QLayoutItem* item : items_) {
    if (!item->isEmpty()) least = least.expandedTo(item->sizeHint());
  }
  return least.grownBy(margins);
}

void FlowLayout::setGeometry(const QRect& rect) {
  QLayout::setGeometry(rect);
  layOut(rect, true);
}

}  // namespace binade::views
