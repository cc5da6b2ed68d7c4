// SPDX-License-Identifier: Apache-2.0
#include "engine/scaled/random_bits.h"

namespace binade::scaled {

namespace {

/// The finalizer of splitmix64 (Steele, Lea, Flood 2014).
std::uint64_t scramble(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

}  // namespace

RandomBits::RandomBits(std::uint64_t seed, std::uint64_t stream) {
  constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15u;
  const std::uint64_t key = scramble(scramble(seed + kGolden) + (stream + 1) * kGolden);
  keys_ = {static_cast<std::uint32_t>(key), static_cast<std::uint32_t>(key >> 32)};
}

}  // namespace binade::scaled
