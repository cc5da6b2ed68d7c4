// SPDX-License-Identifier: Apache-2.0
#include "app/scale_dock.h"

#include "app/scale_edit.h"
#include "app/scale_text.h"
#include "app/site_text.h"
#include "views/numbers.h"

namespace binade::app {

ScaleDock::ScaleDock(RunModel* run, views::StepAxis* axis, QWidget* parent)
    : Dock(QStringLiteral("lossScale"), tr("Loss scale"), parent),
      run_(run),
      plot_(new views::ScalePlot(axis)),
      editor_(new ScaleEdit) {
  plot_->setTitle(tr("Loss scale"));
  plot_->setEmptyText(tr("No steps yet."),
                      tr("The loss scale of every step appears here, with skips, back-off and growth."));
  plot_->setHeaderWidget(editor_);
  setWidget(plot_);
  connect(editor_, &ScaleEdit::scaleRequested, this, &ScaleDock::scaleRequested);
  connect(editor_, &ScaleEdit::problem, this, &ScaleDock::problem);
  connect(run_, &RunModel::reset, this, &ScaleDock::rebuild);
  connect(run_, &RunModel::stepsAdded, this, &ScaleDock::append);
  connect(run_, &RunModel::policyAdded, this, &ScaleDock::markPolicy);
  connect(run_, &RunModel::stateChanged, this, &ScaleDock::updateEditor);
  rebuild();
}

void ScaleDock::rebuild() {
  plot_->clear();
  plot_->setCaption(withRaisedPowers(QString::fromStdString(run_->config().caption)));
  append(0);
  for (int i = 1; i < static_cast<int>(run_->policies().size()); ++i) markPolicy(i);
  updateEditor();
}

void ScaleDock::append(int first) {
  const std::vector<StepPoint>& steps = run_->steps();
  for (std::size_t i = static_cast<std::size_t>(first); i < steps.size(); ++i) {
    const StepPoint& point = steps[i];
    plot_->append(point.step, point.scale);
    if (!point.stepped)
      plot_->addMark({point.step, views::MarkKind::kSkipped, tr("Step skipped: a gradient was not finite")});
    const QString change = tr("%1 to %2").arg(views::scaleText(point.scale), views::scaleText(point.next_scale));
    if (point.next_scale < point.scale)
      plot_->addMark({point.step, views::MarkKind::kBackOff, tr("Back-off, %1").arg(change)});
    if (point.next_scale > point.scale)
      plot_->addMark({point.step, views::MarkKind::kGrowth, tr("Growth, %1").arg(change)});
  }
  updateEditor();
}

void ScaleDock::markPolicy(int index) {
  const auto at = static_cast<std::size_t>(index);
  const auto& policies = run_->policies();
  plot_->addMark({policies[at].step, views::MarkKind::kPolicyEdit,
                  policyChangeText(policies[at - 1], policies[at], run_->sites())});
}

void ScaleDock::updateEditor() {
  editor_->setEnabled(run_->isActive() && run_->config().scaler.enabled);
  editor_->setScale(run_->steps().empty() ? run_->config().scaler.init_scale : run_->steps().back().next_scale);
}

}  // namespace binade::app
