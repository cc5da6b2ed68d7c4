// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

namespace binade::host {

/// Tells on standard error what is wrong with a command line and how to go on. Gives the exit code.
int usage_error(const CLI::App& app, const CLI::ParseError& error);

}  // namespace binade::host
