// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/train/control.h"
#include "engine/train/listener.h"
#include "engine/wire/comparison.h"
#include "engine/wire/records.h"
#include "engine/wire/run_config.h"

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

namespace binade::train {

class CheckpointFolder;
struct Training;

/// One training from its description to its end, on the calling thread. The listener hears: on_state(loading),
/// on_started, then steps, policies, events, evaluations and states in order, and last on_finished with what run()
/// returns. Evaluations run every `evaluate_every` steps and after the last one.
class Trainer {
 public:
  /// Throws Error where the run cannot start: the listener has heard on_state(loading) and on_state(idle) by then.
  /// kCancelled among them, soon after `stop` was asked for (Control::stop_token).
  Trainer(const wire::RunConfig& config, Listener& listener, const std::stop_token& stop = {});
  ~Trainer();
  Trainer(const Trainer&) = delete;
  Trainer& operator=(const Trainer&) = delete;

  /// Trains until all steps are done, control says stop, or something throws: that ends the run as kFailed with message
  /// and hint and is not thrown on. A loss that is not finite, or memory that runs out, pauses it (or ends it, where
  /// control says that nobody is there).
  wire::Finished run(Control& control);

  /// Who hears of every site's begin and end on profiled steps, or null; before run(). Not owned; outlives the trainer.
  void set_marks(observe::SiteMarks* marks);

  /// The model in training; not to be touched while run() runs.
  const graph::Model& model() const;
  /// Saves it with its weights of now, as save_trained_model(); before or after run().
  void save_model(const std::string& file) const;
  /// Compares the next step with float32, as compare_with_float32(); before or after run().
  wire::Float32Comparison compare() const;

 private:
  /// What the run is, with the model's warnings and the policy's findings on the log.
  void announce();
  Listener& listener_;
  std::unique_ptr<CheckpointFolder> folder_;
  std::unique_ptr<Training> training_;
  std::int64_t first_step_ = 0;     ///< above 0 where the run was resumed
  std::int64_t next_step_ = 0;      ///< behind those that were done
  std::vector<std::string> notes_;  ///< what keeps it from going on to the bit
};

/// Trainer's constructor and run() in one.
wire::Finished run(const wire::RunConfig& config, Listener& listener, Control& control);

}  // namespace binade::train
