// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace binade::words {

/// `2^19` for a power of two, else the number, `49152` or `0.3`: how people write a loss scale.
std::string scale_text(double scale);

}  // namespace binade::words
