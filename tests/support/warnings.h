// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace binade::test {

/// From now on an unexpected Qt warning fails the running test function. Suite does this before each function, unless
/// the suite has its own init(), which hides that of its base.
void failOnWarnings();

}  // namespace binade::test
