// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace binade::host {

/// The whole of a text file. Throws Error{kBadFile} where it cannot be read.
std::string read_text(const std::string& file);

}  // namespace binade::host
