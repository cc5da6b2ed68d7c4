// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/format.h"
#include "engine/graph/site_hook.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace binade::observe {

/// The sum of a chain of additions, compared with the same chain in float32.
struct SumSeen {
  int site = 0;                ///< of the last addition
  int call = 0;                ///< index of its execution
  std::int64_t additions = 0;  ///< number of consecutive additions
  double error = 0;            ///< |a - b| / |b| in the Euclidean norm, where b is float32's sum of the same terms
  formats::Format format;      ///< format that stores the sum
  std::vector<int>
      sites;  ///< sites of the additions and of scalings between them, ascending; includes the last addition's
  bool in_place = false;  ///< some of them write an argument
  bool loop = false;      ///< some of them ran several times
  bool cut = false;       ///< `sites` is incomplete because it reached its limit
};

/// A chain of additions that could not be followed further, so that the error of its sum is unknown.
struct SumUnknown {
  int site = 0;  ///< the addition at which this was detected
  std::string why;
};

/// Reruns chains of low-precision additions in float32 on the same terms: a loop that adds to one tensor, a written-out
/// sum, residuals, a running average. Single roundings are negligible but accumulate over many additions. Losses in the
/// terms themselves are not counted, nor losses of a sum that is only scaled afterwards. Must be nested outside of
/// Autocast, with begin() before each forward. Does not change the run. Not thread-safe.
class SumChains {
 public:
  /// Shorter chains are ignored.
  static constexpr std::int64_t kLeastAdditions = 8;
  /// Most sites stored per sum, in order of first occurrence. Further ones count as additions without being listed.
  static constexpr std::size_t kMostSites = 4096;

  explicit SumChains(std::size_t most_sites = kMostSites);
  ~SumChains();
  SumChains(const SumChains&) = delete;
  SumChains& operator=(const SumChains&) = delete;

  /// Starts a forward and forgets all tensors.
  void begin();
  void before(const graph::Call& call);
  void after(const graph::Call& call);
  /// Returns the worst sum of each chain over the forwards since the last call, the worst first.
  std::vector<SumSeen> finish();
  /// Returns the chains of the same forwards that could not be measured, one entry per site. Call before finish().
  std::vector<SumUnknown> unknown() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace binade::observe
