// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/site_hook.h"
#include "engine/wire/comparison.h"

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace binade::compare {

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
  std::vector<wire::SiteDifference> differences() const;

 private:
  struct State;
  class Reference;
  class Compared;
  struct Growths;
  static void add_up(const State& state, const Growths& growths, std::map<int, wire::SiteDifference>& sites);
  std::shared_ptr<State> state_;
  std::unique_ptr<Reference> reference_;
  std::unique_ptr<Compared> compared_;
};

}  // namespace binade::compare
