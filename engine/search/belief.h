// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/search/prover.h"

#include <cstddef>
#include <vector>

namespace binade::search {

/// What is known of ranked candidates, of which some are needed. Ascending indices; the lowest is the first rank.
struct Known {
  Changes needed;       ///< found to be needed
  Changes superfluous;  ///< found not to be needed
  Changes suspects;     ///< at least one of these is needed; empty: it is not known of any others
};

/// Probability that candidates are needed, given what is known. A mixture of hypotheses on how many are needed and
/// whether the ranks say anything; under each, candidates are needed independently. What is found shifts the weight
/// between hypotheses, so useless evidence and many needed candidates are noticed.
class Belief {
 public:
  /// `set_apart`: the number of first ranks that the evidence sets clearly apart from the others; 0: none.
  explicit Belief(std::size_t candidates, std::size_t set_apart = 0);

  /// The last candidates of `of`, in number such that the probability of all being superfluous is nearest to 1/2: the
  /// answer about them then says most. `of` is not empty; it equals `known.suspects` unless that is empty. At least one
  /// suspect is kept.
  Changes pool(const Changes& of, const Known& known) const;

 private:
  /// Probability of each candidate to be needed, falling with the rank.
  struct Hypothesis {
    double logarithm = 0;  ///< of its probability before anything is known
    std::vector<double> needed;
  };

  void add(double prior, const std::vector<double>& by_rank, double expected);
  /// Probabilities of the hypotheses, given the candidates that are settled.
  std::vector<double> weights(const Known& known) const;

  std::vector<Hypothesis> hypotheses_;
};

}  // namespace binade::search
