// SPDX-License-Identifier: Apache-2.0
#include "engine/train/idx_file.h"

#include "engine/formats/error.h"

#include <zlib.h>

#include <ATen/ops/empty.h>

#include <array>
#include <bit>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

namespace binade::train {

namespace {

constexpr std::uint8_t kBytes = 0x08;
constexpr std::uint8_t kFloats = 0x0D;
constexpr std::int64_t kMostBytes = std::int64_t{1} << 36;
constexpr const char* kHint = "Copy or download it again; it should be an IDX file, plain or gzip.";

struct Close {
  void operator()(gzFile_s* file) const { gzclose(file); }
};

class Reader {
 public:
  explicit Reader(const std::string& name) : name_(name) {
    errno = 0;
    file_.reset(gzopen(name.c_str(), "rb"));  // reads plain files too
    if (!file_) refuse(std::string("cannot be opened: ") + std::strerror(errno != 0 ? errno : ENOMEM));
    gzbuffer(file_.get(), 1U << 18);
  }

  [[noreturn]] void refuse(const std::string& why) const { throw Error(ErrorCode::kBadData, name_ + " " + why, kHint); }

  /// Fills `size` bytes; `what` names them where they are missing.
  void read(void* to, std::int64_t size, const std::string& what) {
    auto* bytes = static_cast<std::uint8_t*>(to);
    for (std::int64_t done = 0; done < size;) {
      const auto part = static_cast<unsigned>(std::min<std::int64_t>(size - done, 1 << 26));
      const int got = gzread(file_.get(), bytes + done, part);
      if (got < 0) refuse("is damaged: " + reason());
      if (got == 0) {
        refuse("is truncated: " + what + " takes " + std::to_string(size) + " bytes, but only " + std::to_string(done) +
               " are there");
      }
      done += got;
    }
  }

  bool at_end() {
    std::uint8_t byte = 0;
    const int got = gzread(file_.get(), &byte, 1);
    if (got < 0) refuse("is damaged: " + reason());
    return got == 0;
  }

 private:
  std::string reason() const {
    int code = 0;
    return gzerror(file_.get(), &code);
  }

  std::string name_;
  std::unique_ptr<gzFile_s, Close> file_;
};

std::uint32_t big_endian(const std::uint8_t* bytes) {
  return std::uint32_t{bytes[0]} << 24 | std::uint32_t{bytes[1]} << 16 | std::uint32_t{bytes[2]} << 8 | bytes[3];
}

}  // namespace

at::Tensor read_idx(const std::string& file) {
  Reader reader(file);
  std::array<std::uint8_t, 4> magic{};
  reader.read(magic.data(), magic.size(), "its magic number");
  if (magic[0] != 0 || magic[1] != 0) reader.refuse("is no IDX file: it does not begin with two zero bytes");
  if (magic[2] != kBytes && magic[2] != kFloats) {
    reader.refuse("holds elements of IDX type " + std::to_string(magic[2]) + "; 8 (bytes) and 13 (float32) are read");
  }
  const int dimensions = magic[3];
  if (dimensions < 1 || dimensions > 4) {
    reader.refuse("has " + std::to_string(dimensions) + " dimensions; 1 to 4 are read");
  }
  std::vector<std::uint8_t> sizes(static_cast<std::size_t>(dimensions) * 4);
  reader.read(sizes.data(), static_cast<std::int64_t>(sizes.size()), "its header");
  const bool floats = magic[2] == kFloats;
  std::vector<std::int64_t> shape;
  std::int64_t bytes = floats ? 4 : 1;
  for (int i = 0; i < dimensions; ++i) {
    shape.push_back(big_endian(sizes.data() + 4 * i));
    if (shape.back() != 0 && bytes > kMostBytes / shape.back()) reader.refuse("claims an impossible size");
    bytes *= shape.back();
  }

  // Read in parts that grow: a header that lies about the size must not allocate it.
  std::vector<std::uint8_t> data;
  constexpr std::int64_t kPart = 1 << 24;
  for (std::int64_t done = 0; done < bytes; done += kPart) {
    const std::int64_t part = std::min(kPart, bytes - done);
    data.resize(static_cast<std::size_t>(done + part));
    reader.read(data.data() + done, part, "the part from byte " + std::to_string(done));
  }
  if (!reader.at_end()) reader.refuse("is longer than its header says");

  at::Tensor tensor = at::empty(shape, floats ? at::kFloat : at::kByte);
  if (floats) {
    auto* to = tensor.mutable_data_ptr<float>();
    for (std::int64_t i = 0; i < tensor.numel(); ++i) to[i] = std::bit_cast<float>(big_endian(data.data() + 4 * i));
  } else if (!data.empty()) {
    std::memcpy(tensor.mutable_data_ptr(), data.data(), data.size());
  }
  return tensor;
}

}  // namespace binade::train
