// SPDX-License-Identifier: Apache-2.0
#include "views/lessons/run_card.h"

#include "engine/lessons/trainings.h"
#include "views/style/looks.h"
#include "views/theme.h"
#include "views/values/numbers.h"

#include <QBoxLayout>
#include <QCoreApplication>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>

#include <algorithm>
#include <cmath>

namespace binade::views {

namespace {

/// A training as a card names it, with what its policy means: `cuda-amp (autocast in float16)`.
QString trainingText(const lessons::Training& training) {
  const auto say = [](const char* text) { return QCoreApplication::translate("RunCard", text); };
  const QString name = QString::fromStdString(training.name);
  switch (training.policy) {
    case policy::Base::kAllFloat32:
      return say("%1 (float32 everywhere)").arg(name);
    case policy::Base::kCudaAmp:
      return say("%1 (autocast in float16)").arg(name);
    case policy::Base::kCpuAmp:
      return say("%1 (autocast in bfloat16)").arg(name);
    default:
      return name;
  }
}

}  // namespace

QString experimentText(const lessons::Experiment& experiment) {
  const auto say = [](const char* text) { return QCoreApplication::translate("RunCard", text); };
  QStringList policies;
  for (const lessons::Training& training : lessons::trainings_of(experiment)) policies << trainingText(training);
  const QString sample = QString::fromStdString(experiment.sample);
  const QString steps = grouped(experiment.steps);
  QString text;
  switch (experiment.kind) {
    case lessons::RunKind::kTrain:
      text = say("Trains the sample %1 for %2 steps with %3.").arg(sample, steps, policies.value(0));
      break;
    case lessons::RunKind::kCompare:
      text = say("Trains the sample %1 for %2 steps from the same start, once with each of %3.")
                 .arg(sample, steps, policies.join(QStringLiteral(", ")));
      break;
    case lessons::RunKind::kDiagnose:
      text = say("Trains the sample %1 with %3 up to its first step that is not finite, at most %2 steps.")
                 .arg(sample, steps, policies.value(0));
      break;
  }
  if (experiment.scale) text += u' ' + say("The loss scale is %1.").arg(scaleText(*experiment.scale));
  if (experiment.learning_rate) text += u' ' + say("The learning rate is %1.").arg(figure(*experiment.learning_rate));
  return text + u' ' + say("It takes at most %1 s.").arg(experiment.limit_s);
}

RunCard::RunCard(const lessons::Experiment& experiment, QWidget* parent)
    : QWidget(parent),
      experiment_(experiment),
      text_(makeTextLabel(Tone::kSecond)),
      progress_(new QProgressBar),
      run_(new QPushButton),
      cancel_(new QPushButton(tr("Cancel"))),
      figure_(new QPushButton(tr("Show figure"))) {
  setSurface(this, Surface::kCard);
  auto* head = new QLabel(tr("Experiment"));
  head->setFont(textFont(13, QFont::DemiBold));
  auto* what = makeTextLabel();
  what->setText(experimentText(experiment));
  setAccessibleName(tr("Experiment"));
  setAccessibleDescription(what->text());
  text_->setObjectName(QStringLiteral("runText"));
  progress_->setTextVisible(false);
  progress_->setAccessibleName(tr("Progress of the experiment"));
  run_->setObjectName(QStringLiteral("run"));
  cancel_->setObjectName(QStringLiteral("cancelRun"));
  figure_->setObjectName(QStringLiteral("showRunFigure"));
  figure_->setToolTip(tr("Show the figure of this experiment beside the text"));
  auto* buttons = new QHBoxLayout;
  buttons->setSpacing(8);
  buttons->addWidget(run_);
  buttons->addWidget(cancel_);
  buttons->addWidget(figure_);
  buttons->addStretch();
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(16, 12, 16, 12);
  column->setSpacing(8);
  column->addWidget(head);
  column->addWidget(what);
  column->addLayout(buttons);
  column->addWidget(progress_);
  column->addWidget(text_);
  connect(run_, &QPushButton::clicked, this, &RunCard::runRequested);
  connect(cancel_, &QPushButton::clicked, this, &RunCard::cancelRequested);
  connect(figure_, &QPushButton::clicked, this, &RunCard::figureRequested);
  setState({});
}

void RunCard::setState(const RunState& state) {
  using Phase = RunState::Phase;
  const bool runs = state.phase == Phase::kRunning;
  run_->setVisible(!runs);
  cancel_->setVisible(runs);
  figure_->setVisible(state.figure);
  progress_->setVisible(runs);
  progress_->setRange(0, state.progress < 0 ? 0 : 1000);
  if (state.progress >= 0) progress_->setValue(static_cast<int>(std::lround(std::min(state.progress, 1.0) * 1000)));
  const bool again = state.phase == Phase::kDone || state.phase == Phase::kFailed;
  run_->setText(again ? tr("Run again") : state.phase == Phase::kNoEngine ? tr("Try again") : tr("Run on the engine"));
  setPrimary(run_, state.phase == Phase::kReady);
  QString text = state.text;
  if (state.phase == Phase::kNoEngine) {
    text = tr("No engine runs, so this experiment cannot be run now.") + u' ' + text;
    text = text.trimmed() + u' ' + tr("Figures, predictions and exercises work without one.");
  }
  setTone(text_, state.phase == Phase::kFailed ? Tone::kCrimson : Tone::kSecond);
  text_->setText(text);
  text_->setVisible(!text.isEmpty());
}

void RunCard::setRanBefore() {
  text_->setText(tr("You have run this experiment before."));
  text_->show();
  run_->setText(tr("Run again"));
  setPrimary(run_, false);
}

QString RunCard::text() const {
  return text_->isHidden() ? QString() : text_->text();
}

}  // namespace binade::views
