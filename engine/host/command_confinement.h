// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/confine/access.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace binade::host {
struct VerifyCommand;
}

namespace CLI {
class App;
}

namespace binade::host {

/// The files that a command line names; empty names count for nothing.
struct NamedFiles {
  std::vector<std::string> runs;         ///< run descriptions, run files and checkpoints, which name files in turn
  std::vector<std::string> checkpoints;  ///< checkpoints and their folders
  std::vector<std::string> files;        ///< others that are read
  confine::Access written;
  bool trains = false;  ///< the checkpoints that a run description asks for are written
  bool tries = false;   ///< a Try is added to the run file
  bool demo = false;    ///< without a run, the demo is trained
};

/// The options --confined, --confined-if-possible and --trust of commands, and what they do.
class CommandConfinement {
 public:
  /// Adds the options to a command. This object must outlive it.
  void add_to(CLI::App* command);

  /// Whether models open although checks of their code refuse them.
  bool trusts_all() const { return trust_; }
  /// Whether the command is to run confined.
  bool is_on() const { return confined_ || confined_if_possible_; }

  /// What the confined copy shares with this process.
  struct Shared {
    std::vector<int> descriptors{};   ///< stay open in it
    std::function<void()> started{};  ///< called in this process once the copy runs
  };

  /// Runs a command and returns its exit code. If is_on(), a confined copy of this process runs it: it may use the
  /// files that the command line names, and read those that these name in turn (a run description's model and data).
  /// Throws Error{kUnsafe} if --confined is given and the kernel cannot do all of it, and for a run description whose
  /// folders hold other files.
  int run(const std::function<int()>& command, const NamedFiles& named, const Shared& shared) const;

  /// Checks LibTorch's optimising executor for a `verify` that is to run confined, in a confined process of its own:
  /// the confined command cannot start one. Its report goes to `command`. Throws as run() does.
  void check_executor(VerifyCommand& command, const NamedFiles& named) const;

 private:
  /// Whether there is a confinement to use. Throws if it is required and cannot be complete.
  bool confines() const;

  bool confined_ = false;
  bool confined_if_possible_ = false;
  bool trust_ = false;
};

}  // namespace binade::host
