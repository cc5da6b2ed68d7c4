// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/files/progress.h"
#include "engine/policy/policy.h"
#include "engine/train/training.h"
#include "engine/wire/run_config.h"
#include "engine/wire/trial.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace binade::trial {

/// What to try.
struct Order {
  std::string name{};     ///< of the change; empty: made from the policies' differences
  policy::Policy before;  ///< the policy to compare with
  policy::Policy after;
  std::int64_t steps = 100;
  std::int64_t seeds = 1;
  /// Receives the number of steps made and to make, over all trainings, after each step. Returns whether to go on. May
  /// be empty.
  std::function<bool(std::int64_t done, std::int64_t of)> progress{};
  /// Receives the Try after each seed, judged so far, for example to store it. May be empty.
  std::function<void(const wire::Trial&)> learnt{};
};

/// Tries policies from one state of a run, in a training of its own; the run itself is not touched. The state is read
/// once, so the checkpoint may be deleted afterwards. Trainings of a `before` that were made already, with the same
/// policy, number of steps and seed, are not repeated. Use on one thread.
class Trials {
 public:
  /// Sets up the run, from `checkpoint` or, if that is empty, from its start. Nothing is observed, recorded or saved.
  /// Throws as train::set_up() and checkpoint::load_checkpoint(), and Error{kBadRun} if the data differs from that of
  /// the checkpoint.
  Trials(const wire::RunConfig& run, const std::string& checkpoint, const files::Progress& progress = {});
  ~Trials();
  Trials(const Trials&) = delete;
  Trials& operator=(const Trials&) = delete;

  /// Runs the three trainings of each seed and judges them. A policy that fails is a result, not an error. If
  /// `order.progress` returns false, returns what was learnt so far with `complete` false. Throws Error{kBadRun} for
  /// steps or seeds below 1, and for steps beyond the data of a run that ends.
  wire::Trial run(const Order& order);

  /// The policy of the checkpoint or, without one, of the run.
  const policy::Policy& policy() const;
  /// The step that follows the checkpoint.
  std::int64_t first_step() const;
  /// What prevents an exact continuation of the run, for people; mostly empty.
  const std::vector<std::string>& notes() const;
  /// The training, at the checkpoint, under policy(). For measurements that leave it unchanged.
  train::Training& training();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace binade::trial
