// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/search/candidates.h"

#include <chrono>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace binade::search {

/// Indices of candidates, ascending; at most one candidate of each op call.
using Changes = std::vector<std::size_t>;

/// Thrown where a search stops before its last try; caught in run().
struct SearchEnd {
  End end = End::kCancelled;
  std::string reason;  ///< a sentence
};

/// Proves sets of candidates within the budget, and keeps the progress. An answer that is known, from this search or
/// from the one that it continues, is not asked for again.
class Prover {
 public:
  /// What a proof means for the goal.
  struct Answer {
    bool holds = false;
    /// Measured cost of the base minus that of the policy; 0 for a saving up to `noise`. NaN: not measured.
    double saved = 0;
    double noise = 0;  ///< Proof::cost_noise
  };

  /// All references must outlive the object.
  Prover(const Order& order, const StepEvidence& evidence, const std::vector<Candidate>& candidates, const Prove& prove,
         const Report& report, const Progress& from);

  /// Proves the base with `changes`, of which `sentence` says why. Throws SearchEnd if that would need a try beyond the
  /// budget, or the search was cancelled.
  Answer prove(const Changes& changes, const std::string& sentence);

  const std::vector<Candidate>& candidates() const { return candidates_; }
  const std::vector<Point>& proven() const { return progress_.proven; }
  /// The point of changes that were proven; nullptr: they were not. Valid until the next prove().
  const Point* point(const Changes& changes) const;
  /// The progress at the end of the search, reported.
  Progress finish(End end, const std::string& sentence);

 private:
  Point point_of(const Changes& changes, const std::string& sentence) const;
  void check_budget() const;
  SearchEnd cancelled() const;
  void report();
  double seconds() const;
  /// Why a policy does not respect the limits, a sentence; empty: it does.
  std::string beyond_limits(const Proof& proof) const;
  Answer answer_of(const Point& point) const;

  const Order& order_;
  const StepEvidence& evidence_;
  const std::vector<Candidate>& candidates_;
  const Prove& prove_;
  const Report& report_;
  const Progress& from_;
  Progress progress_;
  std::map<Changes, std::size_t> known_;  ///< index in Progress::proven
  double base_cost_;
  bool is_cancelled_ = false;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace binade::search
