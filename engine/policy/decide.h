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

/// What `asked` comes to for a format: kAuto takes the policy's own word, then the device's.
Execution execution_of(const Resolved& resolved, const formats::Format& format, Execution asked);

/// The formats that this release computes in.
bool is_executed(const formats::Format& format);

}  // namespace binade::policy
