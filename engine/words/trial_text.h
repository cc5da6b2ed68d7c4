// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/trial.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace binade::words {

/// `inside the noise`, `better`, `worse`, `diverged`, `does not run`, `unknown`; with the step, if it is known:
/// `worse from step 12`, `diverged at step 12`.
std::string verdict_text(wire::TrialVerdict verdict, std::optional<std::int64_t> worse_from = {});
std::string verdict_text(const wire::Trial& trial);

/// A difference and its interval: `+0.0003 (-0.0010 to 0.0016)`. Without the interval if that has no width.
std::string interval_text(const wire::TrialDifference& difference);
/// The size up to which the difference counts as equal (wire::band_of), in the notation of interval_text(). Empty if it
/// is not known.
std::string band_text(const wire::TrialDifference& difference);

/// A difference beside its interval and what rounding alone does: `+0.0003 (-0.0010 to 0.0016), rounding alone moves it
/// by 0.0012`. Shows as many digits as its uncertainty deserves. Without an interval if that has no width, without the
/// noise if that is NaN.
std::string difference_text(const wire::TrialDifference& difference);

/// The difference of the loss. If the verdict is *inside the noise* only because of the floor, floor_text() follows.
std::string loss_text(const wire::Trial& trial);

/// The floor of a difference: `differences below 0.1 % of the loss count as equal`.
std::string floor_text(const wire::TrialDifference& difference);

/// The answer of a Try: `float16 for fc1: inside the noise. Loss +0.0003 (-0.0010 to 0.0016), rounding alone moves it
/// by 0.0012.` Says why a policy does not run, or why nothing is known.
std::string sentence_of(const wire::Trial& trial);
/// Its parts, where the name of the change stands above them: `Inside the noise.` Names overflows that a policy
/// that trains alike, better or worse removes or adds, beyond what rounding alone does: `Removes 3 overflows; the loss
/// is inside the noise.`
std::string verdict_sentence(const wire::Trial& trial);
/// `Loss +0.0003 (-0.0010 to 0.0016), rounding alone moves it by 0.0012.`
std::string verdict_basis(const wire::Trial& trial);

/// What neither the sentence nor the table of a Try (trial_rows.h) shows, a sentence each: what is missing if it is
/// incomplete, which steps and seeds its figures rest on if these are not all, differences of evaluation and time,
/// estimates, notes.
std::vector<std::string> facts_of(const wire::Trial& trial);

}  // namespace binade::words
