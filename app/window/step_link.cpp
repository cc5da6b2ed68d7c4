// SPDX-License-Identifier: Apache-2.0
#include "app/window/step_link.h"

#include "app/model/run_model.h"
#include "app/session/selection.h"
#include "views/plot/step_axis.h"

namespace binade::app {

void linkSteps(views::StepAxis* axis, Selection* selection, RunModel* run) {
  QObject::connect(axis, &views::StepAxis::cursorChanged, selection,
                   [axis, selection] { selection->setStep(axis->cursor()); });
  QObject::connect(selection, &Selection::stepChanged, axis, [axis](std::optional<std::int64_t> step) {
    if (step == axis->cursor()) return;
    if (step) {
      axis->setCursor(*step);
    } else {
      axis->clearCursor();
    }
  });
  QObject::connect(run, &RunModel::shownStepChanged, axis, [axis, run] { axis->setShown(run->shownStep()); });
  // Connected before the charts exist, so that they extend the cleared axis.
  QObject::connect(run, &RunModel::reset, axis, &views::StepAxis::reset);
}

}  // namespace binade::app
