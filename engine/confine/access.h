// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace binade::confine {

/// The files that a confined process may use, beside the program's own libraries. A plain value. Relative paths are
/// relative to the working folder at the time of the confinement. Paths that do not exist are allowed; a file in
/// `reads` can be read once it exists, as by the broker.
struct Access {
  std::vector<std::string> reads{};         ///< regular files; folders and devices among them have no effect
  std::vector<std::string> read_folders{};  ///< folders that may be read, with all that is in them
  std::vector<std::string> folders{};       ///< folders in which files may be read, written, created and removed
  std::vector<std::string> checkpoints{};   ///< folders that may be read, and in which checkpoints may be written
  std::vector<std::string> outputs{};       ///< files that may be written, with those of FileBroker::allow_output()
  bool gpu = false;                         ///< also NVIDIA's devices and driver

  friend bool operator==(const Access&, const Access&) = default;
};

/// Adds the paths of `more` that `access` lacks; empty paths are left out.
void add(Access& access, const Access& more);

/// Whether a process confined to `access` can read all of `asked.reads` and `asked.read_folders`, and write in all of
/// `asked.folders` and `asked.checkpoints`, as far as names tell: a folder of the same name may be another by now.
/// Outputs do not count, because the broker can allow more of them at any time.
bool covers(const Access& access, const Access& asked);

}  // namespace binade::confine
