// SPDX-License-Identifier: Apache-2.0
// What a session asks of the engine to find out more, the events that it selects, and the fixes that follow.
#include "app/present/comparison_rows.h"
#include "app/present/diagnose_answers.h"
#include "app/session/session.h"

#include <algorithm>
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
    frame_.flush();  // applies what the run sent before
    comparing_ = false;
    endBusy();
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

void Session::measureSavings(const policy::Policy& policy) {
  if (!run_.hasWeights()) return;
  if (engine_.state() == EngineClient::State::kStopped) startEngine();
  const auto take = [this, asked = ++savings_asked_,
                     asked_of = runs_](const std::variant<wire::Savings, Problem>& answer) {
    endBusy();
    // Another selection was asked about since, or another run is shown.
    if (asked == savings_asked_ && asked_of == runs_) Q_EMIT savingsMeasured(answer);
  };
  engine_.measureSavings(policy, endedRun(), run_.sites().size(), take);
}

void Session::measureWhatIf(const wire::AskWhatIf& question) {
  if (!run_.isActive()) return;
  const auto take = [this, asked = ++what_ifs_asked_,
                     asked_of = runs_](const std::variant<wire::WhatIf, Problem>& answer) {
    endBusy();
    // Another operand was asked about since, or another run is shown.
    if (asked == what_ifs_asked_ && asked_of == runs_) Q_EMIT whatIfMeasured(answer);
  };
  engine_.measureWhatIf(question, run_.sites().size(), take);
}

void Session::applyFix(const FixChoice& fix) {
  if (!run_.isActive() || fix.isEmpty()) return;
  if (const QString why = run_.whyNoEdit(); !why.isEmpty()) return report({tr("The fix was not applied."), why});
  // A scale alone is not an edit of the policy: without a macro, the undo stack shows which of the two it is.
  if (fix.rules.empty()) return pushScale(fix.scale, fix.scaler, fix.text);
  QUndoStack* stack = document_.undoStack();
  stack->beginMacro(fix.text);
  document_.addRules(fix.rules, fix.text);
  if (fix.scale > 0) pushScale(fix.scale, fix.scaler, fix.text);
  stack->endMacro();
}

void Session::selectEvent(int index) {
  if (index < 0 || static_cast<std::size_t>(index) >= run_.events().size()) return;
  // A consequence shows the path and the tensors of its cause.
  const wire::Event& event = run_.events()[static_cast<std::size_t>(provedEventOf(run_, index))];
  std::vector<int> sites = pathOf(event);
  for (const wire::EventTensor& tensor : event.tensors) {
    if (tensor.site < 0) continue;  // a parameter that no op call was seen to take
    if (std::find(sites.begin(), sites.end(), tensor.site) == sites.end()) sites.push_back(tensor.site);
  }
  selection_.setEvent(index);
  LitPath path{sites, causesOf(event), event.diagnosis && event.diagnosis->direction == wire::Direction::kBackward};
  if (path.backward) path.from = lossOf(run_);
  if (!event.diagnosis) path.backward = event.kind == wire::Event::Kind::kGradientOverflow;
  selection_.setPath(path);
  selection_.setSites(sites);
  // The first that has something to show: of a forward overflow most tensors are only scanned.
  for (const wire::EventTensor& each : event.tensors) {
    const TensorTrack* track = run_.tensor(each.tensor);
    if (track == nullptr || track->histograms.empty()) continue;
    selection_.setTensor(each.tensor);
    break;
  }
  selection_.setStep(event.step);
}

void Session::selectLastFault() {
  if (selection_.event() >= 0) return;
  const auto shown = selection_.shown();
  selectEvent(nonFiniteAnswer(run_).event);
  if (shown) selection_.setShown(shown);
}

}  // namespace binade::app
