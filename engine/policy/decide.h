// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/resolve.h"

#include <string_view>

namespace binade::policy {

/// What `resolved` does with an op that has no site, inside a composite op or in eager code: the base list and the
/// changes of ops, one overload's before the whole op's. Site rules name sites, so none applies.
/// `op` with its namespace (`aten::mm`); an empty overload is the default one. Safe on any thread.
Decision decide(const Resolved& resolved, std::string_view op, std::string_view overload);

/// What the base list says of an op.
Decision decide_by_base(const Resolved& resolved, std::string_view op, std::string_view overload);

/// What a change of an op says.
Decision decide_by_change(const Resolved& resolved, const OpChange& change);

/// A cast to `format`, executed as `asked`; `rule` as Decision::rule.
Decision decide_format(const Resolved& resolved, const formats::Format& format, Execution asked, int rule);

/// What `asked` comes to for a format: kAuto takes the policy's own word, then the device's. A format that cannot run
/// natively is emulated, whatever is asked.
Execution execution_of(const Resolved& resolved, const formats::Format& format, Execution asked);

/// Whether the device computes in the format natively, and fast.
bool is_fast(const Capabilities& device, const formats::Format& format);

/// Whether a decision's values are rounded float32 ones: the format has no dtype that computes, its gradients have
/// another format, or it saturates. tfloat32 is an exception where hardware runs it.
bool is_logical(const Decision& decision);

/// Whether a dtype of LibTorch computes in the format: float32, float16, bfloat16.
bool has_dtype(const formats::Format& format);

}  // namespace binade::policy
