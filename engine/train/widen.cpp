// SPDX-License-Identifier: Apache-2.0
#include "engine/train/widen.h"

#include "engine/train/survival.h"

#include <algorithm>
#include <set>

namespace binade::train {

namespace {

using observe::Cause;
using observe::Causes;
using observe::Trace;

constexpr int kMostRounds = 8;          // of widening further calls until the step is finite
constexpr std::size_t kMostPared = 16;  // rules of which each is tried without

bool in_backward(const Causes& causes) {
  return causes.loss_finite && !causes.roots.empty() && causes.roots.front().backward;
}

class Widening {
 public:
  Widening(Tries& tries, std::int64_t step) : tries_(tries), step_(step) {}

  std::optional<SiteRules> find(const Causes& causes, const Trace& first) {
    tries_.at_present();
    add_calls(first, causes.roots);
    for (int round = 0; round < kMostRounds && !rules_.empty(); ++round) {
      Trace trace;
      const Replay::Result result = tries_.run(rules_, std::nullopt, &trace);
      if (result.finite()) return pared();
      if (tries_.failed()) break;
      const Causes left = observe::find_causes(trace);
      if (in_backward(left) && lowers(bad_scalers(result))) return rules_;
      if (!add_calls(trace, left.roots) && !add_calls(trace, givers_of(trace, left.roots))) break;
    }
    if (!lossy_) return std::nullopt;
    tries_.set_factors(lossy_->factors);
    return lossy_->rules;
  }

 private:
  /// Adds rules for the calls that `roots` name. False where all of them have one.
  bool add_calls(const Trace& trace, const std::vector<Cause>& roots) {
    const std::size_t before = rules_.size();
    for (const Cause& cause : roots) {
      if (cause.call < 0 || cause.value >= 0) continue;
      const std::string name = trace.calls()[static_cast<std::size_t>(cause.call)].site->key.name();
      if (!named_.insert(name).second) continue;
      policy::SiteRule& rule = rules_.emplace_back();
      rule.match = name;
      rule.format = formats::kFloat32;
      rule.why = "not finite at step " + std::to_string(step_);
    }
    return rules_.size() > before;
  }

  /// The calls that gave the arguments of those that fail, where these came in a narrower format than float32: their
  /// values may be what is wrong, and in float32 itself a call still hands a gradient back in the format that its
  /// argument was given in.
  std::vector<Cause> givers_of(const Trace& trace, const std::vector<Cause>& roots) {
    std::vector<Cause> givers;
    std::vector<int> open;
    for (const Cause& cause : roots) open.push_back(cause.call);
    // Where all of these have rules already, what gave theirs, and so on.
    std::set<int> seen;
    while (!open.empty() && givers.empty()) {
      std::vector<int> further;
      for (const int call : open) {
        if (call < 0 || !seen.insert(call).second) continue;
        for (const observe::TracedUse& use : trace.calls()[static_cast<std::size_t>(call)].uses) {
          const observe::TracedValue& value = trace.values()[static_cast<std::size_t>(use.value)];
          if (value.origin != observe::TracedValue::Origin::kCall) continue;
          further.push_back(value.call);
          const observe::TracedCall& giver = trace.calls()[static_cast<std::size_t>(value.call)];
          const bool narrow =
              value.seen.dtype == at::kHalf || value.seen.dtype == at::kBFloat16 || giver.rounding.has_value();
          if (!narrow || giver.site->view || named_.contains(giver.site->key.name())) continue;
          givers.emplace_back().call = value.call;
        }
      }
      open = std::move(further);
    }
    return givers;
  }

  /// Whether the step is finite at lower scales, with the rules so far, and its gradients survive there.
  bool lowers(const std::vector<std::size_t>& bad) {
    if (!tries_.lower(bad, rules_)) return false;
    const bool survive = std::all_of(bad.begin(), bad.end(), [&](std::size_t scaler) {
      return survival_at(tries_.replay(), scaler, tries_.factors(), rules_).survives();
    });
    if (survive) return true;
    if (!lossy_) lossy_ = {rules_, tries_.factors()};
    tries_.at_present();
    return false;
  }

  /// The rules without those that are not needed.
  SiteRules pared() {
    if (rules_.size() == 1 || rules_.size() > kMostPared) return rules_;
    for (std::size_t i = 0; i < rules_.size() && rules_.size() > 1;) {
      SiteRules fewer = rules_;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      if (tries_.run(fewer).finite()) {
        rules_ = std::move(fewer);
      } else {
        ++i;
      }
    }
    return rules_;
  }

  struct Lossy {
    SiteRules rules;
    std::vector<double> factors;
  };

  Tries& tries_;
  const std::int64_t step_;
  SiteRules rules_;
  std::set<std::string> named_;
  std::optional<Lossy> lossy_;  ///< finite, but at a scale at which gradients are lost
};

}  // namespace

std::optional<SiteRules> widen(Tries& tries, const Causes& causes, const Trace& trace, std::int64_t step) {
  return Widening(tries, step).find(causes, trace);
}

}  // namespace binade::train
