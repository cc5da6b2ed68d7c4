// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace binade::host {

/// Returns the whole of a text file. Throws Error{kBadFile} if it cannot be read.
std::string read_text(const std::string& file);

}  // namespace binade::host
