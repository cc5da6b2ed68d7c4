// SPDX-License-Identifier: Apache-2.0
#include "engine/tuning/failing_calls.h"

#include "engine/files/progress.h"
#include "engine/formats/error.h"
#include "engine/run/step.h"

#include <exception>
#include <set>
#include <string>

namespace binade::tuning {

namespace {

/// Whether a higher format can help against the cause.
bool is_of_formats(wire::Root::Fault fault) {
  using enum wire::Root::Fault;
  return fault == kOverflow || fault == kCast || fault == kInvalid || fault == kSum || fault == kLost;
}

/// Names of the op calls that a diagnosis blames.
std::set<std::string> blamed_by(const wire::Diagnosis& diagnosis, const train::Training& training) {
  std::set<std::string> names;
  for (const wire::Root& root : diagnosis.roots) {
    if (root.site < 0 || !is_of_formats(root.fault)) continue;
    names.insert(training.sites[static_cast<std::size_t>(root.site)]->key.name());
  }
  for (const policy::SiteRule& rule : diagnosis.fix.rules) {
    for (const graph::Site* site : training.sites) {
      if (policy::matches(rule.match, site->key)) names.insert(site->key.name());
    }
  }
  return names;
}

}  // namespace

void mark_failing_calls(train::Training& training, std::int64_t first, std::int64_t steps, const std::stop_token& stop,
                        search::StepEvidence& evidence) {
  run::Stepper stepper(training);
  stepper.set_observe({.level = "range", .every = 1, .measure_cost = false});
  std::set<std::string> blamed;
  for (std::int64_t step = first; step < first + steps && blamed.empty(); ++step) {
    files::check_stop(stop);
    run::StepOutcome outcome;
    try {
      outcome = stepper.run(step);
    } catch (const Error& error) {
      if (error.code == ErrorCode::kCancelled) throw;
      break;  // the tries will tell that it does not run
    } catch (const std::exception&) {
      break;  // LibTorch's own, from a backward
    }
    const bool is_benign = outcome.diagnosis && outcome.diagnosis->verdict == wire::Verdict::kBenign;
    if (outcome.diagnosis && !is_benign) blamed = blamed_by(*outcome.diagnosis, training);
    if (outcome.vanished) blamed.merge(blamed_by(*outcome.vanished, training));
  }
  for (search::CallEvidence& call : evidence.calls) call.overflowed = call.overflowed || blamed.contains(call.call);
}

}  // namespace binade::tuning
