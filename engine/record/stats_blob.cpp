// SPDX-License-Identifier: Apache-2.0
#include "engine/record/stats_blob.h"

#include "engine/formats/error.h"

#include <zlib.h>

namespace binade::record {

namespace {

constexpr std::size_t kLargest = std::size_t{256} << 20;  // larger sizes in a file are treated as damage
constexpr std::size_t kHead = 8;

[[noreturn]] void refuse(const std::string& what) {
  throw Error(ErrorCode::kBadFile, "The statistics of a step are damaged: " + what,
              "The file was truncated or changed. Use a complete copy.");
}

Bytef* raw(std::string& text) {
  return reinterpret_cast<Bytef*>(text.data());
}

const Bytef* raw(std::string_view text) {
  return reinterpret_cast<const Bytef*>(text.data());
}

void put(std::string& bytes, std::uint32_t value) {
  for (int i = 0; i < 4; ++i) bytes.push_back(static_cast<char>(value >> 8 * i));
}

std::uint32_t get(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (int i = 0; i < 4; ++i) value |= std::uint32_t{static_cast<unsigned char>(bytes[at + i])} << 8 * i;
  return value;
}

}  // namespace

StatsBlob pack_observations(const std::vector<wire::Observation>& observations) {
  std::string plain;
  for (const auto& observation : observations) {
    const std::string packed = formats::pack(observation.stats);
    put(plain, static_cast<std::uint32_t>(observation.tensor));
    put(plain, static_cast<std::uint32_t>(packed.size()));
    plain += packed;
  }
  uLongf size = compressBound(plain.size());
  StatsBlob blob{plain.size(), std::string(size, '\0')};
  const int code = compress2(raw(blob.packed), &size, raw(plain), plain.size(), Z_BEST_SPEED);
  if (code != Z_OK) throw Error(ErrorCode::kInternal, std::string("zlib: ") + zError(code));
  blob.packed.resize(size);
  return blob;
}

std::vector<wire::Observation> unpack_observations(std::string_view packed, std::size_t size, std::size_t count) {
  if (size > kLargest || count > size / kHead) refuse("impossible sizes");
  std::string plain(size, '\0');
  uLongf got = size;
  uLong used = packed.size();
  const int code = uncompress2(raw(plain), &got, raw(packed), &used);
  if (code != Z_OK) refuse(zError(code));
  if (got != size || used != packed.size()) refuse("they are shorter than stated");

  std::vector<wire::Observation> observations;
  observations.reserve(count);
  for (std::size_t at = 0; at < size;) {
    if (size - at < kHead) refuse("the last tensor is truncated");
    const std::size_t length = get(plain, at + 4);
    if (length > size - at - kHead) refuse("the last tensor is truncated");
    observations.push_back(
        {static_cast<int>(get(plain, at)), formats::unpack(std::string_view(plain).substr(at + kHead, length))});
    at += kHead + length;
  }
  if (observations.size() != count) refuse("they contain a different number of tensors than stated");
  return observations;
}

}  // namespace binade::record
