// SPDX-License-Identifier: Apache-2.0
#include "engine/files/idx_file.h"

#include "engine/files/bytes.h"
#include "engine/files/scratch.h"
#include "engine/formats/error.h"
#include "engine/formats/file_refusal.h"
#include "engine/formats/input_file.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <memory>
#include <vector>

namespace binade::files {

namespace {

constexpr std::uint8_t kBytes = 0x08;
constexpr std::uint8_t kFloats = 0x0D;
constexpr std::int64_t kMostBytes = std::int64_t{1} << 36;
constexpr const char* kIdxHint = "Copy or download it again; it should be an IDX file, plain or gzip.";

struct Close {
  void operator()(gzFile_s* file) const { gzclose(file); }
};

class IdxReader {
 public:
  explicit IdxReader(const std::string& name) : name_(name) {
    check_input_file(name);
    errno = 0;
    file_.reset(gzopen(name.c_str(), "rb"));  // reads plain files too
    if (!file_) {
      const FileRefusal why = file_refusal(name, errno != 0 ? errno : ENOMEM, FileUse::kRead, kIdxHint);
      throw Error(ErrorCode::kBadData, name_ + " cannot be opened: " + why.reason, why.hint);
    }
    gzbuffer(file_.get(), 1U << 18);
  }

  [[noreturn]] void refuse(const std::string& why) const {
    throw Error(ErrorCode::kBadData, name_ + " " + why, kIdxHint);
  }

  /// Reads `size` bytes; `what` names them in the error message.
  void read(void* to, std::int64_t size, const std::string& what) {
    auto* bytes = static_cast<std::uint8_t*>(to);
    for (std::int64_t done = 0; done < size;) {
      const auto part = static_cast<unsigned>(std::min<std::int64_t>(size - done, 1 << 26));
      const int got = gzread(file_.get(), bytes + done, part);
      if (got < 0) refuse("is damaged: " + reason());
      if (got == 0) {
        refuse("is truncated: " + what + " takes " + std::to_string(size) + " bytes, but only " + std::to_string(done) +
               " are available");
      }
      done += got;
    }
  }

  bool is_plain() const { return gzdirect(file_.get()) != 0; }

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

/// Converts big-endian float32 to native byte order.
void turn(std::vector<std::uint8_t>& bytes) {
  for (std::size_t i = 0; i + 4 <= bytes.size(); i += 4) {
    const std::uint32_t value = big_endian(bytes.data() + i);
    std::memcpy(bytes.data() + i, &value, sizeof value);
  }
}

}  // namespace

at::Tensor read_idx(const std::string& file, const Progress& progress) {
  IdxReader reader(file);
  std::array<std::uint8_t, 4> magic{};
  reader.read(magic.data(), magic.size(), "its magic number");
  if (magic[0] != 0 || magic[1] != 0) reader.refuse("is not an IDX file: it does not begin with two zero bytes");
  if (magic[2] != kBytes && magic[2] != kFloats) {
    reader.refuse("has elements of IDX type " + std::to_string(magic[2]) +
                  "; supported are 8 (bytes) and 13 (float32)");
  }
  const int dimensions = magic[3];
  if (dimensions < 1 || dimensions > 4) {
    reader.refuse("has " + std::to_string(dimensions) + " dimensions; supported are 1 to 4");
  }
  std::vector<std::uint8_t> sizes(static_cast<std::size_t>(dimensions) * 4);
  reader.read(sizes.data(), static_cast<std::int64_t>(sizes.size()), "its header");
  const bool floats = magic[2] == kFloats;
  std::vector<std::int64_t> shape;
  std::int64_t bytes = floats ? 4 : 1;
  for (int i = 0; i < dimensions; ++i) {
    shape.push_back(big_endian(sizes.data() + std::ptrdiff_t{4} * i));
    if (shape.back() != 0 && bytes > kMostBytes / shape.back()) reader.refuse("states an impossible size");
    bytes *= shape.back();
  }

  const std::size_t header = magic.size() + sizes.size();
  if (!floats && reader.is_plain()) {
    const Bytes whole = map_file(file);
    if (whole.size() == header + static_cast<std::size_t>(bytes)) {
      return tensor_over(whole.part(header, static_cast<std::size_t>(bytes)), at::kByte, shape);
    }
  }  // a wrong size is reported below

  Scratch scratch(file + ", unpacked,");  // grows with the data, so that a wrong size in the header does not allocate
                                          // memory
  constexpr std::int64_t kPart = 1 << 22;
  std::vector<std::uint8_t> part;
  for (std::int64_t done = 0; done < bytes; done += kPart) {
    progress.report("Reading " + std::filesystem::path(file).filename().string(), static_cast<std::uint64_t>(done),
                    static_cast<std::uint64_t>(bytes));
    part.resize(static_cast<std::size_t>(std::min(kPart, bytes - done)));
    reader.read(part.data(), static_cast<std::int64_t>(part.size()), "the part from byte " + std::to_string(done));
    if (floats) turn(part);
    scratch.write(part.data(), part.size());
  }
  if (!reader.at_end()) reader.refuse("is longer than its header states");
  return tensor_over(scratch.finish(), floats ? at::kFloat : at::kByte, shape);
}

}  // namespace binade::files
