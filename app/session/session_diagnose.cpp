// SPDX-License-Identifier: Apache-2.0
// A session's requests for more measurements, and the fixes that follow from them.
#include "app/present/comparison_rows.h"
#include "app/session/session.h"

#include <utility>

namespace binade::app {

void Session::setProfiling(bool on) {
  if (!run_.isActive()) return;
  wire::ProfileConfig profile = run_.config().profile;
  profile.level = on ? "counters" : "off";
  engine_.setProfile(profile, [this, profile](const std::optional<Problem>& problem) {
    if (problem) {
      run_.setProfile(run_.config().profile);  // resets the switch
      return reporting()(problem);
    }
    run_.setProfile(profile);
  });
}

void Session::compareWithFloat32() {
  if (!run_.hasWeights() || run_.steps().empty()) return;
  if (engine_.state() == EngineClient::State::kStopped) startEngine();
  comparing_ = true;
  Q_EMIT comparing(true);
  const auto take = [this, asked_of = runs_](const std::variant<wire::Float32Comparison, Problem>& answer) {
    flush();  // applies what the run sent before
    comparing_ = false;
    Q_EMIT busy({});
    Q_EMIT comparing(false);
    if (asked_of != runs_) return;  // another run is shown by now, or this one was rewound
    if (const auto* problem = std::get_if<Problem>(&answer)) {
      if (engine_.state() != EngineClient::State::kStopped) report(*problem);
      return;
    }
    asked_comparison_ = std::get<wire::Float32Comparison>(answer).step;
    run_.setComparison(std::get<wire::Float32Comparison>(answer));
  };
  engine_.compareWithFloat32(endedRun(), run_.sites().size(), take);
}

// A requested comparison arrives as the answer and as a notification, in either order. Only an unrequested one is
// announced.
void Session::takeComparison(const wire::Float32Comparison& comparison) {
  run_.setComparison(comparison);
  if (comparing_ || asked_comparison_ == comparison.step) return;
  log_.add({"info", comparisonText(run_, comparison).toStdString()});
  Q_EMIT comparedByItself();
}

void Session::applyFix(const FixChoice& fix) {
  if (!run_.isActive() || fix.isEmpty()) return;
  // A scale alone is not an edit of the policy: without a macro, the undo stack shows which of the two it is.
  if (fix.rules.empty()) return pushScale(fix.scale, fix.scaler, fix.text);
  QUndoStack* stack = document_.undoStack();
  stack->beginMacro(fix.text);
  document_.addRules(fix.rules, fix.text);
  if (fix.scale > 0) pushScale(fix.scale, fix.scaler, fix.text);
  stack->endMacro();
}

}  // namespace binade::app
