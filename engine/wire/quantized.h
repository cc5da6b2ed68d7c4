// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/products.h"
#include "engine/scaled/block_stats.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace binade::wire {

/// Effect of quantization on one operand of a product of an op call in one step; of several executions, of all.
struct QuantizedOperand {
  int site = 0;
  policy::Product product = policy::Product::kForward;
  policy::Operand operand = policy::Operand::kInput;
  std::string format;  ///< name of the scaled format: `nvfp4+stochastic`
  int executions = 0;  ///< quantizations in this step: a weight is quantized once
  scaled::BlockStats stats;
  /// Delayed scaling: scaled::stale_doublings(), the largest of the executions. nullopt for other formats and zeros.
  std::optional<double> stale;
  friend bool operator==(const QuantizedOperand&, const QuantizedOperand&) = default;
};

/// The quantized operands of an observed step, by op call, product and operand. On several ranks, of all examples.
struct QuantizedStep {
  std::int64_t step = 0;
  std::vector<QuantizedOperand> operands;
  friend bool operator==(const QuantizedStep&, const QuantizedStep&) = default;
};

}  // namespace binade::wire
