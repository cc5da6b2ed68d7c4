// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/batches/spec.h"

#include <ATen/core/ivalue.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace binade::host {

/// Returns the SPECs to run a model with: `given`, or the sample's own if none were given. Throws Error{kUsage}, naming
/// the arguments of forward, for any other model without SPECs.
std::vector<std::string> given_inputs(const std::string& model, const std::vector<std::string>& given);

/// Returns the values to run a model with: drawn for `given` SPECs with `seed`; without SPECs the first training batch
/// of the run description `run`, if that is not empty; else the sample's own inputs. Throws as given_inputs(), and
/// Error if the run or its data cannot be read.
std::vector<c10::IValue> example_inputs(const std::string& model, const std::vector<std::string>& given,
                                        const std::string& run, std::uint64_t seed);

/// What to try where a model refuses what was drawn for it, by what it says: targets outside [0, 1], indices beyond a
/// table. Empty where its message speaks of something else, or nothing that it could speak of was drawn.
std::string hint_on_drawn(std::string_view message, std::vector<batches::Spec> specs);

}  // namespace binade::host
