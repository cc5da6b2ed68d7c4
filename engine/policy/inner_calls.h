// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/resolve.h"

#include <span>
#include <string_view>

namespace binade::policy {

/// Ops that the kernel of one op calls through the dispatcher, where autocast acts on them.
struct InnerCalls {
  std::string_view op;        ///< without namespace
  std::string_view overload;  ///< empty for the default one
  /// The called ops that PyTorch's lists name, separated by spaces, each with its overload if it has one: `bmm cat`.
  /// `?` if no trial call of the op was possible.
  std::string_view calls;
  bool own_on_cuda = false;  ///< CUDA has a different kernel, whose calls are unknown
};

/// One row for each ATen op with a kernel of its own (not composite) that calls listed ops, or of which no trial call
/// was possible. Measured with trial calls of every op in LibTorch 2.11 (autocast/inner_call_audit.h). Sorted by op and
/// overload; compiled in from resources/ops.
std::span<const InnerCalls> inner_calls();

/// Row of the op `ns::op`; null if it calls no listed op or is not an ATen op.
const InnerCalls* inner_calls_of(std::string_view op, std::string_view overload);

/// Whether the kernels of a row call an op, in any overload; also true if their calls are unknown. `op` has its
/// namespace.
bool calls_op(const InnerCalls& row, std::string_view op);

/// Whether a base list names an op that the kernel of `op` calls; also true if its calls are unknown. False for Apex's
/// lists: Apex patches functions and does not reach inside kernels.
bool calls_listed(Base base, std::string_view op, std::string_view overload);

/// As above for the base list or an op change of `resolved`.
bool calls_listed(const Resolved& resolved, std::string_view op, std::string_view overload);

}  // namespace binade::policy
