// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/scaler/scale_watch.h"
#include "engine/wire/records.h"

#include <cstdint>
#include <string>

namespace binade::run {

// Events that do not refer to a single tensor.

/// Unexpected skips; `id` of the scaler, empty if there is only one.
wire::Event scale_warning(const scaler::ScaleWarning& warning);

/// The last `in_a_row` losses were not finite. `scaled`: a scaler was active; `pauses`: the run pauses instead of
/// ending.
wire::Event diverged(std::int64_t step, double scale, double loss, std::int64_t in_a_row, bool scaled, bool pauses);

/// The step was skipped because clipping, `by_norm` or else by value, would have set every gradient to 0 or hidden an
/// infinity. `parameter` had the first non-finite gradient; empty: only the norm was not finite.
wire::Event clip_refused(std::int64_t step, double scale, const std::string& parameter, bool by_norm);

/// `what`: the message, which names the site if known.
wire::Event out_of_memory(std::int64_t step, double scale, const std::string& what);

/// The optimizer failed during its step. `failure`: its message; empty if memory ran out.
wire::Event half_step(std::int64_t step, double scale, const std::string& failure);

}  // namespace binade::run
