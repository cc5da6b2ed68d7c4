// SPDX-License-Identifier: Apache-2.0
#include "engine/diagnose/next_batches.h"

#include "engine/diagnose/cause.h"
#include "engine/diagnose/trace.h"
#include "engine/words/rules_text.h"

#include <algorithm>
#include <exception>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace binade::diagnose {

namespace {

constexpr const char* kQuestion = "Whether the fix holds on the next batches";

/// Causes that no format fixes.
bool comes_from_elsewhere(const Causes& causes) {
  return std::any_of(causes.roots.begin(), causes.roots.end(), [](const Cause& cause) {
    using enum wire::Root::Fault;
    return cause.fault == kData || cause.fault == kParameter || cause.fault == kBuffer || cause.fault == kUnknown;
  });
}

/// Calls `visit(replay, ahead)` with each of the next batches.
template <class Visit>
void each_next_batch(ReplayExperiments& experiments, const Visit& visit) {
  train::Training& training = experiments.replay().training();
  for (std::int64_t ahead = 0; ahead < kNextBatches; ++ahead) {
    experiments.replay().rewind();  // removes what a replay wrote
    Replay replay(training);
    replay.begin(training.data->cursor(), train::RandomState::of(training.device));
    const std::int64_t batches = training.config.accumulate;
    for (std::int64_t i = 0; i < batches; ++i) replay.add(training.data->peek(ahead * batches + i));
    visit(replay, ahead);
  }
}

class NextBatches {
 public:
  NextBatches(ReplayExperiments& experiments, std::int64_t step) : experiments_(experiments), step_(step) {}

  FoundFix judge(FoundFix fix) {
    each_next_batch(experiments_, [&](Replay& replay, std::int64_t ahead) { extend(fix, replay, ahead); });
    return fix;
  }

 private:
  /// Extends the fix by what this batch needs.
  void extend(FoundFix& fix, Replay& replay, std::int64_t ahead) {
    std::vector<wire::Attempt> tried;
    ReplayExperiments here(replay, tried, ReplayExperiments::Start::kUnfallen);
    here.set_factors(experiments_.factors());
    here.set_lifted(experiments_.lifted());
    const Replay::Result result = here.run(fix.rules);
    tried.back().ahead = ahead;
    experiments_.note(tried.back());
    if (result.finite() || here.failed()) return;
    // Finds this batch's own fault, without the fix.
    Trace trace;
    here.at_start();
    here.set_lifted({});
    if (here.run({}, std::nullopt, &trace).finite()) return;
    const Causes causes = find_causes(trace);
    if (causes.roots.empty() || comes_from_elsewhere(causes)) return;
    const std::optional<FoundFix> needs = search_fix(here, causes, trace, step_);
    if (!needs || needs->loses) return;
    SiteRules both = fix.rules;
    for (const policy::SiteRule& rule : needs->rules) {
      const auto same = [&rule](const policy::SiteRule& other) { return other.match == rule.match; };
      if (std::none_of(both.begin(), both.end(), same)) both.push_back(rule);
    }
    std::vector<double> factors = experiments_.factors();
    for (std::size_t i = 0; i < factors.size(); ++i) factors[i] = std::min(factors[i], here.factors()[i]);
    std::set<int> lifted = experiments_.lifted();
    lifted.insert(here.lifted().begin(), here.lifted().end());
    const std::vector<double> factors_before = experiments_.factors();
    const std::set<int> lifted_before = experiments_.lifted();
    experiments_.set_factors(factors);
    experiments_.set_lifted(lifted);
    if (!experiments_.run(both).finite()) {
      experiments_.set_factors(factors_before);
      experiments_.set_lifted(lifted_before);
      return;
    }
    here.set_factors(factors);
    here.set_lifted(std::move(lifted));
    Trace fixed;
    here.run(both, std::nullopt, &fixed);
    fix = {std::move(both), changed_sites(trace, fixed)};
  }

  ReplayExperiments& experiments_;
  const std::int64_t step_;
};

}  // namespace

FoundFix try_on_next_batches(ReplayExperiments& experiments, FoundFix fix, std::int64_t step) {
  if ((fix.rules.empty() && experiments.lifted().empty()) || words::is_everything(fix.rules)) return fix;
  const std::vector<double> factors = experiments.factors();
  const std::set<int> lifted = experiments.lifted();
  try {
    return NextBatches(experiments, step).judge(fix);
  } catch (const std::exception& error) {
    // They may have other shapes, or need more memory.
    experiments.leave_unanswered(kQuestion, error);
    experiments.set_factors(factors);
    experiments.set_lifted(lifted);
    return fix;
  }
}

bool lower_scales_for_next_batches(ReplayExperiments& experiments) {
  const std::vector<double> before = experiments.factors();
  const train::Scalers& scalers = experiments.replay().training().scalers;
  std::vector<double> factors = before;
  bool known = true;  // a finite scale is known for every batch
  try {
    each_next_batch(experiments, [&](Replay& replay, std::int64_t ahead) {
      std::vector<wire::Attempt> tried;
      ReplayExperiments here(replay, tried, ReplayExperiments::Start::kUnfallen);
      here.set_factors(factors);
      Replay::Result result = here.run({});
      tried.back().ahead = ahead;
      experiments.note(tried.back());
      if (result.finite()) return;
      if (result.finite_loss && !here.failed()) {
        here.at_start();
        result = here.run({});
        if (!result.finite() && here.lower(bad_scalers(result), {})) {
          for (std::size_t i = 0; i < factors.size(); ++i) factors[i] = std::min(factors[i], here.factors()[i]);
          return;
        }
      }
      known = false;
    });
    constexpr double kRoom = 0.25;
    for (std::size_t i = 0; i < factors.size(); ++i) {
      if (factors[i] != 1 && scalers.config(i).fixed) factors[i] *= kRoom;
      const double at_one = 1 / scalers.scale(i);
      if (before[i] > at_one) factors[i] = std::max(factors[i], at_one);
    }
    experiments.set_factors(factors);
    if (known && experiments.run({}).finite()) return true;
  } catch (const std::exception& error) {
    experiments.leave_unanswered(kQuestion, error);
  }
  experiments.set_factors(before);
  return false;
}

}  // namespace binade::diagnose
