// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace binade::targets {

/// A text in double quotes that JSON, Python and C++ read alike. Bytes that are not UTF-8 become U+FFFD.
std::string literal_text(const std::string& text);

}  // namespace binade::targets
