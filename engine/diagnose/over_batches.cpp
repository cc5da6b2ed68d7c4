// SPDX-License-Identifier: Apache-2.0
#include "engine/diagnose/over_batches.h"

#include "engine/diagnose/cause.h"
#include "engine/diagnose/trace.h"

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
    using enum Cause::Fault;
    return cause.fault == kData || cause.fault == kParameter || cause.fault == kBuffer || cause.fault == kUnknown;
  });
}

std::string name_of(std::int64_t ahead) {
  return ahead == 0 ? "the next batch" : "the batch " + std::to_string(ahead) + " further on";
}

/// Calls `look(replay, ahead)` with each of the next batches.
template <class Look>
void each_further_batch(Tries& tries, const Look& look) {
  train::Training& training = tries.replay().training();
  for (std::int64_t ahead = 0; ahead < kFurtherBatches; ++ahead) {
    tries.replay().rewind();  // removes what a replay wrote
    Replay replay(training);
    replay.begin(training.data->cursor(), train::RandomState::of(training.device));
    const std::int64_t batches = training.config.accumulate;
    for (std::int64_t i = 0; i < batches; ++i) replay.add(training.data->peek(ahead * batches + i));
    look(replay, ahead);
  }
}

class Further {
 public:
  Further(Tries& tries, std::int64_t step) : tries_(tries), step_(step) {}

  Widened judge(Widened fix) {
    each_further_batch(tries_, [&](Replay& replay, std::int64_t ahead) { extend(fix, replay, ahead); });
    return fix;
  }

 private:
  /// Extends the fix by what this batch needs.
  void extend(Widened& fix, Replay& replay, std::int64_t ahead) {
    std::vector<wire::Attempt> tried;
    Tries here(replay, tried, Tries::Start::kUnfallen);
    here.set_factors(tries_.factors());
    here.set_lifted(tries_.lifted());
    const Replay::Result result = here.run(fix.rules);
    tried.back().change += " on " + name_of(ahead);
    tries_.note(tried.back());
    if (result.finite() || here.failed()) return;
    // Finds this batch's own fault, without the fix.
    Trace trace;
    here.at_start();
    here.set_lifted({});
    if (here.run({}, std::nullopt, &trace).finite()) return;
    const Causes causes = find_causes(trace);
    if (causes.roots.empty() || comes_from_elsewhere(causes)) return;
    const std::optional<Widened> needs = widen(here, causes, trace, step_);
    if (!needs || needs->loses) return;
    SiteRules both = fix.rules;
    for (const policy::SiteRule& rule : needs->rules) {
      const auto same = [&rule](const policy::SiteRule& other) { return other.match == rule.match; };
      if (std::none_of(both.begin(), both.end(), same)) both.push_back(rule);
    }
    std::vector<double> factors = tries_.factors();
    for (std::size_t i = 0; i < factors.size(); ++i) factors[i] = std::min(factors[i], here.factors()[i]);
    std::set<int> lifted = tries_.lifted();
    lifted.insert(here.lifted().begin(), here.lifted().end());
    const std::vector<double> factors_before = tries_.factors();
    const std::set<int> lifted_before = tries_.lifted();
    tries_.set_factors(factors);
    tries_.set_lifted(lifted);
    if (!tries_.run(both).finite()) {
      tries_.set_factors(factors_before);
      tries_.set_lifted(lifted_before);
      return;
    }
    here.set_factors(factors);
    here.set_lifted(std::move(lifted));
    Trace fixed;
    here.run(both, std::nullopt, &fixed);
    fix = {std::move(both), changed_sites(trace, fixed)};
  }

  Tries& tries_;
  const std::int64_t step_;
};

}  // namespace

Widened over_batches(Tries& tries, Widened fix, std::int64_t step) {
  if ((fix.rules.empty() && tries.lifted().empty()) || is_everything(fix.rules)) return fix;
  const std::vector<double> factors = tries.factors();
  const std::set<int> lifted = tries.lifted();
  try {
    return Further(tries, step).judge(fix);
  } catch (const std::exception& error) {
    // Further batches may have other shapes, or need more memory.
    tries.leave_unanswered(kQuestion, error);
    tries.set_factors(factors);
    tries.set_lifted(lifted);
    return fix;
  }
}

bool scales_over_batches(Tries& tries) {
  const std::vector<double> before = tries.factors();
  const train::Scalers& scalers = tries.replay().training().scalers;
  std::vector<double> factors = before;
  bool told = true;  // a finite scale is known for every batch
  try {
    each_further_batch(tries, [&](Replay& replay, std::int64_t ahead) {
      std::vector<wire::Attempt> tried;
      Tries here(replay, tried, Tries::Start::kUnfallen);
      here.set_factors(factors);
      Replay::Result result = here.run({});
      tried.back().change += " on " + name_of(ahead);
      tries.note(tried.back());
      if (result.finite()) return;
      if (result.finite_loss && !here.failed()) {
        here.at_start();
        result = here.run({});
        if (!result.finite() && here.lower(bad_scalers(result), {})) {
          for (std::size_t i = 0; i < factors.size(); ++i) factors[i] = std::min(factors[i], here.factors()[i]);
          return;
        }
      }
      told = false;
    });
    constexpr double kRoom = 0.25;
    for (std::size_t i = 0; i < factors.size(); ++i) {
      if (factors[i] != 1 && scalers.config(i).fixed) factors[i] *= kRoom;
      const double at_one = 1 / scalers.scale(i);
      if (before[i] > at_one) factors[i] = std::max(factors[i], at_one);
    }
    tries.set_factors(factors);
    if (told && tries.run({}).finite()) return true;
  } catch (const std::exception& error) {
    tries.leave_unanswered(kQuestion, error);
  }
  tries.set_factors(before);
  return false;
}

}  // namespace binade::diagnose
