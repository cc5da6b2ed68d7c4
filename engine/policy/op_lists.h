// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/policy.h"

#include <string_view>
#include <vector>

namespace binade::policy {

/// The casting policies of PyTorch 2.11 (`at::autocast::CastPolicy` and its two hand-written kernels).
enum class CastRule {
  kNone,         ///< not on the list
  kLower,        ///< lower_precision_fp: every eligible argument to the low format
  kFloat32,      ///< fp32: every eligible argument to float32
  kSetDtype,     ///< fp32_set_opt_dtype: an absent dtype argument becomes float32, tensors stay
  kAppendDtype,  ///< fp32_append_dtype: goes to the overload with a dtype argument
  kPromote,      ///< promote: every argument to the widest
  kBanned,       ///< refused: binary_cross_entropy on CUDA
  kCustom,       ///< _cudnn_rnn
};

/// One row of a base list.
struct OpRow {
  std::string_view op;        ///< without namespace: `conv2d`; `*` (apex-o2, apex-o3) is every op
  std::string_view overload;  ///< empty for the default one; `*` (Apex's lists) is every overload
  CastRule rule;
};

/// The rows of a base, compiled in from resources/ops; empty for kAllFloat32 and kApexO0.
const std::vector<OpRow>& rows(Base base);

/// What the base list says of `ns::op` (an op without namespace is ATen's) with `overload`; kNone for an op that is not
/// listed. A row that names the op wins over one for every op, which leaves ops that write an argument (`add_`,
/// `add.out`) alone.
CastRule rule_for(Base base, std::string_view op, std::string_view overload);

/// `lower`, `fp32`, `set-dtype`, `append-dtype`, `promote`, `banned`, `custom`; empty for kNone.
std::string_view name(CastRule rule);

}  // namespace binade::policy
