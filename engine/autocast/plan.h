// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/autocast/precision.h"
#include "engine/graph/site.h"
#include "engine/policy/resolve.h"

#include <cstdint>
#include <string>

namespace binade::autocast {

/// What casting does with one op under one policy. Everything that does not depend on the arguments of a call is
/// decided here, once.
struct Plan {
  enum class Action : std::uint8_t {
    kNothing,
    kCast,      ///< to `precision`
    kPromote,   ///< from `precision` to the widest
    kWiden,     ///< to the widest of what comes, where it differs
    kSetDtype,  ///< fill in absent dtype arguments
    kAppendDtype,
    kCudnnRnn,  ///< as kCast, with the weights in one new buffer
    kInside,    ///< nothing, but the ops that this one calls follow the policy
    kRefuse,
  } action = Action::kNothing;
  Precision precision;
  bool only_float16 = false;  ///< of kRefuse: only float16 arguments are refused (Apex)
  bool protect = true;        ///< whether argument roles count; see Arguments
  bool inside = false;  ///< the ops that this one calls follow the policy: of kInside, and of kernels that call some
  int rule = policy::kFromBase;
};

/// `edited`: whether a person has changed anything about the base lists. Stock lists of `pytorch-2.11` leave unlisted
/// ops wholly alone, even where these then refuse their arguments.
Plan plan_for(const policy::Resolved& resolved, const policy::Decision& decision, const graph::OpTraits& op,
              bool edited);

/// Whether a person's op changes or site rules are in a table.
bool is_edited(const policy::Resolved& resolved);

/// A banned op's refusal: PyTorch's own sentence for a ban of its lists, Apex's for an op that writes a float16 tensor.
/// `place` (a site's name and ": ", or empty) is put in front.
[[noreturn]] void refuse(const graph::OpTraits& op, int rule, const std::string& place);

/// The op to run in the place of norm overloads without a dtype argument: the overload with one, given float32 where
/// the first argument is eligible, else that argument's dtype. Null for other ops.
const graph::Operation* with_dtype(const graph::OpTraits& op);

}  // namespace binade::autocast
