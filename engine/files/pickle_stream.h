// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace binade::files {

/// Throws Error{kBadFile}: `what`, a file, cannot be read, and `how` is why.
[[noreturn]] void refuse_pickle(const std::string& what, const std::string& how);

/// The bytes of a pickle, taken from its front. Every function throws as refuse_pickle() where it has too few. `what`
/// is the file they are of; it outlives the stream, as the bytes do.
class PickleStream {
 public:
  PickleStream(std::string_view bytes, const std::string& what) : bytes_(bytes), what_(what) {}

  std::string_view take(std::uint64_t size);
  /// Up to the next line's end, which it takes too.
  std::string_view line();
  /// Little-endian, of 1 to 8 bytes.
  std::uint64_t number(std::size_t size);
  /// Of any length, which comes first. Python's seeds and versions fit in 64 bits; a longer one, of no use here, is 0.
  std::int64_t long_number();
  double big_endian_double();

 private:
  std::string_view bytes_;
  const std::string& what_;
};

}  // namespace binade::files
