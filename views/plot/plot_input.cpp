// SPDX-License-Identifier: Apache-2.0
#include "views/icons.h"
#include "views/look_at_number.h"
#include "views/plot/plot.h"
#include "views/values/numbers.h"

#include <QAction>
#include <QClipboard>
#include <QFileDialog>
#include <QGuiApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMessageBox>
#include <QMouseEvent>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <utility>

namespace binade::views {

namespace {
constexpr double kClickSlack = 4;
constexpr double kKeyZoom = 1.5;
}  // namespace

bool Plot::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
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
    QToolTip::showText(help->globalPos(), text, this);
    return true;
  }
  return QWidget::event(event);
}

void Plot::wheelEvent(QWheelEvent* event) {
  if (isEmpty()) return event->ignore();
  const QPoint turn = event->angleDelta();
  if (std::abs(turn.x()) > std::abs(turn.y())) {
    axis_->pan(-turn.x() / 120.0 * axis_->range().span() * 0.1);
  } else if (turn.y() != 0) {
    axis_->zoom(std::pow(1.25, turn.y() / 120.0), xToStep(event->position().x()));
  }
  event->accept();
}

void Plot::mousePressEvent(QMouseEvent* event) {
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
    if ((at - pressed_).manhattanLength() > kClickSlack) dragged_ = true;
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
  if (markAt(at)) {
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
  if (const auto group = markAt(at)) {
    const std::int64_t step = markedStep(*group, std::llround(xToStep(at.x())));
    axis_->setCursor(step);
    Q_EMIT markActivated(step);
  } else if (plotArea().contains(at)) {
    moveCursor(std::llround(xToStep(at.x())));
  }
}

void Plot::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return QWidget::mouseDoubleClickEvent(event);
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

void Plot::keyPressEvent(QKeyEvent* event) {
  if (isEmpty() || !axis_->data()) return QWidget::keyPressEvent(event);
  const Range data = *axis_->data();
  const std::int64_t cursor = axis_->cursor().value_or(axis_->latest());
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
    case Qt::Key_Plus:
    case Qt::Key_Equal:
      return axis_->zoom(kKeyZoom, static_cast<double>(cursor));
    case Qt::Key_Minus:
      return axis_->zoom(1 / kKeyZoom, static_cast<double>(cursor));
    case Qt::Key_F:
      fitValues();
      return axis_->fit();
    case Qt::Key_Escape:
      if (axis_->cursor()) return axis_->clearCursor();
      break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      for (const auto& [at, group] : markPositions()) {
        if (axis_->cursor() && cursor >= group.first && cursor <= group.last) {
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

std::optional<PickedNumber> Plot::pickedNumber(const QContextMenuEvent& event) const {
  if (isEmpty() || !axis_->data()) return std::nullopt;
  if (event.reason() == QContextMenuEvent::Keyboard)
    return numberAt(axis_->cursor().value_or(axis_->latest()), std::nullopt);
  const QPointF at = event.pos();
  if (!plotArea().contains(at)) return std::nullopt;
  const double step = std::clamp(xToStep(at.x()), axis_->data()->low, axis_->data()->high);
  return numberAt(std::llround(step), yToValue(at.y()));
}

void Plot::contextMenuEvent(QContextMenuEvent* event) {
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  fillMenu(*menu, pickedNumber(*event));
  menu->popup(event->globalPos());
}

void Plot::fillMenu(QMenu& menu, const std::optional<PickedNumber>& number) {
  const bool data = !isEmpty();
  QAction* fit = menu.addAction(icon(QStringLiteral("fit")), tr("Fit"), this, [this] {
    fitValues();
    axis_->fit();
  });
  fit->setShortcut(Qt::Key_F);
  addMenuEntries(menu);
  menu.addSeparator();
  addLookEntry(menu, this, number);
  QAction* copy =
      menu.addAction(tr("Copy image"), this, [this] { QGuiApplication::clipboard()->setImage(toImage(2)); });
  const auto save = [this](const QString& caption, const QString& ending, const QString& filter, auto write) {
    const QString name =
        (title_.isEmpty() ? QStringLiteral("chart") : title_.toLower().replace(QLatin1Char(' '), QLatin1Char('-')));
    QString file = QFileDialog::getSaveFileName(this, caption, name + ending, filter);
    if (file.isEmpty()) return;
    if (!file.endsWith(ending, Qt::CaseInsensitive)) file += ending;
    if (!write(file)) {
      QMessageBox::warning(this, caption, tr("%1 cannot be written. Choose another folder or name.").arg(file));
    }
  };
  QAction* png = menu.addAction(icon(QStringLiteral("export")), tr("Save as PNG…"), this, [this, save] {
    save(tr("Save as PNG"), QStringLiteral(".png"), tr("PNG image (*.png)"),
         [this](const QString& file) { return savePng(file); });
  });
  QAction* svg = menu.addAction(tr("Save as SVG…"), this, [this, save] {
    save(tr("Save as SVG"), QStringLiteral(".svg"), tr("SVG image (*.svg)"),
         [this](const QString& file) { return saveSvg(file); });
  });
  QAction* table = menu.addAction(tr("Export visible steps as CSV…"), this, [this, save] {
    save(tr("Export as CSV"), QStringLiteral(".csv"), tr("Comma-separated values (*.csv)"),
         [this](const QString& file) { return saveCsv(file); });
  });
  for (QAction* action : {fit, copy, png, svg, table}) action->setEnabled(data);
}

void Plot::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  placeHeaderWidget();
}

}  // namespace binade::views
