// SPDX-License-Identifier: Apache-2.0
#include "engine/host/serve/ended_run.h"

#include "engine/formats/error.h"

#include <utility>

namespace binade::host {

void EndedRun::keep(std::unique_ptr<run::Trainer> trainer, const std::string& run_file) {
  trainer->set_marks(nullptr);
  trainer_ = std::move(trainer);
  run_file_ = run_file;
  checkpoint_.clear();
}

void EndedRun::forget() {
  trainer_.reset();
  run_file_.clear();
  checkpoint_.clear();
}

run::Trainer& EndedRun::state_of(const std::optional<wire::RunConfig>& run, const std::stop_token& stop,
                                 std::function<void(const wire::LogLine&)> progress) {
  const bool same = trainer_ && (!run || (run->run_file == run_file_ && !run_file_.empty()));
  // The trainer of an ended run holds more than a checkpoint of it.
  if (same && (checkpoint_.empty() || !run || checkpoint_ == run->resume)) return *trainer_;
  if (!run || run->resume.empty()) {
    throw Error(ErrorCode::kUsage, "This engine has no run, and the request names no checkpoint",
                "Start the run again. With checkpoints, its state can also be opened later.");
  }
  forget();
  wire::RunConfig config = *run;
  // This trainer only answers questions: it must not record or save anything.
  config.run_file.clear();
  config.checkpoint = {};
  listener_.told = std::move(progress);
  auto made = std::make_unique<run::Trainer>(config, listener_, stop);
  listener_.told = nullptr;
  trainer_ = std::move(made);
  run_file_ = run->run_file;
  checkpoint_ = run->resume;
  return *trainer_;
}

}  // namespace binade::host
