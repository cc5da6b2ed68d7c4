// SPDX-License-Identifier: Apache-2.0
#include "app/window/time_line_bar.h"

#include "app/present/event_words.h"
#include "app/present/scaler_text.h"
#include "app/present/site_text.h"
#include "views/theme.h"
#include "views/values/numbers.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QToolButton>

#include <utility>
#include <variant>

namespace binade::app {

namespace {

using StepMarkKind = views::StepMark::Kind;

// The scaler edits follow the policies in the indices of the marks.
int scalerMark(std::size_t policies, std::size_t edit) {
  return static_cast<int>(policies + edit);
}

}  // namespace

TimeLineBar::TimeLineBar(const RunModel* run, Selection* selection, QWidget* parent)
    : QToolBar(tr("Time line"), parent),
      run_(run),
      selection_(selection),
      slider_(new views::StepSlider),
      field_(new QSpinBox),
      newest_(new QToolButton) {
  setObjectName(QStringLiteral("timeLine"));
  setMovable(false);
  setFloatable(false);
  setContextMenuPolicy(Qt::PreventContextMenu);
  auto* bar = new QWidget;
  auto* row = new QHBoxLayout(bar);
  row->setContentsMargins(12, 1, 12, 1);
  row->setSpacing(8);
  auto* label = new QLabel(tr("Step"));
  label->setBuddy(field_);
  field_->setFont(views::figureFont(12));
  field_->setGroupSeparatorShown(true);
  field_->setKeyboardTracking(false);
  field_->setButtonSymbols(QAbstractSpinBox::NoButtons);
  field_->setAlignment(Qt::AlignRight);
  field_->setFixedWidth(92);
  field_->setAccessibleName(tr("Shown step"));
  field_->setToolTip(tr("The step that all views show"));
  newest_->setText(tr("Newest"));
  newest_->setToolTip(tr("All views show the newest step again, and follow it"));
  newest_->setFocusPolicy(Qt::TabFocus);
  slider_->setAccessibleName(tr("Time line"));
  slider_->setMarkText([this](const views::StepMark& mark) { return markText(mark); });
  row->addWidget(label);
  row->addWidget(field_);
  row->addWidget(slider_, 1);
  row->addWidget(newest_);
  bar->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  addWidget(bar);

  connect(slider_, &views::StepSlider::stepChosen, selection_, [this](qint64 step) { selection_->setShown(step); });
  connect(slider_, &views::StepSlider::newestChosen, selection_, [this] { selection_->setShown(std::nullopt); });
  connect(slider_, &views::StepSlider::typed, field_, [this](const QString& digit) {
    field_->setFocus(Qt::OtherFocusReason);
    auto* line = field_->findChild<QLineEdit*>();
    line->selectAll();
    line->insert(digit);
  });
  connect(field_, &QSpinBox::editingFinished, this, &TimeLineBar::update);
  connect(field_, &QSpinBox::valueChanged, selection_, [this](int step) { selection_->setShown(step); });
  connect(newest_, &QToolButton::clicked, selection_, [this] { selection_->setShown(std::nullopt); });
  const auto forget = [this] { marks_changed_ = true; };
  connect(run_, &RunModel::reset, this, forget);
  connect(run_, &RunModel::eventAdded, this, forget);
  connect(run_, &RunModel::eventsMoved, this, forget);
  connect(run_, &RunModel::policyAdded, this, forget);
  connect(run_, &RunModel::scalerEdited, this, forget);
  connect(run_, &RunModel::checkpointAdded, this, forget);
  connect(run_, &RunModel::frame, this, &TimeLineBar::update);
  connect(selection_, &Selection::shownChanged, this, &TimeLineBar::update);
  connect(selection_, &Selection::stepChanged, slider_, &views::StepSlider::setCursorStep);
  slider_->setCursorStep(selection_->step());
  update();
}

void TimeLineBar::update() {
  const auto& steps = run_->steps();
  setEnabled(!steps.empty());
  if (std::exchange(marks_changed_, false)) updateMarks();
  const std::int64_t first = steps.empty() ? 0 : steps.front().step;
  const std::int64_t last = steps.empty() ? 0 : steps.back().step;
  const auto shown = run_->shownStep();
  slider_->setSteps(first, last, shown);
  newest_->setEnabled(shown.has_value());
  // Without the number of the newest step, which would be announced with every frame.
  const QString marks = tr("%1 marks").arg(views::grouped(std::ssize(slider_->marks())));
  slider_->setAccessibleDescription(shown ? tr("Step %1, %2").arg(views::grouped(*shown), marks)
                                          : tr("The newest step, %1").arg(marks));
  const QSignalBlocker quiet(field_);
  field_->setRange(views::StepSlider::valueOf(first), views::StepSlider::valueOf(last));
  const bool same = std::exchange(field_shows_, shown) == shown;
  if (field_->hasFocus() && same) return;  // a step may be typed at present
  field_->setValue(views::StepSlider::valueOf(shown.value_or(last)));
}

void TimeLineBar::updateMarks() {
  std::vector<views::StepMark> marks;
  const auto add = [&](StepMarkKind kind, std::int64_t step, std::size_t index) {
    marks.push_back({kind, step, static_cast<int>(index)});
  };
  for (std::size_t i = 0; i < run_->events().size(); ++i) add(StepMarkKind::kEvent, run_->events()[i].step, i);
  const auto& policies = run_->policies();
  for (std::size_t i = 1; i < policies.size(); ++i) add(StepMarkKind::kEdit, policies[i].step, i);
  for (std::size_t i = 0; i < run_->scalerEdits().size(); ++i) {
    add(StepMarkKind::kEdit, run_->scalerEdits()[i].step, static_cast<std::size_t>(scalerMark(policies.size(), i)));
  }
  const auto& deeds = run_->past().deeds();
  for (std::size_t i = 0; i < deeds.size(); ++i) {
    if (const auto* rewind = std::get_if<RewindMade>(&deeds[i])) add(StepMarkKind::kRewind, rewind->step, i);
  }
  for (std::size_t i = 0; i < run_->checkpoints().size(); ++i) {
    add(StepMarkKind::kCheckpoint, run_->checkpoints()[i].step, i);
  }
  std::stable_sort(marks.begin(), marks.end(),
                   [](const views::StepMark& a, const views::StepMark& b) { return a.step < b.step; });
  slider_->setMarks(std::move(marks));
}

QString TimeLineBar::markText(const views::StepMark& mark) const {
  const auto at = static_cast<std::size_t>(mark.index);
  const QString step = views::grouped(mark.step);
  switch (mark.kind) {
    case StepMarkKind::kEvent:
      if (at >= run_->events().size()) return {};
      return tr("Step %1: %2").arg(step, eventKindText(run_->events()[at]));
    case StepMarkKind::kEdit: {
      const auto& policies = run_->policies();
      if (at > 0 && at < policies.size())
        return tr("Step %1: %2").arg(step, policyChangeText(policies[at - 1], policies[at], run_->sites()));
      const std::size_t edit = at - policies.size();
      return edit < run_->scalerEdits().size() ? tr("Step %1: %2").arg(step, scalerEditText(run_->scalerEdits()[edit]))
                                               : QString();
    }
    case StepMarkKind::kRewind: {
      const auto& deeds = run_->past().deeds();
      const auto* rewind = at < deeds.size() ? std::get_if<RewindMade>(&deeds[at]) : nullptr;
      return rewind == nullptr ? QString() : tr("Rewound from step %1 to %2").arg(views::grouped(rewind->from), step);
    }
    case StepMarkKind::kCheckpoint:
      return tr("Step %1: checkpoint").arg(step);
  }
  return {};
}

}  // namespace binade::app
