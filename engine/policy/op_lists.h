// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/policy.h"

#include <string_view>
#include <vector>

namespace binade::policy {

/// Casting rules of PyTorch 2.11 (`at::autocast::CastPolicy`, and its two special kernels as kBanned and kCustom).
enum class CastRule {
  kNone,         ///< not on the list
  kLower,        ///< lower_precision_fp: eligible arguments are cast to the low format
  kFloat32,      ///< fp32: eligible arguments are cast to float32
  kSetDtype,     ///< fp32_set_opt_dtype: an absent dtype argument becomes float32, tensors are not cast
  kAppendDtype,  ///< fp32_append_dtype: calls the overload with a dtype argument
  kPromote,      ///< promote: all arguments are cast to the widest
  kBanned,       ///< refused: binary_cross_entropy on CUDA
  kCustom,       ///< _cudnn_rnn
};

/// One row of a base list.
struct OpRow {
  std::string_view op;        ///< without namespace: `conv2d`; `*` (apex-o2, apex-o3) for every op
  std::string_view overload;  ///< empty for the default one; `*` (Apex's lists) for every overload
  CastRule rule;
};

/// Rows of a base list, compiled in from resources/ops. Empty for kAllFloat32 and kApexO0.
const std::vector<OpRow>& rows(Base base);

/// Rule of a base list for `ns::op` (an op without namespace is ATen's) with `overload`; kNone if it is not listed. A
/// row that names the op applies before one for every op. The latter does not apply to ops that write an argument
/// (`add_`, `add.out`).
CastRule rule_for(Base base, std::string_view op, std::string_view overload);

/// Name of a rule: `lower`, `fp32`, `set-dtype`, `append-dtype`, `promote`, `banned`, `custom`; empty for kNone.
std::string_view name(CastRule rule);

}  // namespace binade::policy
