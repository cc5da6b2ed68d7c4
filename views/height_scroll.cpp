// SPDX-License-Identifier: Apache-2.0
#include "views/height_scroll.h"

#include <QEvent>
#include <QScrollBar>

#include <algorithm>

namespace binade::views {

HeightScroll::HeightScroll(QWidget* content, int least, QWidget* parent) : QScrollArea(parent), least_(least) {
  setWidget(content);
  setWidgetResizable(true);
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setFocusPolicy(Qt::NoFocus);  // what has the focus in it is scrolled to
}

QSize HeightScroll::sizeHint() const {
  return widget()->sizeHint().expandedTo(widget()->minimumSize());
}

QSize HeightScroll::minimumSizeHint() const {
  const QSize content = widget()->minimumSizeHint().expandedTo(widget()->minimumSize());
  if (content.height() <= least_) return content;
  return {content.width() + verticalScrollBar()->sizeHint().width(), least_};
}

bool HeightScroll::event(QEvent* event) {
  if (event->type() == QEvent::LayoutRequest) updateGeometry();  // the content needs another height
  return QScrollArea::event(event);
}

}  // namespace binade::views
