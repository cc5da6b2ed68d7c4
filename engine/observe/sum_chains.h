// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/format.h"
#include "engine/graph/site_hook.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace binade::observe {

/// A sum that a chain of additions made, beside the same chain in float32.
struct SumSeen {
  int site = 0;                ///< of the last addition
  int call = 0;                ///< which execution of it
  std::int64_t additions = 0;  ///< one behind the other
  double error = 0;            ///< |a - b| / |b| in the Euclidean norm, b being float32's of the same terms
  formats::Format format;      ///< that holds the sum
  std::vector<int>
      sites;  ///< of the additions and of the scalings between them, ascending; the last addition's is there
  bool in_place = false;  ///< some of them write an argument
  bool loop = false;      ///< some of them were executed several times
  bool cut = false;       ///< `sites` has as many as are kept, and there are more
};

/// A chain of additions that cannot be followed any further, so that nothing is known of its sum.
struct SumUnknown {
  int site = 0;  ///< of the addition at which that was found
  std::string why;
};

/// Runs chains of additions in a format of few digits once more in float32, on the very terms that they were given: a
/// loop that adds to one tensor, a sum that is written out, residuals, a running average. Each addition rounds its
/// result; one by one that is nothing, and over many it adds up. Terms are taken as they came: what they lost before is
/// not counted, nor what a sum loses where it is only scaled afterwards. Nest it outside of Autocast, in one forward
/// after begin(). Changes nothing. One thread.
class SumChains {
 public:
  /// Shorter chains are left alone.
  static constexpr std::int64_t kLeastAdditions = 8;
  /// Sites that are kept of a sum: those that were met first. Further ones count as additions, and are not named.
  static constexpr std::size_t kMostSites = 4096;

  explicit SumChains(std::size_t most_sites = kMostSites);
  ~SumChains();
  SumChains(const SumChains&) = delete;
  SumChains& operator=(const SumChains&) = delete;

  /// A forward begins: what was known of tensors is dropped.
  void begin();
  void before(const graph::Call& call);
  void after(const graph::Call& call);
  /// Of the forwards since the last of these: the worst of each chain, the worst first.
  std::vector<SumSeen> finish();
  /// Of the same forwards, what could not be measured, each site once; before finish().
  std::vector<SumUnknown> unknown() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace binade::observe
