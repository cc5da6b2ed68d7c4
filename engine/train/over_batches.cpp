// SPDX-License-Identifier: Apache-2.0
#include "engine/train/over_batches.h"

#include "engine/observe/cause.h"
#include "engine/observe/trace.h"
#include "engine/train/widen.h"

#include <algorithm>
#include <exception>
#include <optional>
#include <utility>
#include <vector>

namespace binade::train {

namespace {

using observe::Cause;
using observe::Causes;
using observe::Trace;

/// What no format mends.
bool comes_from_elsewhere(const Causes& causes) {
  return std::any_of(causes.roots.begin(), causes.roots.end(), [](const Cause& cause) {
    using enum Cause::Fault;
    return cause.fault == kData || cause.fault == kParameter || cause.fault == kBuffer || cause.fault == kOutside;
  });
}

std::string name_of(std::int64_t ahead) {
  return ahead == 0 ? "the next batch" : "the batch " + std::to_string(ahead) + " further on";
}

class Further {
 public:
  Further(Tries& tries, std::int64_t step) : tries_(tries), training_(tries.replay().training()), step_(step) {}

  SiteRules judge(SiteRules rules) {
    for (std::int64_t ahead = 0; ahead < kFurtherBatches; ++ahead) {
      tries_.replay().rewind();  // what a replay wrote is no part of the next batch
      Replay replay(training_);
      replay.begin(training_.data->cursor(), RandomState::of(training_.device));
      const std::int64_t batches = training_.config.accumulate;
      for (std::int64_t i = 0; i < batches; ++i) replay.add(training_.data->peek(ahead * batches + i));
      extend(rules, replay, ahead);
    }
    return rules;
  }

 private:
  /// Adds what this batch needs to the rules.
  void extend(SiteRules& rules, Replay& replay, std::int64_t ahead) {
    std::vector<wire::Attempt> tried;
    Tries here(replay, tried);
    here.set_factors(tries_.factors());
    const Replay::Result result = here.run(rules);
    tried.back().change += " on " + name_of(ahead);
    tries_.note(tried.back());
    if (result.finite() || here.failed()) return;
    // Its own fault, as if there were no fix.
    Trace trace;
    here.at_present();
    if (here.run({}, std::nullopt, &trace).finite()) return;
    const Causes causes = observe::find_causes(trace);
    if (causes.roots.empty() || comes_from_elsewhere(causes)) return;
    const std::optional<SiteRules> needs = widen(here, causes, trace, step_);
    if (!needs) return;
    SiteRules both = rules;
    for (const policy::SiteRule& rule : *needs) {
      const auto same = [&rule](const policy::SiteRule& other) { return other.match == rule.match; };
      if (std::none_of(both.begin(), both.end(), same)) both.push_back(rule);
    }
    std::vector<double> factors = tries_.factors();
    for (std::size_t i = 0; i < factors.size(); ++i) factors[i] = std::min(factors[i], here.factors()[i]);
    const std::vector<double> before = tries_.factors();
    tries_.set_factors(factors);
    if (tries_.run(both).finite()) {
      rules = std::move(both);
    } else {
      tries_.set_factors(before);
    }
  }

  Tries& tries_;
  Training& training_;
  const std::int64_t step_;
};

}  // namespace

SiteRules over_batches(Tries& tries, SiteRules rules, std::int64_t step) {
  if (rules.empty() || is_everything(rules)) return rules;
  const std::vector<double> factors = tries.factors();
  try {
    return Further(tries, step).judge(rules);
  } catch (const std::exception&) {
    tries.set_factors(factors);
    return rules;  // what further batches need cannot be told: they may be of other shapes, or take more memory
  }
}

}  // namespace binade::train
