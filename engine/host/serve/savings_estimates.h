// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/savings.h"

#include <vector>

namespace binade::host {

/// What the products and casts of `savings` take at least on GPUs with quoted peaks, the oldest GPU first. Empty if
/// there is no product, or if one runs in a format without quoted peaks, such as float8.
std::vector<wire::TrialEstimate> savings_estimates(const wire::Savings& savings);

/// The same with `estimates` filled in.
wire::Savings with_estimates(wire::Savings savings);

}  // namespace binade::host
