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

/// The records of an archive that torch.jit.save wrote, each checked against its checksum as it is read. The file is
/// read, not mapped, so that one that is cut short meanwhile is an error and no signal. For one thread.
class ModelArchive {
 public:
  /// Opens the file and reads its directory. Throws Error{kBadFile} where it cannot be read or is damaged (as
  /// zip::read_directory says), and where it unpacks to far more than it holds or has far too many records.
  explicit ModelArchive(const std::string& file);

  const std::string& file() const { return file_; }
  /// Whether a record's whole name ends so, in any folder.
  bool holds_anywhere(std::string_view ending) const;
  /// The first `data.pkl` in any folder.
  std::string pickle_anywhere() const;

  /// The names below are without the archive's folder: `data.pkl`, `code/__torch__.py`.
  bool has(const std::string& record) const;
  std::vector<std::string> records() const;

  /// A record. Throws Error{kBadFile} naming file and record where it is absent or damaged.
  std::string text(const std::string& record) const;
  /// The same in memory of the CPU's allocator, for tensors.
  c10::DataPtr bytes(const std::string& record) const;
  /// Compares a record with its checksum, where neither of the two above has. Throws as they do.
  void check(const std::string& record) const;
  /// How many bytes a record has once unpacked.
  std::uint64_t size(const std::string& record) const;

  /// Throws Error{kBadFile}: the file, and why it cannot be used.
  [[noreturn]] void refuse(const std::string& why) const;

 private:
  zip::ReadAt reader() const;
  const zip::Entry& entry(const std::string& record) const;
  void check_limits(std::uint64_t size) const;
  void read_into(const std::string& record, std::span<std::uint8_t> into) const;

  std::string file_;
  std::shared_ptr<int> descriptor_;
  zip::Directory directory_;
  std::string folder_;  ///< `model/`
  mutable std::set<std::string> checked_;
};

}  // namespace binade::graph
