// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/error.h"

#include <functional>
#include <string>
#include <vector>

namespace binade::host {

/// The folder with the sockets of this user's trainings: $XDG_RUNTIME_DIR/binade, or ~/.cache/binade/attach if the
/// former is not this user's. Only this user may use it: a folder that is a link, belongs to another user or is open to
/// others is refused. The folder stays open, so that no other folder can take its place.
class AttachFolder {
 public:
  /// The first of the two places, which is made if it does not exist. Throws Error{kUnsafe} for a folder that is
  /// refused, and Error{kBadFile} if none can be made.
  static AttachFolder make();
  /// Both places, as far as they exist: a training may have had another environment than this process. `refused`
  /// receives why one is left out.
  static std::vector<AttachFolder> existing(const std::function<void(const Error&)>& refused);

  AttachFolder(AttachFolder&& other) noexcept;
  AttachFolder& operator=(AttachFolder&& other) noexcept;
  ~AttachFolder();

  const std::string& path() const { return path_; }
  int descriptor() const { return descriptor_; }
  /// Names of files with this ending, without it, in alphabetical order.
  std::vector<std::string> names(const std::string& ending) const;
  /// Opens a file of the folder, never through a link. Returns -1 and sets errno on failure.
  int open_file(const std::string& name, int flags) const;
  void remove(const std::string& name) const;
  /// The path of a socket in the folder that fits into an address of any length: through this process's descriptor.
  std::string address(const std::string& name) const;
  /// Throws Error{kBadFile} with the reason in errno. `what`: `a socket cannot be made`.
  [[noreturn]] void fail(const char* what) const;

 private:
  AttachFolder(std::string path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}
  static AttachFolder open(const std::string& path);

  std::string path_;
  int descriptor_ = -1;
};

}  // namespace binade::host
