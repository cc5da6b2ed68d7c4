// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/files/file_stamp.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace binade::files {

/// A file mapped into memory. Pages are read when they are first accessed, so the file may be larger than memory.
/// Writing to the bytes changes a copy of this process, never the file. If the file is truncated later, the missing
/// bytes read as zeros and check_mapped() reports it. This requires a call of guard_mapped_files(); otherwise the
/// process ends with SIGBUS. Callers must call check_mapped() before they use a result that was made from the bytes.
class MappedFile {
 public:
  /// Throws Error{kBadFile} if the file is missing or is not a regular file.
  explicit MappedFile(std::string file);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::span<const std::uint8_t> bytes() const { return {static_cast<const std::uint8_t*>(at_), size_}; }
  const std::string& file() const { return file_; }
  /// Throws Error{kBadFile} with the reason if the file was truncated or written to since it was opened, or if a page
  /// could not be read. A new file under the same name does not matter.
  void check() const;

 private:
  std::string file_;
  int descriptor_ = -1;
  FileStamp stamp_;  ///< when it was opened
  void* at_ = nullptr;
  std::size_t size_ = 0;
  void* watched_ = nullptr;  ///< the entry in which the signal handler records missing pages
};

/// Calls check() on every MappedFile of this process that has one of these names.
void check_mapped(std::span<const std::string> files);
void check_mapped(const std::string& file);

/// Returns the result of `read`, which reads these files. Throws as check_mapped() if a file changed meanwhile, even if
/// `read` threw another exception because of it.
template <class Read>
auto while_whole(std::span<const std::string> files, Read read) {
  try {
    auto made = read();
    check_mapped(files);
    return made;
  } catch (...) {
    check_mapped(files);
    throw;
  }
}

/// Installs a handler for SIGBUS, so that a truncated MappedFile does not end the process. Other SIGBUS signals are
/// passed to the previous handler. The program calls this once, before it starts threads that map files.
void guard_mapped_files();

}  // namespace binade::files
