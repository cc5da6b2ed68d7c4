// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/search/candidates.h"

#include <string>

namespace binade::search {

/// Why a change was proposed that needs less of the goal, as a sentence: what it is expected to save, and what the
/// evidence says of its risk.
std::string why_saved(Goal goal, const CallEvidence& call, const Candidate& candidate);

/// Why an op call was proposed to leave its scaled formats, as a sentence.
std::string why_taken_out(const CallEvidence& call);

/// Why an op call was proposed for a higher format, as a sentence. `low` is the format that the evidence is about.
std::string why_suspected(const CallEvidence& call, const formats::Format& format, const formats::Format& low);

/// `1 op call`, `12 op calls`.
std::string op_calls(std::size_t count);
/// What a point changes, its first op calls by format: `conv1 (conv2d) in float32`,
/// `conv1 (conv2d), fc1 (linear), fc2 (linear), +2 more in bfloat16; fc9 (linear) in float32`. An op call some of whose
/// products keep a scaled format: `fc1 (linear) in bfloat16 for grad_weight`. Empty without a change.
std::string changes_text(const Point& point);
/// `23.4 %` of a share of 1.
std::string percent(double share);

}  // namespace binade::search
