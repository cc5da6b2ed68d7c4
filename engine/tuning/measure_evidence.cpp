// SPDX-License-Identifier: Apache-2.0
#include "engine/tuning/measure_evidence.h"

#include "engine/compare/compare_float32.h"
#include "engine/diagnose/replay.h"
#include "engine/formats/error.h"
#include "engine/policy/base_policy.h"
#include "engine/train/training_state_guard.h"
#include "engine/trial/peak_memory.h"
#include "engine/tuning/forward_costs.h"
#include "engine/tuning/observed_ranges.h"

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace binade::tuning {

namespace {

constexpr int kTimedPasses = 3;  // the shortest counts

/// Puts another policy in force while it lives.
class PolicyInForce {
 public:
  PolicyInForce(train::Training& training, const policy::Policy& policy) : training_(training), kept_(training.policy) {
    training_.policy = train::resolve(training, policy, kept_->revision);
  }
  ~PolicyInForce() { training_.policy = std::move(kept_); }
  PolicyInForce(const PolicyInForce&) = delete;
  PolicyInForce& operator=(const PolicyInForce&) = delete;

 private:
  train::Training& training_;
  std::shared_ptr<const policy::Resolved> kept_;
};

/// A pass over the next step, forward and backward, with times.
struct TimedPass {
  double seconds = 0;
  std::vector<observe::SiteSeconds> sites;
};

TimedPass timed_pass(diagnose::Replay& replay, observe::SiteTimer& timer) {
  TimedPass pass;
  timer.begin(true);
  const auto start = std::chrono::steady_clock::now();
  replay.run({.outer = &timer});
  pass.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  pass.sites = timer.finish();
  return pass;
}

/// The most memory of tensors in a pass, without the optimizer's.
double peak_bytes(diagnose::Replay& replay) {
  const trial::PeakMemory memory(replay.training().device);
  replay.run({});
  return static_cast<double>(memory.bytes());
}

/// By site.
std::map<int, const wire::SiteDifference*> by_site(const wire::Float32Comparison& compared) {
  std::map<int, const wire::SiteDifference*> sites;
  for (const wire::SiteDifference& each : compared.sites) sites.emplace(each.site, &each);
  return sites;
}

void add_errors(search::CallEvidence& call, const wire::SiteDifference& difference) {
  call.error = difference.becomes;
  call.gradient_error = difference.gradient_added.value_or(0);
  if (difference.arrived > 0) call.amplifies = difference.inherited / difference.arrived;
}

void add_seconds(search::CallEvidence& call, const observe::SiteSeconds& seconds) {
  for (const observe::Part part : {observe::Part::kForward, observe::Part::kBackward, observe::Part::kAccumulate}) {
    call.seconds += seconds.seconds[static_cast<std::size_t>(part)];
  }
}

double multiplications(const observe::MatmulShape& shape, int calls) {
  return static_cast<double>(shape.m) * static_cast<double>(shape.n) * static_cast<double>(shape.k) *
         static_cast<double>(shape.batches) * calls;
}

search::StepEvidence measure_under(train::Training& training, const policy::Policy& policy, std::int64_t step,
                                   const formats::Format& candidate) {
  const PolicyInForce in_force(training, policy);
  train::TrainingStateGuard guard(training);
  const wire::Float32Comparison compared = compare::compare_with_float32(training, step);
  guard.restore();

  training.buffers.keep();  // the replay rewinds to these
  diagnose::Replay replay(training);
  replay.begin(training.data->cursor(), train::RandomState::of(training.device));
  for (std::int64_t i = 0; i < training.config.accumulate; ++i) replay.add(training.data->peek(i));
  const std::map<int, ObservedRange> ranges = observe_ranges(replay, candidate);
  observe::SiteTimer timer;
  TimedPass timed = timed_pass(replay, timer);
  for (int i = 1; i < kTimedPasses; ++i) {
    TimedPass again = timed_pass(replay, timer);
    if (again.seconds < timed.seconds) timed = std::move(again);
  }
  const std::vector<observe::MatmulShape> shapes = timer.new_matmul_shapes();
  search::StepEvidence evidence;
  evidence.step_seconds = timed.seconds;
  evidence.peak_bytes = peak_bytes(replay);
  guard.restore();
  const ForwardCosts costs = forward_costs(training, guard);

  std::map<int, observe::SiteSeconds> times;
  for (const observe::SiteSeconds& each : timed.sites) times.emplace(each.site, each);
  std::map<int, observe::MatmulShape> products;
  for (const observe::MatmulShape& each : shapes) products.emplace(each.site, each);
  const auto differences = by_site(compared);
  for (const int site : costs.order) {
    const auto range = ranges.find(site);
    if (training.sites[static_cast<std::size_t>(site)]->view || range == ranges.end()) continue;
    search::CallEvidence& call = evidence.calls.emplace_back();
    call.call = training.sites[static_cast<std::size_t>(site)]->key.name();
    call.now = training.policy->sites[static_cast<std::size_t>(site)];
    call.doublings_left = range->second.doublings_left;
    call.lost = range->second.lost;
    call.overflowed = range->second.overflowed;
    if (const auto found = differences.find(site); found != differences.end()) add_errors(call, *found->second);
    const SiteCosts& site_costs = costs.sites.at(site);
    call.casts = site_costs.casts;
    call.cast_bytes = site_costs.cast_bytes;
    call.output_bytes = site_costs.output_bytes;
    const auto time = times.find(site);
    if (time == times.end()) continue;
    add_seconds(call, time->second);
    const auto product = products.find(site);
    if (product != products.end()) call.operations = multiplications(product->second, time->second.calls);
  }
  return evidence;
}

/// Sets the decisions of `policy`, under which the evidence was not measured.
void set_decisions(const train::Training& training, const policy::Policy& policy, search::StepEvidence& evidence) {
  const auto resolved = train::resolve(training, policy, 0);
  std::map<std::string, std::size_t> ids;
  for (std::size_t i = 0; i < training.sites.size(); ++i) ids.emplace(training.sites[i]->key.name(), i);
  for (search::CallEvidence& call : evidence.calls) call.now = resolved->sites[ids.at(call.call)];
}

}  // namespace

search::StepEvidence measure(train::Training& training, const policy::Policy& policy, std::int64_t step,
                             const formats::Format& candidate) {
  try {
    return measure_under(training, policy, step, candidate);
  } catch (const Error& error) {
    if (error.code == ErrorCode::kCancelled || error.code == ErrorCode::kOutOfMemory) throw;
  } catch (const std::exception&) {
    // LibTorch's own, from a backward. If float32 is no remedy, the same follows below.
  }
  search::StepEvidence evidence = measure_under(training, policy::float32_throughout(), step, candidate);
  set_decisions(training, policy, evidence);
  return evidence;
}

}  // namespace binade::tuning
