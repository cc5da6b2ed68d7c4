// SPDX-License-Identifier: Apache-2.0
#include "engine/graph/pickle_machine.h"

#include "engine/formats/error.h"

#include <bit>

namespace binade::graph {

void PickleStream::damaged(const std::string& how) const {
  throw Error(ErrorCode::kBadFile, texts_.what + " cannot be read: " + how, std::string(texts_.hint));
}

std::string_view PickleStream::take(std::uint64_t size) {
  if (size > bytes_.size()) damaged(std::string(texts_.truncated));
  const std::string_view taken = bytes_.substr(0, size);
  bytes_.remove_prefix(size);
  return taken;
}

std::string_view PickleStream::line() {
  const std::size_t end = bytes_.find('\n');
  if (end == std::string_view::npos) damaged(std::string(texts_.truncated));
  const std::string_view taken = take(end);
  take(1);
  return taken;
}

std::uint64_t PickleStream::number(std::size_t size) {
  const std::string_view taken = take(size);
  std::uint64_t value = 0;
  for (std::size_t i = size; i-- > 0;) value = value << 8 | static_cast<std::uint8_t>(taken[i]);
  return value;
}

std::int64_t PickleStream::signed_number(std::size_t size) {
  if (size == 0) return 0;
  const std::uint64_t bits = number(size);
  const auto unused = static_cast<unsigned>(64 - 8 * size);
  return static_cast<std::int64_t>(bits << unused) >> unused;
}

double PickleStream::big_endian_double() {
  std::uint64_t bits = 0;
  for (const char each : take(8)) bits = bits << 8 | static_cast<std::uint8_t>(each);
  return std::bit_cast<double>(bits);
}

}  // namespace binade::graph
