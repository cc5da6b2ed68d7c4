// SPDX-License-Identifier: Apache-2.0
#pragma once

// Private to engine/wire, as fields.h: the fields of what a policy would save.

#include "engine/wire/fields.h"
#include "engine/wire/savings.h"
#include "engine/wire/trial_fields.h"

namespace binade::wire {

BINADE_FIELDS(AskSavings, policy)
BINADE_FIELDS(SavingsSide, casts, bytes, seconds, emulated)
BINADE_FIELDS(SavingsProduct, site, m, n, k, batches, calls, before, after)
BINADE_FIELDS(Savings, policy_revision, step, sites, before, after, products, estimates)

}  // namespace binade::wire
