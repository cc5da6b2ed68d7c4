// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/policy.h"

#include <cstddef>
#include <string>
#include <vector>

namespace binade::host {

/// The model that a policy was made for; `name` is as on the command line and may be empty.
struct MadeFor {
  std::string name;
  std::size_t op_calls = 0;
};

/// The time now as provenance states it, in UTC: `2026-11-26T05:01:13Z`.
std::string date_now();

/// What a policy has beside its base list: `1 change of an op, 2 site rules`.
std::string changes_text(const policy::Policy& policy);

/// Writes a policy to a new file, with this program, today's date, the model and the policies that it was derived from
/// as its provenance. What it already states about a run and its evidence stays. Throws Error{kBadFile} if it cannot be
/// written.
void save_policy(policy::Policy policy, const std::string& out, const MadeFor& model,
                 const std::vector<std::string>& from);

}  // namespace binade::host
