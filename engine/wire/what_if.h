// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/products.h"
#include "engine/scaled/block_stats.h"

#include <cstdint>
#include <string>
#include <vector>

namespace binade::wire {

/// A question about one operand of an op call's products, in the next step.
struct AskWhatIf {
  int site = 0;
  policy::Product product = policy::Product::kForward;
  policy::Operand operand = policy::Operand::kInput;
  std::string format;  ///< scaled format whose blocks are wanted; empty: the operand's own, or mxfp8
  friend bool operator==(const AskWhatIf&, const AskWhatIf&) = default;
};

/// What a format does to all values of the operand.
struct FormatEffect {
  std::string format;
  scaled::BlockStats stats;
  friend bool operator==(const FormatEffect&, const FormatEffect&) = default;
};

/// One block, row by row. For a format with one scale for the tensor: up to 32 values along the contracted dimension.
struct QuantizedBlock {
  std::int64_t row = 0;     ///< of its first value in the operand as a matrix; matrices of one tensor follow each other
  std::int64_t column = 0;  ///< along the contracted dimension
  int rows = 1;             ///< neighbouring rows that share the scale
  double scale = 1;         ///< value of an element of 1 in this block
  double snr_db = 0;        ///< signal to noise; infinite without noise
  std::vector<float> values;     ///< as they come
  std::vector<float> quantized;  ///< as they are multiplied
  friend bool operator==(const QuantizedBlock&, const QuantizedBlock&) = default;
};

/// Scaled formats measured on the values of one operand, in its first execution in `step`. The operand itself was
/// quantized anew for each format; nothing is derived from a histogram.
struct WhatIf {
  /// Blocks that an answer contains at most.
  static constexpr int kMostBlocks = 64;
  /// Values of all blocks together, except that one block is whole.
  static constexpr int kMostValues = 1 << 14;

  std::int64_t step = 0;
  int site = 0;
  policy::Product product = policy::Product::kForward;
  policy::Operand operand = policy::Operand::kInput;
  std::string present;  ///< the operand's own scaled format under the policy; empty: an ordinary one
  /// `present` first, then the other formats that the operand can have, without delayed scaling.
  std::vector<FormatEffect> effects;
  std::string format;                  ///< of `blocks`
  std::vector<QuantizedBlock> blocks;  ///< the lowest signal to noise first, without blocks of zeros
  friend bool operator==(const WhatIf&, const WhatIf&) = default;
};

}  // namespace binade::wire
