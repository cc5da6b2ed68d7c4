// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace binade::host {

/// What this program, run again in a process of its own, said.
struct OwnProcess {
  std::string last_line;  ///< of its standard output, without the line break
  std::string failure;    ///< `could not be started`, `ended the process with Aborted`; empty where it ended by itself
};

/// Runs this program with `arguments` and waits: for what may end its process. Its standard error goes nowhere.
OwnProcess run_apart(const std::vector<std::string>& arguments);

}  // namespace binade::host
