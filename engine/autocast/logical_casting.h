// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/autocast/arguments.h"
#include "engine/autocast/logical_formats.h"
#include "engine/autocast/plan.h"

#include <c10/util/SmallVector.h>

namespace binade::autocast {

class Casting;

/// What becomes of the results of an op that logical formats take part in.
struct LogicalResults {
  enum class What : std::uint8_t {
    kUnmarked,  ///< they hold what their dtype says
    kRounded,   ///< to `precision`
    kExact,     ///< they hold values of `precision` as they are: a view, a relu
  } what = What::kUnmarked;
  Precision precision;
  bool rounds_gradients = true;  ///< of the arguments, on their way out of the op's backward
  /// Memory of the arguments: a result that lies in it is not the op's own to round.
  c10::SmallVector<const void*, 4> memory = {};
  /// What the op got in the place of a tensor, so that the gradient of this use is rounded. Where it gives that back
  /// (dropout at rest), it shall have given the tensor: a later write would else change memory behind its history.
  struct Alias {
    at::Tensor given;
    at::Tensor tensor;
  };
  c10::SmallVector<Alias, 2> aliases = {};
};

/// Whether logical formats take part in a call: its plan asks for one, or an argument holds one.
bool takes_part(const LogicalFormats& formats, const Arguments& arguments, const Plan& plan);

/// Treats the arguments as the plan says and as their formats demand: what is cast to a logical format is rounded, what
/// holds one has its gradient rounded where it leaves the op, and an op that follows takes the widest of its
/// arguments' formats. Not for actions that redirect or refuse.
LogicalResults take_arguments(Casting& casting, const Arguments& arguments, const Plan& plan);

/// Rounds the op's results and notes what they hold.
void give_results(LogicalFormats& formats, const graph::OpTraits& op, graph::Stack& stack,
                  const LogicalResults& results);

}  // namespace binade::autocast
