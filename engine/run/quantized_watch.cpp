// SPDX-License-Identifier: Apache-2.0
#include "engine/run/quantized_watch.h"

#include "engine/scaled/quantizer.h"
#include "engine/silent/quantized.h"
#include "engine/train/training.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace binade::run {

QuantizedWatch::~QuantizedWatch() {
  training_.autocast.set_product_watch({});
}

void QuantizedWatch::begin(bool observe) {
  seen_.clear();
  autocast::ProductWatch watch;
  if (observe) watch = [this](const autocast::QuantizedOperand& seen) { add(seen); };
  training_.autocast.set_product_watch(std::move(watch));
}

void QuantizedWatch::add(const autocast::QuantizedOperand& seen) {
  const auto site = static_cast<std::size_t>(seen.site);
  if (!sites_.empty() && (site >= sites_.size() || !sites_[site])) return;
  const std::string format = scaled::name(seen.format);
  silent::QuantizedSeen& all = seen_[{seen.site, seen.product, seen.operand, format}];
  wire::QuantizedOperand& operand = all.operand;
  if (operand.executions == 0) {
    operand.site = seen.site;
    operand.product = seen.product;
    operand.operand = seen.operand;
    operand.format = format;
  }
  ++operand.executions;
  operand.stats.add(seen.stats);
  if (seen.format.scaling == scaled::Scaling::kDelayed) {
    const double stale = scaled::stale_doublings(seen.stats, seen.format.element, seen.tensor.multiply);
    if (!std::isnan(stale)) operand.stale = std::max(stale, operand.stale.value_or(stale));
  }
  add_alternatives(seen, all);
}

scaled::BlockStats QuantizedWatch::measured(const autocast::QuantizedOperand& seen,
                                            const scaled::ScaledFormat& format) const {
  const autocast::ProductState& products = training_.autocast.products();
  const scaled::Quantizer quantizer(format, products.draws(seen.site, seen.call, seen.product, seen.operand),
                                    products.sign_seed());
  scaled::Scale scale = seen.tensor;
  if (format.needs_largest())
    scale = scaled::tensor_scale(format, autocast::largest_of(seen.from, *seen.matrices, quantizer));
  scaled::BlockStats stats;
  autocast::quantized(seen.from, *seen.matrices, quantizer, scale, &stats);
  return stats;
}

void QuantizedWatch::add_alternatives(const autocast::QuantizedOperand& seen, silent::QuantizedSeen& operand) const {
  if (seen.matrices == nullptr) return;
  const bool first = operand.operand.executions == 1;
  const auto add = [&](std::optional<scaled::BlockStats>& to, const scaled::ScaledFormat& format) {
    if (!to) to.emplace();
    to->add(measured(seen, format));
  };
  const bool rounds = seen.operand == policy::Operand::kGradient && seen.format.rounding == scaled::Rounding::kNearest;
  if (rounds && (first ? silent::is_biased(seen.stats) : operand.stochastic.has_value())) {
    scaled::ScaledFormat format = seen.format;
    format.rounding = scaled::Rounding::kStochastic;
    add(operand.stochastic, format);
  }
  const double outliers = static_cast<double>(seen.stats.outlier_blocks);
  const bool ruled = outliers >= silent::kOutliers * static_cast<double>(seen.stats.blocks) && outliers > 0;
  const bool transforms = seen.product == policy::Product::kGradWeight && !seen.format.transform &&
                          seen.format.scaling == scaled::Scaling::kBlocks;
  if (transforms && (first ? ruled : operand.transformed.has_value())) {
    scaled::ScaledFormat format = seen.format;
    format.transform = true;
    add(operand.transformed, format);
  }
  const bool is_far_above = operand.operand.stale && *operand.operand.stale <= -silent::kStale;
  if (seen.format.scaling == scaled::Scaling::kDelayed && (first ? is_far_above : operand.current.has_value())) {
    scaled::ScaledFormat format = seen.format;
    format.scaling = scaled::Scaling::kCurrent;
    add(operand.current, format);
  }
}

std::vector<silent::QuantizedSeen> QuantizedWatch::finish() {
  training_.autocast.set_product_watch({});
  std::vector<silent::QuantizedSeen> operands;
  operands.reserve(seen_.size());
  for (auto& [place, operand] : seen_) operands.push_back(std::move(operand));
  seen_.clear();
  return operands;
}

}  // namespace binade::run
