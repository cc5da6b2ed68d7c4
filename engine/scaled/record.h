// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/scaled/quantize_kernel.h"
#include "engine/scaled/quantizer.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace binade::scaled {

/// Place of a view in the codes of its matrix: a contiguous matrix is quantized as a single row.
struct CodePlace {
  std::int64_t columns = 0;  ///< of the view
  std::int64_t element = 0;  ///< code of element (0, 0) of the view
  std::int64_t block_columns = 0;
  std::int64_t block = 0;  ///< of element (0, 0) of the view
};

/// Records codes and statistics of a tile. `original` are the values before quantization (after the transform),
/// `elements` those rounded to elements, each laid out as the tile. `segment` is that of find_scales(); 0 if the tensor
/// has one scale.
void record(const ScaledFormat& format, const Tile& tile, const std::vector<float>& original,
            const std::vector<float>& elements, std::size_t segment, const TileScales& scales, const CodePlace& place,
            const Detail& detail);

}  // namespace binade::scaled
