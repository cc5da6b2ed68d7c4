// SPDX-License-Identifier: Apache-2.0
#include "views/lessons/step_bar.h"

#include "views/style/boxes.h"
#include "views/theme.h"

#include <QAbstractButton>
#include <QBoxLayout>
#include <QPainter>

#include <algorithm>

namespace binade::views {

namespace {

constexpr int kSquareSide = 9;  // px
constexpr int kSquarePitch = 14;

/// One step: a line above its name.
class StepButton : public QAbstractButton {
 public:
  explicit StepButton(const QString& name) {
    setText(name);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  }

  void setState(bool done, bool current) {
    done_ = done;
    current_ = current;
    setAccessibleName(done ? tr("%1, done").arg(text()) : current ? tr("%1, next step").arg(text()) : text());
    update();
  }

  QSize sizeHint() const override { return {80, 28}; }
  QSize minimumSizeHint() const override { return {56, 28}; }

 protected:
  void paintEvent(QPaintEvent*) override {
    const Colors& c = colors();
    QPainter painter(this);
    painter.fillRect(QRect(0, 2, width(), 3), current_ ? c.indigo : done_ ? c.text : c.line);
    const QFont font = textFont(12, current_ ? QFont::DemiBold : QFont::Normal);
    painter.setFont(font);
    painter.setPen(current_ ? c.text : underMouse() ? c.text : c.secondText);
    painter.drawText(QRect(0, 7, width(), 20), Qt::AlignLeft | Qt::AlignVCenter, text());
    if (done_) {
      const int left = QFontMetrics(font).horizontalAdvance(text()) + 4;
      paintTick(painter, QRect(left, 8, 16, 18), c.text);
    }
    if (!hasFocus()) return;
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(c.indigo, 0));
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
  }

 private:
  bool done_ = false;
  bool current_ = false;
};

QString stepName(lessons::LessonStep step) {
  switch (step) {
    case lessons::LessonStep::kPredict:
      return StepBar::tr("Predict");
    case lessons::LessonStep::kRun:
      return StepBar::tr("Run");
    case lessons::LessonStep::kReveal:
      return StepBar::tr("Reveal");
    case lessons::LessonStep::kCheck:
      return StepBar::tr("Check");
  }
  return {};
}

}  // namespace

StepBar::StepBar(QWidget* parent) : QWidget(parent), line_(new QHBoxLayout(this)) {
  setAccessibleName(tr("Steps of the lesson"));
  line_->setContentsMargins(0, 0, 0, 0);
  line_->setSpacing(5);
}

void StepBar::setSteps(const std::vector<lessons::StepState>& steps) {
  const bool same =
      std::equal(steps.begin(), steps.end(), steps_.begin(), steps_.end(),
                 [](const lessons::StepState& a, const lessons::StepState& b) { return a.step == b.step; });
  steps_ = steps;
  if (!same) rebuild();
  // A tick behind the first open step would look as if that step could be left out.
  const std::optional<lessons::LessonStep> open = next();
  bool done = true;
  for (std::size_t i = 0; i < buttons_.size(); ++i) {
    const bool current = open == steps_[i].step;
    done = done && !current;
    static_cast<StepButton*>(buttons_[i])->setState(done, current);
  }
}

std::optional<lessons::LessonStep> StepBar::next() const {
  const auto open =
      std::find_if(steps_.begin(), steps_.end(), [](const lessons::StepState& each) { return !each.done; });
  return open == steps_.end() ? std::nullopt : std::optional(open->step);
}

QString StepBar::nextName() const {
  const auto step = next();
  return step ? stepName(*step) : QString();
}

QStringList StepBar::names() const {
  QStringList names;
  for (const lessons::StepState& each : steps_) names << stepName(each.step);
  return names;
}

void StepBar::rebuild() {
  for (QAbstractButton* button : buttons_) delete button;
  buttons_.clear();
  for (const lessons::StepState& each : steps_) {
    auto* button = new StepButton(stepName(each.step));
    const lessons::LessonStep step = each.step;
    connect(button, &QAbstractButton::clicked, this, [this, step] { Q_EMIT stepRequested(step); });
    line_->addWidget(button, 1);
    buttons_.push_back(button);
  }
}

LessonSquares::LessonSquares(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void LessonSquares::setLessons(const std::vector<bool>& done, int current) {
  done_ = done;
  current_ = current;
  setAccessibleName(tr("%n lessons done", nullptr, static_cast<int>(std::count(done.begin(), done.end(), true))));
  setToolTip(accessibleName());
  updateGeometry();
  update();
}

QSize LessonSquares::sizeHint() const {
  return {kSquarePitch * static_cast<int>(done_.size()), kSquareSide + 3};
}

void LessonSquares::paintEvent(QPaintEvent*) {
  const Colors& c = colors();
  QPainter painter(this);
  for (std::size_t i = 0; i < done_.size(); ++i) {
    const bool present = static_cast<int>(i) == current_;
    const QRect square(kSquarePitch * static_cast<int>(i) + 2, 1, kSquareSide, kSquareSide);
    painter.setPen(QPen(present ? c.indigo : done_[i] ? c.text : c.line, 0));
    painter.setBrush(done_[i] ? c.text : present ? c.selectedRow : c.panel);
    painter.drawRect(square.adjusted(0, 0, -1, -1));
    if (present) painter.drawRect(square.adjusted(-1, -1, 0, 0));
  }
}

}  // namespace binade::views
