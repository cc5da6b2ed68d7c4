// SPDX-License-Identifier: Apache-2.0
#include "engine/train/explain.h"

#include "engine/formats/scale_band.h"
#include "engine/observe/cause.h"
#include "engine/train/diagnosis_text.h"
#include "engine/train/dtype_name.h"
#include "engine/train/events.h"

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

formats::Format format_of(at::ScalarType dtype) {
  if (dtype == at::kHalf) return formats::kFloat16;
  if (dtype == at::kBFloat16) return formats::kBFloat16;
  return formats::kFloat32;
}

wire::ValueRange range_of(const std::string& name, const observe::Values& seen) {
  return {name, dtype_name(seen.dtype), seen.smallest, seen.largest, seen.count, seen.zeros, seen.infinite(), seen.nan};
}

wire::Root::Fault fault_of(Cause::Fault fault) {
  switch (fault) {
    case Cause::Fault::kOverflow:
      return wire::Root::Fault::kOverflow;
    case Cause::Fault::kCast:
      return wire::Root::Fault::kCast;
    case Cause::Fault::kInvalid:
      return wire::Root::Fault::kInvalid;
    case Cause::Fault::kSum:
      return wire::Root::Fault::kSum;
    case Cause::Fault::kData:
      return wire::Root::Fault::kData;
    case Cause::Fault::kParameter:
      return wire::Root::Fault::kParameter;
    case Cause::Fault::kBuffer:
      return wire::Root::Fault::kBuffer;
    case Cause::Fault::kOutside:
      break;
  }
  return wire::Root::Fault::kUnknown;
}

/// The largest share of a gradient's norm that a lower format flushed to zero at one call.
double lost_share(const Trace& trace) {
  double most = 0;
  for (const observe::TracedNode& node : trace.nodes()) most = std::max(most, node.lost);
  return most;
}

class Explainer {
 public:
  Explainer(Replay& replay, std::int64_t step, Effort effort)
      : replay_(replay), training_(replay.training()), step_(step), effort_(effort) {}

  wire::Diagnosis run() {
    Trace trace;
    const Replay::Result result = replay_.run({.scale = 1, .policy = {}, .trace = &trace});
    const Causes causes = observe::find_causes(trace);
    describe(trace, causes);
    if (result.finite()) {
      made_.explanation =
          "The replay of this step was finite: what happened depends on something that is not kept, "
          "such as a kernel that is not deterministic.";
      return made_;
    }
    if (causes.roots.empty()) {
      made_.verdict = Verdict::kUndetermined;
    } else if (causes.loss_finite && causes.roots.front().backward) {
      backward(causes, trace);
    } else {
      forward(causes, trace);
    }
    made_.explanation = effort_ == Effort::kCause && made_.verdict == Verdict::kUndetermined && !made_.roots.empty()
                            ? "Like many before it, this step was replayed once: its first cause is known, and neither "
                              "a verdict nor a fix was looked for."
                            : explanation_of(made_);
    return made_;
  }

 private:
  double scale() const { return training_.scalers.scale(0); }

  void describe(const Trace& trace, const Causes& causes) {
    for (const Cause& cause : causes.roots) made_.roots.push_back(root_of(trace, cause));
    for (const observe::CauseLink& link : causes.chain) made_.chain.push_back(link_of(trace, link));
    made_.ends = causes.ends;
    const bool backward = causes.loss_finite && (causes.roots.empty() || causes.roots.front().backward);
    made_.direction = backward ? wire::Direction::kBackward : wire::Direction::kForward;
  }

  static wire::ChainLink link_of(const Trace& trace, const observe::CauseLink& link) {
    const observe::TracedCall& call = trace.calls()[static_cast<std::size_t>(link.call)];
    wire::ChainLink made;
    made.site = call.site->id;
    made.call = call.index;
    made.direction = link.backward ? wire::Direction::kBackward : wire::Direction::kForward;
    made.tensor = link.backward ? "gradient" : "output";
    const auto show = [&made](const observe::Values& seen) {
      made.format = format_of(seen.dtype);
      made.largest = seen.largest;
      made.non_finite = static_cast<std::uint64_t>(seen.nan + seen.infinite());
    };
    if (link.value >= 0) show(trace.values()[static_cast<std::size_t>(link.value)].seen);
    if (link.node >= 0) {
      for (const observe::Values& seen : trace.nodes()[static_cast<std::size_t>(link.node)].out) {
        if (!seen.finite()) show(seen);
      }
    }
    return made;
  }

  static wire::Root root_of(const Trace& trace, const Cause& cause) {
    wire::Root root;
    root.fault = fault_of(cause.fault);
    root.direction = cause.backward ? wire::Direction::kBackward : wire::Direction::kForward;
    root.what = cause.what;
    if (cause.node >= 0) {
      const observe::TracedNode& node = trace.nodes()[static_cast<std::size_t>(cause.node)];
      for (const observe::Values& seen : node.in) {
        if (seen.count > 0) root.inputs.push_back(range_of("gradient", seen));
      }
      for (const observe::Values& seen : cause.fault == Cause::Fault::kSum ? node.in : node.out) {
        if (seen.finite()) continue;
        root.format = format_of(seen.dtype);
        break;
      }
    }
    if (cause.value >= 0) {
      const observe::TracedValue& value = trace.values()[static_cast<std::size_t>(cause.value)];
      root.inputs.push_back(range_of(value.name, value.seen));
      root.format = format_of(value.seen.dtype);
    }
    if (cause.call < 0) return root;
    const observe::TracedCall& call = trace.calls()[static_cast<std::size_t>(cause.call)];
    root.site = call.site->id;
    root.call = call.index;
    root.source = call.site->source;
    for (const observe::TracedUse& use : call.uses) {
      const observe::Values& seen = trace.values()[static_cast<std::size_t>(use.value)].seen;
      if (use.value != cause.value) root.inputs.push_back(range_of(call.site->argument_names[use.argument], seen));
      if (cause.fault == Cause::Fault::kCast && use.cast && !use.cast->finite())
        root.format = format_of(use.cast->dtype);
    }
    if (call.rounding && cause.backward && root.format == formats::kFloat32) root.format = call.rounding->backward;
    if (!cause.backward && cause.value < 0 && cause.fault != Cause::Fault::kCast) {
      for (const int result : call.results) {
        const observe::Values& seen = trace.values()[static_cast<std::size_t>(result)].seen;
        if (seen.finite()) continue;
        root.format = call.rounding && seen.dtype == at::kFloat ? call.rounding->format : format_of(seen.dtype);
      }
    }
    return root;
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

  Replay::Result attempt(double factor, const std::vector<policy::SiteRule>& rules, Trace* trace = nullptr) {
    Replay::Result result;
    std::string failed;
    try {
      result = replay_.run({.scale = factor, .policy = with(rules), .trace = trace});
    } catch (const std::exception& error) {
      // Other numbers may take the model another way: to an assertion, an empty list.
      result.finite_loss = false;
      failed = std::string(": ") + error.what();
      failed_ = true;
    }
    wire::Attempt tried;
    const std::string scaled = factor == 1 && !rules.empty() ? "" : "scale " + scale_text(scale() * factor);
    const std::string widened = text_of(rules);
    tried.change = scaled + (scaled.empty() || widened.empty() ? "" : ", ") + widened;
    tried.change += failed;
    tried.scale = scale() * factor;
    tried.rules = rules;
    tried.finite = result.finite();
    made_.evidence.push_back(std::move(tried));
    return result;
  }

  /// The largest power of two below 1 by which the scale may be multiplied; 0 where none does.
  double finite_factor(const std::vector<policy::SiteRule>& rules) {
    if (!training_.scalers.any_enabled()) return 0;
    const int most = std::max(1, static_cast<int>(std::floor(std::log2(scale() / kLowestScale))));
    int bad = 0;
    int good = -1;
    for (int k = 1;; k = std::min(2 * k, most)) {
      if (attempt(std::ldexp(1.0, -k), rules).finite()) {
        good = k;
        break;
      }
      bad = k;
      if (k == most) return 0;
    }
    while (good - bad > 1) {
      const int middle = (good + bad) / 2;
      (attempt(std::ldexp(1.0, -middle), rules).finite() ? good : bad) = middle;
    }
    return std::ldexp(1.0, -good);
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

  /// Widens the calls that fail, and those that fail then, until the step is finite. Leaves the fix in made_.
  bool widen(const Causes& causes, const Trace& first) {
    std::vector<policy::SiteRule> rules = rules_for(first, causes.roots, formats::kFloat32);
    for (int round = 0; round < kMostRounds && !rules.empty(); ++round) {
      Trace trace;
      if (attempt(1, rules, &trace).finite()) return keep_fix(rules, 1);
      if (failed_) return false;
      const Causes left = observe::find_causes(trace);
      const std::size_t before = rules.size();
      for (policy::SiteRule& rule : rules_for(trace, left.roots, formats::kFloat32)) {
        const auto same = [&](const policy::SiteRule& other) { return other.match == rule.match; };
        if (std::none_of(rules.begin(), rules.end(), same)) rules.push_back(std::move(rule));
      }
      if (left.loss_finite && !left.roots.empty() && left.roots.front().backward) {
        const double factor = finite_factor(rules);
        if (factor > 0) return keep_fix(rules, factor);
      }
      if (rules.size() == before) return false;
    }
    return false;
  }

  bool keep_fix(std::vector<policy::SiteRule> rules, double factor) {
    made_.fix.rules = rules;
    made_.fix.scale = factor == 1 ? 0 : scale() * factor;
    const std::string and_scale = factor == 1 ? "" : " and a scale of at most " + scale_text(scale() * factor);
    made_.fix.text = "With " + text_of(rules) + and_scale + " this batch is finite.";
    for (policy::SiteRule& rule : rules) rule.format = formats::kBFloat16;
    attempt(factor, rules);
    return true;
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
    if (effort_ == Effort::kFix) widen(causes, trace);
  }

  void backward(const Causes& causes, const Trace& trace) {
    if (effort_ == Effort::kCause) return;
    const double factor = finite_factor({});
    if (factor > 0) {
      Trace lower;
      replay_.run({.scale = factor, .policy = {}, .trace = &lower});
      if (lost_share(lower) <= formats::kLostNorm) {
        made_.verdict = Verdict::kBenign;
        made_.fix.scale = scale() * factor;
        made_.fix.text = "At a scale of at most " + scale_text(made_.fix.scale) + " this batch is finite.";
        return;
      }
      made_.verdict = Verdict::kNoScaleWorks;
      widen(causes, trace);
      return;
    }
    made_.verdict = widen(causes, trace) ? Verdict::kOverflowAtSite : Verdict::kInvalidOperation;
    if (made_.verdict != Verdict::kInvalidOperation) return;
    for (wire::Root& root : made_.roots) {
      if (root.fault == wire::Root::Fault::kOverflow) root.fault = wire::Root::Fault::kInvalid;
    }
  }

  Replay& replay_;
  Training& training_;
  const std::int64_t step_;
  const Effort effort_;
  wire::Diagnosis made_;
  bool failed_ = false;  ///< an attempt threw
};

}  // namespace

wire::Diagnosis explain(Replay& replay, std::int64_t step, Effort effort,
                        const std::function<std::string()>& before_end) {
  const auto start = std::chrono::steady_clock::now();
  const Replay::Aside aside(replay);
  wire::Diagnosis made = Explainer(replay, step, effort).run();
  if (before_end) {
    replay.rewind();
    made.bundle = before_end();
  }
  made.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return made;
}

}  // namespace binade::train
