// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/scaled/block_scale.h"
#include "engine/scaled/block_stats.h"
#include "engine/scaled/hadamard.h"
#include "engine/scaled/random_bits.h"
#include "engine/scaled/strided.h"
#include "engine/scaled/tile.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace binade::scaled {

/// Values with their scales, as a device stores them, but one code a byte.
struct Codes {
  std::vector<std::uint8_t> elements;     ///< rows * columns, row by row
  std::vector<std::uint8_t> scale_codes;  ///< one a block, row of blocks by row of blocks; empty for float32 scales
  std::vector<float> scales;              ///< the restoring scale of each block, that of the tensor included
  std::int64_t block_columns = 0;         ///< blocks in a row of blocks

  /// Room for a matrix. A format with one scale for the tensor has one block.
  Codes(const ScaledFormat& format, std::int64_t rows, std::int64_t columns);
};

/// What a pass records beside its result; each is optional and costs time. Threads may share `codes`, but not `stats`.
struct Detail {
  Codes* codes = nullptr;
  BlockStats* stats = nullptr;
};

/// Quantizes matrices to a scaled format and back: each result is the value that a device would multiply, in float32 or
/// bfloat16. A block that reaches beyond the matrix is filled with zeros; the Hadamard transform leaves the last values
/// of a row as they are where they are fewer than 16. Results do not depend on how rows are divided. Vectorised as
/// formats::Rounder. A plain value; safe on any thread.
///
/// A whole matrix takes: largest(), if format().needs_largest(), over all rows; tensor_scale() of the result, or the
/// scale of a DelayedScale; then a call for all rows, or for ranges of rows on several threads.
class Quantizer {
 public:
  /// `random` is used by stochastic rounding: tensors that share a seed need different streams. `sign_seed` selects the
  /// signs of the Hadamard transform: both operands of a product need the same.
  explicit Quantizer(const ScaledFormat& format, const RandomBits& random = {}, std::uint64_t sign_seed = 0);

  const ScaledFormat& format() const { return format_; }

  /// Largest magnitude of some rows, after the transform where the format has one. NaN if one of the values is NaN.
  /// 0 for no values.
  float largest(const InputView& from, RowRange rows) const;

  /// As largest(), and writes the transformed values. `to` may be `from`. A quantizer without_transform() makes of them
  /// what this one makes of the values.
  float transform(const InputView& from, const OutputView& to, RowRange rows) const;
  /// The same format and draws, without its transform.
  Quantizer without_transform() const;

  /// Quantizes some rows. `rows.first` must be a multiple of format().block.rows, and `rows.last` too or the end.
  void operator()(const InputView& from, const OutputView& to, RowRange rows, const Scale& tensor = {},
                  const Detail& detail = {}) const;

  /// The whole matrix on the calling thread, with the tensor's scale from its own values.
  void whole(const InputView& from, const OutputView& to, const Detail& detail = {}) const;

 private:
  /// The values of a tile, transformed where the format has a transform: in the memory of the view or of the tile.
  Lines<const float> source(const InputView& view, const Tile& tile) const;

  ScaledFormat format_;
  RandomBits random_;
  std::optional<Hadamard> transform_;
};

}  // namespace binade::scaled
