// SPDX-License-Identifier: Apache-2.0
#include "engine/zip/unpack.h"

#include <zlib.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>

namespace binade::zip {

bool inflate_into(std::span<const std::uint8_t> packed, std::span<std::uint8_t> out) {
  constexpr std::size_t kMostBytesAtOnce = std::size_t{1} << 30;  // zlib counts in 32 bits
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) throw std::bad_alloc();
  const std::unique_ptr<z_stream, int (*)(z_stream*)> end(&stream, inflateEnd);
  std::size_t in = 0;
  std::size_t made = 0;
  std::uint8_t beyond = 0;  // receives a byte beyond `out`, to detect that there are more
  int result = Z_OK;
  while (result == Z_OK) {
    const bool full = made == out.size();
    stream.next_in = const_cast<Bytef*>(packed.data() + in);
    stream.avail_in = static_cast<uInt>(std::min(kMostBytesAtOnce, packed.size() - in));
    stream.next_out = full ? &beyond : out.data() + made;
    stream.avail_out = full ? 1 : static_cast<uInt>(std::min(kMostBytesAtOnce, out.size() - made));
    const uInt in_before = stream.avail_in;
    const uInt out_before = stream.avail_out;
    result = inflate(&stream, Z_NO_FLUSH);
    in += in_before - stream.avail_in;
    if (full && stream.avail_out == 0) return false;
    if (!full) made += out_before - stream.avail_out;
  }
  return result == Z_STREAM_END && made == out.size();
}

std::uint32_t checksum(std::span<const std::uint8_t> bytes, std::uint32_t before) {
  return static_cast<std::uint32_t>(crc32_z(before, bytes.data(), bytes.size()));
}

}  // namespace binade::zip
