// SPDX-License-Identifier: Apache-2.0
#include "engine/silent/underflow_fix.h"

#include "engine/formats/scale_band.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace binade::silent {

namespace {

/// The highest loss scale, as exponent of 2, at which no gradient of the step overflows; empty if none limits it.
std::optional<int> highest_scale(const wire::StepRecord& record, std::span<const wire::WatchedTensor> watched,
                                 double log2_scale) {
  std::optional<int> highest;
  for (const wire::Observation& seen : record.observations) {
    const wire::WatchedTensor& tensor = watched[static_cast<std::size_t>(seen.tensor)];
    if (!wire::is_scaled(tensor)) continue;
    const auto limit = formats::band_of({&seen.stats, tensor.format, log2_scale}, formats::kLostNorm).highest;
    if (limit && (!highest || *limit < *highest)) highest = limit;
  }
  return highest;
}

}  // namespace

void set_fix(Symptom& symptom, const ScaleFix& scale) {
  symptom.facts.lowest_scale = scale.lowest;
  symptom.facts.highest_scale = scale.highest;
  if (scale.present != 1) symptom.fix.scale = std::ldexp(1.0, scale.lowest);
}

std::optional<ScaleFix> scale_fix(const std::optional<wire::ScaleBand>& band, double scale, double share) {
  if (!band || band->empty() || !(scale > 0)) return std::nullopt;
  const int doublings = std::max(1, static_cast<int>(std::ceil(std::log2(share / formats::kLostNorm))));
  const int enough = static_cast<int>(std::ceil(std::log2(scale))) + doublings;
  const int lowest = std::max(enough, band->lowest.value_or(enough));
  constexpr int kHighest = 127;  // of a float32 scale
  if (lowest > band->highest.value_or(kHighest)) return std::nullopt;
  return ScaleFix{lowest, band->highest, scale};
}

wire::Fix wider_fix(const wire::SiteInfo& site) {
  wire::Fix fix;
  policy::SiteRule& rule = fix.rules.emplace_back();
  rule.match = site.key.name();
  rule.format = formats::kFloat32;
  rule.why = "values underflow";
  return fix;
}

void set_underflow_fix(Symptom& symptom, const wire::StepRecord& record, std::span<const wire::WatchedTensor> watched,
                       const wire::WatchedTensor& tensor, const formats::TensorStats& stats,
                       const wire::SiteInfo& site) {
  symptom.fix = wider_fix(site);
  // With several scalers the scale of this gradient is unknown; measured after rounding, so is the scale it needs.
  if (!wire::is_scaled(tensor) || !record.scalers.empty() || stats.censored || stats.scan || !(record.scale > 0))
    return;
  const double log2_scale = std::log2(record.scale);
  const auto lowest = formats::band_of({&stats, tensor.format, log2_scale}, formats::kLostNorm).lowest;
  const auto highest = highest_scale(record, watched, log2_scale);
  constexpr int kHighest = 127;  // of a float32 scale
  if (!lowest || *lowest > kHighest || (highest && *lowest > *highest)) return;
  symptom.fix = {};
  set_fix(symptom, {*lowest, highest, record.scale});
}

}  // namespace binade::silent
