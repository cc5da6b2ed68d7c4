// SPDX-License-Identifier: Apache-2.0
#include "engine/evidence/silent_watch.h"

#include "engine/evidence/update_watch.h"
#include "engine/graph/failure.h"

#include <chrono>
#include <exception>
#include <utility>

namespace binade::evidence {

SilentWatch::SilentWatch(train::Training& training) : training_(training) {
  arguments_.set_timer(&training.timer);
}

void SilentWatch::begin(bool observes) {
  observes_ = observes;
  evidence_ = {};
  evidence_.observed = observes;
  seconds_ = 0;
  arguments_.begin(observes);
}

void SilentWatch::before_optimizer() {
  if (!observes_) return;
  const auto start = std::chrono::steady_clock::now();
  try {
    measure_lost_updates(training_, evidence_);
  } catch (const std::exception& error) {
    // If the copies do not fit into memory, the step continues without observing its updates.
    evidence_.updates.clear();
    evidence_.states.clear();
    const std::string why = graph::reason_of(error);
    using Kind = wire::SilentFault::Kind;
    evidence_.unmeasured.push_back({Kind::kUpdateLost, -1, "whether the weights take up their updates", why});
    evidence_.unmeasured.push_back({Kind::kLowState, -1, "whether values added to the optimizer's sums are lost", why});
  }
  seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

silent::Evidence SilentWatch::finish() {
  if (observes_) {
    try {
      arguments_.finish(evidence_);
    } catch (const std::exception& error) {
      // The step is complete, so a failure here only means that it was not observed.
      std::vector<silent::Unmeasured> unmeasured = std::move(evidence_.unmeasured);
      evidence_ = {};
      evidence_.unmeasured = std::move(unmeasured);
      evidence_.unmeasured.push_back(
          {wire::SilentFault::Kind::kUnderflow, -1, "what op calls lost in an observed step", graph::reason_of(error)});
    }
    seconds_ += arguments_.seconds();
  }
  return std::exchange(evidence_, {});
}

}  // namespace binade::evidence
