// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace binade::host {

/// Result of another program.
struct ProgramEnd {
  bool started = false;
  std::string output;   ///< its standard output; standard error is this process's
  std::string failure;  ///< `could not be started`, `ended with exit code 2`; empty: it ended with 0
};

/// Runs a program to its end, found in $PATH unless `arguments[0]` has a slash.
ProgramEnd run_program(const std::vector<std::string>& arguments);

}  // namespace binade::host
