// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/targets/target.h"

#include <optional>
#include <string>
#include <vector>

namespace binade::test {

/// Op calls of a made-up model: convolution, norms, an in-place op, overloads, a method, two calls of one op in a
/// module, calls of the root module, and two op calls in a loop (`cell`).
const std::vector<policy::SiteKey>& madeUpModel();

/// What a target writes for a policy on these op calls. The table is resolve() for a device with every named format.
targets::Assignment assigned(const policy::Policy& policy, const std::vector<policy::SiteKey>& keys = madeUpModel(),
                             const std::optional<wire::ScalerConfig>& scaler = std::nullopt);

/// A policy of a base list alone.
policy::Policy startingFrom(policy::Base base, formats::Format low);

/// A policy with a name for test output.
struct NamedPolicy {
  const char* name;
  policy::Policy policy;
};

/// Policies of every kind: each base, op changes, site rules, rules for single calls in a loop, gradients of another
/// format, treatment of overflow, 8-bit and custom formats, and texts that need escaping.
const std::vector<NamedPolicy>& policiesOfEveryKind();

/// The target of that name; fails the process if there is none.
const targets::Target& targetOf(const char* name);

}  // namespace binade::test
