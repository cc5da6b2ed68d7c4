// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/format.h"

#include <string>
#include <vector>

namespace binade::test {

/// Lines of TorchScript that go behind an op call of a model. They compute `u` from `c`, the call's result in a low
/// format. One op call among them needs float32: with it `u` is close to `c`, without it the training is ruined.
struct Piece {
  std::string name;   ///< kind of the loss, and of the lines: `range: product`
  std::string lines;  ///< separated by newlines, not indented
  std::string op;     ///< the call that needs float32: its op, and which of that op's calls among the lines it is
  int ordinal = 0;
  /// Without float32 it only enlarges `u`, which a norm behind it would undo: for the last op call of a model.
  bool at_end = false;
};

/// All pieces that fail in `low`: float16 under the list of CUDA, or bfloat16 under that of the CPU.
const std::vector<Piece>& pieces(const formats::Format& low);

}  // namespace binade::test
