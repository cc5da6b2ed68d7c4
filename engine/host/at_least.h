// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

#include <cstdint>
#include <string>

namespace binade::host {

/// Accepts whole numbers of at least `least`; `name` stands for them in the help. CLI11's own range check prints its
/// upper end in three hundred digits.
CLI::Validator at_least(std::int64_t least, const std::string& name);

}  // namespace binade::host
