// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/autocast/product_state.h"
#include "engine/silent/evidence.h"

#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace binade::train {
struct Training;
}

namespace binade::run {

/// Statistics of the quantized operands of one step: adds up what the products of the training report. One step at a
/// time; the training must outlive it.
class QuantizedWatch {
 public:
  explicit QuantizedWatch(train::Training& training) : training_(training) {}
  ~QuantizedWatch();
  QuantizedWatch(const QuantizedWatch&) = delete;
  QuantizedWatch& operator=(const QuantizedWatch&) = delete;

  /// Limits the op calls that are observed: by site; empty: all.
  void set_filter(std::vector<bool> sites) { sites_ = std::move(sites); }

  /// Starts a step. Without `observe` nothing is measured, at no cost.
  void begin(bool observe);
  /// Ends the measurement and returns the operands seen since begin(), by op call, product and operand. Call it before
  /// a replay of the step, which quantizes the same operands again.
  std::vector<silent::QuantizedSeen> finish();

 private:
  void add(const autocast::QuantizedOperand& seen);
  /// Measures stochastic rounding, the transform or a current scale on an operand where they would help.
  void add_alternatives(const autocast::QuantizedOperand& seen, silent::QuantizedSeen& operand) const;
  scaled::BlockStats measured(const autocast::QuantizedOperand& seen, const scaled::ScaledFormat& format) const;

  using Place = std::tuple<int, policy::Product, policy::Operand, std::string>;
  train::Training& training_;
  std::vector<bool> sites_;
  std::map<Place, silent::QuantizedSeen> seen_;
};

}  // namespace binade::run
