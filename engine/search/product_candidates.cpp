// SPDX-License-Identifier: Apache-2.0
#include "engine/search/product_candidates.h"

#include "engine/formats/error.h"
#include "engine/search/candidate_text.h"
#include "engine/search/risk.h"

#include <algorithm>
#include <array>
#include <bit>
#include <tuple>

namespace binade::search {

namespace {

constexpr std::array kAll{policy::Product::kForward, policy::Product::kGradInput, policy::Product::kGradWeight};

constexpr ProductSet bit(policy::Product product) {
  return 1U << static_cast<unsigned>(product);
}

ProductSet quantized(const policy::Products& products) {
  ProductSet set = 0;
  for (const policy::Product product : kAll) set |= products.of(product) ? bit(product) : 0;
  return set;
}

policy::Products without(policy::Products products, ProductSet taken_out) {
  for (const policy::Product product : kAll) {
    if (taken_out & bit(product)) products = policy::without(products, product);
  }
  return products;
}

Candidate candidate_of(const StepEvidence& evidence, std::size_t index, ProductSet taken_out) {
  const CallEvidence& call = evidence.calls[index];
  Candidate candidate{.call = index, .format = call.now.format, .raises = true, .why = why_taken_out(call)};
  candidate.risk = error_of(call);
  candidate.products = without(call.now.products, taken_out);
  candidate.taken_out = taken_out;
  return candidate;
}

}  // namespace

std::vector<Candidate> product_candidates(const Order& order, const StepEvidence& evidence) {
  std::vector<Candidate> candidates;
  for (std::size_t i = 0; i < evidence.calls.size(); ++i) {
    const CallEvidence& call = evidence.calls[i];
    if (call.now.products.empty() || !may_change(order, call)) continue;
    candidates.push_back(candidate_of(evidence, i, quantized(call.now.products)));
  }
  const auto rank = [&order](const Candidate& each) {
    return std::make_tuple(-each.risk, tie_break(order.seed, each.call));
  };
  std::stable_sort(candidates.begin(), candidates.end(),
                   [&rank](const Candidate& a, const Candidate& b) { return rank(a) < rank(b); });
  const std::vector<Candidate> whole = candidates;
  for (const Candidate& each : whole) {
    for (ProductSet set = 1; set < each.taken_out; ++set) {
      if ((set & ~each.taken_out) == 0) candidates.push_back(candidate_of(evidence, each.call, set));
    }
  }
  return candidates;
}

std::size_t whole_calls(const std::vector<Candidate>& candidates) {
  const auto end =
      std::find_if(candidates.begin(), candidates.end(), [](const Candidate& each) { return !each.products.empty(); });
  return static_cast<std::size_t>(end - candidates.begin());
}

std::vector<ProductSet> single_products(const std::vector<Candidate>& candidates, std::size_t whole) {
  std::vector<ProductSet> singles;
  for (const policy::Product product : kAll) {
    if (candidates[whole].taken_out & bit(product)) singles.push_back(bit(product));
  }
  return singles;
}

std::size_t part_of_call(const std::vector<Candidate>& candidates, std::size_t whole, ProductSet taken_out) {
  const std::size_t call = candidates[whole].call;
  const auto found = std::find_if(candidates.begin(), candidates.end(), [&](const Candidate& each) {
    return each.call == call && each.taken_out == taken_out;
  });
  if (found == candidates.end()) throw Error(ErrorCode::kInternal, "a search has no candidate for these products");
  return static_cast<std::size_t>(found - candidates.begin());
}

double part(const Candidate& candidate) {
  const int out = std::popcount(candidate.taken_out);
  const int kept = std::popcount(quantized(candidate.products));
  return out == 0 ? 1 : static_cast<double>(out) / (out + kept);
}

}  // namespace binade::search
