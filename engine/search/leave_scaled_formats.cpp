// SPDX-License-Identifier: Apache-2.0
#include "engine/search/leave_scaled_formats.h"

#include "engine/search/candidate_text.h"
#include "engine/search/product_candidates.h"

#include <algorithm>
#include <map>

namespace binade::search {

LeaveScaledFormats::LeaveScaledFormats(Prover& prover)
    : prover_(prover),
      calls_(whole_calls(prover.candidates())),
      whole_(
          calls_, false, [this](const Changes& taken_out) { return hold_calls(taken_out); },
          set_apart({prover.candidates().begin(), prover.candidates().begin() + static_cast<std::ptrdiff_t>(calls_)})) {
}

void LeaveScaledFormats::run() {
  whole_.find();
  if (!whole_.is_smallest() || !whole_.is_proven()) return;
  for (const std::size_t call : whole_.kept()) {
    for (const ProductSet product : single_products(prover_.candidates(), call)) singles_.push_back({call, product});
  }
  products_ = std::make_unique<NeededSet>(singles_.size(), true,
                                          [this](const Changes& taken_out) { return hold_products(taken_out); });
  products_->find();
}

std::string LeaveScaledFormats::result() const {
  if (calls_ == 0) return "No op call with a scaled format may change.";
  if (whole_.is_hopeless()) return "The policy does not hold even without scaled formats in these op calls.";
  if (!whole_.is_proven()) return "No policy that holds was found.";
  const Point* const found = prover_.point(products_ ? parts_of(products_->kept()) : whole_.kept());
  const std::string text =
      "With " + (found ? changes_text(*found) : op_calls(whole_.kept().size())) + " the policy trains";
  if (!whole_.is_smallest()) return text + "; which of them can be left out was not tried to the end.";
  if (!products_ || !products_->is_smallest()) {
    return text + "; which of their products can keep a scaled format was not tried to the end.";
  }
  return text + ", and nothing of it can be left out.";
}

bool LeaveScaledFormats::hold_calls(const Changes& taken_out) {
  const std::string number = taken_out.size() == calls_ ? "all " : std::to_string(taken_out.size()) + " of ";
  return prover_.prove(taken_out, "Tries " + number + op_calls(calls_) + " without scaled formats.").holds;
}

bool LeaveScaledFormats::hold_products(const Changes& taken_out) {
  return prover_
      .prove(parts_of(taken_out), "Tries " + std::to_string(taken_out.size()) + " of " +
                                      std::to_string(singles_.size()) +
                                      " products of these op calls in the ordinary "
                                      "format.")
      .holds;
}

Changes LeaveScaledFormats::parts_of(const Changes& products) const {
  std::map<std::size_t, ProductSet> sets;
  for (const std::size_t each : products) sets[singles_[each].whole] |= singles_[each].product;
  Changes parts;
  for (const auto& [whole, set] : sets) parts.push_back(part_of_call(prover_.candidates(), whole, set));
  std::sort(parts.begin(), parts.end());
  return parts;
}

}  // namespace binade::search
