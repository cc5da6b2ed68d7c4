// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/zip/directory.h"

#include <c10/core/Allocator.h>

#include <cstdint>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace binade::graph {

/// Records of an archive that torch.jit.save wrote, each verified against its checksum when read. The file is read and
/// not mapped, so that truncation meanwhile causes an error and no signal. Not thread-safe.
class ModelArchive {
 public:
  /// Opens the file and reads its directory. Throws Error{kBadFile} if that fails (see zip::read_directory), if the
  /// file unpacks to far more bytes than it has, or if it has too many records.
  explicit ModelArchive(const std::string& file);

  const std::string& file() const { return file_; }
  /// Whether some record's full name, in any folder, ends in `ending`.
  bool holds_anywhere(std::string_view ending) const;
  /// Content of the first `data.pkl` in any folder; empty if there is none.
  std::string pickle_anywhere() const;

  /// Names below exclude the archive's folder: `data.pkl`, `code/__torch__.py`.
  bool has(const std::string& record) const;
  std::vector<std::string> records() const;

  /// Content of a record. Throws Error{kBadFile} naming file and record if it is absent or damaged.
  std::string text(const std::string& record) const;
  /// The same in memory of LibTorch's CPU allocator, for tensors.
  c10::DataPtr bytes(const std::string& record) const;
  /// Verifies a record's checksum unless text() or bytes() has done so. Throws as they do.
  void check(const std::string& record) const;
  /// Unpacked size of a record in bytes.
  std::uint64_t size(const std::string& record) const;

  /// All bytes of the file.
  std::string whole() const;
  /// SHA-256 of the whole file, in hexadecimal digits.
  std::string sha256() const;

  /// Throws Error{kBadFile} with the file and the reason.
  [[noreturn]] void refuse(const std::string& why) const;

 private:
  zip::ReadAt reader() const;
  const zip::Entry& entry(const std::string& record) const;
  void check_limits(std::uint64_t size) const;
  void read_into(const std::string& record, std::span<std::uint8_t> into) const;

  std::string file_;
  std::shared_ptr<int> descriptor_;
  std::uint64_t file_size_ = 0;
  zip::Directory directory_;
  std::string folder_;  ///< `model/`
  mutable std::set<std::string> checked_;
};

}  // namespace binade::graph
