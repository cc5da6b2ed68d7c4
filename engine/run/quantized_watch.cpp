// SPDX-License-Identifier: Apache-2.0
#include "engine/run/quantized_watch.h"

#include "engine/scaled/scaled_format.h"
#include "engine/train/training.h"

#include <algorithm>
#include <cmath>
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
  wire::QuantizedOperand& operand = seen_[{seen.site, seen.product, seen.operand, format}];
  if (operand.executions == 0) {
    operand.site = seen.site;
    operand.product = seen.product;
    operand.operand = seen.operand;
    operand.format = format;
  }
  ++operand.executions;
  operand.stats.add(seen.stats);
  if (seen.format.scaling != scaled::Scaling::kDelayed) return;
  const double stale = scaled::stale_doublings(seen.stats, seen.format.element, seen.tensor.multiply);
  if (!std::isnan(stale)) operand.stale = std::max(stale, operand.stale.value_or(stale));
}

std::vector<wire::QuantizedOperand> QuantizedWatch::finish() {
  training_.autocast.set_product_watch({});
  std::vector<wire::QuantizedOperand> operands;
  operands.reserve(seen_.size());
  for (auto& [place, operand] : seen_) operands.push_back(std::move(operand));
  seen_.clear();
  return operands;
}

}  // namespace binade::run
