// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/confine/access.h"

#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace binade::host {

/// The options --confined, --confined-if-possible and --trust of commands, and what they do.
class CommandConfinement {
 public:
  /// Adds the options to a command that opens models; has no effect on others. This object must outlive it.
  void add_to(CLI::App* command);

  /// Whether the command is to run confined.
  bool is_on() const { return confined_ || confined_if_possible_; }

  /// Runs a command and returns its exit code. If is_on(), a confined copy of this process runs it: it may read
  /// the files that `words`, the command line, names, and those that these name in turn (a run description's model and
  /// data), and write `written`. Throws Error{kUnsafe} if --confined is
  /// given and the kernel cannot do all of it, and for a run description whose folders hold other files.
  int run(const std::function<int()>& command, const std::vector<std::string>& words, confine::Access written) const;

 private:
  bool confined_ = false;
  bool confined_if_possible_ = false;
  bool trust_ = false;
};

}  // namespace binade::host
