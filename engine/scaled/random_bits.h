// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace binade::scaled {

/// A counter-based random generator for stochastic rounding. The draw of an element depends on the seed, the stream and
/// the element's index only: neither on the order of calls nor on threads. A resumed or replayed training repeats its
/// draws as long as it uses the same seeds and streams; the caller derives a stream from step, op call, operand. A
/// plain value; safe on any thread.
class RandomBits {
 public:
  RandomBits() : RandomBits(0, 0) {}
  RandomBits(std::uint64_t seed, std::uint64_t stream);

  /// 32 uniform bits for an element. Tensors of more than 2^32 elements repeat draws.
  std::uint32_t at(std::uint32_t index) const { return mix(index, keys_); }

  /// Keys of the hash, derived from seed and stream.
  struct Keys {
    std::uint32_t first = 0;
    std::uint32_t second = 0;
    friend bool operator==(const Keys&, const Keys&) = default;
  };
  const Keys& keys() const { return keys_; }

  /// The hash, without branches so that a loop around it vectorises: a bijection of 32 bits for each pair of keys. The
  /// multipliers are those of Wellons' hash-prospector (public domain); the second key stands between the rounds, so
  /// that streams are no shifted copies of each other.
  static constexpr std::uint32_t mix(std::uint32_t index, const Keys& keys) {
    std::uint32_t x = index * 0x9e3779b1u + keys.first;
    x = (x ^ (x >> 16)) * 0x21f0aaadu;
    x = (x ^ (x >> 15)) + keys.second;
    x = (x ^ (x >> 16)) * 0xd35a2d97u;
    return x ^ (x >> 15);
  }

 private:
  Keys keys_;
};

}  // namespace binade::scaled
