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

/// Bytes in memory or of a mapped file, with whatever keeps them there. Copies share.
struct Bytes {
  std::shared_ptr<const void> owner;
  std::span<const std::uint8_t> view;

  std::size_t size() const { return view.size(); }
  /// `size` bytes from `offset`; both must lie inside.
  Bytes part(std::size_t offset, std::size_t size) const { return {owner, view.subspan(offset, size)}; }
  std::string_view text() const { return {reinterpret_cast<const char*>(view.data()), view.size()}; }
};

/// Maps a whole file (MappedFile, whose rules hold). Throws Error{kBadFile} where it is missing or no ordinary file.
Bytes map_file(const std::string& file);

/// Maps `size` bytes of a file of this process's own that is open, which may be closed afterwards; `what` begins the
/// message.
Bytes map_descriptor(int descriptor, std::size_t size, const std::string& what);

/// How many bytes a tensor takes; nothing where that does not fit in 63 bits or a size is below 0.
std::optional<std::size_t> tensor_bytes(at::IntArrayRef shape, std::size_t element_size);

/// A row-major CPU tensor over the beginning of `bytes`, which hold at least that much and live as long as it does.
/// Copied only where the bytes are not aligned for the dtype, and for bool. Writing to it changes this process's copy,
/// never a file.
at::Tensor tensor_over(const Bytes& bytes, at::ScalarType dtype, at::IntArrayRef shape);

/// The same without ever copying: the tensor may lie at an address that its dtype cannot, and a bool may be neither 0
/// nor 1. Only for take_rows().
at::Tensor raw_tensor_over(const Bytes& bytes, at::ScalarType dtype, at::IntArrayRef shape);

/// A proper tensor of the rows of these indices (int64 [n]), of any dtype. The tensor has at least one dimension, and
/// may be a view of one of raw_tensor_over().
at::Tensor take_rows(const at::Tensor& tensor, const at::Tensor& rows);

}  // namespace binade::files
