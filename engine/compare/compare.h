// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/site_hook.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace binade::compare {

/// Difference between one site's values under a policy and in float32 for the same step; the worst over its calls. An
/// error is |a - b| / |b| in the Euclidean norm, where b is float32's value. It is infinite if a is not finite where b
/// is. Where b is NaN nothing is counted.
struct SiteDifference {
  int site = 0;
  int calls = 0;
  double forward = 0;  ///< error of the output
  /// Part of `forward` that this op adds, rather than inherits from its arguments: the error against the op in float32
  /// on the policy run's own arguments. For consecutive additions in a loop: the error of their sum against the same
  /// sum in float32.
  double added = 0;
  /// True if `added` was measured that way. Otherwise (ops that draw random numbers, write an argument or fail in
  /// float32) it is estimated as sqrt(forward² - arrived²).
  bool measured = false;
  std::optional<double> gradient;  ///< error of the gradient at the output
  std::optional<double> cosine;    ///< cosine between the two gradients at the output
  /// Error that the site's backward adds: its outgoing gradients against the op's backward in float32 on the policy
  /// run's own arguments and gradient. nullopt if each of them is summed over several sites, or if the op could not be
  /// rerun.
  std::optional<double> gradient_added;
  /// The largest error among the arguments, and the output's error that results from it: that of the op in float32 on
  /// the policy run's arguments. A ratio above 1 means that the call amplifies errors, by cancellation or a steep
  /// slope. If the op could not be rerun, it is assumed to pass errors on unchanged.
  double arrived = 0;
  double inherited = 0;
  /// The largest value that `added` grows to on the way to the loss: `added` times the largest product of inherited /
  /// arrived along its users. Squares of several executions are summed; for a chain of additions it is the error of the
  /// whole chain. Never less than `added`, and at most about the output error of `becomes_at`. `becomes_at` is -1 if it
  /// does not grow.
  double becomes = 0;
  int becomes_at = -1;
  /// The part of the added errors that comes from values that became 0, as a share of the norm.
  double zeroed = 0;
  std::optional<double> gradient_zeroed = {};

  friend bool operator==(const SiteDifference&, const SiteDifference&) = default;
};

/// Compares two runs of one step, forward and backward: first under `reference`, then under `compared`, with equal
/// parameters, batches and random state. Both hooks must be outside of Autocast: they receive arguments before any cast
/// and results after rounding. Holds a float32 copy of every output and gradient of the reference run. Not thread-safe,
/// but backward may run on other threads.
class Comparison {
 public:
  Comparison();
  ~Comparison();
  Comparison(const Comparison&) = delete;
  Comparison& operator=(const Comparison&) = delete;

  graph::SiteHook& reference();
  graph::SiteHook& compared();

  /// Call before each forward of a run. `batch` numbers the micro-batch; gradients of this pass are `scale` times the
  /// true ones.
  void begin_reference(int batch, double scale);
  void begin_compared(int batch, double scale);
  /// Call between forward and backward. Registers the gradient hooks, behind those of the casts.
  void begin_backward();
  /// Call after each backward. Removes hooks from the parameters.
  void end_pass();

  /// Returns the differences by site. Views, casts that lose no bits and calls without floating-point results are left
  /// out.
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

}  // namespace binade::compare
