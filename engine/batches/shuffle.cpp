// SPDX-License-Identifier: Apache-2.0
#include "engine/batches/shuffle.h"

#include <numeric>
#include <utility>

namespace binade::batches {

namespace {

/// SplitMix64: one state step and its finaliser.
std::uint64_t split_mix(std::uint64_t& state) {
  state += 0x9E3779B97F4A7C15U;
  std::uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31);
}

}  // namespace

std::uint64_t mix(std::uint64_t seed, std::uint64_t stream, std::uint64_t index) {
  std::uint64_t state = seed;
  state = split_mix(state) ^ stream;
  state = split_mix(state) ^ index;
  return split_mix(state);
}

std::vector<std::int64_t> in_order(std::int64_t count) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  return order;
}

std::vector<std::int64_t> shuffled(std::int64_t count, std::uint64_t seed) {
  std::vector<std::int64_t> order = in_order(count);
  std::uint64_t state = seed;
  for (std::size_t left = order.size(); left > 1; --left) {
    // The remainder's bias is below count / 2^64. The standard library's distributions differ between platforms.
    std::swap(order[left - 1], order[split_mix(state) % left]);
  }
  return order;
}

}  // namespace binade::batches
