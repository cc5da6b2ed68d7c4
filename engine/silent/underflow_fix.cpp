// SPDX-License-Identifier: Apache-2.0
#include "engine/silent/underflow_fix.h"

#include "engine/formats/scale_band.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace binade::silent {

namespace {

/// The highest loss scale, as a power of two, that every gradient of the step bears; nothing where none sets a limit.
std::optional<int> highest_scale(const wire::StepRecord& record, std::span<const wire::WatchedTensor> watched,
                                 double log2_scale) {
  std::optional<int> highest;
  for (const wire::Observation& seen : record.observations) {
    const wire::WatchedTensor& tensor = watched[static_cast<std::size_t>(seen.tensor)];
    if (tensor.kind == wire::WatchedTensor::Kind::kOutput) continue;
    const auto limit = formats::band_of({&seen.stats, tensor.format, log2_scale}, formats::kLostNorm).highest;
    if (limit && (!highest || *limit < *highest)) highest = limit;
  }
  return highest;
}

}  // namespace

wire::Fix wider_fix(const wire::SiteInfo& site) {
  wire::Fix fix;
  policy::SiteRule& rule = fix.rules.emplace_back();
  rule.match = site.key.name();
  rule.format = formats::kFloat32;
  rule.why = "values underflow";
  fix.text = rule.match + " in float32 loses none of them.";
  return fix;
}

wire::Fix underflow_fix(const wire::StepRecord& record, std::span<const wire::WatchedTensor> watched,
                        const wire::WatchedTensor& tensor, const formats::TensorStats& stats,
                        const wire::SiteInfo& site) {
  const bool gradient = tensor.kind != wire::WatchedTensor::Kind::kOutput;
  // With several scalers nobody here knows whose scale this gradient has; seen after rounding, not what it needs.
  if (!gradient || !record.scalers.empty() || stats.censored || stats.scan || !(record.scale > 0)) {
    return wider_fix(site);
  }
  const double log2_scale = std::log2(record.scale);
  const auto lowest = formats::band_of({&stats, tensor.format, log2_scale}, formats::kLostNorm).lowest;
  const auto highest = highest_scale(record, watched, log2_scale);
  constexpr int kHighest = 127;  // of a float32 scale
  if (!lowest || *lowest > kHighest || (highest && *lowest > *highest)) return wider_fix(site);
  if (record.scale == 1) {  // nobody scales: no scaler is there to be told
    wire::Fix fix = wider_fix(site);
    fix.text += " So does a loss scaler at 2^" + std::to_string(*lowest) + " or more.";
    return fix;
  }
  wire::Fix fix;
  fix.scale = std::ldexp(1.0, *lowest);
  fix.text = "A loss scale of 2^" + std::to_string(*lowest) +
             " or more loses less than 1 % of it, and no gradient of this step overflows there.";
  return fix;
}

}  // namespace binade::silent
