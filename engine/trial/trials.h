// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/files/progress.h"
#include "engine/policy/policy.h"
#include "engine/train/training.h"
#include "engine/wire/run_config.h"
#include "engine/wire/trial.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace binade::trial {

/// What to try.
struct Order {
  std::string
      name{};  ///< of the change; empty: made from the policies' differences, without rules that match no op call
  policy::Policy before;  ///< the policy to compare with
  policy::Policy after;
  std::int64_t steps = 100;
  std::int64_t seeds = 1;
  /// Receives the number of steps made and to make, over all trainings, after each step. Returns whether to go on. May
  /// be empty.
  std::function<bool(std::int64_t done, std::int64_t of)> progress{};
  /// Receives the Try after each seed, judged so far, for example to store it. May be empty.
  std::function<void(const wire::Trial&)> learnt{};
  /// Receives the Try while a seed is in progress, as run() would return it if it were cancelled after this step:
  /// judged so far, with `complete` false. Called after a step, `partial_every` after the call before at the earliest,
  /// and later if the calls would take more than a fiftieth of the time. May be empty.
  std::function<void(const wire::Trial&)> partial{};
  std::chrono::milliseconds partial_every{2000};
};

/// Tries policies from one state of a run, in a training of its own; the run itself is not touched. The state is read
/// once and kept in memory, so the checkpoint may be deleted afterwards. Trainings that were made already, under the
/// same policy with the same number of steps and seed, are not repeated. LibTorch's random state is preserved, except
/// by training(). Use on one thread.
///
/// Seed 0 takes the batches that follow the checkpoint. Seed n takes those n times K steps further on, with generators
/// seeded anew, the same in all three trainings. Steps may exceed the end of the run: data starts another epoch, and
/// the schedule of the learning rate goes on by its formula. Times of trainings made one after the other are compared,
/// so they contain changes of the machine's load.
class Trials {
 public:
  /// Sets up the run, from `checkpoint` or, if that is empty, from its start. Nothing is observed, recorded or saved.
  /// Throws as train::set_up() and checkpoint::load_checkpoint(), and Error{kBadRun} if the data differs from that of
  /// the checkpoint: other data, batch, accumulate or seed.
  Trials(const wire::RunConfig& run, const std::string& checkpoint, const files::Progress& progress = {});
  ~Trials();
  Trials(const Trials&) = delete;
  Trials& operator=(const Trials&) = delete;

  /// Runs the three trainings of each seed and judges them. A policy that fails is a result, not an error. Where it
  /// fails, no further training is made. If `order.progress` returns false, returns what was learnt so far with
  /// `complete` false. Throws Error{kBadRun} for steps or seeds below 1 or beyond any use, and Error{kBadData} or
  /// Error{kBadFile} if a batch cannot be read.
  wire::Trial run(const Order& order);

  /// Median seconds of a step under a policy, over `steps` steps from the checkpoint, timed now: trainings that are not
  /// repeated keep their times, while the machine's load changes. NaN if a step fails.
  double seconds_now(const policy::Policy& policy, std::int64_t steps);

  /// The policy of the checkpoint or, without one, of the run.
  const policy::Policy& policy() const;
  /// The step that follows the checkpoint.
  std::int64_t first_step() const;
  /// What prevents an exact continuation of the run or an exact repetition of a step, for people; mostly empty. Grows
  /// where run() finds that a step gives other results when it is repeated.
  const std::vector<std::string>& notes() const;
  /// The training, at the checkpoint, under policy(), with LibTorch's random state of the checkpoint. For measurements;
  /// the next call of training() or run() starts from the checkpoint again, whatever they changed.
  train::Training& training();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace binade::trial
