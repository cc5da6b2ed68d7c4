// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace binade::views {

/// Makes the boxes of every ModuleGraph children of it for assistive technology: name, format and overflows, whether
/// folded, selecting and folding as actions. Repeated calls do nothing.
void installGraphAccessibility();

}  // namespace binade::views
