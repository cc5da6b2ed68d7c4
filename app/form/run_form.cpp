// SPDX-License-Identifier: Apache-2.0
#include "app/form/run_form.h"

#include "app/form/data_section.h"
#include "app/form/policy_section.h"
#include "app/form/sections.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QRegularExpression>
#include <QVBoxLayout>

namespace binade::app {

RunForm::RunForm(RunDocument* document, int columns, QWidget* parent)
    : QWidget(parent),
      document_(document),
      data_(new DataSection(document)),
      scaler_(new ScalerSection(document)),
      policy_(new PolicySection(document)),
      all_(new QCheckBox(tr("All settings"))) {
  FormSection* start = makeStartSection(document);
  FormSection* loss = makeLossSection(document);
  FormSection* optimizer = makeOptimizerSection(document);
  FormSection* training = makeTrainingSection(document);
  FormSection* keeping = makeKeepingSection(document);
  sections_ = {start, data_, loss, optimizer, training, scaler_, policy_, keeping};
  training_only_ = {optimizer, training, keeping};
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(16);
  all_->setToolTip(tr("Shows the settings that are rarely changed too. Those that were changed are always shown."));
  layout->addWidget(all_);
  auto* side_by_side = new QHBoxLayout;
  side_by_side->setSpacing(40);
  std::vector<QVBoxLayout*> stacks;
  for (int i = 0; i < columns; ++i) {
    auto* stack = new QVBoxLayout;
    stack->setSpacing(20);
    side_by_side->addLayout(stack, i == 0 ? 6 : 5);
    stacks.push_back(stack);
  }
  const QList<FormSection*> right{optimizer, training, keeping};
  for (FormSection* section : sections_) {
    stacks[columns > 1 && right.contains(section) ? 1 : 0]->addWidget(section);
  }
  for (QVBoxLayout* stack : stacks) stack->addStretch();
  layout->addLayout(side_by_side);
  connect(all_, &QCheckBox::toggled, this, [this](bool on) {
    for (FormSection* section : sections_) section->setShowRare(on);
  });
  connect(document_, &RunDocument::changed, this, &RunForm::refresh);
  refresh();
}

void RunForm::setModel(const wire::ModelInfo& model) {
  data_->setModel(model);
  policy_->setModel(model);
}

void RunForm::setCapabilities(const policy::Capabilities& capabilities) {
  policy_->setCapabilities(capabilities);
}

void RunForm::setAskFiles(const AskFiles& ask) {
  for (FormSection* section : sections_) section->setAskFiles(ask);
}

void RunForm::setFailedRun(bool failed) {
  for (QWidget* section : training_only_) section->setVisible(!failed);
  if (failed) sections_.front()->setShowRare(true);  // that section has the rare field for weights
}

void RunForm::refresh() {
  scaler_->refreshChoice();
  for (FormSection* section : sections_) {
    section->clearProblems();
    section->refresh();
  }
  shown_problem_.clear();
  if (const auto problem = document_->problem()) showProblem(*problem);
}

// The form shows one of several scalers: makes it the named one.
QString RunForm::hereNamed(QString path) {
  static const QRegularExpression one_of(QStringLiteral("^scalers\\[(\\d+)\\]"));
  const auto match = one_of.match(path);
  if (!match.hasMatch()) return path;
  if (scaler_->current() != match.captured(1).toInt()) scaler_->setCurrent(match.captured(1).toInt());
  return path.replace(one_of, QStringLiteral("scaler"));
}

bool RunForm::showProblem(const Problem& problem) {
  if (problem.field.isEmpty()) return false;
  const QString field = hereNamed(problem.field);
  // The message is shown at the field, so the field's name is left out.
  const QString name = problem.field + u' ';
  QString text = problem.message.startsWith(name) ? problem.message.sliced(name.size()) : problem.message;
  if (!text.isEmpty()) text[0] = text[0].toUpper();
  if (!problem.hint.isEmpty()) text += QStringLiteral(". ") + problem.hint;
  for (FormSection* section : sections_) {
    if (!section->showProblem(field, text)) continue;
    shown_problem_ = field;
    return true;
  }
  return false;
}

bool RunForm::goToProblem() {
  if (shown_problem_.isEmpty()) return false;
  for (FormSection* section : sections_) {
    if (section->focusField(shown_problem_)) return true;
  }
  return false;
}

}  // namespace binade::app
