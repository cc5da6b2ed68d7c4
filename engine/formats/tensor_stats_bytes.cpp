// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/error.h"
#include "engine/formats/tensor_stats.h"

#include <bit>
#include <cmath>
#include <limits>

// The layout, little-endian; a count is a base-128 varint (seven bits a byte, lowest first, top bit: more follows):
//   u8 version   u8 flags (bit 0: censored, bit 1: scan)   counts: count, zero, +inf, -inf, nan, overflow, underflow
//   f32 largest   f32 smallest   f64 sum of squares   u16 first occupied binade - kFirstBinade   u16 binades   counts
// Equal statistics give equal bytes.

namespace binade::formats {

namespace {

constexpr std::uint8_t kVersion = 1;
constexpr std::uint8_t kCensored = 1;
constexpr std::uint8_t kScan = 2;

class Writer {
 public:
  template <class Integer>
  void fixed(Integer value) {
    for (std::size_t i = 0; i < sizeof(Integer); ++i) bytes_.push_back(static_cast<char>((value >> (8 * i)) & 0xff));
  }

  void count(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_.push_back(static_cast<char>((value & 0x7f) | 0x80));
    bytes_.push_back(static_cast<char>(value));
  }

  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

[[noreturn]] void refuse(const std::string& what) {
  throw Error(ErrorCode::kBadFile, "Packed tensor statistics are damaged: " + what + ".",
              "The file was cut off or changed after it was written; read it from a copy that was not.");
}

class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  template <class Integer>
  Integer fixed() {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < sizeof(Integer); ++i) value |= static_cast<std::uint64_t>(byte()) << (8 * i);
    return static_cast<Integer>(value);
  }

  std::uint64_t count() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const std::uint8_t next = byte();
      if (shift == 63 && next > 1) break;                                 // beyond 64 bits
      if (next == 0 && shift > 0) refuse("a count has a needless byte");  // one value, one pattern
      value |= static_cast<std::uint64_t>(next & 0x7f) << shift;
      if ((next & 0x80) == 0) return value;
    }
    refuse("a count is longer than 64 bits");
  }

  /// A finite value that is not negative.
  template <class Float, class Bits>
  Float magnitude(const char* what) {
    const auto value = std::bit_cast<Float>(fixed<Bits>());
    if (!std::isfinite(value) || std::signbit(value)) refuse(std::string(what) + " is not a magnitude");
    return value;
  }

  bool at_end() const { return position_ == bytes_.size(); }

 private:
  std::uint8_t byte() {
    if (at_end()) refuse("they end after " + std::to_string(bytes_.size()) + " bytes");
    return static_cast<std::uint8_t>(bytes_[position_++]);
  }

  std::string_view bytes_;
  std::size_t position_ = 0;
};

}  // namespace

std::string pack(const TensorStats& stats) {
  std::size_t first = 0;
  std::size_t end = stats.binades.size();
  while (end > 0 && stats.binades[end - 1] == 0) --end;
  while (first < end && stats.binades[first] == 0) ++first;
  if (end == 0) first = 0;

  Writer out;
  out.fixed<std::uint8_t>(kVersion);
  out.fixed(static_cast<std::uint8_t>((stats.censored ? kCensored : 0) | (stats.scan ? kScan : 0)));
  for (const std::uint64_t count : {stats.count, stats.zero, stats.positive_infinity, stats.negative_infinity,
                                    stats.nan, stats.overflow, stats.underflow}) {
    out.count(count);
  }
  out.fixed(std::bit_cast<std::uint32_t>(stats.largest));
  out.fixed(std::bit_cast<std::uint32_t>(stats.smallest));
  out.fixed(std::bit_cast<std::uint64_t>(stats.sum_of_squares));
  out.fixed(static_cast<std::uint16_t>(first));
  out.fixed(static_cast<std::uint16_t>(end - first));
  for (std::size_t i = first; i < end; ++i) out.count(stats.binades[i]);
  return out.take();
}

TensorStats unpack(std::string_view bytes) {
  Reader in(bytes);
  TensorStats stats;
  const auto version = in.fixed<std::uint8_t>();
  if (version != kVersion) refuse("version " + std::to_string(version) + " where 1 is known");
  const auto flags = in.fixed<std::uint8_t>();
  if ((flags & ~(kCensored | kScan)) != 0) refuse("unknown flags " + std::to_string(flags));
  stats.censored = (flags & kCensored) != 0;
  stats.scan = (flags & kScan) != 0;
  for (std::uint64_t* count : {&stats.count, &stats.zero, &stats.positive_infinity, &stats.negative_infinity,
                               &stats.nan, &stats.overflow, &stats.underflow}) {
    *count = in.count();
  }
  stats.largest = in.magnitude<float, std::uint32_t>("the largest value");
  stats.smallest = in.magnitude<float, std::uint32_t>("the smallest value");
  stats.sum_of_squares = in.magnitude<double, std::uint64_t>("the sum of squares");
  const std::size_t first = in.fixed<std::uint16_t>();
  const std::size_t size = in.fixed<std::uint16_t>();
  if (first + size > stats.binades.size() || (size == 0 && first != 0)) refuse("binades beyond float32's");
  for (std::size_t i = first; i < first + size; ++i) {
    const std::uint64_t count = in.count();
    if (count > std::numeric_limits<std::uint32_t>::max()) refuse("a binade's count is longer than 32 bits");
    if (count == 0 && (i == first || i + 1 == first + size)) refuse("an empty binade at an end of the range");
    stats.binades[i] = static_cast<std::uint32_t>(count);
  }
  if (!in.at_end()) refuse("bytes follow after their end");
  return stats;
}

}  // namespace binade::formats
