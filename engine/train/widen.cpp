// SPDX-License-Identifier: Apache-2.0
#include "engine/train/widen.h"

#include "engine/observe/forward_causes.h"
#include "engine/train/survival.h"

#include <algorithm>
#include <set>
#include <utility>

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

/// A call of a site, the same in every run of the step.
using Place = std::pair<const graph::Site*, int>;

Place place_of(const Trace& trace, const Cause& cause) {
  const observe::TracedCall& call = trace.calls()[static_cast<std::size_t>(cause.call)];
  return {call.site, call.index};
}

/// Every call of the forward that makes of finite values what its format does not hold, whether it reaches anything.
std::vector<Cause> overflows_in(const Trace& trace) {
  std::vector<Cause> found = observe::ForwardCauses(trace).roots();
  std::erase_if(found, [](const Cause& cause) {
    return cause.call < 0 || (cause.fault != Cause::Fault::kOverflow && cause.fault != Cause::Fault::kCast);
  });
  return found;
}

class Widening {
 public:
  Widening(Tries& tries, std::int64_t step) : tries_(tries), step_(step) {}

  std::optional<SiteRules> find(const Causes& causes, const Trace& first) {
    tries_.at_present();
    add_calls(first, causes.roots);
    for (const Cause& overflow : overflows_in(first)) beside_.insert(place_of(first, overflow));
    for (const Cause& root : causes.roots) {
      if (root.call >= 0) beside_.erase(place_of(first, root));
    }
    for (int round = 0; round < kMostRounds && !rules_.empty(); ++round) {
      Trace trace;
      const Replay::Result result = tries_.run(rules_, std::nullopt, &trace);
      if (result.finite() && is_whole(trace, rules_)) return pared();
      if (tries_.failed()) break;
      const Causes left = observe::find_causes(trace);
      if ((result.finite() || in_backward(left)) && add_calls(trace, still_overflowing(trace, rules_))) continue;
      if (in_backward(left) && lowers(bad_scalers(result))) return pared();
      if (!add_calls(trace, left.roots) && !add_calls(trace, givers_of(trace, left.roots))) break;
    }
    if (!lossy_) return std::nullopt;
    tries_.set_factors(lossy_->factors);
    return lossy_->rules;
  }

 private:
  /// What overflows in a run under `rules` and is not in float32 then: an infinity that vanishes, divided by or
  /// clamped, leaves a wrong value behind. What did so from the beginning, beside the causes, is none of theirs. Nor is
  /// an infinity below 0 alone, as masks are written.
  std::vector<Cause> still_overflowing(const Trace& trace, const SiteRules& rules) const {
    std::vector<Cause> left = overflows_in(trace);
    std::erase_if(left, [&](const Cause& cause) {
      const observe::TracedCall& call = trace.calls()[static_cast<std::size_t>(cause.call)];
      const std::string name = call.site->key.name();
      const auto is_it = [&](const policy::SiteRule& rule) { return rule.match == name; };
      if (beside_.contains(place_of(trace, cause)) || std::any_of(rules.begin(), rules.end(), is_it)) return true;
      return !named_.contains(name) && std::all_of(call.results.begin(), call.results.end(), [&](int result) {
        const observe::Values& seen = trace.values()[static_cast<std::size_t>(result)].seen;
        return seen.nan == 0 && seen.positive_infinity == 0;
      });
    });
    return left;
  }

  /// Whether a run that was finite is so because nothing overflows; where not, what was tried says so.
  bool is_whole(const Trace& trace, const SiteRules& rules) const {
    const std::vector<Cause> left = still_overflowing(trace, rules);
    if (left.empty()) return true;
    const observe::TracedCall& call = trace.calls()[static_cast<std::size_t>(left.front().call)];
    tries_.remark(" (" + call.site->key.name() + " overflows)");
    return false;
  }

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
    // Below 1 a scale presses down what it is there to lift: other calls are tried first.
    const bool survive = !tries_.below_one() && std::all_of(bad.begin(), bad.end(), [&](std::size_t scaler) {
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
      Trace trace;
      if (tries_.run(fewer, std::nullopt, &trace).finite() && is_whole(trace, fewer)) {
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
  std::set<Place> beside_;      ///< overflowed already, and are no causes
  std::optional<Lossy> lossy_;  ///< finite, but at a scale at which gradients are lost
};

}  // namespace

std::optional<SiteRules> widen(Tries& tries, const Causes& causes, const Trace& trace, std::int64_t step) {
  return Widening(tries, step).find(causes, trace);
}

}  // namespace binade::train
