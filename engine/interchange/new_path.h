// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

namespace binade::interchange {

/// A file or folder that appears completely or not at all: it is written in a hidden folder beside its final place and
/// renamed at the end. Nothing that exists is replaced.
class NewPath {
 public:
  /// Throws Error{kUsage} if `path` exists, and Error{kBadFile} if its folder does not exist or is not writable.
  explicit NewPath(const std::string& path);
  /// Removes everything that was written, unless commit() was called.
  ~NewPath();
  NewPath(const NewPath&) = delete;
  NewPath& operator=(const NewPath&) = delete;

  /// Where to write the file or folder until commit().
  const std::string& temporary() const { return temporary_; }
  /// Throws Error{kBadFile} with the system's reason, and Error{kUsage} if `path` exists by now.
  void commit();

 private:
  std::string path_;
  std::string folder_;
  std::string temporary_;
};

/// A new file that is written from front to end. Every failure throws Error{kBadFile} with the system's reason, such as
/// a full disk.
class NewFile {
 public:
  explicit NewFile(std::string path);

  void write(std::string_view bytes);
  /// Writes what is buffered. Without it the file may be incomplete.
  void close();

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  [[noreturn]] void fail() const;

  std::string path_;
  std::unique_ptr<std::FILE, Close> file_;
};

}  // namespace binade::interchange
