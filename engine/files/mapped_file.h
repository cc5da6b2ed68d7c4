// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace binade::files {

/// A file mapped into memory. Pages are read on first access, so the file may be larger than memory. Writing to it
/// changes this process's copy, never the file. Where a part is missing that the file had when it was opened, its bytes
/// become zeros once guard_mapped_files() was called, and check_mapped() says so; else the system ends the process
/// (SIGBUS). Who looks at the bytes calls check_mapped() before using what was made of them.
class MappedFile {
 public:
  /// Throws Error{kBadFile} where it is missing or no ordinary file.
  explicit MappedFile(std::string file);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::span<const std::uint8_t> bytes() const { return {static_cast<const std::uint8_t*>(at_), size_}; }
  const std::string& file() const { return file_; }
  /// Throws Error{kBadFile} naming the file and how, where it was cut short or written to since it was opened, or could
  /// not be read. A file that was put in its place under the same name changes nothing.
  void check() const;

 private:
  /// What tells that the file is still the one that was opened.
  struct Stamp {
    std::int64_t size = 0, seconds = 0, nanoseconds = 0;
    friend bool operator==(const Stamp&, const Stamp&) = default;
  };
  static Stamp stamp_of(int descriptor, const std::string& file);

  std::string file_;
  int descriptor_ = -1;
  Stamp stamp_;
  void* at_ = nullptr;
  std::size_t size_ = 0;
  void* watched_ = nullptr;  ///< where the signal's handler notes what it met
};

/// Checks every file of these names that is mapped in this process, by anybody.
void check_mapped(std::span<const std::string> files);
void check_mapped(const std::string& file);

/// What `read` makes of these files, where they stayed whole meanwhile; throws as check_mapped(), whatever else `read`
/// met in what was missing.
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

/// From here on a mapped file that is cut short does not end the process. Takes the handler of SIGBUS, and hands what
/// is not about a MappedFile to the one that was there. Once, by the program, before it starts threads that map files.
void guard_mapped_files();

}  // namespace binade::files
