// SPDX-License-Identifier: Apache-2.0
#include "app/docks/step_marks.h"

#include "views/plot/plot.h"

namespace binade::app {

StepMarks::StepMarks(RunModel* run, views::Plot* plot, QObject* parent) : QObject(parent), run_(run), plot_(plot) {
  connect(run_, &RunModel::stepsAdded, this, &StepMarks::append);
  connect(run_, &RunModel::policyAdded, this, &StepMarks::markPolicy);
  connect(run_, &RunModel::scalerEdited, this, &StepMarks::markScaler);
}

void StepMarks::rebuild() {
  plot_->clearMarks();
  processed_ = 0;
  append();
  for (int i = 1; i < static_cast<int>(run_->policies().size()); ++i) markPolicy(i);
  for (int i = 0; i < static_cast<int>(run_->scalerEdits().size()); ++i) markScaler(i);
}

void StepMarks::append() {
  const auto& marked = run_->markedSteps();
  for (; processed_ < marked.size(); ++processed_) {
    const StepPoint point = marked[processed_];
    if (point.stepped) continue;
    plot_->addMark({point.step, views::MarkKind::kSkipped, tr("Step skipped: weights unchanged")});
  }
}

void StepMarks::markPolicy(int index) {
  const auto at = static_cast<std::size_t>(index);
  plot_->addMark({run_->policies()[at].step, views::MarkKind::kPolicyEdit, QString()});
}

void StepMarks::markScaler(int index) {
  const ScalerEdit& edit = run_->scalerEdits()[static_cast<std::size_t>(index)];
  plot_->addMark({edit.step, views::MarkKind::kPolicyEdit, QString()});
}

}  // namespace binade::app
