// SPDX-License-Identifier: Apache-2.0
// Mouse, touch pad and keys of a ModuleGraph.
#include "views/graph/module_graph.h"

#include <QAccessible>
#include <QApplication>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QNativeGestureEvent>
#include <QPinchGesture>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace binade::views {

namespace {

constexpr double kStepOfZoom = 1.25;  // of a key, and of a notch of the wheel
constexpr double kArrowZone = 26;     // px at the left of a box in which a click folds it
constexpr int kStepOfPan = 80;        // px

}  // namespace

QString ModuleGraph::spokenName(int node) const {
  const auto at = static_cast<std::size_t>(node);
  const QString& spoken = shades_[at].spoken;
  return spoken.isEmpty() ? nodes_[at].name : nodes_[at].name + QStringLiteral(", ") + spoken;
}

void ModuleGraph::setCurrent(int node) {
  if (node < 0) return;
  current_ = node;
  setAccessibleDescription(spokenName(node));
  const auto row = std::find(shown_.begin(), shown_.end(), node);
  if (QAccessible::isActive() && row != shown_.end()) {
    QAccessibleEvent focused(this, QAccessible::Focus);
    focused.setChild(static_cast<int>(row - shown_.begin()));
    QAccessible::updateAccessibility(&focused);
  }
  userMoved();
  reveal(node);
  viewport()->update();
}

void ModuleGraph::activate(int node) {
  if (node < 0) return;
  setCurrent(node);
  Q_EMIT activated(callsIn(node));
}

// The first box that takes the current one's result, or that makes what it takes. Without an edge it is the next or
// the previous box in order of execution.
int ModuleGraph::along(bool down) const {
  const auto row = std::find(picture_.shown.begin(), picture_.shown.end(), current_);
  if (row == picture_.shown.end()) return picture_.shown.empty() ? -1 : picture_.shown.front();
  const bool open = isModule(current_) && !isFolded(current_);
  if (!open) {
    int best = -1;
    for (const Link& link : picture_.links) {
      if ((down ? link.from : link.to) != current_) continue;
      const int other = down ? link.to : link.from;
      // Of several boxes the nearest in order of execution; a loop's edge back is no way down.
      if (down ? other < current_ : other > current_) continue;
      if (best < 0 || std::abs(other - current_) < std::abs(best - current_)) best = other;
    }
    if (best >= 0) return best;
  }
  if (down) return row + 1 == picture_.shown.end() ? current_ : *(row + 1);
  return row == picture_.shown.begin() ? current_ : *(row - 1);
}

// The nearest box to the left or right that overlaps the current one in height.
int ModuleGraph::neighbour(int key) const {
  const QRectF here = rectOf(current_);
  int best = current_;
  double nearest = 0;
  for (std::size_t row = 0; row < picture_.shown.size(); ++row) {
    const QRectF& box = picture_.places.boxes[row];
    const double distance = key == Qt::Key_Left ? here.left() - box.right() : box.left() - here.right();
    if (distance < 0 || box.bottom() < here.top() || box.top() > here.bottom()) continue;
    if (best != current_ && distance >= nearest) continue;
    best = picture_.shown[row];
    nearest = distance;
  }
  return best;
}

bool ModuleGraph::handleViewKey(QKeyEvent* event) {
  const QPointF middle = QRectF(viewport()->rect()).center();
  if (event->matches(QKeySequence::Find)) return openFind(), true;
  const bool pans = event->modifiers() & (Qt::ControlModifier | Qt::ShiftModifier);
  const auto pan = [this](int x, int y) {
    userMoved();
    panBy({static_cast<double>(x), static_cast<double>(y)});
    return true;
  };
  switch (event->key()) {
    case Qt::Key_F:
      if (event->modifiers() & ~Qt::KeypadModifier) return false;
      return fit(), true;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
      return zoomBy(kStepOfZoom, middle), true;
    case Qt::Key_Minus:
      return zoomBy(1 / kStepOfZoom, middle), true;
    case Qt::Key_0:
      return zoomBy(text_scale_ / zoom_, middle), true;
    case Qt::Key_PageDown:
      return pan(0, viewport()->height() * 9 / 10);
    case Qt::Key_PageUp:
      return pan(0, -viewport()->height() * 9 / 10);
    case Qt::Key_Down:
      return pans && pan(0, kStepOfPan);
    case Qt::Key_Up:
      return pans && pan(0, -kStepOfPan);
    case Qt::Key_Right:
      return pans && pan(kStepOfPan, 0);
    case Qt::Key_Left:
      return pans && pan(-kStepOfPan, 0);
    default:
      return false;
  }
}

void ModuleGraph::keyPressEvent(QKeyEvent* event) {
  if (handleViewKey(event)) return;
  if (shown_.empty()) return QAbstractScrollArea::keyPressEvent(event);
  switch (event->key()) {
    case Qt::Key_Down:
      return setCurrent(along(true));
    case Qt::Key_Up:
      return setCurrent(along(false));
    case Qt::Key_Left:
    case Qt::Key_Right:
      return setCurrent(current_ < 0 ? shown_.front() : neighbour(event->key()));
    case Qt::Key_Home:
      return setCurrent(shown_.front());
    case Qt::Key_End:
      return setCurrent(shown_.back());
    case Qt::Key_Backspace:
      return current_ < 0 ? void() : setCurrent(nodes_[static_cast<std::size_t>(current_)].parent);
    case Qt::Key_Space:
      return current_ < 0 ? void() : setFolded(current_, !isFolded(current_));
    case Qt::Key_Return:
    case Qt::Key_Enter:
      return activate(current_);
    default:
      return QAbstractScrollArea::keyPressEvent(event);
  }
}

void ModuleGraph::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton) return;
  pressed_ = event->position().toPoint();
  dragged_from_ = *pressed_;
  dragging_ = event->button() == Qt::MiddleButton;
}

void ModuleGraph::mouseMoveEvent(QMouseEvent* event) {
  const QPoint at = event->position().toPoint();
  if (!pressed_) {
    viewport()->setCursor(nodeAt(event->position()) >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    return;
  }
  if (!dragging_ && (at - *pressed_).manhattanLength() < QApplication::startDragDistance()) return;
  dragging_ = true;
  viewport()->setCursor(Qt::ClosedHandCursor);
  userMoved();
  panBy(dragged_from_ - at);
  dragged_from_ = at;
}

void ModuleGraph::mouseReleaseEvent(QMouseEvent* event) {
  if (!pressed_) return;
  pressed_.reset();
  viewport()->setCursor(Qt::ArrowCursor);
  if (dragging_ || event->button() != Qt::LeftButton) return;
  const int node = nodeAt(event->position());
  if (node < 0) return;
  const bool on_arrow = isModule(node) && event->position().x() < boxOf(node).left() + kArrowZone * zoom_;
  if (on_arrow) return setFolded(node, !isFolded(node));
  activate(node);
}

void ModuleGraph::mouseDoubleClickEvent(QMouseEvent* event) {
  const int node = nodeAt(event->position());
  if (node >= 0 && event->button() == Qt::LeftButton) setFolded(node, !isFolded(node));
}

// A touch pad pans, since its gestures zoom; a wheel zooms, as it does in the charts.
void ModuleGraph::wheelEvent(QWheelEvent* event) {
  const bool pad = event->phase() != Qt::NoScrollPhase && !event->pixelDelta().isNull();
  event->accept();
  if ((pad && !(event->modifiers() & Qt::ControlModifier)) || (event->modifiers() & Qt::ShiftModifier)) {
    userMoved();
    const QPoint angle = event->angleDelta() / 2;
    return panBy(-QPointF(pad ? event->pixelDelta() : angle.x() == 0 ? QPoint(angle.y(), 0) : angle));
  }
  const double notches = event->angleDelta().y() / 120.0;
  if (notches != 0) zoomBy(std::pow(kStepOfZoom, notches), event->position());
}

bool ModuleGraph::viewportEvent(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    auto* help = static_cast<QHelpEvent*>(event);
    QToolTip::showText(help->globalPos(), tipAt(help->pos()), viewport());
    return true;
  }
  if (event->type() == QEvent::NativeGesture) {
    auto* gesture = static_cast<QNativeGestureEvent*>(event);
    if (gesture->gestureType() == Qt::ZoomNativeGesture) {
      zoomBy(std::max(0.1, 1 + gesture->value()), gesture->position());
      return true;
    }
  }
  if (event->type() == QEvent::Gesture) {
    if (auto* pinch = static_cast<QPinchGesture*>(static_cast<QGestureEvent*>(event)->gesture(Qt::PinchGesture))) {
      zoomBy(pinch->scaleFactor(), viewport()->mapFromGlobal(pinch->centerPoint()));
      return true;
    }
  }
  return QAbstractScrollArea::viewportEvent(event);
}

// The window's Ctrl+F filters op calls; in the graph it finds boxes.
bool ModuleGraph::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride && static_cast<QKeyEvent*>(event)->matches(QKeySequence::Find)) {
    event->accept();
    return true;
  }
  return QAbstractScrollArea::event(event);
}

void ModuleGraph::contextMenuEvent(QContextMenuEvent* event) {
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  QAction* fitted = menu->addAction(tr("Fit"), this, &ModuleGraph::fit);
  fitted->setShortcut(Qt::Key_F);
  QAction* find = menu->addAction(tr("Find…"), this, &ModuleGraph::openFind);
  find->setShortcut(QKeySequence::Find);
  menu->addSeparator();
  QAction* open = menu->addAction(tr("Open all"), this, [this] { setAllFolded(false); });
  QAction* close = menu->addAction(tr("Fold all"), this, [this] { setAllFolded(true); });
  menu->addSeparator();
  QAction* png = menu->addAction(tr("Save as PNG…"), this, [this] { exportAs(QStringLiteral(".png")); });
  QAction* svg = menu->addAction(tr("Save as SVG…"), this, [this] { exportAs(QStringLiteral(".svg")); });
  QAction* dot = menu->addAction(tr("Save for Graphviz…"), this, [this] { exportAs(QStringLiteral(".dot")); });
  for (QAction* action : {fitted, find, open, close, png, svg, dot}) action->setEnabled(!nodes_.empty());
  menu->popup(event->globalPos());
}

}  // namespace binade::views
