// SPDX-License-Identifier: Apache-2.0
#include "engine/diagnose/fix_search.h"

#include "engine/diagnose/attempt_band.h"
#include "engine/diagnose/forward_causes.h"
#include "engine/diagnose/safe_scales.h"
#include "engine/observe/own_cast.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace binade::diagnose {

namespace {

constexpr int kMostRounds = 8;          // of adding calls until the step is finite
constexpr std::size_t kMostPared = 16;  // most rules of which each is tried without

bool in_backward(const Causes& causes) {
  return causes.loss_finite && !causes.roots.empty() && causes.roots.front().backward;
}

/// A call of a site, the same in every run of the step.
using Place = std::pair<const graph::Site*, int>;

Place place_of(const Trace& trace, const Cause& cause) {
  const TracedCall& call = trace.calls()[static_cast<std::size_t>(cause.call)];
  return {call.site, call.index};
}

/// Returns every call in forward that turns finite values into non-finite ones, whether or not they reach the loss.
std::vector<Cause> overflows_in(const Trace& trace) {
  std::vector<Cause> found = ForwardCauses(trace).roots();
  std::erase_if(found, [](const Cause& cause) {
    return cause.call < 0 || (cause.fault != Cause::Fault::kOverflow && cause.fault != Cause::Fault::kCast);
  });
  return found;
}

}  // namespace

std::size_t changed_sites(const Trace& before, const Trace& after) {
  // The results show the computing format: a loss is float32 whatever its argument's dtype was.
  using Formats = std::vector<std::pair<at::ScalarType, std::optional<formats::Format>>>;
  const auto formats_in = [](const Trace& trace) {
    std::map<int, Formats> all;
    for (const TracedCall& call : trace.calls()) {
      Formats& formats = all[call.site->id];
      for (const int result : call.results) {
        const at::ScalarType dtype = trace.values()[static_cast<std::size_t>(result)].seen.dtype;
        if (!c10::isFloatingType(dtype)) continue;
        formats.emplace_back(dtype, call.rounding ? std::optional(call.rounding->format) : std::nullopt);
      }
    }
    return all;
  };
  const auto old = formats_in(before);
  std::size_t changed = 0;
  for (const auto& [site, formats] : formats_in(after)) {
    const auto was = old.find(site);
    if (was == old.end() || was->second != formats) ++changed;
  }
  return changed;
}

namespace {

class FixSearch {
 public:
  /// `lifts`: also leaves out casts of the model's own that narrow the arguments of failing calls.
  FixSearch(ReplayExperiments& experiments, const Causes& causes, const Trace& first, std::int64_t step,
            const Known& known, bool lifts)
      : experiments_(experiments),
        first_(first),
        step_(step),
        lifts_(lifts),
        rules_(known.rules),
        kept_(known.rules.size()) {
    experiments_.forget_failure();
    experiments_.at_start();
    experiments_.set_lifted(known.lifted);
    for (const policy::SiteRule& rule : rules_) named_.insert(rule.match);
    for (const Cause& overflow : overflows_in(first)) beside_.insert(place_of(first, overflow));
    for (const Cause& root : causes.roots) {
      if (root.call >= 0) beside_.erase(place_of(first, root));
    }
  }

  /// Tries the changes that fixed other steps, at the current scale.
  std::optional<FoundFix> known_alone() {
    Trace trace;
    if (!experiments_.run(rules_, std::nullopt, &trace).finite() || !is_whole(trace, rules_)) return std::nullopt;
    return FoundFix{rules_, changed_sites(first_, trace)};
  }
  /// Starts from rules for the failing calls.
  std::optional<FoundFix> find(const Causes& causes) {
    add_calls(first_, causes.roots);
    return search();
  }
  /// Starts from rules for these sites, the smallest change known so far.
  std::optional<FoundFix> find(const std::vector<const graph::Site*>& sites) {
    for (const graph::Site* site : sites) add(*site, /*cast=*/observe::converted_argument(*site).has_value());
    return search();
  }

 private:
  std::optional<FoundFix> search() {
    for (int round = 0; round < kMostRounds && has_changes(); ++round) {
      Trace trace;
      const Replay::Result result = experiments_.run(rules_, std::nullopt, &trace);
      changed_ = changed_sites(first_, trace);
      if (result.finite() && is_whole(trace, rules_)) return pared();
      if (experiments_.failed()) break;
      const Causes left = find_causes(trace);
      if ((result.finite() || in_backward(left)) && add_calls(trace, still_overflowing(trace, rules_))) continue;
      if (in_backward(left) && lowers(bad_scalers(result))) return pared();
      if (!add_calls(trace, left.roots) && !add_calls(trace, givers_of(trace, left.roots))) break;
    }
    if (!lossy_) return std::nullopt;
    experiments_.set_factors(lossy_->factors);
    experiments_.set_lifted(lossy_->lifted);
    return FoundFix{lossy_->rules, lossy_->changed, lossy_->loses};
  }

  bool has_changes() const { return !rules_.empty() || !experiments_.lifted().empty(); }

  /// Returns what overflows in a run under `rules` and does not run in float32: an infinity that vanishes by division
  /// or clamping leaves a wrong value. Excluded are overflows that occurred from the beginning besides the causes, and
  /// infinities below 0 alone, as used in masks.
  std::vector<Cause> still_overflowing(const Trace& trace, const SiteRules& rules) const {
    std::vector<Cause> left = overflows_in(trace);
    std::erase_if(left, [&](const Cause& cause) {
      const TracedCall& call = trace.calls()[static_cast<std::size_t>(cause.call)];
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

  /// Returns whether a finite run is free of overflows; if not, the attempt's description says so.
  bool is_whole(const Trace& trace, const SiteRules& rules) const {
    const std::vector<Cause> left = still_overflowing(trace, rules);
    if (left.empty()) return true;
    const TracedCall& call = trace.calls()[static_cast<std::size_t>(left.front().call)];
    experiments_.last().overflows = call.site->key.name();
    return false;
  }

  /// Adds rules for the calls in `roots`. Returns false if all of them have one.
  bool add_calls(const Trace& trace, const std::vector<Cause>& roots) {
    bool any = false;
    for (const Cause& cause : roots) {
      if (cause.call < 0 || cause.value >= 0) continue;
      const TracedCall& call = trace.calls()[static_cast<std::size_t>(cause.call)];
      any = add(*call.site, call.converts.has_value() && !cause.backward) || any;
    }
    return any;
  }

  /// A cast of the model's own cannot be changed by a rule; it is left out if possible.
  bool add(const graph::Site& site, bool cast) {
    if (!named_.insert(site.key.name()).second) return false;
    if (cast && observe::can_be_lifted(site)) return experiments_.lift(site);
    policy::SiteRule& rule = rules_.emplace_back();
    rule.match = site.key.name();
    rule.format = formats::kFloat32;
    rule.why = "not finite at step " + std::to_string(step_);
    return true;
  }

  /// Returns the calls that produced the arguments of the failing ones, if these were narrower than float32. Their
  /// values may be wrong, and even in float32 a call returns a gradient in its argument's format.
  std::vector<Cause> givers_of(const Trace& trace, const std::vector<Cause>& roots) {
    std::vector<Cause> givers;
    std::vector<int> open;
    for (const Cause& cause : roots) open.push_back(cause.call);
    // If all of these have rules already, continues with their producers.
    std::set<int> seen;
    while (!open.empty() && givers.empty()) {
      std::vector<int> further;
      for (const int call : open) {
        if (call < 0 || !seen.insert(call).second) continue;
        for (const TracedUse& use : trace.calls()[static_cast<std::size_t>(call)].uses) {
          const TracedValue& value = trace.values()[static_cast<std::size_t>(use.value)];
          if (value.origin != TracedValue::Origin::kCall) continue;
          further.push_back(value.call);
          const TracedCall& giver = trace.calls()[static_cast<std::size_t>(value.call)];
          const bool narrow =
              value.seen.dtype == at::kHalf || value.seen.dtype == at::kBFloat16 || giver.rounding.has_value();
          // LibTorch treats a cast as a view, which may return its argument.
          const bool casts = lifts_ && giver.converts.has_value() && observe::can_be_lifted(*giver.site);
          if (!narrow || (giver.site->view && !casts) || named_.contains(giver.site->key.name())) continue;
          givers.emplace_back().call = value.call;
        }
      }
      open = std::move(further);
    }
    return givers;
  }

  /// Returns whether the step is finite at lower scales with the current rules, and its gradients survive there.
  bool lowers(const std::vector<std::size_t>& bad) {
    if (!experiments_.lower(bad, rules_)) return false;
    // A scale below 1 reduces gradients, and one slightly above 1 would have to fall below it for another batch. So
    // other calls are tried first.
    const bool survive = !experiments_.below_one() && std::all_of(bad.begin(), bad.end(), [&](std::size_t scaler) {
      return measure_safe_scales(experiments_.replay(), scaler, experiments_.factors(), rules_, experiments_.lifted())
          .survives();
    });
    if (survive && !experiments_.leaves_no_room()) return true;
    if (!lossy_ || (survive && lossy_->loses))
      lossy_ = {rules_, experiments_.factors(), experiments_.lifted(), changed_, !survive};
    experiments_.at_start();
    return false;
  }

  /// Returns the rules without those that are not needed.
  FoundFix pared() {
    const bool one = rules_.size() + experiments_.lifted().size() <= 1;
    if (one || rules_.size() > kMostPared) return {rules_, changed_};
    for (std::size_t i = kept_; i < rules_.size() && rules_.size() + experiments_.lifted().size() > 1;) {
      SiteRules fewer = rules_;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      Trace trace;
      if (experiments_.run(fewer, std::nullopt, &trace).finite() && is_whole(trace, fewer)) {
        rules_ = std::move(fewer);
        changed_ = changed_sites(first_, trace);
      } else {
        ++i;
      }
    }
    return {rules_, changed_};
  }

  struct Lossy {
    SiteRules rules;
    std::vector<double> factors;
    std::set<int> lifted;
    std::size_t changed = 0;
    bool loses = false;  ///< gradients are lost or reduced
  };

  ReplayExperiments& experiments_;
  const Trace& first_;
  const std::int64_t step_;
  const bool lifts_;
  SiteRules rules_;
  const std::size_t kept_;  ///< the first rules, which fixed other steps
  std::size_t changed_ = 0;
  std::set<std::string> named_;
  std::set<Place> beside_;      ///< overflowed from the beginning, and are no causes
  std::optional<Lossy> lossy_;  ///< finite, but at a scale at which gradients are lost, or soon will be
};

/// The state of the experiments for a result.
struct Found {
  std::optional<FoundFix> fix;
  std::vector<double> factors;
  std::set<int> lifted;
  bool lowers = false;
};

}  // namespace

std::optional<FoundFix> search_fix(ReplayExperiments& experiments, const Causes& causes, const Trace& trace,
                                   std::int64_t step, const Known& known) {
  const auto begin = [&](bool lifts) { return FixSearch(experiments, causes, trace, step, known, lifts); };
  const auto note = [&experiments](std::optional<FoundFix> fix) {
    Found found{std::move(fix), experiments.factors(), experiments.lifted()};
    found.lowers = !experiments.lowered().empty();
    return found;
  };
  if (!known.rules.empty() || !known.lifted.empty()) {
    if (auto enough = begin(false).known_alone()) {
      measure_band(experiments, enough->rules);
      return enough;
    }
  }
  Found best;
  // Changes of the policy are searched first, since a cast in the model's code can only be changed by the user.
  for (const bool lifts : {false, true}) {
    if (best.fix && !best.fix->loses) break;
    Found found;
    if (!known.lost.empty()) found = note(begin(lifts).find(known.lost));
    // One op call at the current scale is the smallest change possible.
    const bool least = found.fix && !found.lowers && found.fix->changed <= 1;
    if (!least) {
      Found other = note(begin(lifts).find(causes));
      const auto cost = [](const Found& each) { return std::tuple(each.fix->loses, each.lowers, each.fix->changed); };
      if (other.fix && (!found.fix || cost(other) < cost(found))) found = std::move(other);
    }
    if (found.fix && (!best.fix || !found.fix->loses)) best = std::move(found);
  }
  if (!best.fix) {
    experiments.set_lifted({});
    return std::nullopt;
  }
  experiments.set_factors(best.factors);
  experiments.set_lifted(best.lifted);
  if (!best.fix->loses) measure_band(experiments, best.fix->rules);
  return best.fix;
}

}  // namespace binade::diagnose
