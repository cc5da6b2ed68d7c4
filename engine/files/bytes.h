// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace binade::files {

/// Bytes in memory or in a mapped file, with shared ownership.
struct Bytes {
  std::shared_ptr<const void> owner;
  std::span<const std::uint8_t> view;

  std::size_t size() const { return view.size(); }
  /// Returns `size` bytes from `offset`, which must lie within these bytes.
  Bytes part(std::size_t offset, std::size_t size) const { return {owner, view.subspan(offset, size)}; }
  std::string_view text() const { return {reinterpret_cast<const char*>(view.data()), view.size()}; }
};

/// Maps a whole file as MappedFile does. Throws Error{kBadFile} if it is missing or not a regular file.
Bytes map_file(const std::string& file);

/// Maps `size` bytes of an open file that only this process uses. The descriptor may be closed afterwards. `what`
/// begins messages.
Bytes map_descriptor(int descriptor, std::size_t size, const std::string& what);

/// Returns the size of a tensor in bytes; nullopt if it exceeds 63 bits or a dimension is negative.
std::optional<std::size_t> tensor_bytes(at::IntArrayRef shape, std::size_t element_size);

/// Returns a row-major CPU tensor over the beginning of `bytes`, which must be long enough. The tensor shares their
/// ownership. It is a copy only for bool, and if the bytes are not aligned for the dtype. Writing to it never changes a
/// file.
at::Tensor tensor_over(const Bytes& bytes, at::ScalarType dtype, at::IntArrayRef shape);

/// As tensor_over(), but never copies: the data may be misaligned for the dtype, and a bool may be neither 0 nor 1.
/// Only for take_rows().
at::Tensor raw_tensor_over(const Bytes& bytes, at::ScalarType dtype, at::IntArrayRef shape);

/// Returns an aligned copy of the rows with these indices (int64 [n]). `tensor` has any dtype and at least one
/// dimension, and may be a view of a result of raw_tensor_over().
at::Tensor take_rows(const at::Tensor& tensor, const at::Tensor& rows);

}  // namespace binade::files
