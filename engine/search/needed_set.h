// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/search/belief.h"

#include <cstddef>
#include <functional>
#include <vector>

namespace binade::search {

/// Finds the smallest subset of ranked things that is needed: with it a policy holds, and nothing can be left out of
/// it.
///
/// The method is adaptive group testing (Dorfman, 1943; Hwang, 1972). A try leaves out a pool that is superfluous as a
/// whole with a probability near 1/2, so each answer gives about one bit. If the policy still holds, the pool is
/// superfluous. If it fails, something in the pool is needed, and smaller pools of it find what. This assumes that a
/// policy that holds still holds with more of the things. If that is wrong, the search ends as well, with a set that
/// was proven but may not be the smallest.
class NeededSet {
 public:
  /// Whether the policy holds with these things: ascending indices of their ranks.
  using Holds = std::function<bool(const Changes&)>;

  /// `count` things, the first of which is suspected most. Nothing at all is known to fail; whether everything holds is
  /// known, or tried when the first thing seems to be needed. `set_apart`: as for Belief.
  NeededSet(std::size_t count, bool all_hold, Holds holds, std::size_t set_apart = 0);

  /// Tries until the set is known. Errors of `holds` pass through; what was found so far stays.
  void find();

  /// The smallest set that is known to hold. Without `is_proven()`, all.
  const Changes& kept() const { return kept_; }
  /// Whether kept() is known to hold.
  bool is_proven() const { return proven_; }
  /// Whether find() came to its end with a set from which nothing can be left out.
  bool is_smallest() const { return smallest_; }
  /// Whether everything together fails.
  bool is_hopeless() const { return hopeless_; }

 private:
  bool holds(const Changes& kept);

  Holds holds_;
  Belief belief_;
  Known known_;
  Changes kept_;
  std::vector<Changes> failing_;  ///< sets that failed, and the empty one
  bool proven_;
  bool smallest_ = false;
  bool hopeless_ = false;
};

/// What is in `a` and not in `b`, both ascending.
Changes difference(const Changes& a, const Changes& b);

}  // namespace binade::search
