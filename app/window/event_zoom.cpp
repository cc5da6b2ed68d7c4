// SPDX-License-Identifier: Apache-2.0
#include "app/window/event_zoom.h"

#include "app/model/run_model.h"
#include "app/session/selection.h"
#include "views/plot/step_axis.h"

#include <algorithm>

namespace binade::app {

namespace {
constexpr double kStepsBefore = 150;  // what led to the event, such as the growth of the scale
constexpr double kStepsAfter = 50;
constexpr double kRoom = 10;  // free space right of the latest step
}  // namespace

EventZoom::EventZoom(views::StepAxis* axis, Selection* selection, const RunModel* run, QObject* parent)
    : QObject(parent), axis_(axis), selection_(selection), run_(run) {
  connect(selection, &Selection::eventChanged, this, &EventZoom::zoom);
  connect(run, &RunModel::reset, this, [this] {
    own_.reset();
    step_before_.reset();
  });
}

bool EventZoom::isOwn() const {
  return own_ && axis_->mode() == views::StepAxis::Mode::kFixed && axis_->range() == *own_;
}

void EventZoom::setActive(bool active) {
  if (active == active_) return;
  active_ = active;
  if (active_) {
    step_before_ = selection_->step();
    return zoom();
  }
  if (isOwn()) axis_->back();
  own_.reset();
  const auto event = static_cast<std::size_t>(selection_->event());
  if (selection_->shown() || selection_->event() < 0 || event >= run_->events().size()) return;
  // The other arrangements follow the newest step unless the user has moved the cursor.
  if (selection_->step() == run_->events()[event].step) selection_->setStep(step_before_);
}

void EventZoom::zoom() {
  const auto event = static_cast<std::size_t>(selection_->event());
  if (!active_ || selection_->event() < 0 || event >= run_->events().size() || !axis_->data()) return;
  const bool all = axis_->mode() == views::StepAxis::Mode::kAll;
  if (!all && !isOwn()) return;
  if (axis_->data()->span() < kStepsBefore + kStepsAfter) return;  // few steps: all of them tell more
  const auto step = static_cast<double>(run_->events()[event].step);
  const views::Range data = *axis_->data();
  const double high = std::min(step + kStepsAfter, data.high + kRoom);
  const double low = std::max(data.low, high - kStepsBefore - kStepsAfter);
  if (all) axis_->remember();
  axis_->hold({low, low + kStepsBefore + kStepsAfter});
  own_ = axis_->range();
}

}  // namespace binade::app
