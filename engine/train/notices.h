// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/scaler/scale_watch.h"
#include "engine/wire/records.h"

#include <cstdint>
#include <string>

namespace binade::train {

// Events that no single tensor tells of: each with the sentence that a person reads first.

/// Skips that are not by design; `id` of the scaler, empty where there is one.
wire::Event scale_warning(const scaler::ScaleWarning& warning);

/// `in_a_row` losses were not finite; `scaled`: a scaler was there to bring the gradients down; `pauses`: somebody is
/// there to go on.
wire::Event diverged(std::int64_t step, double scale, double loss, std::int64_t in_a_row, bool scaled, bool pauses);

/// The step was left out because clipping, `by_norm` or else by value, would have made every gradient 0 or hidden an
/// infinity. `parameter` had the first gradient that was not finite; empty: only their norm was not.
wire::Event clip_refused(std::int64_t step, double scale, const std::string& parameter, bool by_norm);

/// `what`: the message, which names the site where it is known.
wire::Event out_of_memory(std::int64_t step, double scale, const std::string& what);

/// The optimizer failed in mid-step; `failure`: its own sentence, empty where memory ran out.
wire::Event half_step(std::int64_t step, double scale, const std::string& failure);

}  // namespace binade::train
