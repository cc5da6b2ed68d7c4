// SPDX-License-Identifier: Apache-2.0
#include "engine/train/diagnosis_text.h"

#include "engine/train/events.h"

#include <cmath>

namespace binade::train {

namespace {

using wire::Direction;
using wire::Root;
using wire::Verdict;

std::string what_happened(const Root& root, const std::string& place) {
  const std::string format = formats::name(root.format);
  const std::string became = root.format.finite_only ? ", which has no infinity: it is NaN" : "";
  switch (root.fault) {
    case Root::Fault::kOverflow:
      if (root.direction == Direction::kForward) return "The output of " + place + " overflowed in " + format + became;
      if (root.what == "loss") return "The scaled loss is too large for its gradient to be held";
      return "The gradient of " + place + " for its argument " + root.what + " overflowed in " + format;
    case Root::Fault::kCast:
      return "The argument " + root.what + " of " + place + " overflowed in the cast to " + format + became;
    case Root::Fault::kInvalid:
      return root.direction == Direction::kForward
                 ? place + " made a value that no format holds"
                 : "The gradient of " + place + " is infinite or undefined for its values, whatever the format";
    case Root::Fault::kSum:
      return "Gradients that meet at " + (place.empty() ? root.what : "the output of " + place) +
             " are finite, and their sum overflowed in " + format;
    case Root::Fault::kData:
      return "The batch's " + root.what + " holds NaN or infinity";
    case Root::Fault::kParameter:
      return "The parameter " + root.what + " holds NaN or infinity";
    case Root::Fault::kBuffer:
      return "The buffer " + root.what + " holds NaN or infinity from an earlier step";
    case Root::Fault::kUnknown:
      break;
  }
  return "A tensor from outside every op call was not finite";
}

}  // namespace

std::string sentence_of(const wire::Diagnosis& diagnosis, std::span<const wire::SiteInfo> sites, std::int64_t step,
                        double scale) {
  if (diagnosis.roots.empty()) return {};
  const Root& root = diagnosis.roots.front();
  const std::string place = root.site < 0 ? std::string() : place_of(sites[static_cast<std::size_t>(root.site)]);
  std::string text = what_happened(root, place);
  if (root.call > 0) text += " in call " + std::to_string(root.call);
  text += " at step " + std::to_string(step);
  if (diagnosis.direction == Direction::kBackward) {
    text += ", scale " + scale_text(diagnosis.scale.value_or(scale));
    if (diagnosis.scaler) text += " of the scaler \"" + *diagnosis.scaler + "\"";
  }
  text += ".";
  if (diagnosis.roots.size() > 1) {
    text += " " + std::to_string(diagnosis.roots.size() - 1) + " more such call" +
            (diagnosis.roots.size() > 2 ? "s stand" : " stands") + " beside it.";
  }
  if (!diagnosis.fix.text.empty()) text += " " + diagnosis.fix.text;
  return text;
}

std::string explanation_of(const wire::Diagnosis& diagnosis) {
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
      return "The result of the call is larger than the largest number of its format. No loss scale alone helps, since "
             "this happens in the forward.";
    case Verdict::kInvalidOperation:
      return "The operation has no finite result for these values (a logarithm of 0, a division by 0, a square root's "
             "slope at 0, a softmax over masked values only). A wider format does not help: keep the values away from "
             "there, with a small constant or a clamp.";
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
