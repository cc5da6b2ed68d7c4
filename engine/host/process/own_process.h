// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace binade::host {

/// Outcome of a child process that ran this program.
struct OwnProcess {
  std::string last_line;  ///< last line of its standard output, without line break
  std::string failure;    ///< `could not be started`, `ended the process with Aborted`; empty if its exit code was 0
};

/// The outcome of a process with this standard output, which ended with an exit code or, if negative, by a signal.
OwnProcess outcome_of(std::string output, int code);

/// Runs this program with `arguments` in a child process and waits for its end. For work that may crash. The child's
/// standard error is discarded.
OwnProcess run_apart(const std::vector<std::string>& arguments);

}  // namespace binade::host
