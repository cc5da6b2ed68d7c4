// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/scaler/scale_watch.h"
#include "engine/train/buffer_watch.h"
#include "engine/train/event_bundles.h"
#include "engine/train/explain.h"
#include "engine/train/idle_rules.h"
#include "engine/train/observe_cost.h"
#include "engine/train/replay.h"
#include "engine/train/silent_watch.h"
#include "engine/train/training.h"
#include "engine/wire/profile.h"
#include "engine/wire/records.h"

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace binade::train {

/// What one step leaves behind.
struct StepOutcome {
  wire::StepRecord record;
  /// Where a gradient was not finite: the names of the parameters that have one, earliest layer first.
  std::vector<std::string> bad_parameters;
  /// No scaler judged the step, and it was left out all the same: its loss was not finite, or clipping would have made
  /// every gradient 0 or hidden an infinity.
  bool withheld = false;
  /// Some batch had no label at all, over which the mean, the loss, is NaN: that is the data's, and no divergence.
  bool without_label = false;
  std::vector<scaler::ScaleWarning> warnings;
  /// Why a step whose loss or gradients were not finite was so.
  std::optional<wire::Diagnosis> diagnosis;
  /// Why values overflowed in a step that is finite all the same, where it was looked at; of each op call once.
  std::optional<wire::Diagnosis> vanished;
  std::optional<wire::StepTimes> times;  ///< of a profiled step
  silent::Evidence silent;               ///< of a step that was looked at closely
  /// What observing costs, where there is news of that.
  std::optional<wire::ObserveCost> observe_cost;
};

/// Does optimizer steps. The host waits for the device once in each: losses, gradient norm and the scalers' checks come
/// home together, the observations behind them. A step whose loss or gradients are not finite is replayed and explained
/// before it ends; training goes on as if it had not been.
class Stepper {
 public:
  /// Without `replays` steps that are not finite stay unexplained.
  explicit Stepper(Training& training, bool replays = true);

  /// One optimizer step on the next `accumulate` batches. Throws Error naming the site where an op fails; whatever it
  /// throws, gradients are dropped, and data, random state, buffers and attributes are as they were before. Parameters
  /// too, unless the optimizer itself failed: then the training is not whole any more.
  StepOutcome run(std::int64_t step);

  /// From the next step on.
  void set_observe(const wire::ObserveConfig& observe);
  void set_profile(const wire::ProfileConfig& profile) { profile_ = profile; }
  /// Whether somebody looks at the run: then ObserveConfig::live holds.
  void set_watched(bool watched) { is_watched_ = watched; }
  /// Which rules find nothing to cast: switched on for the first step of a policy.
  IdleRules& idle_rules() { return idle_; }

  /// What the explanations of steps that were not finite have found so far.
  const RunFix& fix() const { return fix_; }
  /// What observing costs so far; nothing before that is known.
  std::optional<wire::ObserveCost> observe_cost() const { return cost_.cost(); }

  /// Every tensor that a record has named so far, by id.
  const std::vector<wire::WatchedTensor>& watched() const { return watched_; }

 private:
  struct Home;
  StepOutcome attempt(std::int64_t step);
  /// How closely this step is looked at.
  observe::Level level_at(std::int64_t step);
  /// A live look at a step that the interval leaves out is due.
  bool live_look_is_due() const;
  /// Forward and losses of one batch, then backward of each scaler's share.
  void micro_batch(const Batch& batch);
  /// What is known of a step before it runs; sets the learning rate.
  void begin_record(wire::StepRecord& record, std::int64_t step);
  void end_record(wire::StepRecord& record, const Home& home) const;
  bool must_withhold(const Home& home, bool gradients_finite) const;
  Home bring_home(const std::vector<at::Tensor>& found_inf, const at::Tensor& norm,
                  const std::vector<at::Tensor>& buffers) const;
  std::vector<at::Tensor> gradients() const;
  std::vector<std::string> bad_parameters() const;
  void watch(StepOutcome& outcome, const Home& home);
  void add_observations(wire::StepRecord& record);
  /// `level`: how closely the step itself was looked at.
  void explain_step(StepOutcome& outcome, observe::Level level);
  /// Of a finite step that shows an infinity in the forward: where it came from.
  void look_for_vanished(StepOutcome& outcome);
  /// Replays the step, where one of these op calls is due for that.
  void explain_vanished_in(StepOutcome& outcome, const std::map<int, double>& shown);
  void add_times(StepOutcome& outcome);
  /// `level`: how closely the step was looked at; `timed`: profiled.
  void note_cost(StepOutcome& outcome, observe::Level level, bool timed);

  Training& training_;
  using Clock = std::chrono::steady_clock;
  wire::ObserveConfig observe_;
  wire::ProfileConfig profile_;
  bool is_watched_ = false;
  Clock::time_point looked_at_{};  ///< when a step of the full level last began
  double look_seconds_ = 0;        ///< what that took
  CostMeter cost_;
  std::vector<at::Tensor> parameters_;
  std::vector<std::size_t> scaler_of_;  ///< by loss
  std::vector<at::Tensor> losses_;      ///< of this step, 0-dim, the mean over its batches
  std::vector<wire::WatchedTensor> watched_;
  const bool replays_;
  Replay replay_;
  BufferWatch buffers_;
  EventBundles bundles_;
  SilentWatch silent_;
  IdleRules idle_;
  bool replayed_ = false;       ///< in this step: its time tells nothing of what observing costs
  std::int64_t explained_ = 0;  ///< steps so far
  std::int64_t explained_at_ = 0;
  RunFix fix_;
  /// Of infinities that vanish, under one policy: for each op call that showed some in how many steps, which of these
  /// is replayed next, and what was found; and the op calls that were named.
  struct Vanished {
    struct Shown {
      std::int64_t seen = 0;
      std::int64_t due = 1;
      std::optional<silent::VanishedSeen> found;
      std::string failed;  ///< why nothing is known of it; empty: nothing has failed
    };
    int revision = -1;
    std::map<int, Shown> sites;
    std::set<int> named;                         ///< with harm
    std::set<int> noticed;                       ///< without
    std::vector<silent::VanishedSeen> now;       ///< in the present step
    std::vector<silent::Unmeasured> unmeasured;  ///< in the present step
  };
  Vanished vanished_;
};

}  // namespace binade::train
