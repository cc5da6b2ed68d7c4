// SPDX-License-Identifier: Apache-2.0
#include "engine/silent/underflow.h"

#include "engine/formats/effect.h"
#include "engine/silent/underflow_fix.h"
#include "engine/wire/site_text.h"
#include "engine/words/numbers.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace binade::silent {

namespace {

using TensorKind = wire::WatchedTensor::Kind;

/// In training, a format with float32's exponent range loses nothing that float32 would keep.
bool is_narrow(const formats::Format& format) {
  return format.exponent_bits < formats::kFloat32.exponent_bits;
}

std::string name_of(const wire::WatchedTensor& tensor, const std::string& place) {
  switch (tensor.kind) {
    case TensorKind::kOutput:
      return (tensor.argument.empty() ? "The output of " : "Output " + tensor.argument + " of ") + place;
    case TensorKind::kOutputGradient:
      return "The gradient of the output " + (tensor.argument.empty() ? "" : tensor.argument + " ") + "of " + place;
    case TensorKind::kInputGradient:
      return "The gradient of " + place + " for " + tensor.argument;
    case TensorKind::kInput:
    case TensorKind::kParameter:
    case TensorKind::kParameterGradient:
      break;
  }
  return place;
}

/// Identifies a fault within its site; each output has its own.
std::string what_of(const wire::WatchedTensor& tensor) {
  if (tensor.kind == TensorKind::kInputGradient) return tensor.argument;
  const std::string what = tensor.kind == TensorKind::kOutput ? "output" : "gradient";
  return tensor.argument.empty() ? what : what + " " + tensor.argument;
}

/// Outputs and gradients; arguments that a cast changes are covered by cast_underflow_signs().
bool is_made_by_a_call(const wire::WatchedTensor& tensor) {
  return tensor.kind == TensorKind::kOutput || wire::is_scaled(tensor);
}

struct Lost {
  double share = 0;
  bool bound = false;
};

/// Share of a tensor's norm that is lost, or may be.
Lost lost_of(const formats::TensorStats& stats, const formats::Format& format) {
  const double limit = format.underflow_limit();
  const auto largest = static_cast<double>(stats.largest);
  // A tensor of zeros lost nothing if measured before rounding; after it, the loss is unknown.
  if (largest == 0) return {stats.censored && stats.non_finite() == 0 ? 1.0 : 0.0, true};
  if (!stats.censored && !stats.scan) return {formats::effect_of(stats, format).zero.norm.low, false};
  if (!stats.censored && largest <= limit) return {1, false};  // a scan
  // After rounding every value below the normal range is off by at most `limit`, values that became 0 included.
  const double norm = stats.scan ? largest : std::sqrt(stats.sum_of_squares);
  const double error = limit * std::sqrt(static_cast<double>(stats.count));
  return {std::min(1.0, error / norm), true};
}

}  // namespace

std::vector<Sign> underflow_signs(const wire::StepRecord& record, std::span<const wire::WatchedTensor> watched,
                                  std::span<const wire::SiteInfo> sites) {
  std::vector<Sign> signs;
  if (!record.stepped) return signs;  // after an overflow, gradients are meaningless
  for (const wire::Observation& seen : record.observations) {
    const wire::WatchedTensor& tensor = watched[static_cast<std::size_t>(seen.tensor)];
    if (!is_made_by_a_call(tensor) || !is_narrow(tensor.format) || seen.stats.count == 0) continue;
    const Lost lost = lost_of(seen.stats, tensor.format);
    if (lost.share < kNotableLoss) continue;
    const wire::SiteInfo& site = sites[static_cast<std::size_t>(tensor.site)];
    const bool backward = tensor.kind != TensorKind::kOutput;
    Sign sign;
    sign.direction = backward ? wire::Direction::kBackward : wire::Direction::kForward;
    sign.site = tensor.site;
    sign.what = what_of(tensor);
    sign.format = tensor.format;
    sign.amount = lost.share;
    sign.unit = backward ? "of the gradient's norm" : "of the output's norm";
    sign.bound = lost.bound;
    sign.tensor = tensor.id;
    sign.sentence = name_of(tensor, wire::place_of(site)) + (lost.bound ? " may lose up to " : " loses ") +
                    words::percent(lost.share) + " of its norm to 0 in " + formats::name(tensor.format);
    sign.fix = underflow_fix(record, watched, tensor, seen.stats, site);
    signs.push_back(std::move(sign));
  }
  return signs;
}

std::vector<Sign> cast_underflow_signs(const Evidence& evidence, std::span<const wire::SiteInfo> sites) {
  std::vector<Sign> signs;
  for (const ArgumentSeen& seen : evidence.arguments) {
    if (seen.vanished_norm < kNotableLoss) continue;
    const wire::SiteInfo& site = sites[static_cast<std::size_t>(seen.site)];
    Sign sign;
    sign.site = seen.site;
    sign.what = seen.argument;
    sign.format = seen.format;
    sign.amount = seen.vanished_norm;
    sign.unit = "of the argument's norm";
    sign.sentence = "The argument " + seen.argument + " of " + wire::place_of(site) + " loses " +
                    words::percent(seen.vanished_norm) + " of its norm in the cast to " + formats::name(seen.format) +
                    ": " + words::grouped(seen.vanished) + " of " + words::grouped(seen.occupied) + " values become 0";
    if (seen.cast_by_policy) {
      sign.fix = wider_fix(site);
    } else {
      sign.next = "The model casts it itself: scale it up before, or keep it in float32.";
    }
    signs.push_back(std::move(sign));
  }
  return signs;
}

namespace {

/// What is watched at a site: its first output, and whether values are counted before rounding, which makes the
/// comparison's findings there redundant.
struct Watched {
  const wire::WatchedTensor* output = nullptr;
  bool counts_output = false;
  bool counts_gradients = false;
};

std::map<int, Watched> by_site(std::span<const wire::WatchedTensor> watched) {
  std::map<int, Watched> sites;
  for (const wire::WatchedTensor& tensor : watched) {
    Watched& site = sites[tensor.site];
    if (tensor.kind == TensorKind::kInputGradient) site.counts_gradients = site.counts_gradients || tensor.emulated;
    if (tensor.kind != TensorKind::kOutput || site.output != nullptr) continue;
    site.output = &tensor;
    site.counts_output = tensor.emulated;
  }
  return sites;
}

/// Added error from which a call is a sign although little becomes 0: the values are so small that the format holds
/// them with few digits. Four times the error of a single rounding.
double notable_error(const formats::Format& format) {
  constexpr double kLeast = 0.05;
  return std::max(kLeast, std::ldexp(1.0, 1 - format.mantissa_bits));
}

}  // namespace

std::vector<Sign> compared_signs(const wire::Float32Comparison& compared, std::span<const wire::WatchedTensor> watched,
                                 std::span<const wire::SiteInfo> sites, const std::optional<wire::ScaleBand>& band) {
  const auto all = by_site(watched);
  std::vector<Sign> signs;
  const auto add = [&](const wire::SiteDifference& found, double error, double zeroed, bool backward) {
    const auto known = all.find(found.site);
    if (known == all.end() || known->second.output == nullptr) return;
    const auto& [output, counts_output, counts_gradients] = known->second;
    if (!is_narrow(output->format) || (backward ? counts_gradients : counts_output)) return;
    // A value that becomes 0 has an error of 100 %; if that is most of the error, the lost share describes it.
    const bool is_lost = zeroed >= kNotableLoss && 2 * zeroed >= error;
    if (!is_lost && (!(error >= notable_error(output->format)) || std::isinf(error))) return;
    const wire::SiteInfo& site = sites[static_cast<std::size_t>(found.site)];
    Sign sign;
    sign.direction = backward ? wire::Direction::kBackward : wire::Direction::kForward;
    sign.site = found.site;
    sign.what = backward ? "gradient" : "output";
    sign.format = output->format;
    sign.amount = std::min(1.0, is_lost ? zeroed : error);
    const std::string tensor = backward ? "the gradient" : "the output";
    sign.unit = is_lost ? "of " + tensor + "'s norm" : "of error in " + tensor;
    sign.tensor = backward ? -1 : output->id;
    const std::string whose = (backward ? "The backward of " : "The output of ") + wire::place_of(site);
    const std::string measured =
        formats::name(sign.format) + ", measured beside float32 at step " + std::to_string(compared.step);
    if (is_lost) {
      sign.sentence = whose + " loses " + words::percent(sign.amount) + " of its norm to 0 in " + measured;
    } else {
      sign.sentence = whose + " is " + words::percent(sign.amount) + " off in " + measured;
      if (zeroed > 0) sign.sentence += "; " + words::percent(zeroed) + " of its norm became 0";
    }
    const auto scale = backward ? scale_fix(band, compared.scale, sign.amount) : std::nullopt;
    sign.fix = scale ? *scale : wider_fix(site);
    signs.push_back(std::move(sign));
  };
  for (const wire::SiteDifference& found : compared.sites) {
    if (found.measured) add(found, found.added, found.zeroed, false);
    if (found.gradient_added) add(found, *found.gradient_added, found.gradient_zeroed.value_or(0), true);
  }
  return signs;
}

}  // namespace binade::silent
