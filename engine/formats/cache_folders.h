// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

namespace binade {

/// The folders in which Binade may keep what it needs for a while, the best first: XDG_CACHE_HOME/binade and
/// HOME/.cache/binade, as far as the environment names them with absolute paths. They may not exist. For any thread.
std::vector<std::filesystem::path> cache_folders();

}  // namespace binade
