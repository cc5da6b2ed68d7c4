// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/autocast/product_state.h"

#include <tuple>
#include <vector>

namespace binade::ranks {

class Group;

/// The magnitudes that delayed scaling derives its scales from, as those of one process on the whole batch: the largest
/// over all ranks, as Transformer Engine reduces them (`reduce_amax` of its recipe). All ranks then have equal scales.
/// Without operands of delayed scaling it sends nothing.
class SharedMagnitudes {
 public:
  SharedMagnitudes(Group& group, autocast::ProductState& products) : group_(group), products_(products) {}

  /// Whether this rank has quantized an operand that not all ranks know of. The ranks agree on it before share().
  bool has_new() const;
  /// Gives every rank the largest magnitudes of the present step. Call it on all ranks after backward. `any_new`:
  /// has_new() of any rank.
  void share(bool any_new);

 private:
  using Place = std::tuple<int, int, int>;  ///< site, operand, element
  static Place place_of(const autocast::ProductState::Magnitude& magnitude);
  void add_new();

  Group& group_;
  autocast::ProductState& products_;
  std::vector<Place> places_;  ///< ascending; the same on every rank
};

}  // namespace binade::ranks
