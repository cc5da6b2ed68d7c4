// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace binade::report {

/// The page's style sheet, for both themes, print and narrow screens. Contains no character that XML would escape.
std::string style_sheet();

}  // namespace binade::report
