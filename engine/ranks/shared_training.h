// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/ranks/gradient_sums.h"
#include "engine/ranks/group.h"
#include "engine/ranks/merged_observations.h"
#include "engine/ranks/shared_magnitudes.h"
#include "engine/ranks/synchronised_norm.h"
#include "engine/train/training.h"
#include "engine/wire/ranks.h"
#include "engine/wire/records.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace binade::ranks {

/// Derives the random state of a rank in a step from the run's seed, so that it needs no checkpoint.
void seed_step(std::uint64_t seed, int rank, std::int64_t step);

/// A training on several ranks, as one of them takes part in it: every rank has a training of its own with its part of
/// each batch (train::Seat), and takes the same steps with the sums of all gradients. Together they are one training on
/// whole batches: losses, gradients, decisions and scalers are those of one process, up to rounding.
///
/// Group and training must outlive it. Use on the training thread, except set_tensor() and ask_to_stop().
class SharedTraining {
 public:
  SharedTraining(Group& group, train::Training& training);
  ~SharedTraining();

  Group& group() { return group_; }
  /// Whether this rank takes requests and reports the run: rank 0.
  bool leads() const { return group_.rank() == 0; }

  /// Throws Error{kBadRun} on every rank, naming the ranks that differ from rank 0 and in what, unless all have the
  /// same LibTorch, run description, files, starting values and policy table. Returns the ranks.
  std::vector<wire::RankInfo> check_same();

  /// Chooses what sums the gradients, like Group::choose_backend(). Call after check_same(). Returns a sentence for the
  /// log; empty on the CPU. Throws like it.
  std::string choose_backend();

  /// The hook that synchronises batch norms; null: they are local.
  graph::SiteHook* norms() { return norms_ ? &*norms_ : nullptr; }

  // In the order of a step.

  /// Also calls seed_step().
  void begin_step(std::int64_t step);
  /// Sets the share of each loss in which labels are ignored: a mean over the labels of all ranks, which need not have
  /// equally many.
  void weigh(batches::Batch& batch);
  /// Call before backward of the step's last batch.
  void before_last_backward();
  /// Call after it. Parameters then have the gradients of the whole batch.
  void sum_gradients();

  /// What ranks agree on before they decide about a step.
  struct Figures {
    double loss = 0;              ///< in: of this rank's part; out: of the whole batch
    double norm = 0;              ///< of the summed gradients; out: as rank 0 computed it
    std::vector<bool> found_inf;  ///< by scaler; out: of any rank
    bool suspect_buffers = false;
  };
  /// Throws Error{kBadRun}, naming the rank, if another one has a different step, loss scale, policy or gradient norm.
  void agree(Figures& figures);

  /// After agree(), if the step is not finite: finds the ranks whose own examples cause it. `rows`: indices of this
  /// rank's examples. Returns the rank that explains the step: the first of them, or 0 if only the sum is not finite.
  int blame(bool own_loss_is_finite, const std::vector<std::int64_t>& rows);

  /// A diagnosis that another rank than 0 may have made.
  struct Found {
    wire::StepRecord* record;  ///< of this rank; on rank 0, observations of all ranks are merged into it
    std::optional<wire::Diagnosis>* diagnosis;  ///< on rank 0, receives that of another rank
    std::optional<wire::Diagnosis>* vanished;   ///< the same
  };
  /// Brings observations and diagnoses of a step to rank 0. `watched`: this rank's observed tensors.
  void report(const Found& found, const std::vector<wire::WatchedTensor>& watched);

  /// Last of a step, before the optimizer: sets the list of ranks in the record on rank 0, gives every rank the largest
  /// magnitudes of operands with delayed scaling, and, if batch norms are local, the buffers of rank 0.
  void end_step(wire::StepRecord& record);
  /// Ends a step that failed.
  void abandon() { sums_.abandon(); }

  /// Sets the share of time with busy tensor cores, in percent. Any thread.
  void set_tensor(double percent) { tensor_ = percent; }
  /// Asks rank 0 to stop the run, with the next step. Any thread.
  void ask_to_stop() { stop_asked_ = true; }
  /// On rank 0, what a rank that was asked to stop does; called by agree().
  void on_stop(std::function<void()> stop) { on_stop_ = std::move(stop); }

 private:
  Group& group_;
  train::Training& training_;
  GradientSums sums_;
  MergedObservations merged_;
  SharedMagnitudes magnitudes_;
  bool new_magnitudes_ = false;  ///< of any rank in this step
  std::optional<SynchronisedNorm> norms_;
  std::map<at::ScalarType, std::vector<at::Tensor>> buffers_;
  std::chrono::steady_clock::time_point began_;
  std::int64_t step_ = 0;
  double own_seconds_ = 0;
  std::vector<wire::RankFacts> facts_;
  std::atomic<double> tensor_ = std::numeric_limits<double>::quiet_NaN();
  std::atomic<bool> stop_asked_ = false;
  std::function<void()> on_stop_;
};

}  // namespace binade::ranks
