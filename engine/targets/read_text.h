// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/targets/target.h"

#include <string>
#include <string_view>
#include <vector>

namespace binade::targets {

/// Reads a text as a policy, together with the files that it names, which must lie in `folder`: the one of the text.
/// The target must have `read`. Throws Error{kBadPolicy} as Target::read does, and Error{kBadFile} if such a file
/// exists and cannot be read.
Read read_text(const Target& target, std::string_view text, const std::string& source, const std::string& folder,
               const Assignment& model);

/// Paths of the files that read_text() reads in `folder`: those that the text names and that exist. None for a text
/// that is not in the format.
std::vector<std::string> files_read(const Target& target, std::string_view text, const std::string& folder);

}  // namespace binade::targets
