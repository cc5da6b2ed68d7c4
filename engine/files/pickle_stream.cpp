// SPDX-License-Identifier: Apache-2.0
#include "engine/files/pickle_stream.h"

#include "engine/formats/error.h"

#include <bit>

namespace binade::files {

void refuse_pickle(const std::string& what, const std::string& how) {
  throw Error(ErrorCode::kBadFile, what + " cannot be read: " + how,
              "Save it again with torch.save(tensors, FILE), where tensors is a dict of names and tensors.");
}

std::string_view PickleStream::take(std::uint64_t size) {
  if (size > bytes_.size()) refuse_pickle(what_, "it is truncated");
  const std::string_view part = bytes_.substr(0, size);
  bytes_.remove_prefix(size);
  return part;
}

std::string_view PickleStream::line() {
  const std::size_t end = bytes_.find('\n');
  if (end == std::string_view::npos) refuse_pickle(what_, "it is truncated");
  const std::string_view part = take(end);
  take(1);
  return part;
}

std::uint64_t PickleStream::number(std::size_t size) {
  std::uint64_t value = 0;
  const std::string_view part = take(size);
  for (std::size_t i = size; i-- > 0;) value = value << 8 | static_cast<std::uint8_t>(part[i]);
  return value;
}

std::int64_t PickleStream::long_number() {
  const auto size = static_cast<std::size_t>(number(1));
  if (size > 8) {
    take(size);
    return 0;
  }
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

}  // namespace binade::files
