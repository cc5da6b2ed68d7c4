// SPDX-License-Identifier: Apache-2.0
#include "engine/train/explain.h"

#include "engine/observe/cause.h"
#include "engine/observe/trace.h"
#include "engine/train/bad_rows.h"
#include "engine/train/diagnosis_parts.h"
#include "engine/train/diagnosis_text.h"
#include "engine/train/survival.h"
#include "engine/train/tries.h"
#include "engine/train/widen.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <utility>

namespace binade::train {

namespace {

using observe::Cause;
using observe::Causes;
using observe::Trace;
using wire::Verdict;

class Explainer {
 public:
  Explainer(Replay& replay, std::int64_t step, const Explaining& how)
      : replay_(replay), training_(replay.training()), step_(step), how_(how), tries_(replay, made_.evidence) {}

  wire::Diagnosis run() {
    Trace trace;
    const Replay::Result result = replay_.run({.scale = 1, .policy = {}, .trace = &trace, .observer = how_.observer});
    Causes causes = observe::find_causes(trace);
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
      backward(causes, trace, bad_scalers(result));
    } else {
      forward(causes, trace);
    }
    name_bad_rows(made_, causes, trace, replay_, may_ask_for_rows());
    if (made_.verdict == Verdict::kInvalidOperation) put_invalid_first();
    put_into_words(causes, trace);
    return made_;
  }

 private:
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
    if (how_.effort == Effort::kFix) look_for_rules(causes, trace);
  }

  void backward(Causes& causes, const Trace& trace, const std::vector<std::size_t>& bad) {
    if (!bad.empty()) {
      made_.scaler = tries_.id_of(bad.front());
      made_.scale = training_.scalers.scale(bad.front());
    }
    if (how_.effort == Effort::kCause) return;
    if (tries_.lower(bad, {})) {
      causes = observe::find_causes_of_scale(trace);
      describe_causes(made_, trace, causes);
      judge_scales(causes, trace, bad);
      return;
    }
    made_.verdict = look_for_rules(causes, trace) ? Verdict::kOverflowAtSite : Verdict::kInvalidOperation;
    if (made_.verdict == Verdict::kInvalidOperation) tell_invalid_from_overflow(bad);
  }

  /// No scale makes the step finite, and no format: what fails at the lowest scale too has no finite gradient. What
  /// does not is a gradient that the present scale made too large, beside it.
  void tell_invalid_from_overflow(const std::vector<std::size_t>& bad) {
    std::vector<wire::Root> left;
    try {
      Trace trace;
      replay_.run({.scale = 1, .policy = {}, .trace = &trace, .observer = nullptr, .factors = tries_.lowest(bad)});
      wire::Diagnosis lowest;
      describe_causes(lowest, trace, observe::find_causes(trace));
      left = std::move(lowest.roots);
    } catch (const std::exception&) {
      // Other numbers may take the model another way: all of them are left.
    }
    const auto is_left = [&left](const wire::Root& root) {
      return std::any_of(left.begin(), left.end(), [&root](const wire::Root& other) {
        return other.site == root.site && other.call == root.call && other.what == root.what;
      });
    };
    const bool some = std::any_of(made_.roots.begin(), made_.roots.end(), is_left);
    for (wire::Root& root : made_.roots) {
      const bool overflow = root.fault == wire::Root::Fault::kOverflow || root.fault == wire::Root::Fault::kCast;
      if (overflow && (!some || is_left(root))) {
        root.fault = wire::Root::Fault::kInvalid;
      }
    }
  }

  /// The verdict is about these.
  void put_invalid_first() {
    const auto invalid = std::find_if(made_.roots.begin(), made_.roots.end(),
                                      [](const wire::Root& root) { return root.fault == wire::Root::Fault::kInvalid; });
    if (invalid != made_.roots.end()) first_ = static_cast<std::size_t>(invalid - made_.roots.begin());
    std::stable_partition(made_.roots.begin(), made_.roots.end(),
                          [](const wire::Root& root) { return root.fault == wire::Root::Fault::kInvalid; });
  }

  /// Lower scales make the step finite: do gradients survive there?
  void judge_scales(const Causes& causes, const Trace& trace, const std::vector<std::size_t>& bad) {
    for (const std::size_t i : bad) {
      Survival survival = survival_at(replay_, i, tries_.factors(), {});
      end_at(survival.band, survival.scale, made_.roots.empty() ? -1 : made_.roots.front().site);
      if (!made_.band || !survival.survives()) made_.band = survival.band;
      if (survival.survives()) {
        stay_below(i, survival.band);
        continue;
      }
      made_.verdict = Verdict::kNoScaleWorks;
      made_.scaler = tries_.id_of(i);
      made_.scale = training_.scalers.scale(i);
      look_for_rules(causes, trace);
      return;
    }
    const bool held =
        std::any_of(bad.begin(), bad.end(), [&](std::size_t i) { return !training_.scalers.held_by(i).empty(); });
    made_.verdict = held ? Verdict::kScaleHeld : Verdict::kBenign;
    keep_scale();
    made_.fix.text = "At a scale of at most " + tries_.lowered() + " this batch is finite.";
  }

  /// A gradient beyond its format may vanish and leave the step finite: the scale goes down to the band all the same.
  void stay_below(std::size_t scaler, const wire::ScaleBand& band) {
    const double above = std::log2(tries_.scale(scaler)) - (band.highest ? *band.highest : 0);
    if (!band.highest || above <= 0) return;
    std::vector<double> factors = tries_.factors();
    factors[scaler] = std::ldexp(factors[scaler], -static_cast<int>(std::ceil(above)));
    tries_.set_factors(std::move(factors));
    tries_.run({}, scaler);
  }

  // Fixes.

  /// Looks for op calls that need float32, unless float32 everywhere does not help either. False where nothing does.
  bool look_for_rules(const Causes& causes, const Trace& trace) {
    const bool may_be_invalid = made_.verdict == Verdict::kInvalidOperation || made_.verdict == Verdict::kUndetermined;
    if (may_be_invalid && !is_finite_in_float32()) return false;
    std::optional<SiteRules> rules = widen(tries_, causes, trace, step_);
    if (!rules && is_finite_in_float32()) rules = everything_in_float32();
    if (!rules) return false;
    keep_fix(std::move(*rules));
    return true;
  }

  /// With every op call in float32, at the present scales or at lower ones, which are set then: in formats that the
  /// model's own code asks for a gradient may still overflow.
  bool is_finite_in_float32() {
    tries_.at_present();
    const Replay::Result result = tries_.run(everything_in_float32());
    if (result.finite()) return true;
    if (!result.finite_loss || tries_.failed()) return false;
    const std::vector<std::size_t> bad = bad_scalers(result);
    tries_.set_factors(tries_.lowest(bad));
    if (tries_.run(everything_in_float32()).finite()) return tries_.lower(bad, everything_in_float32());
    tries_.at_present();
    return false;
  }

  void keep_fix(SiteRules rules) {
    made_.fix.rules = rules;
    keep_scale();
    const std::string lowered = tries_.lowered();
    made_.fix.text = "With " + text_of(rules) + (lowered.empty() ? "" : " and a scale of at most " + lowered) +
                     " this batch is finite.";
    for (policy::SiteRule& rule : rules) rule.format = formats::kBFloat16;
    tries_.run(rules);  // as evidence: it is as good, and costs half
  }

  /// The first scale that is lowered is the fix's.
  void keep_scale() {
    for (std::size_t i = 0; i < tries_.factors().size(); ++i) {
      if (tries_.factors()[i] == 1) continue;
      made_.fix.scale = tries_.scale(i);
      made_.fix.scaler = tries_.id_of(i);
      return;
    }
  }

  /// Whether single rows of the batch may be to blame, and a further replay may be spent on that: not of a loss scale.
  bool may_ask_for_rows() const {
    if (how_.effort != Effort::kFix) return false;
    return made_.direction == wire::Direction::kForward || made_.verdict == Verdict::kInvalidOperation ||
           made_.verdict == Verdict::kOverflowAtSite;
  }

  // Words.

  void put_into_words(const Causes& causes, const Trace& trace) {
    const bool cause_only = how_.effort == Effort::kCause && made_.verdict == Verdict::kUndetermined;
    made_.explanation = cause_only && !made_.roots.empty()
                            ? "Like many before it, this step was replayed once: its first cause is known, and neither "
                              "a verdict nor a fix was looked for."
                            : explanation_of(made_, training_.info.sites);
    if (made_.verdict == Verdict::kNonFiniteParameter && step_ == 0) {
      made_.explanation =
          "A weight is not finite from the start: the model's file, or what weights names, holds it so.";
    }
    if (made_.verdict == Verdict::kPoisonedBuffer && step_ == 0) {
      made_.explanation =
          "A running statistic is not finite from the start: the model's file, or what weights names, holds it so.";
    }
    if (made_.band) made_.explanation += " " + band_text(*made_.band, training_.info.sites);
    const std::int64_t batches = training_.config.accumulate;
    if (batches > 1 && first_ < causes.roots.size() && causes.roots[first_].call >= 0) {
      const int batch = trace.calls()[static_cast<std::size_t>(causes.roots[first_].call)].batch;
      made_.explanation +=
          " It began in batch " + std::to_string(batch + 1) + " of the " + std::to_string(batches) + " of this step.";
    }
  }

  Replay& replay_;
  Training& training_;
  const std::int64_t step_;
  const Explaining how_;
  wire::Diagnosis made_;
  std::size_t first_ = 0;  ///< of Causes::roots, the one that the sentence is about
  Tries tries_;
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
