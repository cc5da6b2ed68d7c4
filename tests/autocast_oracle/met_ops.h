// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/autocast_oracle/row_call.h"

#include <vector>

namespace binade::test {

/// The ops that the sample models and the model files of the tests meet in one forward in train mode, each once, with
/// copies of the arguments of its first call.
struct MetOps {
  std::vector<RowCall> calls;
  int models = 0;
  std::vector<std::string> undispatched;  ///< of the interpreter alone: no tensor op that a rule could cast
};
MetOps metInModels();

}  // namespace binade::test
