// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

namespace binade::host {

/// Prints to standard error what is wrong with a command line and what to do. Returns the exit code.
int usage_error(const CLI::App& app, const CLI::ParseError& error);

}  // namespace binade::host
