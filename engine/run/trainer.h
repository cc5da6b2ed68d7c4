// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/run/control.h"
#include "engine/run/listener.h"
#include "engine/wire/comparison.h"
#include "engine/wire/records.h"
#include "engine/wire/run_config.h"
#include "engine/wire/savings.h"

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace binade::graph {
class Model;
}

namespace binade::observe {
class SiteMarks;
}

namespace binade::checkpoint {
class CheckpointFolder;
}  // namespace binade::checkpoint

namespace binade::ranks {
class Group;
class SharedTraining;
}  // namespace binade::ranks

namespace binade::train {
struct Training;
}  // namespace binade::train

namespace binade::run {

/// Runs one training from its description to its end, on the calling thread. The listener receives StateChanged
/// (loading), RunStarted, then everything that happens, in order, and finally Finished with the result of run().
/// Evaluations run every `evaluate_every` steps and after the last one.
class Trainer {
 public:
  /// Throws Error if the run cannot start; the listener has then received StateChanged twice, loading and idle. Throws
  /// Error{kCancelled} soon after a request of `stop` (Control::stop_token). `group`: this process is a rank of a run
  /// on several, which all make a Trainer, and must outlive it; null: it trains alone. Ranks other than 0 report
  /// their own part of the steps, save nothing, and follow the requests to rank 0.
  Trainer(const wire::RunConfig& config, Listener& listener, const std::stop_token& stop = {},
          ranks::Group* group = nullptr);
  ~Trainer();
  Trainer(const Trainer&) = delete;
  Trainer& operator=(const Trainer&) = delete;

  /// Trains until all steps are done, a stop is requested, or an exception ends the run as kFailed with message and
  /// hint; it is not rethrown. A non-finite loss, or running out of memory, pauses the run, or ends it if it is
  /// unattended.
  wire::Finished run(Control& control);

  /// This rank's part in a training on several; null: it trains alone.
  ranks::SharedTraining* shared() const { return shared_.get(); }

  /// Sets the receiver of every site's start and end in profiled steps; may be null. Call before run(). Not owned; must
  /// outlive the trainer.
  void set_marks(observe::SiteMarks* marks);

  /// The model in training. Must not be used during run().
  const graph::Model& model() const;
  /// Saves the model with its current weights, like save_trained_model(). Call before or after run().
  void save_model(const std::string& file) const;
  /// Compares the next step with float32, like compare_with_float32(). Call before or after run().
  wire::Float32Comparison compare() const;
  /// Measures what another policy would save, like policy_savings(). Call before or after run().
  wire::Savings savings(const policy::Policy& wanted) const;

 private:
  /// Sets up the training, and takes the state of `resume`.
  void set_up(const wire::RunConfig& described, const std::stop_token& stop, ranks::Group* group);
  void load(const std::string& resume);
  /// Reports the run, the model's warnings and the policy's findings.
  void announce();
  Listener& listener_;
  std::unique_ptr<checkpoint::CheckpointFolder> folder_;
  std::unique_ptr<train::Training> training_;
  std::unique_ptr<ranks::SharedTraining> shared_;
  std::vector<wire::RankInfo> ranks_;
  std::int64_t first_step_ = 0;     ///< above 0 if the run was resumed
  std::int64_t next_step_ = 0;      ///< after those that were done
  std::vector<std::string> notes_;  ///< what prevents an exact continuation
  std::string backend_;             ///< what sums gradients of GPUs, as a sentence; empty: nothing does
};

/// Constructs a Trainer and calls run().
wire::Finished run(const wire::RunConfig& config, Listener& listener, Control& control);

}  // namespace binade::run
