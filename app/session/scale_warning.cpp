// SPDX-License-Identifier: Apache-2.0
#include "app/session/scale_warning.h"

#include "app/model/run_model.h"
#include "app/present/diagnose_answers.h"
#include "views/values/numbers.h"

#include <cmath>
#include <utility>

namespace binade::app {

ScaleWarning::ScaleWarning(const RunModel* run) : run_(run) {
  connect(run_, &RunModel::reset, this, [this] { raised_.reset(); });
  connect(run_, &RunModel::frame, this, &ScaleWarning::check);
}

void ScaleWarning::check() {
  if (run_->steps().empty() || run_->source() != RunModel::Source::kLive) return;
  if (raised_) {
    const auto recovered = scaleRecovery(*run_);
    if (!recovered) return;
    Q_EMIT over(*std::exchange(raised_, std::nullopt),
                tr("The loss scale was below 1 until step %1.").arg(views::grouped(recovered->last)),
                tr("Since the edit at step %1, no step has been skipped. The scale is now %2 and grows automatically.")
                    .arg(views::grouped(recovered->edit), views::scaleText(run_->scaleNow())));
    return;
  }
  if (run_->steps().back().next_scale >= 1 || scaleRecovery(*run_)) return;
  raised_ =
      Problem{tr("The loss scale has fallen below 1."),
              std::isfinite(run_->steps().back().loss)
                  ? tr("Gradients overflow at every useful scale. Forward values may already be too large for float16, "
                       "as in models trained in bfloat16. Diagnose shows the cause of the newest event and its fixes.")
                  : tr("The loss itself is not finite, so no loss scale helps. Diagnose shows the first cause and the "
                       "fixes tried.")};
  Q_EMIT raised(*raised_);
}

}  // namespace binade::app
