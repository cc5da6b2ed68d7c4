// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace binade::test {

/// Saves a model of two layers for [N,1,28,28] in the test's folder, and returns its file. It has nothing random and no
/// statistics, so that the result of an example does not depend on the others.
std::string plainModel();

}  // namespace binade::test
