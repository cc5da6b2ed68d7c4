// SPDX-License-Identifier: Apache-2.0
#include "engine/files/bytes.h"

#include "engine/files/mapped_file.h"
#include "engine/formats/error.h"

#include <sys/mman.h>

#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

namespace binade::files {

namespace {

bool is_aligned(const at::Tensor& tensor) {
  return reinterpret_cast<std::uintptr_t>(tensor.const_data_ptr()) % tensor.element_size() == 0;
}

}  // namespace

Bytes map_file(const std::string& file) {
  auto mapped = std::make_shared<const MappedFile>(file);
  const auto view = mapped->bytes();
  return {std::move(mapped), view};
}

Bytes map_descriptor(int descriptor, std::size_t size, const std::string& what) {
  if (size == 0) return {};
  // Private and writable, so that an in-place operator on such a tensor does not end the process.
  void* const at = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE, descriptor, 0);
  if (at == MAP_FAILED) {
    throw Error(ErrorCode::kBadFile, what + " cannot be read: " + std::strerror(errno), "Free some memory.");
  }
  std::shared_ptr<const void> owner(at, [at, size](const void*) { ::munmap(at, size); });
  return {std::move(owner), {static_cast<const std::uint8_t*>(at), size}};
}

std::optional<std::size_t> tensor_bytes(at::IntArrayRef shape, std::size_t element_size) {
  auto bytes = static_cast<std::int64_t>(element_size);
  bool empty = false;
  for (const std::int64_t size : shape) {
    if (size < 0) return std::nullopt;
    if (size == 0) {
      empty = true;
    } else if (__builtin_mul_overflow(bytes, size, &bytes)) {
      return std::nullopt;
    }
  }
  return empty ? 0 : static_cast<std::size_t>(bytes);
}

at::Tensor tensor_over(const Bytes& bytes, at::ScalarType dtype, at::IntArrayRef shape) {
  if (dtype == at::kBool) {  // a byte that is neither 0 nor 1 is no bool in C++
    return raw_tensor_over(bytes, at::kByte, shape).ne(0);
  }
  at::Tensor tensor = raw_tensor_over(bytes, dtype, shape);
  if (is_aligned(tensor)) return tensor;
  at::Tensor copy = at::empty(shape, at::TensorOptions().dtype(dtype));
  std::memcpy(copy.mutable_data_ptr(), bytes.view.data(), copy.nbytes());
  return copy;
}

at::Tensor raw_tensor_over(const Bytes& bytes, at::ScalarType dtype, at::IntArrayRef shape) {
  const auto options = at::TensorOptions().dtype(dtype);
  if (*tensor_bytes(shape, c10::elementSize(dtype)) == 0) return at::empty(shape, options);
  auto* const data = const_cast<std::uint8_t*>(bytes.view.data());
  return at::from_blob(
      data, shape, [owner = bytes.owner](void*) {}, options);
}

at::Tensor take_rows(const at::Tensor& tensor, const at::Tensor& rows) {
  // Not every dtype has an index_select, so the bits are taken as integers.
  constexpr std::array<at::ScalarType, 9> kBits{at::kByte, at::kByte, at::kShort, at::kByte, at::kInt,
                                                at::kByte, at::kByte, at::kByte,  at::kLong};
  const at::ScalarType dtype = tensor.scalar_type();
  const std::size_t size = tensor.element_size();
  if (dtype == at::kBool) return tensor.view(at::kByte).index_select(0, rows).ne(0);
  if (!is_aligned(tensor)) {
    return tensor.unsqueeze(-1).view(at::kByte).index_select(0, rows).view(dtype).squeeze(-1);
  }
  if (size >= kBits.size()) return tensor.index_select(0, rows);  // complex128
  return tensor.view(kBits[size]).index_select(0, rows).view(dtype);
}

}  // namespace binade::files
