// SPDX-License-Identifier: Apache-2.0
#include "engine/silent/quantized.h"

#include "engine/scaled/scaled_format.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

namespace binade::silent {

namespace {

constexpr double kChance = 8;  // standard deviations

std::string operand_name(policy::Operand operand) {
  switch (operand) {
    case policy::Operand::kInput:
      return "input";
    case policy::Operand::kWeight:
      return "weight";
    case policy::Operand::kGradient:
      return "gradient";
  }
  return {};
}

/// The format with stochastic rounding, or with the transform.
std::string with_option(const std::string& format, bool transform) {
  auto parsed = scaled::parse(format);
  if (!parsed) return {};
  if (transform) parsed->transform = true;
  if (!transform) parsed->rounding = scaled::Rounding::kStochastic;
  return scaled::name(*parsed);
}

/// What all symptoms of an operand have in common.
Symptom symptom_of(const QuantizedSeen& seen, Symptom::Kind kind, double amount, wire::SilentFault::Unit unit) {
  const wire::QuantizedOperand& operand = seen.operand;
  Symptom symptom;
  symptom.kind = kind;
  symptom.direction =
      operand.product == policy::Product::kForward ? wire::Direction::kForward : wire::Direction::kBackward;
  symptom.site = operand.site;
  symptom.what = policy::name(operand.product) + " " + operand_name(operand.operand);
  symptom.amount = std::min(1.0, amount);
  symptom.unit = unit;
  symptom.facts.share = amount;
  symptom.facts.operand = symptom.what;
  symptom.facts.quantized_format = operand.format;
  const double noise = operand.stats.snr_db();
  if (!std::isnan(noise)) symptom.facts.snr_db = noise;
  return symptom;
}

/// Keeps the op call's products out of scaled formats.
wire::Fix in_float32(const wire::QuantizedOperand& operand, std::span<const wire::SiteInfo> sites, const char* why) {
  wire::Fix fix;
  if (operand.site < 0 || static_cast<std::size_t>(operand.site) >= sites.size()) return fix;
  policy::SiteRule& rule = fix.rules.emplace_back();
  rule.match = sites[static_cast<std::size_t>(operand.site)].key.name();
  rule.format = formats::kFloat32;
  rule.why = why;
  return fix;
}

std::optional<Symptom> saturation(const QuantizedSeen& seen, std::span<const wire::SiteInfo> sites) {
  const scaled::BlockStats& stats = seen.operand.stats;
  const double saturated = share(stats.saturated, stats.non_zero);
  const bool is_stale = seen.operand.stale && *seen.operand.stale >= kStale;
  if (!is_stale && saturated < kSaturation) return std::nullopt;
  using Unit = wire::SilentFault::Unit;
  Symptom symptom =
      symptom_of(seen, is_stale ? Symptom::Kind::kStaleScale : Symptom::Kind::kSaturated, saturated, Unit::kValues);
  symptom.facts.count = stats.saturated;
  symptom.facts.of = stats.non_zero;
  symptom.facts.largest = stats.largest;
  if (is_stale) symptom.facts.stale = seen.operand.stale;
  if (!is_stale) symptom.fix = in_float32(seen.operand, sites, "values that saturate");
  return symptom;
}

std::optional<Symptom> dead_blocks(const QuantizedSeen& seen, std::span<const wire::SiteInfo> sites) {
  const scaled::BlockStats& stats = seen.operand.stats;
  const double dead = share(stats.dead_blocks, stats.blocks);
  if (dead < kDead) return std::nullopt;
  Symptom symptom = symptom_of(seen, Symptom::Kind::kDeadBlocks, dead, wire::SilentFault::Unit::kBlocks);
  symptom.facts.count = stats.dead_blocks;
  symptom.facts.of = stats.blocks;
  symptom.fix = in_float32(seen.operand, sites, "blocks that become 0");
  return symptom;
}

std::optional<Symptom> biased_rounding(const QuantizedSeen& seen) {
  if (!seen.stochastic || !is_biased(seen.operand.stats)) return std::nullopt;
  const double found = bias(seen.operand.stats);
  const double otherwise = bias(*seen.stochastic);
  if (otherwise > found / 2) return std::nullopt;
  Symptom symptom = symptom_of(seen, Symptom::Kind::kBiasedRounding, found, wire::SilentFault::Unit::kMean);
  symptom.facts.count = seen.operand.stats.to_zero;
  symptom.facts.of = seen.operand.stats.non_zero;
  symptom.facts.alternative = with_option(seen.operand.format, /*transform=*/false);
  symptom.facts.alternative_share = otherwise;
  symptom.facts.alternative_snr_db = seen.stochastic->snr_db();
  return symptom;
}

std::optional<Symptom> outliers(const QuantizedSeen& seen) {
  const scaled::BlockStats& stats = seen.operand.stats;
  const double ruled = share(stats.outlier_blocks, stats.blocks);
  if (!seen.transformed || ruled < kOutliers) return std::nullopt;
  const double won = seen.transformed->snr_db() - stats.snr_db();
  if (!(won >= kWorthwhile)) return std::nullopt;
  Symptom symptom = symptom_of(seen, Symptom::Kind::kOutlierBlocks, ruled, wire::SilentFault::Unit::kBlocks);
  symptom.facts.count = stats.outlier_blocks;
  symptom.facts.of = stats.blocks;
  symptom.facts.alternative = with_option(seen.operand.format, /*transform=*/true);
  symptom.facts.alternative_snr_db = seen.transformed->snr_db();
  return symptom;
}

}  // namespace

double bias(const scaled::BlockStats& stats) {
  if (stats.signal == 0 || stats.values == 0) return 0;
  return std::abs(stats.error) / std::sqrt(stats.signal * static_cast<double>(stats.values));
}

bool is_biased(const scaled::BlockStats& stats) {
  return std::abs(stats.error) >= kChance * std::sqrt(stats.noise) && bias(stats) >= kBias;
}

std::vector<Symptom> quantized_symptoms(const Evidence& evidence, std::span<const wire::SiteInfo> sites) {
  std::vector<Symptom> symptoms;
  const auto add = [&symptoms](std::optional<Symptom> symptom) {
    if (symptom) symptoms.push_back(std::move(*symptom));
  };
  for (const QuantizedSeen& seen : evidence.quantized) {
    add(saturation(seen, sites));
    add(dead_blocks(seen, sites));
    add(biased_rounding(seen));
    add(outliers(seen));
  }
  return symptoms;
}

}  // namespace binade::silent
