// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/autocast/precision.h"
#include "engine/autocast/product_operands.h"
#include "engine/graph/site.h"
#include "engine/policy/resolve.h"

#include <cstdint>
#include <optional>
#include <string>

namespace binade::autocast {

/// How casting treats one op under one policy: everything that does not depend on a call's arguments, decided once.
struct Plan {
  enum class Action : std::uint8_t {
    kNothing,
    kCast,      ///< cast to `precision`
    kPromote,   ///< cast to the widest dtype, starting from `precision`
    kWiden,     ///< cast to the widest of the arguments' dtypes if they differ
    kSetDtype,  ///< fill in absent dtype arguments
    kAppendDtype,
    kCudnnRnn,  ///< as kCast, with the weights in one new buffer
    kProducts,  ///< quantize the operands of its products; other arguments as for kCast
    kInside,    ///< no cast, but the ops that this one calls follow the policy
    kRefuse,
  } action = Action::kNothing;
  Precision precision;
  bool only_float16 = false;  ///< for kRefuse: refuse float16 arguments only (Apex)
  bool protect = true;        ///< whether argument roles apply; see Arguments
  bool inside = false;        ///< the ops that this one calls follow the policy: for kInside, and for kernels that call
                              ///< listed ops
  int rule = policy::kFromBase;
  policy::Products products = {};                ///< for kProducts
  std::optional<ProductOperands> operands = {};  ///< for kProducts

  /// Whether the argument is cast as for kCast: every one, except the operands of kProducts.
  bool casts(std::size_t argument) const {
    return action != Action::kProducts || !operands || !operands->contain(argument);
  }
};

/// Makes the plan for an op. `edited` is is_edited() of the policy: unedited lists of `pytorch-2.11` leave unlisted ops
/// alone, even where these then refuse their arguments. Otherwise unlisted ops take the widest of their arguments'
/// dtypes. CUDA's list on another device treats a whole recurrent layer as it treats `_cudnn_rnn`.
Plan plan_for(const policy::Resolved& resolved, const policy::Decision& decision, const graph::OpTraits& op,
              bool edited);

/// Whether a table contains op changes or site rules.
bool is_edited(const policy::Resolved& resolved);

/// Throws Error{kBadPolicy} for a banned op: PyTorch's message for a ban in its lists, Apex's for an op that writes a
/// float16 tensor. `place` (a site's name and ": ", or empty) precedes it.
[[noreturn]] void refuse(const graph::OpTraits& op, int rule, const std::string& place);

/// The op to run in place of norm overloads without a dtype argument: the overload with one, set to float32 if the
/// first argument is floating-point and not float64, otherwise to that argument's dtype. Null for other ops.
const graph::Operation* with_dtype(const graph::OpTraits& op);

}  // namespace binade::autocast
