// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <string>
#include <string_view>
#include <vector>

namespace binade::train {

/// Returns the tensor at `path` in the result of forward: empty for the result itself, `[0]`, `[-1]`, `logits`,
/// `out.aux`, `[1].hidden[0]`, through tuples, lists and dictionaries. Throws Error{kBadRun}, listing the available
/// paths.
at::Tensor select_output(const c10::IValue& output, std::string_view path);

/// Returns every tensor inside, as `path (float32[64,10])`; "the output itself" for a single tensor.
std::vector<std::string> tensors_in(const c10::IValue& output);

}  // namespace binade::train
