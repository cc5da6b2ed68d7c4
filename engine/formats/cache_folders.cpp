// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/cache_folders.h"

#include <cstdlib>

namespace binade {

std::vector<std::filesystem::path> cache_folders() {
  std::vector<std::filesystem::path> folders;
  const auto add = [&folders](const char* variable, const char* below) {
    const char* const value = std::getenv(variable);
    if (value != nullptr && *value == '/') folders.push_back(std::filesystem::path(value) / below);
  };
  add("XDG_CACHE_HOME", "binade");
  add("HOME", ".cache/binade");
  return folders;
}

}  // namespace binade
