// SPDX-License-Identifier: Apache-2.0
#include "engine/silent/underflow.h"

#include "engine/formats/effect.h"
#include "engine/silent/numbers.h"
#include "engine/silent/underflow_fix.h"
#include "engine/wire/site_text.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace binade::silent {

namespace {

using Kind = wire::WatchedTensor::Kind;

/// Formats whose range is float32's or nearly so lose nothing that float32 would keep in training.
bool is_narrow(const formats::Format& format) {
  return format.exponent_bits < formats::kFloat32.exponent_bits;
}

std::string name_of(const wire::WatchedTensor& tensor, const std::string& place) {
  switch (tensor.kind) {
    case Kind::kOutput:
      return "The output of " + place;
    case Kind::kOutputGradient:
      return "The gradient of the output of " + place;
    case Kind::kInputGradient:
      return "The gradient of " + place + " for " + tensor.argument;
    case Kind::kInput:
    case Kind::kParameter:
    case Kind::kParameterGradient:
      break;
  }
  return place;
}

/// What a call makes is judged here. Arguments that a cast changes are judged by what came of it: cast_underflow_signs.
bool is_made_by_a_call(const wire::WatchedTensor& tensor) {
  return tensor.kind == Kind::kOutput || wire::is_scaled(tensor);
}

struct Lost {
  double share = 0;
  bool bound = false;
};

/// How much of a tensor's norm is gone, or may be.
Lost lost_of(const formats::TensorStats& stats, const formats::Format& format) {
  const double limit = format.underflow_limit();
  const auto largest = static_cast<double>(stats.largest);
  // All zeros: nothing to lose where they were seen before rounding; after it nobody can tell.
  if (largest == 0) return {stats.censored && stats.non_finite() == 0 ? 1.0 : 0.0, true};
  if (!stats.censored && !stats.scan) return {formats::effect_of(stats, format).zero.norm.low, false};
  if (!stats.censored && largest <= limit) return {1, false};  // a scan
  // After rounding every value below the normal numbers is off by `limit` at most, those that became 0 too.
  const double norm = stats.scan ? largest : std::sqrt(stats.sum_of_squares);
  const double error = limit * std::sqrt(static_cast<double>(stats.count));
  return {std::min(1.0, error / norm), true};
}

}  // namespace

std::vector<Sign> underflow_signs(const wire::StepRecord& record, std::span<const wire::WatchedTensor> watched,
                                  std::span<const wire::SiteInfo> sites) {
  std::vector<Sign> signs;
  if (!record.stepped) return signs;  // after an overflow gradients tell nothing
  for (const wire::Observation& seen : record.observations) {
    const wire::WatchedTensor& tensor = watched[static_cast<std::size_t>(seen.tensor)];
    if (!is_made_by_a_call(tensor) || !is_narrow(tensor.format) || seen.stats.count == 0) continue;
    const Lost lost = lost_of(seen.stats, tensor.format);
    if (lost.share < kNotableLoss) continue;
    const wire::SiteInfo& site = sites[static_cast<std::size_t>(tensor.site)];
    const bool backward = tensor.kind != Kind::kOutput;
    Sign sign;
    sign.direction = backward ? wire::Direction::kBackward : wire::Direction::kForward;
    sign.site = tensor.site;
    sign.what = !backward ? "output" : tensor.kind == Kind::kOutputGradient ? "gradient" : tensor.argument;
    sign.format = tensor.format;
    sign.amount = lost.share;
    sign.unit = backward ? "of the gradient's norm" : "of the output's norm";
    sign.bound = lost.bound;
    sign.tensor = tensor.id;
    sign.sentence = name_of(tensor, wire::place_of(site)) + (lost.bound ? " may lose up to " : " loses ") +
                    percent(lost.share) + " of its norm to 0 in " + formats::name(tensor.format);
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
                    percent(seen.vanished_norm) + " of its norm in the cast to " + formats::name(seen.format) + ": " +
                    grouped(seen.vanished) + " of " + grouped(seen.occupied) + " values become 0";
    if (seen.cast_by_policy) {
      sign.fix = wider_fix(site);
    } else {
      sign.next = "The model casts it itself: scale it up before, or keep it in float32.";
    }
    signs.push_back(std::move(sign));
  }
  return signs;
}

std::vector<Sign> compared_signs(const wire::Float32Comparison& compared, std::span<const wire::WatchedTensor> watched,
                                 std::span<const wire::SiteInfo> sites, const std::optional<wire::ScaleBand>& band) {
  std::map<int, const wire::WatchedTensor*> outputs;
  for (const wire::WatchedTensor& tensor : watched) {
    if (tensor.kind == Kind::kOutput) outputs[tensor.site] = &tensor;
  }
  std::vector<Sign> signs;
  const auto add = [&](const wire::SiteDifference& found, double error, wire::Direction direction) {
    const auto output = outputs.find(found.site);
    if (!(error >= kNotableLoss) || std::isinf(error)) return;
    if (output == outputs.end() || !is_narrow(output->second->format)) return;
    const wire::SiteInfo& site = sites[static_cast<std::size_t>(found.site)];
    const bool backward = direction == wire::Direction::kBackward;
    Sign sign;
    sign.direction = direction;
    sign.site = found.site;
    sign.what = backward ? "gradient" : "output";
    sign.format = output->second->format;
    sign.amount = std::min(1.0, error);
    sign.unit = backward ? "of the gradient's norm" : "of the output's norm";
    sign.tensor = backward ? -1 : output->second->id;
    sign.sentence = (backward ? "The backward of " : "The output of ") + wire::place_of(site) + " loses " +
                    percent(sign.amount) + " of its norm in " + formats::name(sign.format) +
                    ", measured beside float32 at step " + std::to_string(compared.step);
    const auto scale = backward ? scale_fix(band, compared.scale) : std::nullopt;
    sign.fix = scale ? *scale : wider_fix(site);
    signs.push_back(std::move(sign));
  };
  for (const wire::SiteDifference& found : compared.sites) {
    if (found.measured) add(found, found.added, wire::Direction::kForward);
    if (found.gradient_added) add(found, *found.gradient_added, wire::Direction::kBackward);
  }
  return signs;
}

}  // namespace binade::silent
