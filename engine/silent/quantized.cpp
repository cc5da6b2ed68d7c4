// SPDX-License-Identifier: Apache-2.0
#include "engine/silent/quantized.h"

#include "engine/scaled/scaled_format.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <variant>

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

bool is_delayed(const std::string& format) {
  const auto parsed = scaled::parse(format);
  return parsed && parsed->scaling == scaled::Scaling::kDelayed;
}

/// The format with a scale of the tensor itself.
std::string with_current_scale(const std::string& format) {
  auto parsed = scaled::parse(format);
  if (!parsed) return {};
  parsed->scaling = scaled::Scaling::kCurrent;
  return scaled::name(*parsed);
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

/// A rule for the op call with these formats of its products. Empty if its own formats are not known.
wire::Fix with_products(const QuantizedSeen& seen, std::span<const wire::SiteInfo> sites,
                        const policy::Products& products, const char* why) {
  wire::Fix fix;
  const int site = seen.operand.site;
  if (site < 0 || static_cast<std::size_t>(site) >= sites.size() || seen.decided.products.empty()) return fix;
  policy::SiteRule& rule = fix.rules.emplace_back();
  rule.match = sites[static_cast<std::size_t>(site)].key.name();
  rule.format = seen.decided.format;
  rule.products = products;
  rule.why = why;
  return fix;
}

/// Keeps the product out of its scaled format.
wire::Fix without_product(const QuantizedSeen& seen, std::span<const wire::SiteInfo> sites, const char* why) {
  return with_products(seen, sites, policy::without(seen.decided.products, seen.operand.product), why);
}

/// Scales that are rounded up, for the product of an MX format. Empty for other formats.
wire::Fix with_scales_rounded_up(const QuantizedSeen& seen, std::span<const wire::SiteInfo> sites) {
  policy::Products products = seen.decided.products;
  for (auto* format : {&products.forward, &products.grad_input, &products.grad_weight}) {
    if (format != &products.of(seen.operand.product)) continue;
    auto* shared = *format ? std::get_if<scaled::ScaledFormat>(&**format) : nullptr;
    if (shared == nullptr || shared->scale != scaled::ScaleFormat::kE8M0) return {};
    shared->rule = scaled::ScaleRule::kRceil;
  }
  return with_products(seen, sites, products, "values that saturate");
}

/// Scales that come from the tensor itself.
wire::Fix with_current_scales(const QuantizedSeen& seen, std::span<const wire::SiteInfo> sites) {
  policy::Products products = seen.decided.products;
  for (auto* format : {&products.forward, &products.grad_input, &products.grad_weight}) {
    auto* shared = *format ? std::get_if<scaled::ScaledFormat>(&**format) : nullptr;
    if (shared != nullptr && shared->scaling == scaled::Scaling::kDelayed) shared->scaling = scaled::Scaling::kCurrent;
  }
  return with_products(seen, sites, products, "a stale scale");
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
  // A scale of the tensor itself lets no value saturate, nor does an MX scale that is rounded up.
  symptom.fix =
      is_delayed(seen.operand.format) ? with_current_scales(seen, sites) : with_scales_rounded_up(seen, sites);
  if (symptom.fix.rules.empty()) symptom.fix = without_product(seen, sites, "values that saturate");
  return symptom;
}

/// A delayed scale far above its tensor. One step is proof if nothing is left of the tensor: its largest value would be
/// the largest number of the format under a scale of its own.
std::optional<Symptom> too_large_scale(const QuantizedSeen& seen, std::span<const wire::SiteInfo> sites) {
  const scaled::BlockStats& stats = seen.operand.stats;
  if (!seen.operand.stale || *seen.operand.stale > -kStale) return std::nullopt;
  const bool all_lost = stats.non_zero > 0 && stats.to_zero == stats.non_zero;
  const bool is_worthwhile = seen.current && seen.current->snr_db() - stats.snr_db() >= kWorthwhile;
  if (!all_lost && !is_worthwhile) return std::nullopt;
  const double lost = share(stats.to_zero, stats.non_zero);
  Symptom symptom = symptom_of(seen, Symptom::Kind::kStaleScale, lost, wire::SilentFault::Unit::kValues);
  symptom.proved = all_lost;
  symptom.facts.count = stats.to_zero;
  symptom.facts.of = stats.non_zero;
  symptom.facts.largest = stats.largest;
  symptom.facts.stale = seen.operand.stale;
  if (seen.current) {
    symptom.facts.alternative = with_current_scale(seen.operand.format);
    symptom.facts.alternative_share = share(seen.current->to_zero, seen.current->non_zero);
    symptom.facts.alternative_snr_db = seen.current->snr_db();
  }
  symptom.fix = with_current_scales(seen, sites);
  return symptom;
}

std::optional<Symptom> dead_blocks(const QuantizedSeen& seen, std::span<const wire::SiteInfo> sites) {
  const scaled::BlockStats& stats = seen.operand.stats;
  const double dead = share(stats.dead_blocks, stats.blocks);
  if (dead < kDead) return std::nullopt;
  Symptom symptom = symptom_of(seen, Symptom::Kind::kDeadBlocks, dead, wire::SilentFault::Unit::kBlocks);
  symptom.facts.count = stats.dead_blocks;
  symptom.facts.of = stats.blocks;
  symptom.fix = without_product(seen, sites, "blocks that become 0");
  return symptom;
}

std::optional<Symptom> biased_rounding(const QuantizedSeen& seen, std::span<const wire::SiteInfo> sites) {
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
  policy::Products products = seen.decided.products;
  products.rounding = policy::Rounding::kStochastic;
  symptom.fix = with_products(seen, sites, products, "biased rounding of gradients");
  return symptom;
}

std::optional<Symptom> outliers(const QuantizedSeen& seen, std::span<const wire::SiteInfo> sites) {
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
  policy::Products products = seen.decided.products;
  products.transform = policy::Transform::kHadamard;
  symptom.fix = with_products(seen, sites, products, "outliers in blocks");
  return symptom;
}

/// Values of a forward operand that become 0 beside the outlier of their block, which no transform prevents. Gradients
/// have such values in healthy trainings too: those of a confident prediction.
std::optional<Symptom> lost_beside_outliers(const QuantizedSeen& seen, std::span<const wire::SiteInfo> sites) {
  const scaled::BlockStats& stats = seen.operand.stats;
  const double lost = share(stats.to_zero, stats.non_zero);
  if (seen.operand.product != policy::Product::kForward || lost < kLost) return std::nullopt;
  if (share(stats.outlier_blocks, stats.blocks) < kOutliers) return std::nullopt;
  Symptom symptom = symptom_of(seen, Symptom::Kind::kOutlierBlocks, lost, wire::SilentFault::Unit::kValues);
  symptom.facts.count = stats.to_zero;
  symptom.facts.of = stats.non_zero;
  symptom.fix = without_product(seen, sites, "values lost beside outliers");
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
    std::optional<Symptom> stale = too_large_scale(seen, sites);
    if (!stale) add(dead_blocks(seen, sites));  // the one block of a stale scale
    add(std::move(stale));
    add(biased_rounding(seen, sites));
    std::optional<Symptom> mixed = outliers(seen, sites);
    if (!mixed) mixed = lost_beside_outliers(seen, sites);
    add(std::move(mixed));
  }
  return symptoms;
}

}  // namespace binade::silent
