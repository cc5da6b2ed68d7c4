// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace binade::confine {

/// The files that a confined process may use, beside the program's own libraries. A plain value. Relative paths are
/// relative to the working folder at the time of the confinement. Paths that do not exist are allowed, and have no
/// effect in `reads`.
struct Access {
  std::vector<std::string> reads{};        ///< files, and folders with all that is in them
  std::vector<std::string> folders{};      ///< folders in which files may be read, written, created and removed
  std::vector<std::string> checkpoints{};  ///< folders that may be read, and in which `*.safetensors` may be written
  std::vector<std::string> outputs{};      ///< files that may be written, with those of FileBroker::allow_output()
  bool gpu = false;                        ///< also NVIDIA's devices and driver

  friend bool operator==(const Access&, const Access&) = default;
};

/// Adds the paths of `more` that `access` lacks; empty paths are left out.
void add(Access& access, const Access& more);

/// Whether a process confined to `access` can read all of `asked.reads` and write in all of `asked.folders` and
/// `asked.checkpoints`. Outputs do not count, because the broker can allow more of them at any time.
bool covers(const Access& access, const Access& asked);

}  // namespace binade::confine
