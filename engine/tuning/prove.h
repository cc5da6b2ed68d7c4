// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/policy.h"
#include "engine/search/search.h"
#include "engine/trial/trials.h"

#include <cstdint>
#include <functional>
#include <string>
#include <utility>

namespace binade::tuning {

/// How policies are proven.
struct Proving {
  search::Goal goal = search::Goal::kTime;
  policy::Policy base;  ///< beside which policies are tried: search::reference() of the order
  std::int64_t steps = 100;
  std::int64_t seeds = 1;
  bool estimates_time = false;  ///< for Goal::kTime: the estimate for a GPU counts; see times_are_of_emulation()
  /// As trial::Order::progress. May be empty.
  std::function<bool(std::int64_t done, std::int64_t of)> progress{};
};

/// Proves policies by Tries of them beside the base. Costs, by goal: median seconds of a step, or their estimate for a
/// GPU; bytes; casts. Use on one thread.
class Prover {
 public:
  /// `trials` must outlive this.
  Prover(trial::Trials& trials, Proving how) : trials_(trials), how_(std::move(how)) {}

  /// Tries a policy. The costs of Goal::kRepair are left to the search, which counts changes. Throws Error{kCancelled}
  /// if the progress function ended it, and Error{kBadRun} if the training that it was tried beside fails itself.
  search::Proof operator()(const policy::Policy& tried);

 private:
  trial::Trials& trials_;
  Proving how_;
};

/// The GPU whose estimate counts with Proving::estimates_time: `H100 SXM5`.
std::string estimated_gpu();

/// Whether times on the training's device say nothing about formats, because it emulates those of `base`, or
/// `candidate`, which a search may give its op calls.
bool times_are_of_emulation(const train::Training& training, const policy::Policy& base,
                            const formats::Format& candidate);

}  // namespace binade::tuning
