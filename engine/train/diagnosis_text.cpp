// SPDX-License-Identifier: Apache-2.0
#include "engine/train/diagnosis_text.h"

#include "engine/train/events.h"
#include "engine/train/tries.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <string_view>

namespace binade::train {

namespace {

using wire::Direction;
using wire::Root;
using wire::Verdict;

/// What the op was given under this name.
const wire::ValueRange* input(const Root& root, std::string_view name) {
  const auto found = std::find_if(root.inputs.begin(), root.inputs.end(),
                                  [&](const wire::ValueRange& each) { return each.name == name; });
  return found == root.inputs.end() ? nullptr : &*found;
}

std::int64_t zeros_in(const Root& root, std::string_view name) {
  const wire::ValueRange* range = input(root, name);
  return range == nullptr ? 0 : range->zeros;
}

bool has_infinities(const Root& root) {
  return std::any_of(root.inputs.begin(), root.inputs.end(),
                     [](const wire::ValueRange& each) { return each.infinite > 0 && each.name != "gradient"; });
}

/// Every row of the batch is to blame: of a loss over classes, none has a label.
bool lacks_labels(const Root& root) {
  return root.fault == Root::Fault::kInvalid && root.rows && root.rows->bad == root.rows->of;
}

/// Why an op has no finite result for what it was given, or its slope none, and what to do; empty where that is not
/// known.
struct Reason {
  std::string what;
  std::string advice;
};

/// `a division by 0: 3 of 32 are 0`.
std::string with_zeros(const char* what, const Root& root, std::string_view name) {
  const wire::ValueRange& range = *input(root, name);
  return std::string(what).append(": ").append(std::to_string(range.zeros)) + " of " + std::to_string(range.count) +
         (range.zeros == 1 ? " is 0" : " are 0");
}

Reason reason_of(const Root& root, std::string op) {
  if (op.ends_with('_')) op.pop_back();
  const auto is = [&op](std::initializer_list<std::string_view> ops) {
    return std::find(ops.begin(), ops.end(), op) != ops.end();
  };
  const bool zero = zeros_in(root, "self") > 0;
  constexpr const char* kConstant = "Add a constant to it that its format holds (1e-8 is 0 in float16), or clamp it.";
  if (is({"aten::log", "aten::log2", "aten::log10"})) {
    if (!zero) return {"the logarithm of a number below 0", "Clamp what goes in."};
    return {with_zeros("the logarithm of 0", root, "self"),
            "Clamp what goes in; of a softmax take log_softmax, which never meets a 0."};
  }
  if (is({"aten::div", "aten::true_divide"}) && zeros_in(root, "other") > 0) {
    return {with_zeros("a division by 0", root, "other"), kConstant};
  }
  if (is({"aten::reciprocal"}) && zero) return {with_zeros("a division by 0", root, "self"), kConstant};
  if (is({"aten::sqrt", "aten::rsqrt", "aten::pow"}) && zero) {
    const bool slope = root.direction == Direction::kBackward;
    if (slope && op != "aten::rsqrt") return {with_zeros("its slope at 0 is infinite", root, "self"), kConstant};
    if (op != "aten::sqrt") return {with_zeros("a division by 0", root, "self"), kConstant};
  }
  if (is({"aten::sqrt", "aten::rsqrt"})) return {"the root of a number below 0", "Clamp what goes in."};
  if (lacks_labels(root)) {
    return {"the mean over the labels of a batch that has none",
            "-100 stands for no label. Such a batch gives no gradient; without a loss scale its step is left out. Take "
            "larger batches, or leave rows without a label out of the data."};
  }
  if (!has_infinities(root)) return {};
  if (is({"aten::softmax", "aten::_softmax", "aten::log_softmax", "aten::_log_softmax"})) {
    return {"a softmax over values that are all masked, or one that is infinite",
            "Leave at least one place of each row unmasked, or put 0 in the place of such a row's weights."};
  }
  if (is({"aten::mul", "aten::matmul", "aten::mm", "aten::bmm", "aten::linear", "aten::addmm", "aten::einsum"})) {
    return {"infinity times 0, or infinities of both signs added", "Look at where the infinities come in."};
  }
  if (is({"aten::add", "aten::sub", "aten::rsub", "aten::sum", "aten::mean", "aten::cumsum"})) {
    return {"infinities of both signs added", "Look at where the infinities come in."};
  }
  return {};
}

Reason reason_of(const Root& root, const wire::SiteInfo* site) {
  return site == nullptr ? Reason{} : reason_of(root, site->key.op);
}

std::string sum_overflowed(const Root& root, const std::string& place) {
  std::string where = root.what;
  if (!place.empty())
    where = root.what == "output" ? "the output of " + place : "the argument " + root.what + " of " + place;
  return "Gradients that meet at " + where + " are finite, and their sum overflowed in " + formats::name(root.format);
}

std::string what_happened(const Root& root, const wire::SiteInfo* site) {
  const std::string place = site == nullptr ? std::string() : wire::place_of(*site);
  const std::string format = formats::name(root.format);
  const std::string became = root.format.finite_only ? ", which has no infinity: it is NaN" : "";
  switch (root.fault) {
    case Root::Fault::kOverflow:
      if (root.direction == Direction::kForward) return "The output of " + place + " overflowed in " + format + became;
      if (root.what == "loss") return "The scaled loss is too large for its gradient to be held";
      return "The gradient of " + place + " for its argument " + root.what + " overflowed in " + format;
    case Root::Fault::kCast:
      if (root.direction == Direction::kBackward) {
        return "The gradient of " + place + " for its argument " + root.what + " overflowed in the cast to " + format;
      }
      return "The argument " + root.what + " of " + place + " overflowed in the cast to " + format + became;
    case Root::Fault::kInvalid: {
      const std::string reason = reason_of(root, site).what;
      const std::string why = reason.empty() ? "" : " (" + reason + ")";
      return root.direction == Direction::kForward
                 ? place + " made a value that no format holds" + why
                 : "The gradient of " + place + " is infinite or undefined for its values" + why;
    }
    case Root::Fault::kSum:
      return sum_overflowed(root, place);
    case Root::Fault::kData:
      return "The batch's " + root.what + " holds NaN or infinity" +
             (root.rows ? " in " + wire::rows_text(*root.rows) : std::string());
    case Root::Fault::kParameter:
      return "The parameter " + root.what + " holds NaN or infinity";
    case Root::Fault::kBuffer:
      return "The buffer " + root.what + " holds NaN or infinity";
    case Root::Fault::kUnknown:
      break;
  }
  const std::string taken = place.empty() ? std::string() : ", which " + place + " takes first,";
  return "A tensor from outside every op call" + taken + " was not finite";
}

const wire::SiteInfo* site_of(const Root& root, std::span<const wire::SiteInfo> sites) {
  return root.site < 0 ? nullptr : &sites[static_cast<std::size_t>(root.site)];
}

/// Whether float32 everywhere was tried, and did not help.
bool float32_did_not_help(const wire::Diagnosis& diagnosis) {
  return std::any_of(diagnosis.evidence.begin(), diagnosis.evidence.end(),
                     [](const wire::Attempt& tried) { return !tried.finite && is_everything(tried.rules); });
}

std::string invalid_text(const wire::Diagnosis& diagnosis, std::span<const wire::SiteInfo> sites) {
  Reason reason;
  if (!diagnosis.roots.empty()) {
    reason = reason_of(diagnosis.roots.front(), site_of(diagnosis.roots.front(), sites));
  }
  if (reason.what.empty()) {
    reason = {"as of a logarithm of 0, a division by 0, a softmax over masked values only",
              "Keep the values away from there, with a small constant or a clamp."};
  }
  std::string text = "The operation has no finite result for what it was given: " + reason.what + ". ";
  if (!diagnosis.fix.rules.empty()) {
    text +=
        "In float32 it is given something else: on the way to it a value was too small for its format and became 0, "
        "or too large, or rounded away. ";
  } else if (float32_did_not_help(diagnosis)) {
    text += "Float32 everywhere does not help. ";
  }
  return text + reason.advice;
}

}  // namespace

std::string sentence_of(const wire::Diagnosis& diagnosis, std::span<const wire::SiteInfo> sites, std::int64_t step,
                        double scale) {
  if (diagnosis.roots.empty()) return {};
  const Root& root = diagnosis.roots.front();
  std::string text = what_happened(root, site_of(root, sites));
  if (root.call > 0) text += " in call " + std::to_string(root.call);
  if (root.fault == Root::Fault::kBuffer && step > 0) text += " from an earlier step";
  text += " at step " + std::to_string(step);
  if (diagnosis.direction == Direction::kBackward) {
    text += ", scale " + scale_text(diagnosis.scale.value_or(scale));
    if (diagnosis.scaler) text += " of the scaler \"" + *diagnosis.scaler + "\"";
  }
  text += ".";
  if (lacks_labels(root)) {
    const std::string rows = wire::rows_text(*root.rows);
    text += root.rows->bad == 1 ? " The batch's " + rows + " has no label."
                                : " None of the batch's " + rows + " has a label.";
  } else if (root.rows && root.fault != Root::Fault::kData) {
    text += " It lies in the batch's " + wire::rows_text(*root.rows) + ": with another row in " +
            (root.rows->bad == 1 ? "its" : "their") + " place the batch is finite.";
  }
  if (diagnosis.roots.size() == 2) {
    const Root& other = diagnosis.roots.back();
    text += " Beside it: " + what_happened(other, site_of(other, sites)) + ".";
  } else if (diagnosis.roots.size() > 2) {
    text += " " + std::to_string(diagnosis.roots.size() - 1) + " more first causes stand beside it.";
  }
  if (!diagnosis.fix.text.empty()) text += " " + diagnosis.fix.text;
  return text;
}

std::string explanation_of(const wire::Diagnosis& diagnosis, std::span<const wire::SiteInfo> sites) {
  switch (diagnosis.verdict) {
    case Verdict::kBenign:
      return "The loss scale was too high for this batch. The scaler skips the step and lowers the scale by itself; "
             "one such step in each growth interval is by design.";
    case Verdict::kScaleHeld:
      return "The loss scale is too high for this batch, and it cannot fall: it is static, or at its floor. Every step "
             "that overflows at it is skipped. Lower scaler.init_scale or scaler.minimum, or let the scale fall "
             "(scaler.static).";
    case Verdict::kNoScaleWorks:
      return "A lower loss scale makes this step finite, but then other gradients become so small that they are lost. "
             "No single scale suits this step: the call needs a wider format.";
    case Verdict::kOverflowAtSite:
      return "This gradient overflows at every loss scale: the cause is the call and its format, not the scale.";
    case Verdict::kCastOverflow:
      return "A value that float32 holds was too large for the format that the call computes in: it became infinite on "
             "its way in. No loss scale alone helps, since this happens in the forward.";
    case Verdict::kForwardOverflow:
      if (!diagnosis.roots.empty() && diagnosis.roots.front().format == formats::kFloat32) {
        return "The result of the call is larger than the largest float32, 3.4e38: no other format helps. Make what "
               "goes "
               "in smaller: subtract the largest value before an exponential, as softmax does, or clamp it.";
      }
      return "The result of the call is larger than the largest number of its format. No loss scale alone helps, since "
             "this happens in the forward.";
    case Verdict::kInvalidOperation:
      return invalid_text(diagnosis, sites);
    case Verdict::kNonFiniteData:
      return "The data itself is not finite: repair it, or leave these rows out.";
    case Verdict::kNonFiniteParameter:
      return "A weight is not finite: an earlier update did it. Go back to a checkpoint from before.";
    case Verdict::kPoisonedBuffer:
      return "A running statistic took up an infinity in an earlier step and keeps it. Go back to a checkpoint from "
             "before, and let skipped steps leave buffers alone (\"keep_buffers\").";
    case Verdict::kPropagatedOnly:
      return "No op call made it: a tensor from outside all of them came in so.";
    case Verdict::kUndetermined:
      break;
  }
  return "The cause could not be told.";
}

std::string band_text(const wire::ScaleBand& band, std::span<const wire::SiteInfo> sites) {
  const auto power = [](int exponent) { return scale_text(std::ldexp(1.0, exponent)); };
  const auto place = [&](int site) {
    return site < 0 ? std::string("a gradient") : place_of(sites[static_cast<std::size_t>(site)]);
  };
  std::string text;
  if (band.empty()) {
    text = "No scale is safe for this step: above " + power(*band.highest) + " a gradient at " +
           place(band.highest_site) + " overflows, and below " + power(*band.lowest) + " one at " +
           place(band.lowest_site) + " loses more than 1 % of its norm.";
  } else if (band.lowest && band.highest) {
    text = "Safe for this step are the scales from " + power(*band.lowest) + " (" + place(band.lowest_site) + ") to " +
           power(*band.highest) + " (" + place(band.highest_site) + ").";
  } else if (band.highest) {
    text = "Safe for this step are the scales up to " + power(*band.highest) + " (" + place(band.highest_site) + ").";
  }
  if (band.bound && !text.empty()) text += " Some gradients were seen after rounding: the lower edge may lie higher.";
  return text;
}

}  // namespace binade::train
