// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace binade::lessons {

/// Numbers drawn from a seed, equal on every machine: SplitMix64, and no function of the C library.
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : state_(seed) {}

  /// Uniform in [0, 1).
  double uniform() {
    state_ += 0x9e3779b97f4a7c15u;
    std::uint64_t mixed = state_;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
    mixed ^= mixed >> 31;
    return static_cast<double>(mixed >> 11) * 0x1p-53;
  }

  /// Near to normal, with mean 0 and standard deviation 1: the sum of twelve uniform numbers.
  double normal() {
    double sum = -6;
    for (int i = 0; i < 12; ++i) sum += uniform();
    return sum;
  }

 private:
  std::uint64_t state_;
};

}  // namespace binade::lessons
