// SPDX-License-Identifier: Apache-2.0
#include "engine/graph/model_archive.h"

#include "engine/confine/file_broker.h"
#include "engine/formats/error.h"
#include "engine/formats/file_refusal.h"
#include "engine/formats/sha256.h"
#include "engine/zip/unpack.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <c10/core/CPUAllocator.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>

namespace binade::graph {

namespace {

// Today's models have some thousand records. Their tensors are stored uncompressed, and code compresses to a twentieth.
constexpr std::size_t kMostRecords = 200'000;
constexpr std::uint64_t kMostRatio = 100;
constexpr std::uint64_t kAlwaysAllowed = std::uint64_t{64} << 20;
constexpr std::uint64_t kMostText = std::uint64_t{512} << 20;

std::string number(std::uint64_t value) {
  return std::to_string(value);
}

}  // namespace

ModelArchive::ModelArchive(const std::string& file)
    : file_(file),
      descriptor_(new int(confine::open_file(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)), [](const int* each) {
        if (*each >= 0) ::close(*each);
        delete each;
      }) {
  struct stat status {};
  if (*descriptor_ < 0 || ::fstat(*descriptor_, &status) != 0) {
    const FileRefusal why = file_refusal(file_, errno, FileUse::kRead, "Check its permissions.");
    throw Error(ErrorCode::kBadFile, file_ + " cannot be read: " + why.reason, why.hint);
  }
  const auto size = static_cast<std::uint64_t>(status.st_size);
  file_size_ = size;
  directory_ = zip::read_directory(file_, size, reader());
  check_limits(size);
  constexpr std::string_view kConstants = "/constants.pkl";
  for (const auto& [name, entry] : directory_.entries) {
    if (name.ends_with(kConstants) && name.find('/') == name.size() - kConstants.size()) {
      folder_ = name.substr(0, name.size() - kConstants.size() + 1);
      break;
    }
  }
  for (const auto& [name, entry] : directory_.entries) {
    if (!name.starts_with(folder_)) refuse("is damaged: it holds " + name + " outside of its folder " + folder_);
  }
}

std::string ModelArchive::whole() const {
  std::string bytes(static_cast<std::size_t>(file_size_), '\0');
  reader()(0, {reinterpret_cast<std::uint8_t*>(bytes.data()), bytes.size()});
  return bytes;
}

std::string ModelArchive::sha256() const {
  formats::Sha256 hash;
  std::vector<std::uint8_t> bytes(std::size_t{1} << 20);
  for (std::uint64_t at = 0; at < file_size_; at += bytes.size()) {
    bytes.resize(static_cast<std::size_t>(std::min<std::uint64_t>(bytes.size(), file_size_ - at)));
    reader()(at, bytes);
    hash.add(bytes);
  }
  return hash.finish();
}

zip::ReadAt ModelArchive::reader() const {
  return [this](std::uint64_t offset, std::span<std::uint8_t> into) {
    while (!into.empty()) {
      const ssize_t got = ::pread(*descriptor_, into.data(), into.size(), static_cast<off_t>(offset));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) refuse(std::string("cannot be read: ") + std::strerror(errno));
      if (got == 0) refuse("became shorter while it was read");
      offset += static_cast<std::uint64_t>(got);
      into = into.subspan(static_cast<std::size_t>(got));
    }
  };
}

void ModelArchive::check_limits(std::uint64_t size) const {
  if (directory_.entries.size() > kMostRecords) {
    zip::refuse(file_,
                "is refused: it has " + number(directory_.entries.size()) + " records, and " + number(kMostRecords) +
                    " are the most that are read",
                "Use fewer parameters, buffers and constants, and save it again.");
  }
  std::uint64_t unpacked = 0;
  for (const auto& [name, entry] : directory_.entries) {
    if (entry.method == zip::kStored) continue;
    if (__builtin_add_overflow(unpacked, entry.unpacked, &unpacked) ||
        (unpacked > kAlwaysAllowed && unpacked / kMostRatio > size)) {
      zip::refuse(file_,
                  "is refused: its " + number(size) + " bytes would unpack to more than " + number(kMostRatio) +
                      " times as many, by " + name,
                  "If you trust it, load it in PyTorch and save it again: torch.jit.save does not pack.");
    }
  }
}

void ModelArchive::refuse(const std::string& why) const {
  zip::refuse(file_, why);
}

bool ModelArchive::holds_anywhere(std::string_view ending) const {
  for (const auto& [name, entry] : directory_.entries) {
    if (name.ends_with(ending)) return true;
  }
  return false;
}

std::string ModelArchive::pickle_anywhere() const {
  for (const auto& [name, entry] : directory_.entries) {
    if (name.ends_with("data.pkl") && name.starts_with(folder_)) return text(name.substr(folder_.size()));
  }
  return {};
}

bool ModelArchive::has(const std::string& record) const {
  return directory_.entries.contains(folder_ + record);
}

std::vector<std::string> ModelArchive::records() const {
  std::vector<std::string> all;
  for (const auto& [name, entry] : directory_.entries) {
    if (name.starts_with(folder_)) all.push_back(name.substr(folder_.size()));
  }
  return all;
}

const zip::Entry& ModelArchive::entry(const std::string& record) const {
  const auto found = directory_.entries.find(folder_ + record);
  if (found == directory_.entries.end()) refuse("is damaged: it does not hold " + record);
  return found->second;
}

std::uint64_t ModelArchive::size(const std::string& record) const {
  return entry(record).unpacked;
}

void ModelArchive::read_into(const std::string& record, std::span<std::uint8_t> into) const {
  const zip::Entry& which = entry(record);
  const std::uint64_t at = zip::data_offset(file_, folder_ + record, which, reader());
  if (which.method == zip::kStored) {
    reader()(at, into);
  } else {
    std::vector<std::uint8_t> packed(which.packed);
    reader()(at, packed);
    if (!zip::inflate_into(packed, into)) refuse("is damaged in " + record + ": it cannot be unpacked");
  }
  if (directory_.checksums && zip::checksum(into) != which.crc) {
    refuse("is damaged: " + record + " does not match its checksum");
  }
  checked_.insert(record);
}

void ModelArchive::check(const std::string& record) const {
  const zip::Entry& which = entry(record);
  if (checked_.contains(record)) return;
  if (which.method != zip::kStored) {
    text(record);
    return;
  }
  std::vector<std::uint8_t> part(std::size_t{1} << 20);
  std::uint64_t at = zip::data_offset(file_, folder_ + record, which, reader());
  std::uint32_t crc = 0;
  for (std::uint64_t left = which.packed; left > 0;) {
    const std::span<std::uint8_t> here(part.data(), std::min<std::uint64_t>(left, part.size()));
    reader()(at, here);
    crc = zip::checksum(here, crc);
    at += here.size();
    left -= here.size();
  }
  if (directory_.checksums && crc != which.crc) refuse("is damaged: " + record + " does not match its checksum");
}

std::string ModelArchive::text(const std::string& record) const {
  if (size(record) > kMostText) {
    refuse("is refused: " + record + " has " + number(size(record)) + " bytes, and " + number(kMostText) +
           " are the most that are read");
  }
  std::string text(size(record), '\0');
  read_into(record, {reinterpret_cast<std::uint8_t*>(text.data()), text.size()});
  return text;
}

c10::DataPtr ModelArchive::bytes(const std::string& record) const {
  const std::uint64_t size = entry(record).unpacked;
  c10::DataPtr bytes = c10::GetCPUAllocator()->allocate(size);
  read_into(record, {static_cast<std::uint8_t*>(bytes.get()), size});
  return bytes;
}

}  // namespace binade::graph
