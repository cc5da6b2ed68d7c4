// SPDX-License-Identifier: Apache-2.0
#include "views/plot/plot.h"
#include "views/values/numbers.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QTextDocument>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <utility>

namespace binade::views {

namespace {
constexpr double kClickSlack = 4;
constexpr double kKeyZoom = 1.5;
constexpr qint64 kOneTurnMs = 600;  ///< turns of the wheel closer than this are one change of the view
}  // namespace

bool Plot::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    if (const auto part = partAt(help->pos())) {
      QToolTip::showText(help->globalPos(),
                         isPartHidden(*part) ? tr("Click to show this series") : tr("Click to hide this series"), this);
      return true;
    }
    const auto group = markAt(help->pos());
    if (!group) {
      QToolTip::hideText();
      event->ignore();
      return true;
    }
    QString text = tr("Step %1: %2").arg(grouped(group->last), markName(group->kind));
    if (group->count > 1) {
      text = tr("Steps %1 to %2: %3 × %4")
                 .arg(grouped(group->first), grouped(group->last), markName(group->kind))
                 .arg(grouped(group->count));
    }
    if (!group->text.isEmpty()) text += QLatin1Char('\n') + group->text;
    // A note may look like HTML, which Qt would interpret.
    if (group->kind == MarkKind::kNote) text = Qt::convertFromPlainText(text, Qt::WhiteSpaceNormal);
    QToolTip::showText(help->globalPos(), text, this);
    return true;
  }
  return QWidget::event(event);
}

void Plot::wheelEvent(QWheelEvent* event) {
  const bool scrolls_page = in_scrolled_page_ && !hasFocus() && !(event->modifiers() & Qt::ControlModifier);
  if (isEmpty() || scrolls_page) return event->ignore();
  const QPoint turn = event->angleDelta();
  if (!wheeled_.isValid() || wheeled_.elapsed() > kOneTurnMs) axis_->remember();
  wheeled_.start();
  if (std::abs(turn.x()) > std::abs(turn.y())) {
    axis_->pan(-turn.x() / 120.0 * axis_->range().span() * 0.1);
  } else if (turn.y() != 0) {
    axis_->zoom(std::pow(1.25, turn.y() / 120.0), xToStep(event->position().x()));
  }
  event->accept();
}

void Plot::mousePressEvent(QMouseEvent* event) {
  if (event->button() == Qt::BackButton) return axis_->back();
  if (event->button() == Qt::ForwardButton) return axis_->forward();
  if (event->button() != Qt::LeftButton || isEmpty()) return QWidget::mousePressEvent(event);
  pressed_ = dragAt_ = event->position();
  pressedRange_ = axis_->range();
  dragged_ = false;
  drag_ = event->modifiers() & Qt::ShiftModifier ? Drag::kBox : Drag::kPan;
}

void Plot::mouseMoveEvent(QMouseEvent* event) {
  const QPointF at = event->position();
  if (drag_ != Drag::kNone) {
    dragAt_ = at;
    if (!dragged_ && (at - pressed_).manhattanLength() > kClickSlack) {
      dragged_ = true;
      axis_->remember();
    }
    if (!dragged_) return;
    axis_->clearHover();
    if (drag_ == Drag::kPan) {
      // Relative to the press position, so that small moves add up and a following axis is released.
      setCursor(Qt::ClosedHandCursor);
      const double steps = (pressed_.x() - at.x()) / plotArea().width() * pressedRange_.span();
      if (axis_->mode() != StepAxis::Mode::kAll) {
        axis_->setRange({pressedRange_.low + steps, pressedRange_.high + steps});
      }
    } else {
      update();
    }
    return;
  }
  if (isEmpty()) return;
  if (markAt(at) || partAt(at)) {
    setCursor(Qt::PointingHandCursor);
  } else {
    unsetCursor();
  }
  if (plotArea().contains(at) && axis_->data()) {
    const auto data = *axis_->data();
    axis_->setHover(std::llround(std::clamp(xToStep(at.x()), data.low, data.high)));
  } else {
    axis_->clearHover();
  }
}

void Plot::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || drag_ == Drag::kNone) return QWidget::mouseReleaseEvent(event);
  const Drag drag = std::exchange(drag_, Drag::kNone);
  unsetCursor();
  if (dragged_) {
    if (drag == Drag::kBox) {
      const QRectF box = QRectF(pressed_, dragAt_).normalized().intersected(plotArea());
      if (box.height() > 12) zoomValues({yToValue(box.bottom()), yToValue(box.top())});
      if (box.width() > 4) axis_->setRange({xToStep(box.left()), xToStep(box.right())});
      update();
    }
    return;
  }
  const QPointF at = event->position();
  const auto part = partAt(pressed_);
  if (part && part == partAt(at)) return setPartHidden(*part, !isPartHidden(*part));
  const std::int64_t clicked = std::llround(xToStep(at.x()));
  if (const auto group = markAt(at)) {
    const std::int64_t step = markedStep(*group, clicked);
    axis_->setCursor(step);
    if (group->kind != MarkKind::kNote) Q_EMIT markActivated(step);
  } else if (plotArea().contains(at) && event->modifiers() & Qt::ControlModifier) {
    if (const auto data = axis_->data()) {
      axis_->togglePin(
          std::clamp(clicked, static_cast<std::int64_t>(data->low), static_cast<std::int64_t>(data->high)));
    }
  } else if (plotArea().contains(at)) {
    moveCursor(clicked);
  }
}

void Plot::mouseDoubleClickEvent(QMouseEvent* event) {
  // The second press of a quick pair arrives here.
  if (event->button() == Qt::BackButton || event->button() == Qt::ForwardButton) return mousePressEvent(event);
  if (event->button() != Qt::LeftButton) return QWidget::mouseDoubleClickEvent(event);
  if (const auto part = partAt(event->position())) return setPartHidden(*part, !isPartHidden(*part));
  axis_->remember();
  fitValues();
  axis_->fit();
}

void Plot::leaveEvent(QEvent* event) {
  axis_->clearHover();
  QWidget::leaveEvent(event);
}

void Plot::focusInEvent(QFocusEvent* event) {
  keyboardFocus_ = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason ||
                   event->reason() == Qt::ShortcutFocusReason;
  QWidget::focusInEvent(event);
}

void Plot::focusOutEvent(QFocusEvent* event) {
  keyboardFocus_ = false;
  QWidget::focusOutEvent(event);
}

void Plot::moveCursor(std::int64_t step) {
  axis_->setCursor(step);
  if (axis_->cursor()) Q_EMIT stepActivated(*axis_->cursor());
}

// Keys that change what is shown; returns whether it was one.
bool Plot::handleViewKey(QKeyEvent* event) {
  if (event->modifiers() & Qt::AltModifier) {
    if (event->key() == Qt::Key_Left) return axis_->back(), true;
    if (event->key() == Qt::Key_Right) return axis_->forward(), true;
    return false;
  }
  switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
      axis_->remember();
      axis_->zoom(kKeyZoom, static_cast<double>(presentStep()));
      return true;
    case Qt::Key_Minus:
      axis_->remember();
      axis_->zoom(1 / kKeyZoom, static_cast<double>(presentStep()));
      return true;
    case Qt::Key_F:
      axis_->remember();
      fitValues();
      axis_->fit();
      return true;
    case Qt::Key_Up:
      chooseNext(-1);
      return true;
    case Qt::Key_Down:
      chooseNext(1);
      return true;
    case Qt::Key_H:
      if (chosen_) setPartHidden(*chosen_, !isPartHidden(*chosen_));
      return chosen_.has_value();
    default:
      return false;
  }
}

// Keys that mean a step; returns whether it was one.
bool Plot::handleStepKey(QKeyEvent* event, std::int64_t step) {
  if (event->matches(QKeySequence::Copy)) return copy(), true;
  if (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier)) return false;
  switch (event->key()) {
    case Qt::Key_P:
      if (event->modifiers() & Qt::ShiftModifier) return axis_->clearPins(), true;
      axis_->togglePin(step);
      return true;
    case Qt::Key_N:
      axis_->requestNote(step);
      return axis_->takesNotes();
    default:
      return false;
  }
}

void Plot::keyPressEvent(QKeyEvent* event) {
  if (isEmpty() || !axis_->data()) return QWidget::keyPressEvent(event);
  const Range data = *axis_->data();
  const std::int64_t cursor = presentStep();
  if (handleViewKey(event) || handleStepKey(event, cursor)) return;
  const std::int64_t stride = event->modifiers() & Qt::ShiftModifier ? 10 : 1;
  switch (event->key()) {
    case Qt::Key_Left:
      return moveCursor(cursor - stride);
    case Qt::Key_Right:
      return moveCursor(cursor + stride);
    case Qt::Key_Home:
      return moveCursor(static_cast<std::int64_t>(data.low));
    case Qt::Key_End:
      return moveCursor(static_cast<std::int64_t>(data.high));
    case Qt::Key_Escape:
      if (chosen_) return choosePart(std::nullopt);
      if (axis_->cursor()) return axis_->clearCursor();
      break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      for (const auto& [at, group] : markPositions()) {
        if (group.kind != MarkKind::kNote && axis_->cursor() && cursor >= group.first && cursor <= group.last) {
          Q_EMIT markActivated(markedStep(group, cursor));
          return;
        }
      }
      break;
    default:
      break;
  }
  QWidget::keyPressEvent(event);
}

void Plot::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  placeHeaderWidget();
}

}  // namespace binade::views
