// SPDX-License-Identifier: Apache-2.0
#include "engine/train/data/bytes.h"

#include "engine/formats/error.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>

#include <cerrno>
#include <cstring>
#include <limits>

namespace binade::train {

namespace {

[[noreturn]] void refuse(const std::string& file, const std::string& why) {
  throw Error(ErrorCode::kBadFile, file + " " + why, "Check the path; a relative one counts from the run's folder.");
}

}  // namespace

Bytes map_file(const std::string& file) {
  const auto failed = [&] { refuse(file, std::string("cannot be read: ") + std::strerror(errno)); };
  // Without O_NONBLOCK a named pipe would wait for a writer.
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) failed();
  const std::shared_ptr<void> close(nullptr, [descriptor](void*) { ::close(descriptor); });
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) failed();
  if (!S_ISREG(status.st_mode)) refuse(file, "is no ordinary file");
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size == 0) return {};
  // Private and writable, so that an in-place operator on such a tensor does not end the process.
  void* const at = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE, descriptor, 0);
  if (at == MAP_FAILED) failed();
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
  const auto options = at::TensorOptions().dtype(dtype);
  const std::size_t size = *tensor_bytes(shape, c10::elementSize(dtype));
  if (size == 0) return at::empty(shape, options);
  auto* const data = const_cast<std::uint8_t*>(bytes.view.data());
  if (dtype == at::kBool) {  // a byte that is neither 0 nor 1 is no bool in C++
    return at::from_blob(data, shape, options.dtype(at::kByte)).ne(0);
  }
  if (reinterpret_cast<std::uintptr_t>(data) % c10::elementSize(dtype) != 0) {
    at::Tensor copy = at::empty(shape, options);
    std::memcpy(copy.mutable_data_ptr(), data, size);
    return copy;
  }
  return at::from_blob(
      data, shape, [owner = bytes.owner](void*) {}, options);
}

}  // namespace binade::train
