// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/error.h"
#include "engine/formats/tensor_stats.h"

#include <bit>
#include <cmath>
#include <limits>

// The layout, little-endian; a count is a base-128 varint (seven bits a byte, lowest first, top bit: more follows):
//   u8 version   u8 flags (bit 0: censored, 1: scan, 2: named formats, 3: steps)
//   counts: count, zero, +inf, -inf, nan, overflow, underflow
//   f32 largest   f32 smallest   f64 sum of squares   u16 first occupied binade - kFirstBinade   u16 binades   counts
//   named formats, each of kNamedFormats: zero, subnormal, overflow, each a count and, unless that is 0, f64 squares
//   steps: count of rows, each: count of steps since the last row (the first: since the lowest), count, f64 squares
// Equal statistics give equal bytes.

namespace binade::formats {

namespace {

constexpr std::uint8_t kVersion = 1;
constexpr std::uint8_t kCensored = 1;
constexpr std::uint8_t kScan = 2;
constexpr std::uint8_t kNamed = 4;
constexpr std::uint8_t kFine = 8;

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
      if (next == 0 && shift > 0) refuse("a count has a needless byte");  // each value has one encoding
      value |= static_cast<std::uint64_t>(next & 0x7f) << shift;
      if ((next & 0x80) == 0) return value;
    }
    refuse("a count is longer than 64 bits");
  }

  /// Reads a finite value that is not negative.
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

/// Writes a count and, unless it is 0, the sum of squares.
void write_share(std::uint64_t count, double squares, Writer& out) {
  out.count(count);
  if (count != 0) out.fixed(std::bit_cast<std::uint64_t>(squares));
}

void write_named(const FormatCounts& counts, Writer& out) {
  write_share(counts.zero, counts.zero_squares, out);
  write_share(counts.subnormal, counts.subnormal_squares, out);
  write_share(counts.overflow, counts.overflow_squares, out);
}

void read_share(Reader& in, std::uint64_t& count, double& squares) {
  count = in.count();
  if (count != 0) squares = in.magnitude<double, std::uint64_t>("a format's squares");
}

FormatCounts read_named(Reader& in) {
  FormatCounts counts;
  read_share(in, counts.zero, counts.zero_squares);
  read_share(in, counts.subnormal, counts.subnormal_squares);
  read_share(in, counts.overflow, counts.overflow_squares);
  return counts;
}

/// Index of a step, counted from the lowest binade's first.
std::uint64_t number_of(const FinePlace& place) {
  return static_cast<std::uint64_t>((place.binade - kFirstBinade) * kSteps + place.step);
}

void write_fine(const std::vector<FineCount>& fine, Writer& out) {
  out.count(fine.size());
  std::uint64_t next = 0;
  for (const FineCount& row : fine) {
    out.count(number_of(row.place) - next);
    write_share(row.count, row.squares, out);
    next = number_of(row.place) + 1;
  }
}

std::vector<FineCount> read_fine(Reader& in) {
  const std::uint64_t size = in.count();
  if (size == 0 || size > std::uint64_t{kBinades} * kSteps) refuse("more steps than float32 has, or none");
  std::vector<FineCount> fine;
  std::uint64_t next = 0;
  for (std::uint64_t i = 0; i < size; ++i) {
    const std::uint64_t skipped = in.count();
    if (skipped >= std::uint64_t{kBinades} * kSteps - next) refuse("steps beyond float32's");
    const auto number = static_cast<int>(next + skipped);
    FineCount row;
    row.place = {number / kSteps + kFirstBinade, number % kSteps};
    read_share(in, row.count, row.squares);
    if (row.count == 0) refuse("an empty step");
    fine.push_back(row);
    next += skipped + 1;
  }
  return fine;
}

}  // namespace

std::string pack(const TensorStats& stats) {
  std::size_t first = 0;
  std::size_t end = stats.binades.size();
  while (end > 0 && stats.binades[end - 1] == 0) --end;
  while (first < end && stats.binades[first] == 0) ++first;
  if (end == 0) first = 0;

  Writer out;
  out.fixed<std::uint8_t>(kVersion);
  out.fixed(static_cast<std::uint8_t>((stats.censored ? kCensored : 0) | (stats.scan ? kScan : 0) |
                                      (stats.named ? kNamed : 0) | (stats.fine.empty() ? 0 : kFine)));
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
  if (stats.named) {
    for (const FormatCounts& counts : *stats.named) write_named(counts, out);
  }
  if (!stats.fine.empty()) write_fine(stats.fine, out);
  return out.take();
}

TensorStats unpack(std::string_view bytes) {
  Reader in(bytes);
  TensorStats stats;
  const auto version = in.fixed<std::uint8_t>();
  if (version != kVersion) refuse("version " + std::to_string(version) + " where 1 is known");
  const auto flags = in.fixed<std::uint8_t>();
  if ((flags & ~(kCensored | kScan | kNamed | kFine)) != 0) refuse("unknown flags " + std::to_string(flags));
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
  if ((flags & kNamed) != 0) {
    for (FormatCounts& counts : stats.named.emplace()) counts = read_named(in);
  }
  if ((flags & kFine) != 0) stats.fine = read_fine(in);
  if (!in.at_end()) refuse("bytes follow after their end");
  return stats;
}

}  // namespace binade::formats
