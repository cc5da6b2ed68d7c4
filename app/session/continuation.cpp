// SPDX-License-Identifier: Apache-2.0
#include "app/session/continuation.h"

#include "app/model/run_model.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace binade::app {

namespace {

bool same(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

// Whether the training has come, without a rewind, from the newest shown step to where the history ends. A training
// that was rewound and repeated the same steps with the same results has too.
bool continues(const StepPoint& last, const std::vector<wire::RunNotification>& history) {
  std::int64_t newest = -1;
  bool rewound = false;                   // to the last shown step or before it
  std::optional<wire::StepRecord> there;  // the last shown step, as it is now
  for (const wire::RunNotification& each : history) {
    if (const auto* back = std::get_if<wire::Rewound>(&each)) {
      newest = back->step - 1;
      if (back->step <= last.step) {
        there.reset();
        rewound = true;
      }
    } else if (const auto* batch = std::get_if<wire::StepBatch>(&each)) {
      for (const wire::StepRecord& step : batch->steps) {
        newest = step.step;
        if (step.step == last.step) there = step;
      }
    }
  }
  if (newest < last.step) return false;
  if (!there) return !rewound;  // the engine keeps no steps that old
  return same(there->loss, last.loss) && same(there->scale, last.scale) && there->stepped == last.stepped;
}

// What of one notification is later than what the run shows; nullopt: nothing.
class Newer {
 public:
  explicit Newer(const RunModel& shown) : shown_(&shown), last_(shown.steps().back().step) {}

  std::optional<wire::RunNotification> operator()(const wire::RunStarted&) const { return std::nullopt; }
  std::optional<wire::RunNotification> operator()(const wire::LogLine&) const { return std::nullopt; }
  std::optional<wire::RunNotification> operator()(const wire::StepBatch& batch) const {
    wire::StepBatch newer;
    std::copy_if(batch.steps.begin(), batch.steps.end(), std::back_inserter(newer.steps),
                 [this](const wire::StepRecord& step) { return step.step > last_; });
    return newer.steps.empty() ? std::nullopt : std::optional<wire::RunNotification>(newer);
  }
  std::optional<wire::RunNotification> operator()(const wire::Event& event) const {
    const auto known = [&](const wire::Event& each) { return each.step == event.step && each.kind == event.kind; };
    const auto& events = shown_->events();
    return take(event,
                event.step > last_ || (event.step == last_ && std::none_of(events.begin(), events.end(), known)));
  }
  std::optional<wire::RunNotification> operator()(const wire::Evaluated& evaluated) const {
    const auto& known = shown_->evaluations();
    return take(evaluated, known.empty() || evaluated.step > known.back().step);
  }
  std::optional<wire::RunNotification> operator()(const wire::PolicyApplied& applied) const {
    const auto& known = shown_->policies();
    return take(applied, known.empty() || applied.revision > known.back().revision);
  }
  std::optional<wire::RunNotification> operator()(const wire::ScalerChanged& change) const {
    const auto& known = shown_->scalerEdits();
    return take(change, change.step > last_ || known.empty() || change.step > known.back().step);
  }
  std::optional<wire::RunNotification> operator()(const wire::CheckpointInfo& saved) const {
    const auto& known = shown_->checkpoints();
    const auto same_file = [&](const wire::CheckpointInfo& each) { return each.file == saved.file; };
    return take(saved, std::none_of(known.begin(), known.end(), same_file));
  }
  std::optional<wire::RunNotification> operator()(const wire::Rewound& rewound) const {
    return take(rewound, rewound.step > last_);
  }
  // The newest of its kind counts, whatever its step.
  template <class T>
  std::optional<wire::RunNotification> operator()(const T& other) const {
    return wire::RunNotification(other);
  }

 private:
  template <class T>
  static std::optional<wire::RunNotification> take(const T& value, bool newer) {
    return newer ? std::optional<wire::RunNotification>(value) : std::nullopt;
  }

  const RunModel* shown_;
  std::int64_t last_;
};

}  // namespace

std::optional<std::vector<wire::RunNotification>> continuation(const RunModel& shown,
                                                               const std::vector<wire::RunNotification>& history) {
  if (shown.steps().empty() || !continues(shown.steps().back(), history)) return std::nullopt;
  const Newer newer(shown);
  std::vector<wire::RunNotification> lacking;
  for (const wire::RunNotification& each : history) {
    if (auto rest = std::visit(newer, each)) lacking.push_back(std::move(*rest));
  }
  return lacking;
}

}  // namespace binade::app
