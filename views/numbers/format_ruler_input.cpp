// SPDX-License-Identifier: Apache-2.0
#include "views/numbers/format_ruler.h"
#include "views/values/format_name.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QHelpEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace binade::views {

namespace {

constexpr double kZoomStep = 1.5;
constexpr int kCoarsePixels = 10;
constexpr double kPanPart = 0.5;

}  // namespace

void FormatRuler::zoomed() {
  fitted_ = false;
  layOut();
}

void FormatRuler::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  layOut();
}

void FormatRuler::mousePressEvent(QMouseEvent* event) {
  const int lane = laneAt(event->position().y());
  if (lane >= 0) selectLane(lane);
  if (event->button() != Qt::LeftButton || event->position().x() < plotArea().left()) return;
  pressed_ = true;
  panning_ = false;
  pressedX_ = lastX_ = event->position().x();
}

void FormatRuler::mouseMoveEvent(QMouseEvent* event) {
  constexpr double kDragFrom = 4;  // px; less is a click
  const double x = event->position().x();
  if (!pressed_) {
    const QRectF area = plotArea();
    hover_.reset();
    if (x >= area.left() && x <= area.right()) hover_ = valueAt(x);
    describe();
    update();
    return;
  }
  if (!panning_ && std::fabs(x - pressedX_) < kDragFrom) return;
  panning_ = true;
  hover_.reset();
  setCursor(Qt::ClosedHandCursor);
  axis_.pan((lastX_ - x) * pixel());
  lastX_ = x;
  zoomed();
}

void FormatRuler::mouseReleaseEvent(QMouseEvent* event) {
  if (!pressed_ || event->button() != Qt::LeftButton) return;
  pressed_ = false;
  if (panning_) {
    panning_ = false;
    unsetCursor();
    return;
  }
  setCursorValue(valueAt(event->position().x()));
}

void FormatRuler::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  pressed_ = false;
  hover_.reset();
  cursor_.reset();
  fit();
}

void FormatRuler::wheelEvent(QWheelEvent* event) {
  constexpr double kNotch = 120;
  const double turn = event->angleDelta().y() / kNotch;
  const QRectF area = plotArea();
  if (turn == 0 || event->position().x() < area.left()) return QWidget::wheelEvent(event);
  axis_.zoom(coordinateAt(std::min(event->position().x(), area.right())), std::pow(kZoomStep, -turn));
  if (hover_) hover_ = valueAt(event->position().x());
  zoomed();
  event->accept();
}

void FormatRuler::leaveEvent(QEvent* event) {
  QWidget::leaveEvent(event);
  if (!hover_) return;
  hover_.reset();
  describe();
  update();
}

void FormatRuler::selectLane(int lane) {
  if (lane < 0 || lane >= laneCount() || lane == selected_) return;
  setSelected(formatAt(lane));
  Q_EMIT selectedChanged(formatAt(lane));
}

void FormatRuler::zoomAtCursor(double factor) {
  const Range range = axis_.range();
  double at = axis_.coordinate(subject().nearest);
  if (!range.contains(at)) at = range.low / 2 + range.high / 2;
  axis_.zoom(at, factor);
  zoomed();
}

void FormatRuler::moveCursor(int pixels) {
  const Range range = axis_.range();
  double at = axis_.coordinate(subject().nearest);
  if (!std::isfinite(at) || (!cursor_ && !range.contains(at))) at = range.low / 2 + range.high / 2;
  hover_.reset();
  const double before = axis_.value(at);
  double value = axis_.snapped(at + pixels * pixel(), pixel());
  // Snapping must not hold the cursor in place.
  for (int more = 1; value == before && more <= 2; ++more) {
    value = axis_.snapped(at + (pixels + (pixels > 0 ? more : -more)) * pixel(), pixel());
  }
  cursor_ = value;
  showCursor();
}

void FormatRuler::moveCursorToNumber(bool up) {
  if (formats_.empty()) return;
  const numbers::Rounded rounded = numbers::round_to(subject(), formatAt(selected_), formats::Overflow::kSaturate);
  const bool between = rounded.below != rounded.above;
  const numbers::Number number = up ? (between ? rounded.above : numbers::next(rounded.number))
                                    : (between ? rounded.below : numbers::previous(rounded.number));
  const double value = numbers::value(number);
  if (!std::isfinite(value) || (axis_.isLog() && value <= 0)) return;
  hover_.reset();
  cursor_ = value;
  showCursor();
}

void FormatRuler::showCursor() {
  const Range range = axis_.range();
  const double at = axis_.coordinate(*cursor_);
  if (std::isfinite(at) && !range.contains(at)) {
    axis_.pan(at < range.low ? at - range.low : at - range.high);
    return zoomed();
  }
  describe();
  update();
}

bool FormatRuler::handleKey(const QKeyEvent& key, bool act) {
  if (key.modifiers() & (Qt::AltModifier | Qt::MetaModifier)) return false;
  const bool control = key.modifiers() & Qt::ControlModifier;
  const int pixels = key.modifiers() & Qt::ShiftModifier ? kCoarsePixels : 1;
  const auto run = [act](const auto& action) {
    if (act) action();
    return true;
  };
  const auto along = [&](bool up) {
    return run([&] { control ? moveCursorToNumber(up) : moveCursor(up ? pixels : -pixels); });
  };
  const auto pan = [&](double part) {
    return run([&] {
      axis_.pan(part * axis_.range().span());
      zoomed();
    });
  };
  switch (key.key()) {
    case Qt::Key_Left:
      return along(false);
    case Qt::Key_Right:
      return along(true);
    case Qt::Key_Up:
      return run([&] { selectLane(selected_ - 1); });
    case Qt::Key_Down:
      return run([&] { selectLane(selected_ + 1); });
    case Qt::Key_PageUp:
      return pan(-kPanPart);
    case Qt::Key_PageDown:
      return pan(kPanPart);
    case Qt::Key_Plus:
    case Qt::Key_Equal:
      return !control && run([&] { zoomAtCursor(1 / kZoomStep); });
    case Qt::Key_Minus:
      return !control && run([&] { zoomAtCursor(kZoomStep); });
    case Qt::Key_F:
      return !control && run([&] { fit(); });
    case Qt::Key_V:
      return !control && run([&] { fitToValue(); });
    case Qt::Key_Return:
    case Qt::Key_Enter:
      return cursor_ && run([&] { Q_EMIT valuePicked(*cursor_); });
    case Qt::Key_Escape:
      return cursor_ && run([&] { setCursorValue(std::nullopt); });
    default:
      return false;
  }
}

void FormatRuler::keyPressEvent(QKeyEvent* event) {
  if (!handleKey(*event, true)) QWidget::keyPressEvent(event);
}

bool FormatRuler::event(QEvent* event) {
  // The window has shortcuts of single keys. With the focus here, the ruler's keys win.
  if (event->type() == QEvent::ShortcutOverride && handleKey(*static_cast<QKeyEvent*>(event), false)) event->accept();
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const int lane = help->pos().x() < plotArea().left() ? laneAt(help->pos().y()) : -1;
  QToolTip::showText(help->globalPos(), lane >= 0 ? laneTip(lane) : QString(), this);
  return true;
}

void FormatRuler::contextMenuEvent(QContextMenuEvent* event) {
  const bool mouse = event->reason() == QContextMenuEvent::Mouse && event->pos().x() >= plotArea().left();
  const std::optional<double> value = mouse ? std::optional(valueAt(event->pos().x())) : pointed();
  QMenu menu(this);
  if (value) {
    menu.addAction(tr("Take %1 as the value").arg(realText(*value)), this,
                   [this, value] { Q_EMIT valuePicked(*value); });
    menu.addAction(tr("Copy %1").arg(realText(*value)), this, [value] {
      QGuiApplication::clipboard()->setText(QString::fromStdString(numbers::exact_decimal(*value)));
    });
    menu.addSeparator();
  }
  menu.addAction(tr("Copy the roundings"), this,
                 [this] { QGuiApplication::clipboard()->setText(lines().join(u'\n') + u'\n'); });
  menu.addSeparator();
  menu.addAction(tr("Show everything"), this, &FormatRuler::fit);
  menu.addAction(tr("Show the value"), this, &FormatRuler::fitToValue);
  menu.exec(event->globalPos());
}

}  // namespace binade::views
