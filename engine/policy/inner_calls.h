// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/resolve.h"

#include <span>
#include <string_view>

namespace binade::policy {

/// What is known of the ops that the kernel of one op calls above autograd while it runs.
struct InnerCalls {
  std::string_view op;        ///< without namespace
  std::string_view overload;  ///< empty for the default one
  /// Ops of PyTorch's lists, `bmm cat`, each with its overload if it has one, separated by spaces; `?` where no call of
  /// the op could be tried.
  std::string_view calls;
  bool own_on_cuda = false;  ///< CUDA has another kernel, of whose calls nothing is known
};

/// Of each of ATen's ops that is a kernel of its own and not made of others: those that call ops of PyTorch's lists, as
/// LibTorch 2.11 showed when it was asked with calls of every op, and those that no call could be tried of. Sorted by
/// op and overload; compiled in from resources/ops.
std::span<const InnerCalls> inner_calls();

/// The row of `ns::op`; null where an op calls none, or is not ATen's.
const InnerCalls* inner_calls_of(std::string_view op, std::string_view overload);

/// Whether a list has a word for what the kernel of an op calls: true too where nobody knows what it calls. Only
/// PyTorch's lists reach inside a kernel; Apex patches functions.
bool calls_listed(Base base, std::string_view op, std::string_view overload);

/// Whether the base list or a change of an op has.
bool calls_listed(const Resolved& resolved, std::string_view op, std::string_view overload);

}  // namespace binade::policy
