// SPDX-License-Identifier: Apache-2.0
#include "engine/files/scratch.h"

#include "engine/files/write_all.h"
#include "engine/formats/cache_folders.h"
#include "engine/formats/error.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

namespace binade::files {

namespace {

namespace fs = std::filesystem;

/// Where files may lie for a while. Not the temporary folder first: on many systems that is memory.
std::vector<fs::path> folders() {
  std::vector<fs::path> all = cache_folders();
  std::error_code none;
  const fs::path temporary = fs::temp_directory_path(none);
  if (!none) all.push_back(temporary);
  return all;
}

/// A file without a name in `folder`; -1 where there can be none.
int nameless_file(const fs::path& folder) {
  std::error_code ignored;
  fs::create_directories(folder, ignored);
  const int descriptor = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (descriptor >= 0) return descriptor;
  std::string name = (folder / "binade-XXXXXX").string();  // not every file system has them without a name
  const int named = ::mkostemp(name.data(), O_CLOEXEC);
  if (named >= 0) ::unlink(name.c_str());
  return named;
}

std::string in_megabytes(std::uint64_t bytes) {
  return std::to_string((bytes + 999'999) / 1'000'000) + " MB";
}

}  // namespace

Scratch::Scratch(std::string what) : what_(std::move(what)), memory_(std::make_shared<std::vector<std::uint8_t>>()) {}

Scratch::~Scratch() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void Scratch::failed() const {
  const int reason = errno;
  const std::uint64_t wanted = std::max(expected_, size_);
  throw Error(ErrorCode::kBadFile,
              what_ + " takes " + (expected_ == 0 ? "more than " : "") + in_megabytes(wanted) + " in " + folder_ +
                  ", which cannot be written: " + std::strerror(reason),
              "Free some space there, or set XDG_CACHE_HOME to a folder on a larger disk.");
}

void Scratch::open_file() {
  for (const fs::path& folder : folders()) {
    folder_ = folder.string();
    descriptor_ = nameless_file(folder);
    if (descriptor_ >= 0) return;
  }
  failed();
}

void Scratch::expect(std::uint64_t size) {
  expected_ = size;
  if (size <= kMostInMemory) return memory_->reserve(size);
  open_file();
  // Where a file system cannot reserve, a full disk shows later.
  if (::fallocate(descriptor_, 0, 0, static_cast<off_t>(size)) == 0) return;
  if (errno == ENOSPC || errno == EDQUOT) failed();
}

void Scratch::write(const void* data, std::size_t size) {
  if (size == 0) return;
  if (descriptor_ < 0 && size_ + size > kMostInMemory) {
    open_file();
    const auto held = std::exchange(memory_, std::make_shared<std::vector<std::uint8_t>>());
    size_ = 0;
    to_file(held->data(), held->size());
  }
  if (descriptor_ >= 0) return to_file(data, size);
  const auto* const bytes = static_cast<const std::uint8_t*>(data);
  memory_->insert(memory_->end(), bytes, bytes + size);
  size_ += size;
}

void Scratch::to_file(const void* data, std::size_t size) {
  const std::size_t written = write_all(descriptor_, data, size);
  size_ += written;
  if (written < size) failed();
}

Bytes Scratch::finish() {
  if (descriptor_ >= 0) return map_descriptor(descriptor_, size_, what_);
  return {memory_, {memory_->data(), memory_->size()}};
}

}  // namespace binade::files
