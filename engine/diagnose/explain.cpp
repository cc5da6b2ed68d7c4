// SPDX-License-Identifier: Apache-2.0
#include "engine/diagnose/explain.h"

#include "engine/diagnose/bad_rows.h"
#include "engine/diagnose/buffer_watch.h"
#include "engine/diagnose/cause.h"
#include "engine/diagnose/cause_text.h"
#include "engine/diagnose/diagnosis_parts.h"
#include "engine/diagnose/fix_search.h"
#include "engine/diagnose/lost_values.h"
#include "engine/diagnose/model_cures.h"
#include "engine/diagnose/next_batches.h"
#include "engine/diagnose/other_formats.h"
#include "engine/diagnose/replay_experiments.h"
#include "engine/diagnose/safe_scales.h"
#include "engine/diagnose/trace.h"
#include "engine/diagnose/underflowed_constants.h"
#include "engine/observe/own_cast.h"
#include "engine/train/training_state_guard.h"
#include "engine/words/diagnosis_text.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <utility>

namespace binade::diagnose {
namespace {

using wire::Root;
using wire::Verdict;

class Explainer {
 public:
  Explainer(Replay& replay, std::int64_t step, const Explaining& how)
      : replay_(replay),
        training_(replay.training()),
        step_(step),
        how_(how),
        experiments_(replay, made_.evidence, ReplayExperiments::Start::kUnfallen) {}

  wire::Diagnosis run() {
    Trace trace;
    const Replay::Result result = replay_.run({.scale = 1, .policy = {}, .trace = &trace, .observer = how_.observer});
    Causes causes = find_causes(trace);
    describe_causes(made_, trace, causes);
    if (result.finite()) {
      made_.message =
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
    const Causes& remaining = low_ ? *low_ : causes;
    const Trace& remaining_trace = low_ ? low_trace_ : trace;
    name_bad_rows(made_, remaining, remaining_trace, replay_, may_ask_for_rows());
    put_into_words(remaining, remaining_trace);
    name_lost();
    for (const std::string& each : experiments_.unanswered()) made_.notes.push_back(each);
    note_out_of_memory(trace);
    if (how_.run != nullptr) how_.run->cure = cure_;
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
      case Cause::Fault::kUnknown:
        made_.verdict = Verdict::kPropagatedOnly;
        return;
      case Cause::Fault::kInvalid:
      case Cause::Fault::kLost:
        // Only a search for a fix shows whether a format is to blame for the operation's arguments.
        made_.verdict = how_.effort == Effort::kFix ? Verdict::kInvalidOperation : Verdict::kUndetermined;
        break;
      case Cause::Fault::kCast:
        made_.verdict = Verdict::kCastOverflow;
        break;
      case Cause::Fault::kOverflow:
      case Cause::Fault::kSum:
        made_.verdict = Verdict::kForwardOverflow;
        break;
    }
    if (how_.effort == Effort::kFix) find_rules(causes, trace);
  }

  void backward(Causes& causes, const Trace& trace, const std::vector<std::size_t>& bad) {
    if (!bad.empty()) {
      made_.scaler = experiments_.id_of(bad.front());
      made_.scale = training_.scalers.scale(bad.front());
    }
    if (how_.effort == Effort::kCause) {
      name_nan(made_, trace, causes);
      for (wire::Root& root : made_.roots) {
        if (how_.run != nullptr && how_.run->poles.contains({root.site, root.what})) root.fault = Root::Fault::kInvalid;
      }
      return;
    }
    if (experiments_.lower(bad, {})) {
      causes = find_causes_of_scale(trace);
      describe_causes(made_, trace, causes);
      judge_scales(causes, trace, bad);
      return;
    }
    const std::size_t lasting = put_lasting_first(bad);
    const Causes& remaining = low_ ? *low_ : causes;
    const Trace& remaining_trace = low_ ? low_trace_ : trace;
    if (!remaining.roots.front().backward) return forward(remaining, remaining_trace);
    made_.verdict = Verdict::kUndetermined;
    const bool mended = find_rules(remaining, remaining_trace);
    if (made_.verdict == Verdict::kLostValue) return;
    // If the rules help, the operation is valid in float32: the original cause is a lost value.
    const bool pole = made_.roots.front().fault == Root::Fault::kInvalid;
    made_.verdict = !mended ? Verdict::kInvalidOperation : pole ? Verdict::kLostValue : Verdict::kOverflowAtSite;
    if (mended && !pole) name_nan(made_, remaining_trace, remaining);
    if (made_.verdict != Verdict::kInvalidOperation) return;
    for (std::size_t i = 0; i < lasting; ++i) {
      Root::Fault& fault = made_.roots[i].fault;
      if (fault == Root::Fault::kOverflow || fault == Root::Fault::kCast) fault = Root::Fault::kInvalid;
      if (how_.run != nullptr) how_.run->poles.emplace(made_.roots[i].site, made_.roots[i].what);
    }
  }

  /// No scale makes the step finite. The verdict is about the causes that remain at the lowest scale; other causes are
  /// gradients that the current scale made too large. Puts the former first and returns their number.
  std::size_t put_lasting_first(const std::vector<std::size_t>& bad) {
    try {
      low_factors_ = experiments_.lowest(bad);
      replay_.run({.scale = 1, .policy = {}, .trace = &low_trace_, .observer = nullptr, .factors = low_factors_});
      low_ = find_causes(low_trace_);
    } catch (const std::exception& error) {
      low_.reset();  // other numbers may change the model's control flow
      experiments_.leave_unanswered("What remains at the lowest loss scale", error);
    }
    if (low_ && low_->roots.empty()) low_.reset();
    if (!low_) return made_.roots.size();
    const std::vector<wire::Root> all = std::move(made_.roots);
    describe_causes(made_, low_trace_, *low_);
    const std::size_t lasting = made_.roots.size();
    for (const wire::Root& root : all) {
      const auto same = [&root](const wire::Root& other) {
        return other.site == root.site && other.call == root.call && other.what == root.what;
      };
      if (std::none_of(made_.roots.begin(), made_.roots.end(), same)) made_.roots.push_back(root);
    }
    return lasting;
  }

  /// Lower scales make the step finite: determines whether gradients survive there.
  void judge_scales(const Causes& causes, const Trace& trace, const std::vector<std::size_t>& bad) {
    for (const std::size_t i : bad) {
      SafeScales safe = measure_safe_scales(replay_, i, experiments_.factors(), {});
      if (!safe.not_emulated.empty()) not_emulated_ = safe.not_emulated;
      end_at(safe.band, safe.scale, made_.roots.empty() ? -1 : made_.roots.front().site);
      if (!made_.band || !safe.survives()) made_.band = safe.band;
      const bool pressed_down = safe.survives() && experiments_.below_one();
      if (pressed_down) {
        search_rules_instead(causes, trace);
        made_.verdict = Verdict::kNoScaleWorks;
        made_.scaler = experiments_.id_of(i);
        made_.scale = training_.scalers.scale(i);
        return;
      }
      if (safe.survives()) {
        stay_below(i, safe.band);
        continue;
      }
      made_.verdict = Verdict::kNoScaleWorks;
      made_.scaler = experiments_.id_of(i);
      made_.scale = training_.scalers.scale(i);
      find_rules(causes, trace);
      return;
    }
    const bool held =
        std::any_of(bad.begin(), bad.end(), [&](std::size_t i) { return !training_.scalers.held_by(i).empty(); });
    made_.verdict = held ? Verdict::kScaleHeld : Verdict::kBenign;
    // A scale that is held cannot adapt to the next batches by itself.
    const bool also_next = held && lower_scales_for_next_batches(experiments_) && !is_below_band(bad);
    keep_scale();
    made_.fix.scales = experiments_.lowered();
    made_.fix.outcome = also_next ? wire::Fix::Outcome::kNextToo : wire::Fix::Outcome::kFinite;
    try_other_formats(experiments_, made_.roots);
  }

  /// Returns whether the next batches need a scale below this batch's safe range; its scale is then set to the lowest
  /// safe one.
  bool is_below_band(const std::vector<std::size_t>& bad) {
    if (!made_.band || !made_.band->lowest) return false;
    const double lowest = std::ldexp(1.0, *made_.band->lowest);
    std::vector<double> factors = experiments_.factors();
    bool any = false;
    for (const std::size_t i : bad) {
      if (experiments_.scale(i) >= lowest) continue;
      factors[i] *= lowest / experiments_.scale(i);
      any = true;
    }
    if (any) experiments_.set_factors(std::move(factors));
    return any;
  }

  /// Only scales below 1 are finite: looks for op calls in float32 with which the scale can stay.
  void search_rules_instead(const Causes& causes, const Trace& trace) {
    std::vector<wire::NamedScale> lowered = experiments_.lowered();
    pressed_down_ = true;
    if (find_rules(causes, trace)) return;
    made_.fix = {};
    made_.fix.outcome = wire::Fix::Outcome::kReduced;
    made_.fix.scales = std::move(lowered);
  }

  /// A gradient may exceed its format although the step is finite, because the infinity vanishes. Lowers the scale into
  /// the band.
  void stay_below(std::size_t scaler, const wire::ScaleBand& band) {
    const double above = std::log2(experiments_.scale(scaler)) - (band.highest ? *band.highest : 0);
    if (!band.highest || above <= 0) return;
    std::vector<double> factors = experiments_.factors();
    factors[scaler] = std::ldexp(factors[scaler], -static_cast<int>(std::ceil(above)));
    experiments_.set_factors(std::move(factors));
    experiments_.run({}, scaler);
  }

  // Fixes.

  /// Finds op calls that need float32, unless float32 everywhere does not help either. Returns false without a fix.
  bool find_rules(const Causes& causes, const Trace& trace) {
    const bool may_be_invalid = made_.verdict == Verdict::kInvalidOperation || made_.verdict == Verdict::kUndetermined;
    std::vector<const graph::Site*> lost;
    if (may_be_invalid) {
      lost = find_lost_values();
      // Casts of the model's own lose the same values even with float32 everywhere.
      for (const graph::Site* site : lost) {
        if (observe::can_be_lifted(*site)) experiments_.lift(*site);
      }
      const bool finite = is_finite_in_float32();
      experiments_.set_lifted({});
      if (!finite) return false;
    }
    std::optional<FoundFix> found = search_fix(experiments_, causes, trace, step_, known(std::move(lost)));
    if (!found || found->loses) try_all_in_float32(found, trace);
    if (!found) return false;
    if (!found->loses) extend_to_same_constants(experiments_, *found, trace, lost_trace_, lost_);
    keep_fix(std::move(*found));
    // An operation that is finite in float32 is not invalid.
    const bool by_scale = mends_ && made_.fix.rules.empty() && experiments_.lifted().empty();
    if (made_.verdict == Verdict::kInvalidOperation && !by_scale) made_.verdict = Verdict::kLostValue;
    if (made_.verdict == Verdict::kUndetermined && !lost_.causes.empty()) made_.verdict = Verdict::kLostValue;
    return true;
  }

  /// Changes that fixed earlier steps of the run under this policy.
  Known known(std::vector<const graph::Site*> lost) const {
    if (how_.run == nullptr || how_.run->revision != training_.policy->revision) return {.lost = std::move(lost)};
    return {.lost = std::move(lost), .rules = how_.run->rules, .lifted = how_.run->lifted};
  }

  /// Replaces `found` by float32 for every op call if the step is then finite without reducing gradients; if necessary
  /// also without the narrowing casts in the model's code.
  void try_all_in_float32(std::optional<FoundFix>& found, const Trace& trace) {
    const std::vector<double> factors = experiments_.factors();
    const std::set<int> lifted = experiments_.lifted();
    std::set<int> narrowings;
    for (const TracedCall& call : trace.calls()) {
      const bool narrows =
          call.converts && observe::can_be_lifted(*call.site) && !call.results.empty() &&
          at::isReducedFloatingType(trace.values()[static_cast<std::size_t>(call.results.front())].seen.dtype);
      if (narrows) narrowings.insert(call.site->id);
    }
    for (const std::set<int>& without : {std::set<int>{}, narrowings}) {
      experiments_.set_lifted(without);
      if (is_finite_in_float32() && !experiments_.below_one()) {
        found = FoundFix{everything_in_float32()};
        return;
      }
      if (narrowings.empty()) break;
    }
    experiments_.set_lifted(lifted);
    experiments_.set_factors(factors);
    if (!found && is_finite_in_float32()) found = FoundFix{everything_in_float32(), 0, /*loses=*/true};
  }

  /// Finds where the zeros of an invalid operation arose, with one more replay.
  std::vector<const graph::Site*> find_lost_values() {
    if (!lost_trace_.calls().empty()) return {};  // only once, since a trace belongs to one replay
    lost_trace_.detect_lost_values();
    Causes causes;
    try {
      replay_.run({.scale = 1,
                   .policy = {},
                   .trace = &lost_trace_,
                   .observer = nullptr,
                   .factors = low_ ? low_factors_ : std::vector<double>{}});
      causes = find_causes(lost_trace_);
    } catch (const std::exception& error) {
      // It needs more memory than the earlier replay.
      experiments_.leave_unanswered("Whether the operation's arguments were lost in a format", error);
      return {};
    }
    std::vector<const graph::Site*> sites;
    for (const Cause& root : causes.roots) {
      const bool invalid = root.fault == Cause::Fault::kInvalid || root.backward;
      if (!invalid || (!root.why.about_zeros() && root.why.known())) continue;
      if (root.backward && !root.why.about_zeros()) continue;
      LostValues found = find_lost(lost_trace_, root);
      for (Cause& cause : found.causes) {
        const auto same = [&](const Cause& other) { return other.call == cause.call && other.what == cause.what; };
        if (std::any_of(lost_.causes.begin(), lost_.causes.end(), same)) continue;
        sites.push_back(lost_trace_.calls()[static_cast<std::size_t>(cause.call)].site);
        lost_.causes.push_back(std::move(cause));
      }
      if (lost_.path.empty()) lost_.path = std::move(found.path);
    }
    return sites;
  }

  /// Makes the calls that lost values the first causes, followed by the operation that has no result for 0.
  void name_lost() {
    if (made_.verdict != Verdict::kLostValue || lost_.causes.empty()) return;
    const wire::Root operation = made_.roots.empty() ? wire::Root{} : made_.roots.front();
    wire::Diagnosis lost;
    Causes causes;
    causes.roots = lost_.causes;
    causes.chain = lost_.path;
    describe_causes(lost, lost_trace_, causes);
    made_.roots = std::move(lost.roots);
    made_.roots.front().rows = operation.rows;
    const auto& first = made_.chain;
    if (!lost.chain.empty() && !first.empty() && lost.chain.back().site == first.front().site) lost.chain.pop_back();
    lost.chain.insert(lost.chain.end(), first.begin(), first.end());
    made_.chain = std::move(lost.chain);
    made_.message = words::lost_text(made_, operation, training_.info.sites);
    made_.notes.clear();
    cure_ = cure_of(lost_trace_, lost_.causes.front(), made_.verdict);
    if (!cure_.empty()) made_.notes.push_back(cure_);
  }

  /// Returns whether the step is finite with every op call in float32, at the current or at lower scales, which are
  /// then set: a gradient may still overflow in formats that the model's code requests.
  bool is_finite_in_float32() {
    experiments_.at_start();
    const Replay::Result result = experiments_.run(everything_in_float32());
    if (result.finite()) return true;
    if (!result.finite_loss || experiments_.failed()) return false;
    const std::vector<std::size_t> bad = bad_scalers(result);
    experiments_.set_factors(experiments_.lowest(bad));
    if (experiments_.run(everything_in_float32()).finite()) return experiments_.lower(bad, everything_in_float32());
    experiments_.at_start();
    return false;
  }

  void keep_fix(FoundFix found) {
    if (!found.loses) found = try_on_next_batches(experiments_, std::move(found), step_);
    SiteRules rules = std::move(found.rules);
    const bool presses_down = experiments_.below_one();
    mends_ = !found.loses && !presses_down;
    made_.fix.changed = static_cast<std::int64_t>(found.changed);
    made_.fix.without = experiments_.without_casts();
    made_.fix.scales = experiments_.lowered();
    if (!mends_) {
      made_.fix.outcome = presses_down ? wire::Fix::Outcome::kReduced : wire::Fix::Outcome::kLost;
      made_.fix.tried = std::move(rules);
      return;
    }
    made_.fix.rules = rules;
    made_.fix.outcome = wire::Fix::Outcome::kFinite;
    keep_scale();
    if (made_.fix.scales.empty()) {
      made_.fix.scales = experiments_.raised();
      made_.fix.raised = !made_.fix.scales.empty();
    }
    if (how_.run != nullptr) {
      how_.run->revision = training_.policy->revision;
      how_.run->rules = rules;
      how_.run->lifted = experiments_.lifted();
    }
    if (rules.empty()) return;
    for (policy::SiteRule& rule : rules) rule.format = formats::kBFloat16;
    experiments_.run(rules);  // as evidence: bfloat16 works as well at half the cost
  }

  /// Stores the first lowered scale in the fix; if none is lowered, the first raised one.
  void keep_scale() {
    const std::size_t count = experiments_.factors().size();
    std::size_t kept = count;
    for (std::size_t i = 0; i < count && kept == count; ++i) {
      if (experiments_.is_lowered(i)) kept = i;
    }
    for (std::size_t i = 0; i < count && kept == count; ++i) {
      if (experiments_.factors()[i] != 1) kept = i;
    }
    if (kept == count) return;
    made_.fix.scale = experiments_.scale(kept);
    made_.fix.scaler = experiments_.id_of(kept);
  }

  /// Returns whether single rows may be to blame and a further replay may check it; not for loss scales.
  bool may_ask_for_rows() const {
    if (how_.effort != Effort::kFix) return false;
    return made_.direction == wire::Direction::kForward || made_.verdict == Verdict::kInvalidOperation ||
           made_.verdict == Verdict::kOverflowAtSite || made_.verdict == Verdict::kLostValue;
  }

  void put_into_words(const Causes& causes, const Trace& trace) {
    const bool cause_only = how_.effort == Effort::kCause && made_.verdict == Verdict::kUndetermined;
    if (cause_only && !made_.roots.empty()) {
      made_.message =
          "Like many before it, this step was replayed once: its first cause is known. Binade searched for no verdict "
          "and no fix.";
    }
    if (pressed_down_) made_.message = only_below_one_text(mends_);
    const bool outside = !causes.roots.empty() && causes.roots.front().value >= 0;
    if (outside && trace.values()[static_cast<std::size_t>(causes.roots.front().value)].from_start) {
      const std::string from_start = " is not finite from the start: the model's file or the loaded weights hold it.";
      const std::string& name = causes.roots.front().what;
      if (made_.verdict == Verdict::kNonFiniteParameter) made_.message = "The weight " + name + from_start;
      if (made_.verdict == Verdict::kPoisonedBuffer) made_.message = "The buffer " + name + from_start;
    } else if (made_.verdict == Verdict::kPoisonedBuffer && how_.buffers != nullptr) {
      const std::string known = how_.buffers->text_of(causes.roots.front().what);
      if (!known.empty()) made_.message = known;
    }
    if (!causes.roots.empty() && !cause_only) {
      cure_ = cure_of(trace, causes.roots.front(), made_.verdict);
      if (!cure_.empty()) made_.notes.push_back(cure_);
    }
    if (!not_emulated_.empty()) {
      made_.notes.push_back(
          "Gradients were measured after rounding, because the step could not run with emulated formats: " +
          not_emulated_ + ". What they lost before is not known.");
    }
    const std::int64_t batches = training_.config.accumulate;
    if (batches > 1 && !causes.roots.empty() && causes.roots.front().call >= 0) {
      const int batch = trace.calls()[static_cast<std::size_t>(causes.roots.front().call)].batch;
      made_.notes.push_back("It began in batch " + std::to_string(batch + 1) + " of the " + std::to_string(batches) +
                            " of this step.");
    }
  }

  /// Names the first op call of the replays that could not run in float64 for lack of memory.
  void note_out_of_memory(const Trace& trace) {
    for (const Trace* each :
         {&trace, static_cast<const Trace*>(&low_trace_), static_cast<const Trace*>(&lost_trace_)}) {
      const std::string& name = each->out_of_memory_at();
      if (name.empty()) continue;
      made_.notes.push_back("Out of memory: " + name +
                            " could not be run again in float64, so what it would give there is not known.");
      return;
    }
  }

  Replay& replay_;
  train::Training& training_;
  const std::int64_t step_;
  const Explaining how_;
  wire::Diagnosis made_;
  std::string not_emulated_;   ///< why formats were not emulated for the band; empty: they were
  std::string cure_;           ///< what to change in the model; empty: unknown
  bool mends_ = false;         ///< the search found a valid fix
  bool pressed_down_ = false;  ///< a lower scale would have to be below 1
  ReplayExperiments experiments_;
  Trace low_trace_;  ///< replay at the lowest scales, if no scale is finite
  std::optional<Causes> low_;
  std::vector<double> low_factors_;
  Trace lost_trace_;  ///< replay that detects lost values
  LostValues lost_;
};

}  // namespace

wire::Diagnosis explain(Replay& replay, std::int64_t step, const Explaining& how,
                        const std::function<std::string()>& before_end) {
  const auto start = std::chrono::steady_clock::now();
  const train::TrainingStateGuard guard(replay.training());
  wire::Diagnosis made = Explainer(replay, step, how).run();
  if (before_end) {
    replay.rewind();
    made.bundle = before_end();
  }
  made.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return made;
}

}  // namespace binade::diagnose
