// SPDX-License-Identifier: Apache-2.0
#include "engine/train/explain.h"

#include "engine/observe/cause.h"
#include "engine/observe/trace.h"
#include "engine/train/diagnosis_parts.h"
#include "engine/train/diagnosis_text.h"
#include "engine/train/events.h"
#include "engine/train/survival.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>

namespace binade::train {

namespace {

using observe::Cause;
using observe::Causes;
using observe::Trace;
using wire::Verdict;

constexpr int kMostRounds = 8;            // of widening calls until a step is finite
constexpr double kLowestScale = 0x1p-24;  // below it float32 gradients themselves begin to vanish

class Explainer {
 public:
  Explainer(Replay& replay, std::int64_t step, const Explaining& how)
      : replay_(replay), training_(replay.training()), step_(step), how_(how) {
    at_present();
  }

  wire::Diagnosis run() {
    Trace trace;
    const Replay::Result result = replay_.run({.scale = 1, .policy = {}, .trace = &trace, .observer = how_.observer});
    const Causes causes = observe::find_causes(trace);
    describe_causes(made_, trace, causes);
    if (result.finite()) {
      made_.explanation =
          "The replay of this step was finite: what happened depends on something that is not kept, "
          "such as a kernel that is not deterministic.";
      return made_;
    }
    if (causes.roots.empty()) {
      made_.verdict = Verdict::kUndetermined;
    } else if (causes.loss_finite && causes.roots.front().backward) {
      backward(causes, trace, bad_of(result));
    } else {
      forward(causes, trace);
    }
    const bool cause_only = how_.effort == Effort::kCause && made_.verdict == Verdict::kUndetermined;
    made_.explanation = cause_only && !made_.roots.empty()
                            ? "Like many before it, this step was replayed once: its first cause is known, and neither "
                              "a verdict nor a fix was looked for."
                            : explanation_of(made_);
    if (made_.band) made_.explanation += " " + band_text(*made_.band, training_.info.sites);
    return made_;
  }

 private:
  // Scalers.

  bool several() const { return training_.scalers.size() > 1; }
  double scale(std::size_t i) const { return training_.scalers.scale(i) * factors_[i]; }
  std::optional<std::string> id_of(std::size_t i) const {
    return several() ? std::optional(training_.scalers.id(i)) : std::nullopt;
  }
  /// Every scale as the step had it.
  void at_present() { factors_.assign(training_.scalers.size(), 1); }

  static std::vector<std::size_t> bad_of(const Replay::Result& result) {
    std::vector<std::size_t> bad;
    for (std::size_t i = 0; i < result.bad_scalers.size(); ++i) {
      if (result.bad_scalers[i]) bad.push_back(i);
    }
    return bad;
  }

  std::string scale_words(std::size_t i) const {
    const auto id = id_of(i);
    return scale_text(scale(i)) + (id ? " of the scaler \"" + *id + "\"" : std::string());
  }
  /// The scales that are lower than the step had them.
  std::string lowered_words() const {
    std::string text;
    for (std::size_t i = 0; i < factors_.size(); ++i) {
      if (factors_[i] != 1) text += (text.empty() ? "" : " and ") + scale_words(i);
    }
    return text;
  }

  // Tries.

  std::shared_ptr<const policy::Resolved> with(const std::vector<policy::SiteRule>& rules) const {
    if (rules.empty()) return training_.policy;
    policy::Policy policy = training_.config.policy;
    policy.sites.insert(policy.sites.end(), rules.begin(), rules.end());
    return resolve(training_, policy, training_.policy->revision);
  }

  static std::string text_of(const std::vector<policy::SiteRule>& rules) {
    constexpr std::size_t kMostNamed = 3;
    std::string text;
    for (std::size_t i = 0; i < rules.size() && i < kMostNamed; ++i) text += (i == 0 ? "" : ", ") + rules[i].match;
    if (rules.size() > kMostNamed) text += " and " + std::to_string(rules.size() - kMostNamed) + " more";
    return rules.empty() ? "" : text + " in " + formats::name(rules.front().format);
  }

  /// Runs the step at the present factors. `scaler`: only its gradients are asked for; nothing: all.
  Replay::Result attempt(const std::vector<policy::SiteRule>& rules, std::optional<std::size_t> scaler,
                         Trace* trace = nullptr) {
    Replay::Result result;
    std::string failed;
    try {
      result = replay_.run({.scale = 1,
                            .policy = with(rules),
                            .trace = trace,
                            .observer = nullptr,
                            .factors = factors_,
                            .only = several() ? scaler : std::nullopt});
    } catch (const std::exception& error) {
      // Other numbers may take the model another way: to an assertion, an empty list.
      result.finite_loss = false;
      failed = std::string(": ") + error.what();
      failed_ = true;
    }
    wire::Attempt tried;
    const std::size_t whose = scaler.value_or(0);
    const std::string widened = text_of(rules);
    const std::string scaled = scaler || rules.empty() ? "scale " + scale_words(whose) : lowered_words();
    tried.change = scaled + (scaled.empty() || widened.empty() ? "" : ", ") + widened + failed;
    tried.scale = scale(whose);
    tried.scaler = scaler ? id_of(whose) : std::nullopt;
    tried.rules = rules;
    tried.finite = result.finite();
    made_.evidence.push_back(std::move(tried));
    return result;
  }

  /// Lowers one scaler's scale to the largest power of two times it at which its gradients are finite. False where no
  /// scale does; then it is as it was.
  bool lower(std::size_t i, const std::vector<policy::SiteRule>& rules) {
    if (!training_.scalers.enabled(i)) return false;
    const double present = training_.scalers.scale(i);
    const int most = std::max(1, static_cast<int>(std::floor(std::log2(present / kLowestScale))));
    const auto is_finite_at = [&](int k) {
      factors_[i] = std::ldexp(1.0, -k);
      return attempt(rules, i).finite();
    };
    int bad = 0;
    int good = -1;
    for (int k = 1; good < 0; k = std::min(2 * k, most)) {
      if (is_finite_at(k)) {
        good = k;
      } else if (k == most) {
        factors_[i] = 1;
        return false;
      } else {
        bad = k;
      }
    }
    while (good - bad > 1) {
      const int middle = (good + bad) / 2;
      (is_finite_at(middle) ? good : bad) = middle;
    }
    factors_[i] = std::ldexp(1.0, -good);
    return true;
  }

  /// Lowers every scale that has to be. False where one cannot help; then all are as the step had them.
  bool lower_all(const std::vector<std::size_t>& bad, const std::vector<policy::SiteRule>& rules) {
    const bool all =
        !bad.empty() && std::all_of(bad.begin(), bad.end(), [&](std::size_t i) { return lower(i, rules); });
    if (!all) at_present();
    return all;
  }

  std::vector<policy::SiteRule> rules_for(const Trace& trace, const std::vector<Cause>& roots,
                                          const formats::Format& format) const {
    std::vector<policy::SiteRule> rules;
    std::set<std::string> named;
    for (const Cause& cause : roots) {
      if (cause.call < 0 || cause.value >= 0) continue;
      const graph::Site& site = *trace.calls()[static_cast<std::size_t>(cause.call)].site;
      if (!named.insert(site.key.name()).second) continue;
      policy::SiteRule rule;
      rule.match = site.key.name();
      rule.format = format;
      rule.why = "not finite at step " + std::to_string(step_);
      rules.push_back(std::move(rule));
    }
    return rules;
  }

  static void add_new(std::vector<policy::SiteRule>& rules, std::vector<policy::SiteRule> more) {
    for (policy::SiteRule& rule : more) {
      const auto same = [&](const policy::SiteRule& other) { return other.match == rule.match; };
      if (std::none_of(rules.begin(), rules.end(), same)) rules.push_back(std::move(rule));
    }
  }

  /// The calls that gave the arguments of those whose gradients fail: in float32 itself, a call still hands a gradient
  /// back in the format that its argument was given in.
  static std::vector<Cause> givers_of(const Trace& trace, const std::vector<Cause>& roots) {
    std::vector<Cause> givers;
    for (const Cause& cause : roots) {
      if (!cause.backward || cause.call < 0) continue;
      for (const observe::TracedUse& use : trace.calls()[static_cast<std::size_t>(cause.call)].uses) {
        const observe::TracedValue& value = trace.values()[static_cast<std::size_t>(use.value)];
        if (value.origin != observe::TracedValue::Origin::kCall || value.seen.dtype == at::kFloat) continue;
        Cause giver;
        giver.call = value.call;
        givers.push_back(giver);
      }
    }
    return givers;
  }

  /// Widens the calls that fail, and those that fail then, until the step is finite. Leaves the fix in made_.
  bool widen(const Causes& causes, const Trace& first) {
    at_present();
    std::vector<policy::SiteRule> rules = rules_for(first, causes.roots, formats::kFloat32);
    for (int round = 0; round < kMostRounds && !rules.empty(); ++round) {
      Trace trace;
      const Replay::Result result = attempt(rules, std::nullopt, &trace);
      if (result.finite()) return keep_fix(rules);
      if (failed_) return false;
      const Causes left = observe::find_causes(trace);
      const std::size_t before = rules.size();
      add_new(rules, rules_for(trace, left.roots, formats::kFloat32));
      if (rules.size() == before) add_new(rules, rules_for(trace, givers_of(trace, left.roots), formats::kFloat32));
      const bool in_backward = left.loss_finite && !left.roots.empty() && left.roots.front().backward;
      if (in_backward && lower_all(bad_of(result), rules)) return keep_fix(rules);
      if (rules.size() == before) return false;
    }
    return false;
  }

  bool keep_fix(std::vector<policy::SiteRule> rules) {
    made_.fix.rules = rules;
    keep_scale();
    const std::string lowered = lowered_words();
    made_.fix.text = "With " + text_of(rules) + (lowered.empty() ? "" : " and a scale of at most " + lowered) +
                     " this batch is finite.";
    for (policy::SiteRule& rule : rules) rule.format = formats::kBFloat16;
    attempt(rules, std::nullopt);
    return true;
  }

  /// The first scale that is lowered is the fix's.
  void keep_scale() {
    for (std::size_t i = 0; i < factors_.size(); ++i) {
      if (factors_[i] == 1) continue;
      made_.fix.scale = scale(i);
      made_.fix.scaler = id_of(i);
      return;
    }
  }

  // Verdicts.

  void forward(const Causes& causes, const Trace& trace) {
    switch (causes.roots.front().fault) {
      case Cause::Fault::kData:
        made_.verdict = Verdict::kNonFiniteData;
        return;
      case Cause::Fault::kParameter:
        made_.verdict = Verdict::kNonFiniteParameter;
        return;
      case Cause::Fault::kBuffer:
        made_.verdict = Verdict::kPoisonedBuffer;
        return;
      case Cause::Fault::kOutside:
        made_.verdict = Verdict::kPropagatedOnly;
        return;
      case Cause::Fault::kInvalid:
        made_.verdict = Verdict::kInvalidOperation;
        break;
      case Cause::Fault::kCast:
        made_.verdict = Verdict::kCastOverflow;
        break;
      case Cause::Fault::kOverflow:
      case Cause::Fault::kSum:
        made_.verdict = Verdict::kForwardOverflow;
        break;
    }
    if (how_.effort == Effort::kFix) widen(causes, trace);
  }

  void backward(const Causes& causes, const Trace& trace, const std::vector<std::size_t>& bad) {
    if (!bad.empty()) {
      made_.scaler = id_of(bad.front());
      made_.scale = scale(bad.front());
    }
    if (how_.effort == Effort::kCause) return;
    if (lower_all(bad, {})) {
      judge_scales(causes, trace, bad);
      return;
    }
    made_.verdict = widen(causes, trace) ? Verdict::kOverflowAtSite : Verdict::kInvalidOperation;
    if (made_.verdict != Verdict::kInvalidOperation) return;
    for (wire::Root& root : made_.roots) {
      if (root.fault == wire::Root::Fault::kOverflow) root.fault = wire::Root::Fault::kInvalid;
    }
  }

  /// Lower scales make the step finite: do gradients survive there?
  void judge_scales(const Causes& causes, const Trace& trace, const std::vector<std::size_t>& bad) {
    for (const std::size_t i : bad) {
      const Survival survival = survival_at(replay_, i, factors_);
      if (!made_.band || !survival.survives()) made_.band = survival.band;
      if (survival.survives()) continue;
      made_.verdict = Verdict::kNoScaleWorks;
      made_.scaler = id_of(i);
      made_.scale = training_.scalers.scale(i);
      widen(causes, trace);
      return;
    }
    const bool held =
        std::any_of(bad.begin(), bad.end(), [&](std::size_t i) { return !training_.scalers.held_by(i).empty(); });
    made_.verdict = held ? Verdict::kScaleHeld : Verdict::kBenign;
    keep_scale();
    made_.fix.text = "At a scale of at most " + lowered_words() + " this batch is finite.";
  }

  Replay& replay_;
  Training& training_;
  const std::int64_t step_;
  const Explaining how_;
  wire::Diagnosis made_;
  std::vector<double> factors_;  ///< of each scaler's scale, in the attempts that follow
  bool failed_ = false;          ///< an attempt threw
};

}  // namespace

wire::Diagnosis explain(Replay& replay, std::int64_t step, const Explaining& how,
                        const std::function<std::string()>& before_end) {
  const auto start = std::chrono::steady_clock::now();
  const Replay::Aside aside(replay);
  wire::Diagnosis made = Explainer(replay, step, how).run();
  if (before_end) {
    replay.rewind();
    made.bundle = before_end();
  }
  made.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return made;
}

}  // namespace binade::train
