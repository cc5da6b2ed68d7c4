// SPDX-License-Identifier: Apache-2.0
#include "engine/silent/logits.h"

#include <algorithm>
#include <cmath>

namespace binade::silent {

double weight_error(double logit, const formats::Format& format) {
  if (!(logit > 0) || !std::isfinite(logit)) return 0;
  const int binade = std::max(std::ilogb(logit), format.min_exponent());
  return std::expm1(std::ldexp(0.5, binade - format.mantissa_bits));
}

std::vector<Symptom> Logits::symptoms(const Evidence& evidence, std::int64_t step) {
  std::vector<Symptom> symptoms;
  for (const LogitsSeen& seen : evidence.logits) {
    const auto [entry, is_new] = first_.try_emplace(seen.site, First{seen.largest, step, seen.bound, seen.largest});
    First& first = entry->second;
    first.newest = seen.largest;
    first.bound = seen.bound;
    if (!(seen.largest > 0)) continue;
    const double error = seen.bound ? 0 : weight_error(seen.largest, seen.format);
    const bool grown = !is_new && seen.largest >= kGrown * std::max(first.largest, 1.0);
    const bool counts = error >= kAnyway || (grown && (error >= kError || seen.largest >= kSaturated));
    if (!counts) continue;
    Symptom symptom;
    symptom.kind = Symptom::Kind::kLargeLogits;
    symptom.site = seen.site;
    symptom.what = "logits";
    symptom.format = seen.format;
    symptom.amount = std::min(1.0, error);
    symptom.unit = wire::SilentFault::Unit::kSoftmaxWeight;
    symptom.bound = seen.bound;
    symptom.facts.share = symptom.amount;
    symptom.facts.largest = seen.largest;
    if (!seen.bound) symptom.facts.logit_error = std::log1p(error);
    if (grown) {
      symptom.facts.before = first.largest;
      symptom.facts.before_step = first.step;
    }
    symptoms.push_back(std::move(symptom));
  }
  return symptoms;
}

std::vector<wire::SilentGap> Logits::hidden() const {
  std::vector<wire::SilentGap> gaps;
  for (const auto& [site, first] : first_) {
    if (!first.bound) continue;
    wire::SilentGap& gap = gaps.emplace_back();
    gap.reason = wire::SilentGap::Reason::kFusedLogits;
    gap.site = site;
    // If query and key are also computed inside the kernel, there is no bound.
    if (!std::isnan(first.newest)) gap.largest = first.newest;
  }
  return gaps;
}

}  // namespace binade::silent
