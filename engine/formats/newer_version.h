// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace binade {

/// The field in which JSON files and checkpoints of later formats name the version of Binade that they need.
inline constexpr std::string_view kNeedsField = "needs";

/// Returns the next step for a file of a newer format. `needed` is the version of Binade that reads it; empty: the file
/// does not name it. Anything but a short version number counts as unknown, since it comes from the file.
inline std::string newer_version_hint(std::string_view needed) {
  const bool number = !needed.empty() && needed.size() <= 20 && needed.find('.') != std::string_view::npos &&
                      needed.find_first_not_of("0123456789.") == std::string_view::npos;
  if (!number) return "A newer version of Binade wrote this file. Install the newest version.";
  return std::string("It needs Binade ").append(needed) + " or newer. Install this version.";
}

}  // namespace binade
