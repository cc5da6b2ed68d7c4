// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/search/candidates.h"

#include <cstddef>
#include <vector>

namespace binade::search {

/// The op calls that a search may take out of scaled formats. First come the op calls as a whole, one candidate each,
/// those with the largest error first; then, in the same order, those for a part of an op call's products.
std::vector<Candidate> product_candidates(const Order& order, const StepEvidence& evidence);

/// Number of op calls in product_candidates().
std::size_t whole_calls(const std::vector<Candidate>& candidates);

/// Products that an op call may take out of scaled formats, one bit each. `whole` is the index of its first candidate.
std::vector<ProductSet> single_products(const std::vector<Candidate>& candidates, std::size_t whole);

/// Index of the candidate that takes these products of the op call out of scaled formats.
std::size_t part_of_call(const std::vector<Candidate>& candidates, std::size_t whole, ProductSet taken_out);

/// What a candidate changes of its op call: 1 as a whole, or the share of the quantized products that it takes out.
double part(const Candidate& candidate);

}  // namespace binade::search
