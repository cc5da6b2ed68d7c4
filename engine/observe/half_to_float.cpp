// SPDX-License-Identifier: Apache-2.0
#include "engine/observe/half_to_float.h"

#include <cstring>

namespace binade::observe {

namespace {

BINADE_CLONES void widen_halves(const std::uint16_t* from, std::uint32_t* to, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) to[i] = half_bits_to_float(from[i]);
}

BINADE_CLONES void widen_bfloats(const std::uint16_t* from, std::uint32_t* to, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) to[i] = static_cast<std::uint32_t>(from[i]) << 16;
}

}  // namespace

void half_to_float(const void* values, Storage storage, std::size_t start, std::size_t count, std::uint32_t* to) {
  switch (storage) {
    case Storage::kFloat32:
      std::memcpy(to, static_cast<const std::uint32_t*>(values) + start, count * sizeof(std::uint32_t));
      break;
    case Storage::kFloat16:
      widen_halves(static_cast<const std::uint16_t*>(values) + start, to, count);
      break;
    case Storage::kBFloat16:
      widen_bfloats(static_cast<const std::uint16_t*>(values) + start, to, count);
      break;
  }
}

}  // namespace binade::observe
