// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace binade::train {

/// A file that appears whole or not at all: written under another name in the same folder, which nobody else has and
/// which is followed nowhere, then forced to disk and renamed, in place of an older one of that name. Whatever fails
/// leaves the older one as it was.
class AtomicFile {
 public:
  /// Throws Error{kBadFile} naming the file where its folder cannot be written to.
  explicit AtomicFile(std::string file);
  /// Without commit() nothing remains.
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /// Throws Error{kBadFile} with the system's reason: a full disk, a quota.
  void write(const void* data, std::size_t size);
  /// Writes over what stands from `offset` on; what is written next still goes to the end. Throws as write().
  void write_over(std::size_t offset, const void* data, std::size_t size);
  /// The file has its name now, and survives a loss of power. Throws as write().
  void commit();

  /// The name it has until then.
  const std::string& temporary() const { return temporary_; }

 private:
  [[noreturn]] void failed() const;
  /// Locks it, so that nobody takes it for abandoned; false where somebody has.
  bool is_ours() const;
  std::string file_;
  std::string temporary_;
  int descriptor_ = -1;
};

/// Removes the temporary files in `folder` of processes that died while they wrote. Whoever still writes holds a lock
/// on his, on whatever machine, and keeps it. `ours`: whether a file of this name, without folders, may be touched.
void remove_abandoned(const std::string& folder, const std::function<bool(const std::string& name)>& ours);

}  // namespace binade::train
