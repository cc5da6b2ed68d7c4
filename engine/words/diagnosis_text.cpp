// SPDX-License-Identifier: Apache-2.0
#include "engine/words/diagnosis_text.h"

#include "engine/words/fix_text.h"
#include "engine/words/numbers.h"
#include "engine/words/own_cast.h"
#include "engine/words/rules_text.h"
#include "engine/words/scale_text.h"

#include <algorithm>
#include <cmath>

namespace binade::words {

namespace {

using wire::Direction;
using wire::Root;
using wire::Verdict;

/// Returns whether every row of the batch is affected because none has a label.
bool lacks_labels(const Root& root) {
  return root.fault == Root::Fault::kInvalid && root.rows && root.rows->bad == root.rows->of;
}

/// Returns why an op, or its gradient, has no finite result; empty if unknown.
std::string why_of(const Root& root) {
  if (lacks_labels(root)) return "the mean over the labels of a batch that has none";
  return root.why.value_or("");
}

/// `: it was given up to 345000, and the format ends at 65504`; empty if unknown.
std::string largest_text(const Root& root) {
  double largest = 0;
  for (const wire::ValueRange& range : root.inputs) {
    if (range.name == root.what) largest = std::max(largest, range.largest);
  }
  if (largest <= root.format.largest()) return {};
  return ": it was given up to " + figure(largest) + ", and the format ends at " + figure(root.format.largest());
}

std::string sum_overflowed(const Root& root, const std::string& place) {
  std::string where = root.what;
  if (!place.empty())
    where = root.what == "output" ? "the output of " + place : "the argument " + root.what + " of " + place;
  return "Gradients that meet at " + where + " are finite, and their sum overflowed in " + formats::name(root.format);
}

std::string what_happened(const Root& root, const wire::SiteInfo* site) {
  const std::string place = site == nullptr ? std::string() : words::place_of(*site);
  const std::string format = formats::name(root.format);
  const std::string became = root.format.finite_only ? ", which has no infinity: it is NaN" : "";
  switch (root.fault) {
    case Root::Fault::kOverflow:
      if (root.direction == Direction::kForward) return "The output of " + place + " overflowed in " + format + became;
      if (root.what == "loss") return "The scaled loss is too large for its gradient to be held";
      if (root.why) return "The gradient of " + place + " for " + root.what + " is " + *root.why;
      return "The gradient of " + place + " for " + root.what + " overflowed in " + format;
    case Root::Fault::kCast:
      if (root.direction == Direction::kBackward) {
        return "The gradient of " + place + " for " + root.what + " overflowed in the cast to " + format;
      }
      if (is_own_cast(site)) {
        const std::string line = root.source.empty() ? "" : ", at " + root.source + ",";
        return "The model's own cast " + place + line + " overflowed in " + format + became + largest_text(root);
      }
      return "The argument " + root.what + " of " + place + " overflowed in the cast to " + format + became;
    case Root::Fault::kInvalid: {
      const std::string reason = why_of(root);
      const std::string why = reason.empty() ? "" : " (" + reason + ")";
      return root.direction == Direction::kForward
                 ? place + " has no finite result for its arguments" + why
                 : "The gradient of " + place + " is infinite or undefined for its values" + why;
    }
    case Root::Fault::kLost: {
      const std::string of = root.what == "output" ? "The output of " : "The argument " + root.what + " of ";
      const std::string why = root.why ? " (" + *root.why + ")" : "";
      if (root.rounded_to) {
        return of + place + " was rounded to " + std::to_string(*root.rounded_to) + " in " + format + why +
               ", where float32 holds another number";
      }
      return of + place + " became 0 in " + format + why + ", where float32 holds a number";
    }
    case Root::Fault::kSum:
      return sum_overflowed(root, place);
    case Root::Fault::kData:
      return "The batch's " + root.what + " holds NaN or infinity" +
             (root.rows ? " in " + words::rows_text(*root.rows) : std::string());
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
  const auto at = static_cast<std::size_t>(root.site);
  return root.site < 0 || at >= sites.size() ? nullptr : &sites[at];
}

/// Returns whether float32 for every op call was tried without success.
bool float32_did_not_help(const wire::Diagnosis& diagnosis) {
  return std::any_of(diagnosis.evidence.begin(), diagnosis.evidence.end(),
                     [](const wire::Attempt& tried) { return !tried.finite && is_everything(tried.rules); });
}

std::string invalid_text(const wire::Diagnosis& diagnosis) {
  const std::string why = diagnosis.roots.empty() ? std::string() : why_of(diagnosis.roots.front());
  std::string text = "The operation has no finite result for its arguments" + (why.empty() ? "" : ": " + why) + ".";
  if (why.empty()) text += " Which of its values is to blame is not known.";
  if (float32_did_not_help(diagnosis)) text += " Float32 everywhere does not help.";
  if (!diagnosis.roots.empty() && lacks_labels(diagnosis.roots.front())) {
    text +=
        " -100 means no label. Such a batch gives no gradient; without a loss scale its step is skipped. Take "
        "larger batches, or leave rows without a label out of the data.";
  }
  return text;
}

/// Text for values that underflowed at an unknown place.
std::string lost_somewhere_text(const wire::Diagnosis& diagnosis) {
  const std::string why = diagnosis.roots.empty() ? std::string() : why_of(diagnosis.roots.front());
  return "The operation has no finite result for its arguments" + (why.empty() ? "" : ": " + why) +
         ". In float32 its arguments differ: an earlier value underflowed, overflowed or was rounded away.";
}

/// What a verdict means.
std::string meaning_of(const wire::Diagnosis& diagnosis, std::span<const wire::SiteInfo> sites) {
  switch (diagnosis.verdict) {
    case Verdict::kBenign:
      return "The loss scale was too high for this batch. The scaler skips the step and lowers the scale by itself; "
             "one such step in each growth interval is by design.";
    case Verdict::kScaleHeld:
      return "The loss scale is too high for this batch, and it cannot fall: it is a fixed scale, or at its floor. "
             "Every step that overflows at it is skipped. Lower scaler.init_scale or scaler.minimum, or set "
             "scaler.static to false.";
    case Verdict::kNoScaleWorks:
      return "A lower loss scale makes this step finite, but then other gradients become so small that they are lost. "
             "No single scale suits this step: the op call needs a wider format.";
    case Verdict::kOverflowAtSite:
      if (!diagnosis.roots.empty() && diagnosis.roots.front().why) {
        return "This gradient is not finite at any loss scale, and it is in a wider format: the cause is the op call "
               "and its format, not the scale. Why it is NaN is not known.";
      }
      return "This gradient overflows at every loss scale: the cause is the op call and its format, not the scale.";
    case Verdict::kCastOverflow:
      if (!diagnosis.roots.empty() && is_own_cast(site_of(diagnosis.roots.front(), sites))) {
        return "A value was too large for the format that the model's own code casts it to. Neither a loss scale nor a "
               "rule of the policy changes that cast.";
      }
      return "A value that float32 holds was too large for the format that the op call computes in: it became infinite "
             "on its way in. No loss scale alone helps, since this happens in the forward.";
    case Verdict::kForwardOverflow:
      if (!diagnosis.roots.empty() && diagnosis.roots.front().format == formats::kFloat32) {
        return "The result of the op call is larger than the largest float32, 3.4e38: no other format helps. Scale "
               "down the inputs, or clamp them.";
      }
      return "The result of the op call is larger than the largest number of its format. No loss scale alone helps, "
             "since this happens in the forward.";
    case Verdict::kInvalidOperation:
      return invalid_text(diagnosis);
    case Verdict::kLostValue:
      return lost_somewhere_text(diagnosis);
    case Verdict::kNonFiniteData:
      return "The data itself is not finite: repair it, or leave these rows out.";
    case Verdict::kNonFiniteParameter:
      return "A weight is not finite, because of an earlier update. Go back to a checkpoint from before.";
    case Verdict::kPoisonedBuffer:
      return "The buffer received a NaN or an infinity in an earlier step; it was finite in the model's file. In which "
             "step, and which op call wrote it, is not known. Go back to a checkpoint from before.";
    case Verdict::kLearningRate:
      return "The same steps diverge in float32 too: no format is to blame. The weights grew too far in one of them: "
             "lower optimizer.learning_rate, warm it up (schedule.warmup), or clip the gradient norm (clip.norm).";
    case Verdict::kHugeData:
      return "Rows of the batch hold values far beyond all others, and with other rows in their place the step is "
             "finite. Check the data: scale or clamp it, or remove these rows.";
    case Verdict::kPropagatedOnly:
      return "The value came from a tensor that no op call produced.";
    case Verdict::kUndetermined:
      break;
  }
  return "The cause is not known.";
}

}  // namespace

std::string uncapitalised(std::string text) {
  for (const char* first : {"The ", "A ", "Gradients "}) {
    if (text.starts_with(first)) text.front() = static_cast<char>(text.front() - 'A' + 'a');
  }
  return text;
}

std::string happening_of(const Root& root, std::span<const wire::SiteInfo> sites) {
  return what_happened(root, site_of(root, sites));
}

std::string sentence_of(const wire::Diagnosis& diagnosis, std::span<const wire::SiteInfo> sites, std::int64_t step,
                        double scale) {
  if (diagnosis.roots.empty()) return {};
  const Root& root = diagnosis.roots.front();
  std::string text = what_happened(root, site_of(root, sites));
  if (diagnosis.verdict == Verdict::kLearningRate) {
    text = "The learning rate is too high: the same steps diverge in float32 too. Here " + uncapitalised(text);
  } else if (diagnosis.verdict == Verdict::kHugeData && root.rows) {
    const bool one = root.rows->bad == 1;
    text = "The batch's " + words::rows_text(*root.rows) + (one ? " holds" : " hold") +
           " values far beyond those of all others. Here " + uncapitalised(text);
  }
  if (root.call > 0) text += " in call " + std::to_string(root.call);
  if (root.fault == Root::Fault::kBuffer && step > 0) text += " from an earlier step";
  text += " at step " + std::to_string(step);
  if (diagnosis.direction == Direction::kBackward) {
    text += ", scale " + words::scale_text(diagnosis.scale.value_or(scale));
    if (diagnosis.scaler) text += " of the scaler \"" + *diagnosis.scaler + "\"";
  }
  text += ".";
  if (lacks_labels(root)) {
    const std::string rows = words::rows_text(*root.rows);
    text += root.rows->bad == 1 ? " The batch's " + rows + " has no label."
                                : " None of the batch's " + rows + " has a label.";
  } else if (root.rows && root.fault != Root::Fault::kData && diagnosis.verdict != Verdict::kHugeData &&
             diagnosis.verdict != Verdict::kLearningRate) {
    text += " It lies in the batch's " + words::rows_text(*root.rows) + ": with another row in " +
            (root.rows->bad == 1 ? "its" : "their") + " place the batch is finite.";
  }
  const std::string fix = fix_of(diagnosis.fix);
  // If the weights have grown too far, many calls fail; a single cause is reported.
  if (diagnosis.verdict == Verdict::kLearningRate) {
    return fix.empty() ? text : text + " " + fix;
  }
  if (diagnosis.roots.size() == 2) {
    const Root& other = diagnosis.roots.back();
    text += " The other first cause: " + uncapitalised(what_happened(other, site_of(other, sites))) + ".";
  } else if (diagnosis.roots.size() > 2) {
    text += " There are " + std::to_string(diagnosis.roots.size() - 1) + " other first causes.";
  }
  if (!fix.empty()) text += " " + fix;
  return text;
}

std::string lost_text(const wire::Diagnosis& diagnosis, const Root& operation, std::span<const wire::SiteInfo> sites) {
  if (diagnosis.roots.empty()) return {};
  const Root& lost = diagnosis.roots.front();
  const wire::SiteInfo* const site = site_of(operation, sites);
  const std::string why = why_of(operation);
  return what_happened(lost, site_of(lost, sites)) + "." + " " +
         (site == nullptr ? "The operation that follows" : words::place_of(*site) + ", which follows,") +
         (operation.direction == Direction::kBackward ? " has no finite gradient for that"
                                                      : " has no finite result for that") +
         (why.empty() ? "" : ": " + why) + ".";
}

std::string explanation_of(const wire::Diagnosis& diagnosis, std::span<const wire::SiteInfo> sites) {
  std::string text = diagnosis.message.empty() ? meaning_of(diagnosis, sites) : diagnosis.message;
  const auto add = [&text](const std::string& sentence) {
    if (!sentence.empty()) text += " " + sentence;
  };
  const bool of_scale = diagnosis.verdict != Verdict::kLearningRate && diagnosis.verdict != Verdict::kHugeData;
  if (diagnosis.band && of_scale) add(band_text(*diagnosis.band, sites));
  for (const std::string& note : diagnosis.notes) add(note);
  return text;
}

std::string band_text(const wire::ScaleBand& band, std::span<const wire::SiteInfo> sites) {
  const auto power = [](int exponent) { return words::scale_text(std::ldexp(1.0, exponent)); };
  const auto place = [&](int site) {
    const auto at = static_cast<std::size_t>(site);
    return site < 0 || at >= sites.size() ? std::string("a gradient") : words::place_of(sites[at]);
  };
  std::string text;
  if (band.empty()) {
    text = "No scale is safe for this step: above " + power(*band.highest) + " a gradient at " +
           place(band.highest_site) + " overflows, and below " + power(*band.lowest) + " one at " +
           place(band.lowest_site) + " loses more than 1 % of its norm.";
  } else if (band.lowest && band.highest) {
    const std::string low = place(band.lowest_site);
    const std::string high = place(band.highest_site);
    text = "Safe scales for this step: " + power(*band.lowest) + " to " + power(*band.highest) + ". " +
           (low == high ? "Both limits come from " + low + "."
                        : "The lower limit comes from " + low + ", the upper limit from " + high + ".");
  } else if (band.highest) {
    text = "Safe scales for this step: up to " + power(*band.highest) + ". The limit comes from " +
           place(band.highest_site) + ".";
  }
  if (band.bound && !text.empty())
    text += " Some gradients were measured after rounding: the lower edge may be higher.";
  return text;
}

}  // namespace binade::words
