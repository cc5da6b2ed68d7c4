// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/scaled/block_scale.h"
#include "engine/scaled/element_rounding.h"
#include "engine/scaled/random_bits.h"
#include "engine/scaled/tile.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace binade::scaled {

/// Most lanes of a tile.
inline constexpr std::size_t kMaxLanes = 1024;

/// Scales of a tile. A block is a segment of neighbouring lanes in all lines of the tile; lanes without segments have a
/// scale each.
struct TileScales {
  alignas(64) std::array<float, kMaxLanes> segment_multiply;
  alignas(64) std::array<float, kMaxLanes> segment_restore;
  alignas(64) std::array<std::uint32_t, kMaxLanes> largest;  ///< of each segment, as float32 patterns
  // What a record needs beside, made by describe_scales().
  alignas(64) std::array<float, kMaxLanes> multiply;      ///< of each lane
  alignas(64) std::array<float, kMaxLanes> restore;       ///< of each lane
  alignas(64) std::array<std::uint8_t, kMaxLanes> codes;  ///< of each segment
};

/// Gives every lane the same scale.
void set_scales(const Scale& scale, std::size_t lanes, TileScales& scales);

/// Computes the scales of a tile's segments of `segment` lanes from its values, by block_scale(). `tile.stride` is a
/// multiple of `segment`.
void find_scales(const ScaledFormat& format, const Lines<const float>& from, const Tile& tile, std::size_t segment,
                 const Scale& tensor, TileScales& scales);

/// Completes the scales that find_scales() made with those of each lane and the codes.
void describe_scales(const ScaledFormat& format, const Tile& tile, std::size_t segment, const Scale& tensor,
                     TileScales& scales);

/// Draws of a tile: lane i of line l has the index first + l * line_step + i * lane_step.
struct TileDraws {
  RandomBits::Keys keys;
  std::uint32_t first = 0;
  std::uint32_t line_step = 0;
  std::uint32_t lane_step = 0;
};

/// Quantizes the values of a tile and restores them, to nearest even. `to` may be `from`. `segment` is that of
/// find_scales(), 1 after set_scales().
void quantize_nearest(const Lines<const float>& from, const Lines<float>& to, const Tile& tile,
                      const ElementRounding& rounding, std::size_t segment, const TileScales& scales);

/// As quantize_nearest(), stochastically.
void quantize_stochastic(const Lines<const float>& from, const Lines<float>& to, const Tile& tile,
                         const ElementRounding& rounding, std::size_t segment, const TileScales& scales,
                         const TileDraws& draws);

}  // namespace binade::scaled
