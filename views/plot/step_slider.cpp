// SPDX-License-Identifier: Apache-2.0
#include "views/plot/step_slider.h"

#include "views/theme.h"
#include "views/values/numbers.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QStringList>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace binade::views {

namespace {

constexpr double kEdge = 9;     // px beside the first and the last step
constexpr double kGroove = 17;  // px from the top
constexpr double kMarkRow = 7;  // px from the top
constexpr double kApart = 9;    // px between two marks of a kind
constexpr double kNear = 5;     // px around the pointer whose marks a tool tip names
constexpr qsizetype kMostNamed = 8;
constexpr std::array kStepMarks{StepMark::Kind::kCheckpoint, StepMark::Kind::kRewind, StepMark::Kind::kEdit,
                                StepMark::Kind::kEvent};  // the last is drawn on top

void drawStepMark(QPainter& painter, StepMark::Kind kind, double x) {
  const Colors& c = colors();
  const double y = kMarkRow;
  QPainterPath path;
  switch (kind) {
    case StepMark::Kind::kEvent:
      path.moveTo(x, y - 4);
      path.lineTo(x + 3.5, y);
      path.lineTo(x, y + 4);
      path.lineTo(x - 3.5, y);
      path.closeSubpath();
      return painter.fillPath(path, c.crimson);
    case StepMark::Kind::kEdit:
      path.moveTo(x, y - 5);
      path.lineTo(x + 6, y - 2.5);
      path.lineTo(x, y);
      path.closeSubpath();
      painter.fillPath(path, c.indigo);
      painter.setPen(QPen(c.indigo, 0));
      return painter.drawLine(QPointF(x, y - 5), QPointF(x, kGroove));
    case StepMark::Kind::kRewind:
      path.moveTo(x - 4, y);
      path.lineTo(x + 2, y - 4);
      path.lineTo(x + 2, y + 4);
      path.closeSubpath();
      return painter.fillPath(path, c.text);
    case StepMark::Kind::kCheckpoint:
      painter.setPen(QPen(c.secondText, 0));
      painter.setBrush(Qt::NoBrush);
      return painter.drawRect(QRectF(x - 2.5, y - 2.5, 5, 5));
  }
}

}  // namespace

int StepSlider::valueOf(std::int64_t step) {
  return static_cast<int>(std::clamp<std::int64_t>(step, 0, std::numeric_limits<int>::max()));
}

StepSlider::StepSlider(QWidget* parent) : QAbstractSlider(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setOrientation(Qt::Horizontal);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setPageStep(100);
  setRange(0, 0);
  connect(this, &QAbstractSlider::valueChanged, this, [this](int step) {
    update();
    if (!setting_) Q_EMIT stepChosen(step);  // by assistive technology
  });
}

void StepSlider::setSteps(std::int64_t first, std::int64_t last, std::optional<std::int64_t> shown) {
  setting_ = true;
  follows_ = !shown;
  setRange(valueOf(first), valueOf(last));
  setValue(valueOf(shown.value_or(last)));
  setting_ = false;
  update();
}

void StepSlider::setMarks(std::vector<StepMark> marks) {
  marks_ = std::move(marks);
  update();
}

void StepSlider::setCursorStep(std::optional<std::int64_t> step) {
  if (step == cursor_) return;
  cursor_ = step;
  update();
}

double StepSlider::stepToX(double step) const {
  const double span = std::max(1, maximum() - minimum());
  return kEdge + (width() - 2 * kEdge) * (step - minimum()) / span;
}

std::int64_t StepSlider::stepAt(double x) const {
  const double share = (x - kEdge) / std::max(1.0, width() - 2 * kEdge);
  return std::clamp<std::int64_t>(minimum() + std::llround(share * (maximum() - minimum())), minimum(), maximum());
}

// The newest step is also chosen as a step, so that a live run stays there; End follows it.
void StepSlider::choose(std::int64_t step) {
  step = std::clamp<std::int64_t>(step, minimum(), maximum());
  Q_EMIT stepChosen(step);
}

void StepSlider::chooseMark(bool later) {
  std::optional<std::int64_t> nearest;
  for (const StepMark& mark : marks_) {
    if (later ? mark.step <= value() : mark.step >= value()) continue;
    if (!nearest || (later ? mark.step < *nearest : mark.step > *nearest)) nearest = mark.step;
  }
  if (nearest) choose(*nearest);
}

void StepSlider::keyPressEvent(QKeyEvent* event) {
  const bool marks = event->modifiers().testFlag(Qt::ControlModifier);
  switch (event->key()) {
    case Qt::Key_Left:
      return marks ? chooseMark(false) : choose(value() - std::int64_t{1});
    case Qt::Key_Right:
      return marks ? chooseMark(true) : choose(value() + std::int64_t{1});
    case Qt::Key_PageUp:
      return choose(value() + std::int64_t{pageStep()});
    case Qt::Key_PageDown:
      return choose(value() - std::int64_t{pageStep()});
    case Qt::Key_Home:
      return choose(minimum());
    case Qt::Key_End:
      return Q_EMIT newestChosen();
    default:
      break;
  }
  if (event->text().size() == 1 && event->text().front().isDigit()) return Q_EMIT typed(event->text());
  event->ignore();
}

void StepSlider::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return event->ignore();
  setSliderDown(true);
  choose(stepAt(event->position().x()));
}

void StepSlider::mouseMoveEvent(QMouseEvent* event) {
  if (isSliderDown()) choose(stepAt(event->position().x()));
}

void StepSlider::mouseReleaseEvent(QMouseEvent*) {
  setSliderDown(false);
}

void StepSlider::wheelEvent(QWheelEvent* event) {
  const int turn = event->angleDelta().y() != 0 ? event->angleDelta().y() : event->angleDelta().x();
  if (turn != 0) choose(value() + std::int64_t{turn > 0 ? -1 : 1});
  event->accept();
}

QString StepSlider::marksAt(double x) const {
  QStringList named;
  if (cursor_ && std::abs(stepToX(static_cast<double>(*cursor_)) - x) <= kNear)
    named << tr("Step %1: the cursor of the charts").arg(grouped(*cursor_));
  qsizetype more = 0;
  for (const StepMark& mark : marks_) {
    if (std::abs(stepToX(static_cast<double>(mark.step)) - x) > kNear) continue;
    if (named.size() >= kMostNamed) {
      ++more;
    } else if (const QString text = text_ ? text_(mark) : QString(); !text.isEmpty()) {
      named << text;
    }
  }
  if (more > 0) named << tr("and %1 more").arg(more);
  return named.join(u'\n');
}

bool StepSlider::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    QString text = tr("Step %1").arg(grouped(stepAt(help->pos().x())));
    if (const QString marks = marksAt(help->pos().x()); !marks.isEmpty()) text += u'\n' + marks;
    QToolTip::showText(help->globalPos(), text, this);
    return true;
  }
  return QAbstractSlider::event(event);
}

void StepSlider::paintMarks(QPainter& painter) const {
  for (const StepMark::Kind kind : kStepMarks) {
    double drawn = -kApart;
    for (const StepMark& mark : marks_) {
      if (mark.kind != kind) continue;
      const double x = stepToX(static_cast<double>(mark.step));
      if (x - drawn < kApart) continue;
      drawn = x;
      drawStepMark(painter, kind, x);
    }
  }
}

void StepSlider::paintEvent(QPaintEvent*) {
  const Colors& c = colors();
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const double right = width() - kEdge;
  const double x = stepToX(value());
  painter.fillRect(QRectF(kEdge, kGroove - 1, right - kEdge, 3), c.line);
  painter.fillRect(QRectF(kEdge, kGroove - 1, std::max(0.0, x - kEdge), 3), isEnabled() ? c.secondText : c.line);
  if (!isEnabled()) return;
  // At the shown step the handle is enough. A second run may be longer than the strip.
  if (cursor_ && *cursor_ != value() && *cursor_ >= minimum() && *cursor_ <= maximum()) {
    const double at = std::floor(stepToX(static_cast<double>(*cursor_))) + 0.5;
    painter.setPen(QPen(c.text, 0));
    painter.drawLine(QPointF(at, 1), QPointF(at, height() - 1.0));
  }
  paintMarks(painter);
  // Indigo: the user chose this step.
  painter.setPen(QPen(c.panel, 1));
  painter.setBrush(follows_ ? c.text : c.indigo);
  painter.drawEllipse(QPointF(x, kGroove + 0.5), 6, 6);
  if (!hasFocus()) return;
  painter.setPen(QPen(c.indigo, 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
}

}  // namespace binade::views
