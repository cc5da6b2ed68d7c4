// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/autocast/arguments.h"
#include "engine/autocast/logical_formats.h"
#include "engine/autocast/plan.h"

#include <c10/util/SmallVector.h>

namespace binade::autocast {

class Casting;

/// What to do with the results of an op that involves logical formats.
struct LogicalResults {
  enum class What : std::uint8_t {
    kUnmarked,  ///< they are plain tensors of their dtype
    kRounded,   ///< round them to `precision`
    kExact,     ///< they already hold values of `precision`: a view, a relu
  } what = What::kUnmarked;
  Precision precision;
  bool rounds_gradients = true;  ///< round the arguments' gradients when they leave the op's backward
  /// Storages of the arguments. A result in one of them is not the op's own and is not rounded.
  c10::SmallVector<const void*, 4> memory = {};
  /// Tensor passed to the op in place of another, so that the gradient of this use is rounded. If the op returns it
  /// (dropout in eval mode), the original is returned instead: a later write would otherwise change memory without its
  /// history.
  struct Alias {
    at::Tensor given;
    at::Tensor tensor;
  };
  c10::SmallVector<Alias, 2> aliases = {};
};

/// Whether logical formats are involved in a call: its plan requires one, or an argument holds one.
bool takes_part(const LogicalFormats& formats, const Arguments& arguments, const Plan& plan);

/// Treats the arguments as the plan and their formats require. Casts to a logical format round; a tensor that holds one
/// has its gradient rounded where it leaves the op; an op that follows takes the widest format of its arguments. Not
/// for actions that redirect or refuse.
LogicalResults take_arguments(Casting& casting, const Arguments& arguments, const Plan& plan);

/// Rounds the op's results and records their formats.
void give_results(LogicalFormats& formats, const graph::OpTraits& op, graph::Stack& stack,
                  const LogicalResults& results);

}  // namespace binade::autocast
