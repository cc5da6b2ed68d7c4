// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/run/listener.h"
#include "engine/run/trainer.h"
#include "engine/wire/run_config.h"

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

namespace binade::host {

/// State in which a run ended, for later requests: saving the trained model, a comparison with float32. Holds one run
/// at a time. Used on the thread that touches models.
class EndedRun {
 public:
  /// Takes the trainer of a run that has ended, in place of an earlier one, and detaches its SiteMarks.
  void keep(std::unique_ptr<run::Trainer> trainer, const std::string& run_file);
  /// Destroys the kept trainer.
  void forget();

  /// Returns the kept run if it is the requested one: the same run file, or any run if `run` is nullopt. Otherwise sets
  /// up `*run` from the checkpoint `run->resume`; `progress` receives log lines meanwhile. The reference is valid until
  /// the next call. Throws Error{kUsage} if there is neither, and what the set-up throws.
  run::Trainer& state_of(const std::optional<wire::RunConfig>& run, const std::stop_token& stop,
                         std::function<void(const wire::LogLine&)> progress);

 private:
  class Progress : public run::Listener {
   public:
    std::function<void(const wire::LogLine&)> told;
    void receive(wire::NotificationRef notification) override {
      const auto* line = notification.get_if<wire::LogLine>();
      if (line != nullptr && told) told(*line);
    }
  };

  Progress listener_;  // must outlive trainer_, which refers to it
  std::unique_ptr<run::Trainer> trainer_;
  std::string run_file_;
  std::string checkpoint_;  ///< source of the state; empty: the end of the run itself
};

}  // namespace binade::host
