// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/resolve.h"

namespace binade::policy {

/// Whether an op call runs the same under two decisions, whichever rule made them: another rule before it changes the
/// index of a rule.
bool runs_alike(Decision one, const Decision& other);

/// Whether a training cannot differ under two tables of one model. False does not mean that it differs.
bool runs_alike(const Resolved& one, const Resolved& other);

}  // namespace binade::policy
