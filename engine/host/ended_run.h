// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/train/listener.h"
#include "engine/train/trainer.h"
#include "engine/wire/run_config.h"

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

namespace binade::host {

/// The state that a run ended with, for what a person asks of it afterwards: the trained model, a comparison with
/// float32. One at a time; a new run takes its place. Of the thread that touches models.
class EndedRun {
 public:
  /// Keeps what a run that has ended leaves. `trainer` hears of nothing more.
  void keep(std::unique_ptr<train::Trainer> trainer, const std::string& run_file);
  void forget();

  /// The run that was kept, where it is the one that is asked for: by its run file, or any where `run` is nothing. Else
  /// the state in the checkpoint that `run->resume` names, set up from the rest of `run`; `progress` hears of the files
  /// that it reads. Throws Error{kUsage} where there is neither, and what the set-up throws.
  train::Trainer& state_of(const std::optional<wire::RunConfig>& run, const std::stop_token& stop,
                           std::function<void(const wire::LogLine&)> progress);

 private:
  class Progress : public train::Listener {
   public:
    std::function<void(const wire::LogLine&)> told;
    void receive(wire::NotificationRef notification) override {
      const auto* line = notification.get_if<wire::LogLine>();
      if (line != nullptr && told) told(*line);
    }
  };

  Progress listener_;  // outlives the trainer that was made here
  std::unique_ptr<train::Trainer> trainer_;
  std::string run_file_;
  std::string checkpoint_;  ///< that the state came from; empty: it is the run's end
};

}  // namespace binade::host
