// SPDX-License-Identifier: Apache-2.0
#include "engine/host/commands/search_preparation.h"

#include "engine/checkpoint/checkpoint.h"
#include "engine/formats/error.h"
#include "engine/host/process/log.h"
#include "engine/search/reference.h"
#include "engine/train/switch_policy.h"
#include "engine/tuning/estimated_times.h"
#include "engine/tuning/failing_calls.h"
#include "engine/tuning/measure_evidence.h"
#include "engine/tuning/prove.h"
#include "engine/words/trial_text.h"
#include "profiler/step_estimate.h"

#include <chrono>
#include <cstdint>
#include <stop_token>
#include <string>

namespace binade::host {

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds kReportEvery{3};

/// Trains under the base, in a training of its own, until it fails.
void mark_failing_calls(const tuning::SearchRequest& request, const files::Progress& progress,
                        search::StepEvidence& evidence) {
  const auto training = train::set_up(request.run, progress);
  std::int64_t first = 0;
  if (!request.checkpoint.empty()) first = checkpoint::load_checkpoint(*training, request.checkpoint).step;
  train::switch_policy(*training, request.order.base, training->policy->revision);
  tuning::mark_failing_calls(*training, first, request.steps, progress.stop(), evidence);
}

/// Measured before anything is tried.
tuning::SearchState measured_state(const tuning::SearchRequest& request, trial::Trials& trials,
                                   const files::Progress& progress) {
  const search::Order& order = request.order;
  const formats::Format low = search::low_format(order);
  tuning::SearchState state;
  state.evidence = tuning::measure(trials.training(), order.base, trials.first_step(), low);
  if (order.goal == search::Goal::kRepair && !search::leaves_scaled_formats(order)) {
    mark_failing_calls(request, progress, state.evidence);
  }
  state.estimates_time =
      order.goal == search::Goal::kTime && tuning::times_are_of_emulation(trials.training(), order.base, low);
  const std::string name = formats::name(low);
  if (state.estimates_time && !profiler::is_quoted(name)) {
    throw Error(ErrorCode::kUsage,
                "--for time: this device emulates " + name + ", and no GPU has quoted figures for it",
                "Search for memory or casts, or name other formats with --formats.");
  }
  if (state.estimates_time) tuning::estimate_times(trials.training(), order.base, state.evidence);
  return state;
}

/// Trains the base as every try needs it: beside the reference of a repair, otherwise beside itself, which needs two
/// trainings. These are kept, so that the tries do not repeat them. Reports the steps on standard error. Throws
/// Error{kBadRun} if the training beside which policies are proven fails.
search::Proof try_base(const tuning::SearchRequest& request, trial::Trials& trials, const std::stop_token& stop) {
  const bool repairs = request.order.goal == search::Goal::kRepair;
  log("info", std::string("preparing: training ") + (repairs ? search::reference_text(request.order) + " and " : "") +
                  "the policy that the search starts from");
  auto reported = Clock::now();
  tuning::Prover prover(
      trials, {.goal = repairs ? search::Goal::kRepair : search::Goal::kCasts,  // a time would be measured once more
               .base = search::reference(request.order),
               .steps = request.steps,
               .seeds = request.seeds,
               .progress = [&](std::int64_t done, std::int64_t of) {
                 if (const auto now = Clock::now(); now - reported >= kReportEvery) {
                   reported = now;
                   log("info", "preparing: step " + std::to_string(done) + " of " + std::to_string(of));
                 }
                 return !stop.stop_requested();
               }});
  return prover(request.order.base);
}

/// A repair needs a policy that fails: it diverges, does not run, or its loss is worse. Beside the reference that costs
/// one training, since every try needs the others too.
void check_base_fails(const tuning::SearchRequest& request, trial::Trials& trials, const std::stop_token& stop) {
  const wire::TrialVerdict verdict = try_base(request, trials, stop).verdict;
  const std::string beside = search::reference_text(request.order);
  const std::string where = "--for repair: in " + std::to_string(request.steps) + " steps from step " +
                            std::to_string(trials.first_step()) + " ";
  switch (verdict) {
    case wire::TrialVerdict::kWorse:
    case wire::TrialVerdict::kDiverged:
    case wire::TrialVerdict::kDoesNotRun:
      return;
    case wire::TrialVerdict::kUnknown:
      throw Error(ErrorCode::kUsage,
                  where + "nothing shows that the policy fails: beside " + beside + ", the verdict is unknown",
                  "Give more --steps or --seeds, or start nearer to the failure with --from CHECKPOINT.");
    case wire::TrialVerdict::kInsideNoise:
    case wire::TrialVerdict::kBetter:
      break;
  }
  throw Error(ErrorCode::kUsage,
              where + "the policy does not fail. Its loss is " + words::verdict_text(verdict) +
                  (verdict == wire::TrialVerdict::kBetter ? " than " : " beside ") + beside +
                  ", so there is nothing to repair",
              "Give more --steps, or start nearer to the failure with --from CHECKPOINT.");
}

}  // namespace

tuning::SearchState prepare_search(const tuning::SearchRequest& request, trial::Trials& trials,
                                   const files::Progress& progress) {
  const auto start = Clock::now();
  if (request.order.goal == search::Goal::kRepair) {
    check_base_fails(request, trials, progress.stop());
  } else {
    try_base(request, trials, progress.stop());  // refuses one that fails
  }
  log("info", "preparing: measuring one step");
  tuning::SearchState state = measured_state(request, trials, progress);
  state.progress.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return state;
}

}  // namespace binade::host
