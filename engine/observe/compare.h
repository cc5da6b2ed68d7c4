// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/site_hook.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace binade::observe {

/// How the values of one site under a policy differ from the same step's in float32; of several calls the worst each.
/// An error is |a - b| / |b| in the Euclidean norm, b being float32's, and infinite where a is not finite and b is.
/// Where b is NaN itself nothing is counted.
struct SiteDifference {
  int site = 0;
  int calls = 0;
  double forward = 0;  ///< error of the output
  /// The part of it that came in here and not with the arguments: the error against the op in float32 on the very
  /// arguments that the policy's run had. Of additions that follow one another in a loop, of their sum against the same
  /// sum in float32.
  double added = 0;
  /// Whether that was measured so. Else (ops that draw random numbers, that write an argument, that fail in float32) it
  /// is estimated: the root of what the output's squared error exceeds the arguments' by.
  bool measured = false;
  std::optional<double> gradient;  ///< error of the gradient that arrives at the output
  std::optional<double> cosine;    ///< between the two gradients there
  /// Error that the site's backward added: of the gradients that leave it, against the op's backward in float32 on the
  /// very arguments and the very gradient of the policy's run. Nothing where each of them is a sum over several sites,
  /// and for ops that could not be run again.
  std::optional<double> gradient_added;
  /// The largest error among the arguments, and the error of the output from there alone: of the op in float32 on the
  /// arguments of the policy's run. A call that enlarges what it is given takes nearly equal numbers apart, or is steep
  /// there. Where the op could not be run again it is taken to pass on what it was given.
  double arrived = 0;
  double inherited = 0;
  /// The most that `added` grows to in the calls that use the output, those that use theirs, and so on up to the loss:
  /// `added` times the largest product of their inherited / arrived. Of several executions their squares add up, and of
  /// a chain of additions it is what the whole chain's roundings become. Never less than `added`; at most about the
  /// error of the output of `becomes_at`, which is -1 where it does not grow.
  double becomes = 0;
  int becomes_at = -1;
  /// Of the added errors the part that is values which became 0: their share of the norm.
  double zeroed = 0;
  std::optional<double> gradient_zeroed = {};

  friend bool operator==(const SiteDifference&, const SiteDifference&) = default;
};

/// Compares two runs of one step, forward and backward: first under `reference`, then under `compared`, with equal
/// parameters, batches and random state. Both hooks belong outside of Autocast: they see arguments before any cast and
/// results after rounding. Holds a float32 copy of every output and gradient of the reference. One thread, but for
/// backward, which may run on others.
class Comparison {
 public:
  Comparison();
  ~Comparison();
  Comparison(const Comparison&) = delete;
  Comparison& operator=(const Comparison&) = delete;

  graph::SiteHook& reference();
  graph::SiteHook& compared();

  /// Before each forward, of either run; counts micro-batches. Gradients of this pass are `scale` times the true ones.
  void begin_reference(int batch, double scale);
  void begin_compared(int batch, double scale);
  /// Between forward and backward: looks at gradients from here on, after whatever the casts have put on them.
  void begin_backward();
  /// After each backward: takes hooks off the parameters.
  void end_pass();

  /// By site; views, casts that lose no bits and calls without floating-point results are left out.
  std::vector<SiteDifference> differences() const;

 private:
  struct State;
  class Reference;
  class Compared;
  struct Growths;
  static void add_up(const State& state, const Growths& growths, std::map<int, SiteDifference>& sites);
  std::shared_ptr<State> state_;
  std::unique_ptr<Reference> reference_;
  std::unique_ptr<Compared> compared_;
};

}  // namespace binade::observe
