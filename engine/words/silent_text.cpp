// SPDX-License-Identifier: Apache-2.0
#include "engine/words/silent_text.h"

#include "engine/scaled/scaled_format.h"
#include "engine/words/fix_text.h"
#include "engine/words/numbers.h"
#include "engine/words/own_cast.h"
#include "engine/words/scale_text.h"
#include "engine/words/site_text.h"

#include <algorithm>
#include <cmath>

namespace binade::words {

namespace {

using FaultKind = wire::SilentFault::Kind;
using Unit = wire::SilentFault::Unit;
using Sites = std::span<const wire::SiteInfo>;

const wire::SiteInfo* site_at(Sites sites, int id) {
  return id >= 0 && static_cast<std::size_t>(id) < sites.size() ? &sites[static_cast<std::size_t>(id)] : nullptr;
}

std::string place(Sites sites, int id) {
  const wire::SiteInfo* site = site_at(sites, id);
  return site != nullptr ? words::place_of(*site) : "op call " + std::to_string(id);
}

std::string counted(const wire::SilentFacts& facts) {
  return grouped(facts.count) + " of " + grouped(facts.of);
}

bool is_backward(const wire::SilentFault& fault) {
  return fault.direction == wire::Direction::kBackward;
}

/// The tensor that underflows, if it was observed.
std::string observed_tensor(const wire::SilentFault& fault, const std::string& at) {
  const std::string& index = fault.facts.output;
  if (!is_backward(fault)) return (index.empty() ? "The output of " : "Output " + index + " of ") + at;
  if (fault.facts.of_argument) return "The gradient of " + at + " for " + fault.what;
  return "The gradient of the output " + (index.empty() ? "" : index + " ") + "of " + at;
}

std::string underflow(const wire::SilentFault& fault, Sites sites) {
  const wire::SilentFacts& facts = fault.facts;
  const std::string at = place(sites, fault.site);
  const std::string format = formats::name(fault.format);
  const std::string share = percent(facts.share);
  if (fault.unit == Unit::kArgumentNorm) {
    return "The argument " + fault.what + " of " + at + " loses " + share + " of its norm in the cast to " + format +
           ": " + counted(facts) + " values become 0.";
  }
  if (!facts.step) {
    return observed_tensor(fault, at) + (fault.bound ? " may lose up to " : " loses ") + share +
           " of its norm to 0 in " + format + ".";
  }
  const bool is_error = fault.unit == Unit::kOutputError || fault.unit == Unit::kGradientError;
  return (is_backward(fault) ? "The backward of " : "The output of ") + at +
         (is_error ? " is " + share + " off in " : " loses " + share + " of its norm to 0 in ") + format +
         ", measured beside float32 at step " + std::to_string(*facts.step) +
         (facts.zeroed ? "; " + percent(*facts.zeroed) + " of its norm became 0." : ".");
}

std::string dead_site(const wire::SilentFault& fault, Sites sites) {
  const wire::SilentFacts& facts = fault.facts;
  const std::string at = place(sites, fault.site);
  std::string text = is_backward(fault) ? "Only zeros arrive as the gradient of " + at : at + " gives only zeros";
  if (facts.alive_in_float32) text += ", and would not in float32";
  if (facts.origin >= 0) {
    text += ": the error of " + percent(facts.origin_added) + " that " + place(sites, facts.origin) + " adds is " +
            percent(facts.origin_becomes) + " of its result";
  }
  return text + ".";
}

std::string loss_spike(const wire::SilentFacts& facts) {
  std::string text = "The loss was " + figure(facts.loss.value_or(0)) + " at step " +
                     std::to_string(facts.step.value_or(0)) + ", " + std::to_string(facts.spreads.value_or(0)) +
                     " standard deviations above the mean of the " + std::to_string(facts.of) + " steps before, " +
                     figure(facts.usual_loss.value_or(0));
  if (facts.gradient_ratio) text += "; its gradient norm was " + figure(*facts.gradient_ratio) + " times the usual";
  return text + ".";
}

std::string large_logits(const wire::SilentFault& fault, Sites sites) {
  const wire::SilentFacts& facts = fault.facts;
  std::string text = "The logits of " + place(sites, fault.site) + (fault.bound ? " may have reached " : " reached ") +
                     figure(facts.largest.value_or(0));
  if (facts.logit_error) {
    text += " in " + formats::name(fault.format) + ", where they are off by up to " + figure(*facts.logit_error) +
            " and weights by " + percent(facts.share);
  }
  if (facts.before) text += "; they were " + figure(*facts.before) + " at step " + std::to_string(facts.before_step);
  return text + ".";
}

std::string inexact_integers(const wire::SilentFault& fault, Sites sites) {
  const std::uint64_t exact = std::uint64_t{1} << std::min(fault.format.mantissa_bits + 1, 63);
  return counted(fault.facts) + " whole numbers in " + fault.what + " of " + place(sites, fault.site) + " change in " +
         formats::name(fault.format) + ", which holds all of them only up to " + grouped(exact) + "; they reach " +
         figure(fault.facts.largest.value_or(0)) + ".";
}

std::string low_state(const wire::SilentFault& fault) {
  const wire::SilentFacts& facts = fault.facts;
  const std::string format = formats::name(fault.format);
  if (fault.unit == Unit::kStateNumbers) {
    return "The optimizer's " + fault.what + " in " + format + " holds 0 for " + counted(facts) +
           " numbers that are not 0 in float32.";
  }
  if (fault.unit == Unit::kStateChange) {
    return "The optimizer's " + fault.what + " in " + format + " does not change for " + counted(facts) +
           " numbers: " + percent(facts.share) + " of the change is lost.";
  }
  std::string text = "The optimizer's step in " + format + " leaves " + counted(facts) + " weights of " + fault.what +
                     " not finite; in float64 it leaves all finite.";
  if (facts.epsilon) {
    text += " Its epsilon, " + figure(*facts.epsilon) + ", is 0 in " + format +
            ", and squares of small gradients are too: the update is divided by 0.";
  }
  return text;
}

std::string vanishes_in(const wire::SilentFacts& facts) {
  return facts.where.empty() ? "a later op call" : facts.where;
}

std::string vanished_overflow(const wire::SilentFault& fault, Sites sites) {
  const wire::SilentFacts& facts = fault.facts;
  std::string text = "The output of " + place(sites, fault.site) + " overflows in " + formats::name(fault.format) +
                     ": " + percent(facts.share) + " of its values are not finite, and the infinity vanishes in " +
                     vanishes_in(facts) + ".";
  if (!facts.wrong) {
    text += " Loss and gradients are finite all the same.";
    if (!facts.unmeasured.empty()) {
      text += " What the overflow changes is not known, because its measurement failed (" + facts.unmeasured + ").";
    }
    return text;
  }
  text += " There " + percent(*facts.wrong) + " of the values are wrong";
  if (facts.harmless) text += ", which has been harmless so far";
  return text + ". The loss of step " + std::to_string(facts.step.value_or(0)) + " was " +
         figure(facts.loss.value_or(0)) + "; without the overflow it is " + figure(facts.usual_loss.value_or(0)) + ".";
}

std::string quantized_place(const wire::SilentFault& fault, Sites sites) {
  return "the operand " + fault.facts.operand + " of " + place(sites, fault.site) + " in " +
         fault.facts.quantized_format;
}

std::string decibels(const std::optional<double>& snr) {
  if (!snr) return "unknown";
  return std::isinf(*snr) ? "infinite" : figure(*snr) + " dB";
}

std::string stale_scale(const wire::SilentFacts& facts, const std::string& at) {
  const double stale = facts.stale.value_or(0);
  const std::string text = "The delayed scale of " + at + " is stale: the largest value, " +
                           figure(facts.largest.value_or(0)) + ", is " + figure(std::abs(stale)) + " doublings ";
  if (stale >= 0) return text + "above what it represents, and " + counted(facts) + " values saturate.";
  const std::string measured = facts.alternative.empty() ? "."
                                                         : "; signal to noise is " + decibels(facts.snr_db) + ", and " +
                                                               decibels(facts.alternative_snr_db) + " with " +
                                                               facts.alternative + ", measured on the same values.";
  const std::string lost = facts.count > 0 ? counted(facts) + " values become 0" : "its values lose digits";
  return text + "below the largest that it represents, and " + lost + measured;
}

std::string quantized(const wire::SilentFault& fault, Sites sites) {
  const wire::SilentFacts& facts = fault.facts;
  const std::string at = quantized_place(fault, sites);
  switch (fault.kind) {
    case FaultKind::kStaleScale:
      return stale_scale(facts, at);
    case FaultKind::kSaturated:
      return counted(facts) + " values of " + at + " saturate after scaling; signal to noise is " +
             decibels(facts.snr_db) + ".";
    case FaultKind::kDeadBlocks:
      return "In " + counted(facts) + " blocks of " + at + " every value becomes 0.";
    case FaultKind::kBiasedRounding:
      return "Rounding to nearest shifts the mean of " + at + " by " + percent(facts.share) +
             " of the values' root mean square; with " + facts.alternative + ", measured on the same values, by " +
             percent(facts.alternative_share.value_or(0)) + ".";
    default:
      if (facts.alternative.empty())
        return counted(facts) + " values of " + at + " become 0 beside the outliers of their blocks.";
      return "In " + counted(facts) + " blocks of " + at + " one outlier decides the scale; signal to noise is " +
             decibels(facts.snr_db) + ", and " + decibels(facts.alternative_snr_db) + " with " + facts.alternative +
             ", measured on the same values.";
  }
}

constexpr const char* kCurrentScaling = "Use current scaling (fp8-current): its scale is that of the tensor itself.";

/// Only scales of MX formats have a rule by which they can be rounded up, and then no value saturates.
std::string saturation_advice(const std::string& format, const std::string& keeps) {
  const auto parsed = scaled::parse(format);
  if (parsed && parsed->scaling == scaled::Scaling::kDelayed) return kCurrentScaling;
  if (parsed && parsed->scale == scaled::ScaleFormat::kE8M0)
    return "Use scales that are rounded up (option rceil of the format): no value saturates then.";
  return "A format with more range saturates fewer. " + keeps;
}

std::string quantized_advice(const wire::SilentFault& fault) {
  const std::string keeps =
      fault.fix.rules.empty()
          ? std::string()
          : fault.fix.rules.front().match + " in " + formats::name(fault.fix.rules.front().format) + " keeps them.";
  switch (fault.kind) {
    case FaultKind::kStaleScale:
      return std::string(kCurrentScaling) +
             (fault.facts.stale.value_or(0) < 0
                  ? " Where delayed scaling must stay, a shorter history helps, which Transformer Engine's recipe has."
                  : " Where delayed scaling must stay, a larger margin helps, which Transformer Engine's recipe has.");
    case FaultKind::kSaturated:
      return saturation_advice(fault.facts.quantized_format, keeps);
    case FaultKind::kDeadBlocks:
      return "A format with more range or smaller blocks keeps more of them. " + keeps;
    case FaultKind::kBiasedRounding:
      return "Set \"rounding\": \"stochastic\" in the rule of the op call.";
    default:
      if (fault.facts.alternative.empty())
        return "A format with more range or smaller blocks keeps more of them. " + keeps;
      return "Set \"transform\": \"hadamard\" in the rule of the op call.";
  }
}

/// Advice if no change of the policy removes an overflow. A cast in the model's own code stays under every rule, and in
/// the float32 run too.
std::string without_fix(const wire::SilentFault& fault, Sites sites) {
  const wire::SiteInfo* site = site_at(sites, fault.site);
  if (!is_own_cast(site)) {
    return "No rule that was tried removes the overflow. Compare one step with float32, and check the inputs of the op "
           "call.";
  }
  return "The model's own code casts to " + formats::name(fault.format) + " there" +
         (site->source.empty() ? "" : " (" + site->source + ")") +
         ", and no rule changes such a cast: remove it, or reduce the values below the format's limit before it.";
}

/// The loss scales that restore lost gradients.
std::string scale_advice(const wire::SilentFault& fault) {
  const wire::SilentFacts& facts = fault.facts;
  std::string text = "A loss scale of 2^" + std::to_string(*facts.lowest_scale) + " or more loses less than 1 % of ";
  if (fault.kind == FaultKind::kUnderflow && !facts.step) {
    text += "it, and no gradient of this step overflows there.";
  } else {
    text += "any gradient";
    if (facts.highest_scale) text += ", and none overflows up to 2^" + std::to_string(*facts.highest_scale);
    text += ".";
  }
  if (fault.fix.scale <= 0) text += " The loss is not scaled: switch the scaler on, or raise scaler.init_scale.";
  return text;
}

std::string dead_advice(const wire::SilentFault& fault, Sites sites) {
  const wire::SilentFacts& facts = fault.facts;
  const std::vector<policy::SiteRule>& rules = fault.fix.rules;
  if (rules.size() > 1) return rules[0].match + " and " + rules[1].match + " in float32 keep it.";
  if (!rules.empty()) return rules[0].match + " in float32 keeps it.";
  if (facts.alive_in_float32 && is_backward(fault)) {
    return "Check the backward of the op call after it: values too small for its format become 0 there. A wider format "
           "or a higher loss scale keeps them.";
  }
  if (facts.origin >= 0) {
    return "Take the cast at " + place(sites, facts.origin) + " out of the model, or cast to a wider format there.";
  }
  if (facts.alive_in_float32) {
    return "Compare one step with float32: op calls before it add the error that leaves nothing of its result.";
  }
  if (is_backward(fault)) return "Check the op call after it: it saturates, or its result is not used.";
  if (!facts.buffer.empty()) {
    return "The buffer " + facts.buffer + " holds NaN or infinity, and a number divided by infinity is 0." +
           (facts.buffer_since.empty() ? "" : " " + facts.buffer_since);
  }
  if (facts.infinite_site >= 0) {
    return place(sites, facts.infinite_site) +
           " before it gives infinities, and a number divided by infinity is 0: check that op call.";
  }
  return "Check its inputs: a lower learning rate, another initial bias, or an activation with a slope everywhere "
         "helps.";
}

std::string sum_advice(const wire::SilentFault& fault, Sites sites) {
  const wire::SiteInfo* site = site_at(sites, fault.site);
  const std::string collect = "begin it with a float32 zero, or collect the terms and take torch.sum of them once" +
                              (site == nullptr || site->source.empty() ? "" : " (" + site->source + ")") + ".";
  const std::vector<policy::SiteRule>& rules = fault.fix.rules;
  if (rules.empty()) return "Keep the sum in float32: " + collect;
  return rules.front().match + (rules.size() > 1 ? " and " + std::to_string(rules.size() - 1) + " more" : "") +
         " in float32 keeps the sum. In the model: " + collect;
}

/// `1 more op call does the same.`
std::string others(FaultKind kind, std::size_t more) {
  const bool one = more == 1;
  const char* what = kind == FaultKind::kUpdateLost ? (one ? "parameter does" : "parameters do")
                     : kind == FaultKind::kLowState ? (one ? "of its sums does" : "of its sums do")
                                                    : (one ? "op call does" : "op calls do");
  return std::to_string(more) + " more " + what + " the same.";
}

constexpr const char* kMasterWeights =
    "Keep float32 master weights (the level apex-o2): the optimizer's sums are in float32 then too.";

}  // namespace

std::string silent_sentence(const wire::SilentFault& fault, Sites sites) {
  const wire::SilentFacts& facts = fault.facts;
  switch (fault.kind) {
    case FaultKind::kUnderflow:
      return underflow(fault, sites);
    case FaultKind::kUpdateLost:
      return percent(facts.share) + " of the update of " + fault.what + " is lost in " + formats::name(fault.format) +
             ": " + counted(facts) + " weights do not change, because " +
             (std::isinf(facts.update_over_weight)
                  ? "they are 0 and their updates become 0."
                  : "an update is " + figure(facts.update_over_weight) + " of its weight.");
    case FaultKind::kDeadSite:
      return dead_site(fault, sites);
    case FaultKind::kLossSpike:
      return loss_spike(facts);
    case FaultKind::kLargeLogits:
      return large_logits(fault, sites);
    case FaultKind::kInexactIntegers:
      return inexact_integers(fault, sites);
    case FaultKind::kLowState:
      return low_state(fault);
    case FaultKind::kVanishedOverflow:
      return vanished_overflow(fault, sites);
    case FaultKind::kLostSum:
      return "The sum at " + place(sites, fault.site) + ", " + grouped(facts.count) + " additions one after another" +
             (facts.in_loop ? " in a loop" : "") + ", is " + percent(facts.share) + " off in " +
             formats::name(fault.format) + ": each addition rounds its result.";
    case FaultKind::kLowScale:
      return "The loss scale has fallen below 1, to " + words::scale_text(facts.scale.value_or(0)) + " by step " +
             std::to_string(facts.step.value_or(0)) + ", and stays there: it makes gradients smaller, not larger.";
    case FaultKind::kStaleScale:
    case FaultKind::kSaturated:
    case FaultKind::kDeadBlocks:
    case FaultKind::kBiasedRounding:
    case FaultKind::kOutlierBlocks:
      return quantized(fault, sites);
  }
  return {};
}

std::string silent_next(const wire::SilentFault& fault, Sites sites) {
  if (fault.facts.lowest_scale) return scale_advice(fault);
  const std::vector<policy::SiteRule>& rules = fault.fix.rules;
  switch (fault.kind) {
    case FaultKind::kUnderflow:
      return rules.empty() ? "The model casts it itself: scale it up before, or keep it in float32."
                           : rules.front().match + " in float32 loses nothing of it.";
    case FaultKind::kUpdateLost:
      return fault.format.mantissa_bits >= formats::kFloat32.mantissa_bits
                 ? "So small an update changes nothing even in float32: raise the learning rate, or check why the "
                   "gradient is so small."
                 : "Keep float32 master weights (the level apex-o2), or the model in float32 and a policy that casts "
                   "it; a higher learning rate also helps.";
    case FaultKind::kDeadSite:
      return dead_advice(fault, sites);
    case FaultKind::kLossSpike:
      return "Check the batch of this step; clip the gradient norm (clip.norm), or lower the learning rate.";
    case FaultKind::kLargeLogits:
      return "Normalise query and key, or divide the logits before they are multiplied. The product in float32 (a rule "
             "for the matmul before it) keeps their digits; a lower learning rate slows their growth.";
    case FaultKind::kInexactIntegers:
      return rules.empty() ? "The model casts them itself: keep whole numbers of that size in float32, or as integers."
                           : rules.front().match + " in float32 holds them.";
    case FaultKind::kLowState:
      return fault.unit == Unit::kWeights
                 ? std::string(kMasterWeights) + " Or raise optimizer.epsilon to what the format holds."
                 : kMasterWeights;
    case FaultKind::kVanishedOverflow:
      return fault.fix.known() ? fix_of(fault.fix) : without_fix(fault, sites);
    case FaultKind::kLostSum:
      return sum_advice(fault, sites);
    case FaultKind::kLowScale:
      return "Skipped steps lowered the scale: remove the first cause that the newest event of such a step names. Then "
             "set the scale, which grows back only slowly by itself.";
    case FaultKind::kStaleScale:
    case FaultKind::kSaturated:
    case FaultKind::kDeadBlocks:
    case FaultKind::kBiasedRounding:
    case FaultKind::kOutlierBlocks:
      return quantized_advice(fault);
  }
  return {};
}

std::string silent_headline(const wire::SilentFault& fault, std::size_t more, Sites sites) {
  std::string text = silent_sentence(fault, sites);
  if (more > 0) text += " " + others(fault.kind, more);
  return text + " " + silent_next(fault, sites);
}

std::string silent_gap(const wire::SilentGap& gap, Sites sites) {
  using Reason = wire::SilentGap::Reason;
  const std::string no_comparison =
      " is not known: no comparison with float32 could be made" + (gap.why.empty() ? "." : " (" + gap.why + ").");
  const std::string count = grouped(gap.count);
  switch (gap.reason) {
    case Reason::kFusedLogits:
      return place(sites, gap.site) + " computes its attention inside one kernel, which hides the logits" +
             (gap.largest ? ": by the norms of query and key they are at most " + figure(*gap.largest) : "") + ".";
    case Reason::kRoundedTensors:
      return "How much of " + count + (gap.count == 1 ? " tensor" : " tensors") + " became 0 in rounding" +
             no_comparison;
    case Reason::kBounds:
      return "The exact share where the list says \"at most\"" + no_comparison;
    case Reason::kDeadSites:
      return "Whether float32 gives zeros too at " + count + (gap.count == 1 ? " dead op call" : " dead op calls") +
             no_comparison;
    case Reason::kNoOpCalls:
      return "No op call is observed (observe.sites): outputs and gradients were not checked.";
    case Reason::kSuspected:
      return "Whether this is a fault is not known yet, because it must appear in " + count +
             " steps and appeared in " + std::to_string(gap.fault ? gap.fault->seen : 0) + ": " +
             (gap.fault ? silent_sentence(*gap.fault, sites) : std::string());
    case Reason::kMoreSuspected:
      return "The same holds for " + count + " more.";
    case Reason::kUnmeasured: {
      std::string text = "It is not known " + gap.what;
      if (gap.site >= 0) text += " at " + place(sites, gap.site);
      if (!gap.why.empty()) text += ", because the measurement failed: " + gap.why;
      return text.back() == '.' ? text : text + ".";
    }
    case Reason::kMoreUnmeasured:
      return count + " more could not be measured.";
    case Reason::kCutSum:
      return "The sum at " + place(sites, gap.site) + " has more than " + count +
             " op calls. Which others belong to it is not known.";
  }
  return {};
}

std::string silent_unit(const wire::SilentFault& fault) {
  switch (fault.unit) {
    case Unit::kOutputNorm:
      return "of the output's norm";
    case Unit::kGradientNorm:
      return "of the gradient's norm";
    case Unit::kArgumentNorm:
      return "of the argument's norm";
    case Unit::kOutputError:
      return "of error in the output";
    case Unit::kGradientError:
      return "of error in the gradient";
    case Unit::kOutput:
      return "of the output";
    case Unit::kGradient:
      return "of the gradient";
    case Unit::kUpdateNorm:
      return "of the update's norm";
    case Unit::kWeights:
      return "of the weights";
    case Unit::kNumbers:
      return "of the numbers";
    case Unit::kStateNumbers:
      return "of its numbers";
    case Unit::kStateChange:
      return "of its change";
    case Unit::kSoftmaxWeight:
      return "of a softmax weight";
    case Unit::kLoss:
      return "of the loss is above its usual value";
    case Unit::kSumError:
      return "of error in the sum";
    case Unit::kSteps:
      return "of the steps";
    case Unit::kValues:
      return "of its values";
    case Unit::kLaterValues:
      return "of the values of " + vanishes_in(fault.facts);
    case Unit::kBlocks:
      return "of the blocks";
    case Unit::kMean:
      return "of shift of the mean";
  }
  return {};
}

}  // namespace binade::words
