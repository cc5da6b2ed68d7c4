// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/diagnose/buffer_watch.h"
#include "engine/diagnose/event_bundles.h"
#include "engine/diagnose/explain.h"
#include "engine/diagnose/replay.h"
#include "engine/evidence/silent_watch.h"
#include "engine/ranks/shared_training.h"
#include "engine/run/observe_cost.h"
#include "engine/run/quantized_watch.h"
#include "engine/run/unused_rules.h"
#include "engine/run/vanished_watch.h"
#include "engine/scaler/scale_watch.h"
#include "engine/train/training.h"
#include "engine/wire/profile.h"
#include "engine/wire/records.h"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace binade::run {

/// The results of one step.
struct StepOutcome {
  wire::StepRecord record;
  /// Names of the parameters with a non-finite gradient, earliest layer first.
  std::vector<std::string> bad_parameters;
  /// The step was skipped although no scaler rejected it: its loss was not finite, or clipping would have set every
  /// gradient to 0 or hidden an infinity.
  bool withheld = false;
  /// A batch had no label at all, so that its loss, a mean, is NaN: a fault of the data, not a divergence.
  bool without_label = false;
  std::vector<scaler::ScaleWarning> warnings;
  /// Why the loss or gradients were not finite.
  std::optional<wire::Diagnosis> diagnosis;
  /// Why values overflowed in a step that is nevertheless finite, if it was observed; once per op call.
  std::optional<wire::Diagnosis> vanished;
  std::optional<wire::StepTimes> times;           ///< of a profiled step
  std::vector<wire::QuantizedOperand> quantized;  ///< of an observed step
  silent::Evidence silent;                        ///< of a closely observed step
  /// The cost of observing, if there is a new figure.
  std::optional<wire::ObserveCost> observe_cost;
};

/// Performs optimizer steps. Each synchronises with the device once: losses, gradient norm and the scalers' checks are
/// copied together, then the observations. A step whose loss or gradients are not finite is replayed and explained
/// before it ends, without effect on the training.
///
/// Whether a step counts is decided from that one read and before clipping, so a norm over an infinity never scales a
/// gradient. A skipped step restores data cursor and buffers as the run requires (RunConfig::skipped, keep_buffers).
/// Use on the training thread.
class Stepper {
 public:
  /// Without `replays`, non-finite steps are not explained. `shared`: the training is one rank's part of a training on
  /// several; null: it is the whole. Both must outlive the stepper.
  explicit Stepper(train::Training& training, bool replays = true, ranks::SharedTraining* shared = nullptr);

  /// Performs one optimizer step on the next `accumulate` batches. Throws Error, naming the site, if an op fails. On
  /// any exception, gradients are dropped, and data, random state, buffers and attributes are restored. Parameters are
  /// unchanged too, unless the optimizer itself failed: then the training is no longer whole.
  /// Observes at `level`, or as the settings say. On several ranks, all must run the same step at the same level; rank
  /// 0 has the outcome of all.
  StepOutcome run(std::int64_t step, std::optional<observe::Level> level = std::nullopt);
  /// Returns the observe level of a step as the settings say. Call it once per step.
  observe::Level level_at(std::int64_t step);

  /// Takes effect with the next step.
  void set_observe(const wire::ObserveConfig& observe);
  void set_profile(const wire::ProfileConfig& profile) { profile_ = profile; }
  /// Sets whether the run is displayed live, so that ObserveConfig::live applies.
  void set_watched(bool watched) { is_watched_ = watched; }
  /// Detects rules with nothing to cast; switched on for the first step of a policy.
  UnusedRules& unused_rules() { return unused_rules_; }

  /// The fix found so far by explanations of non-finite steps.
  const diagnose::RunFix& fix() const { return fix_; }
  /// The cost of observing so far; nullopt: not known yet.
  std::optional<wire::ObserveCost> observe_cost() const { return cost_.cost(); }

  /// Every tensor named by a record so far, by id.
  const std::vector<wire::WatchedTensor>& watched() const { return watched_; }

 private:
  struct HostReadback;
  StepOutcome attempt(std::int64_t step, observe::Level level);
  /// Returns whether a live observation is due in a step that the interval leaves out.
  bool live_observation_is_due() const;
  /// Runs forward and losses of one batch, then backward of each scaler's share. `last`: of the step.
  void micro_batch(const batches::Batch& batch, bool last);
  /// Replaces this rank's figures by those of all ranks.
  void agree(HostReadback& readback) const;
  /// Returns whether this rank explains a step that is not finite. `own_loss`: of its part of the batch.
  bool is_to_explain(double own_loss) const;
  /// Fills in what is known before the step; sets the learning rate.
  void begin_record(wire::StepRecord& record, std::int64_t step);
  void end_record(wire::StepRecord& record, const HostReadback& readback) const;
  bool must_withhold(const HostReadback& readback, bool gradients_finite) const;
  HostReadback read_back(const std::vector<at::Tensor>& found_inf, const at::Tensor& norm,
                         const at::Tensor& buffers) const;
  std::vector<at::Tensor> gradients() const;
  std::vector<std::string> bad_parameters() const;
  void watch(StepOutcome& outcome, const HostReadback& readback);
  void add_observations(wire::StepRecord& record);
  /// `level`: the observe level of the step itself; `full`: with a fix.
  void explain_step(StepOutcome& outcome, observe::Level level, bool full);
  /// On rank 0: keeps the state before a step that another rank explains, and returns the file's name, as
  /// diagnose::EventBundles. It is that of every rank.
  std::string keep_state(std::int64_t step);
  /// Says in a diagnosis what its replay lacks of a step on several ranks.
  void note_ranks(wire::Diagnosis& diagnosis) const;
  void note_lost_bundle(wire::Diagnosis& diagnosis);
  /// Whether a step that is not finite is explained with a fix, and not only by one replay. Counts it.
  bool is_explained_in_full(std::int64_t step);
  void add_times(StepOutcome& outcome);
  /// `level`: the observe level; `timed`: profiled.
  void note_cost(StepOutcome& outcome, observe::Level level, bool timed);

  train::Training& training_;
  using Clock = std::chrono::steady_clock;
  wire::ObserveConfig observe_;
  wire::ProfileConfig profile_;
  bool is_watched_ = false;
  Clock::time_point observed_at_{};  ///< when a step of the full level last started
  double observed_seconds_ = 0;      ///< its duration
  CostMeter cost_;
  std::vector<at::Tensor> parameters_;
  std::vector<at::Tensor> losses_;  ///< of this step, 0-dim, the mean over its batches
  std::vector<wire::WatchedTensor> watched_;
  const bool replays_;
  ranks::SharedTraining* const shared_;
  diagnose::Replay replay_;
  diagnose::BufferWatch buffers_;
  diagnose::EventBundles bundles_;
  evidence::SilentWatch silent_;
  QuantizedWatch quantized_;
  UnusedRules unused_rules_;
  bool replayed_ = false;       ///< in this step, so that its time is unsuitable for the cost of observing
  std::int64_t explained_ = 0;  ///< number of explained steps
  std::int64_t explained_at_ = 0;
  diagnose::RunFix fix_;
  VanishedWatch vanished_;
};

}  // namespace binade::run
