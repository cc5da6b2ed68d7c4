// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

namespace binade::views {

/// A text in the window's notation: `2²⁴` for `2^24`, `step 1,051` for `step 1051`. Typography only: it changes how a
/// text looks, and nothing is read from it.
QString typeset(const QString& text);

}  // namespace binade::views
