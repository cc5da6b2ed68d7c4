// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/error.h"
#include "engine/host/commands.h"
#include "engine/host/demo.h"
#include "engine/host/exit_code.h"
#include "engine/host/headless.h"
#include "engine/host/interrupt.h"
#include "engine/host/listeners.h"
#include "engine/host/probe.h"
#include "engine/host/profile_listener.h"
#include "engine/host/read_run.h"
#include "engine/host/record_listener.h"
#include "engine/train/control.h"
#include "engine/train/model_state.h"
#include "engine/train/trainer.h"

#include <filesystem>
#include <optional>

namespace binade::host {

namespace {

wire::RunConfig run_of(const TrainOptions& options) {
  wire::RunConfig run = read_run(options.run, options.policy);
  if (!options.resume.empty()) run.resume = options.resume;
  if (!options.profile.empty()) run.profile.level = options.profile;
  if (options.steps > 0) run.steps = options.steps;
  if (options.seed >= 0) run.seed = static_cast<std::uint64_t>(options.seed);
  if (options.run_file == "none") {
    run.run_file.clear();
  } else if (!options.run_file.empty()) {
    run.run_file = options.run_file;
  } else if (run.run_file.empty()) {
    run.run_file = new_run_file(run.name);
  }
  if (!run.run_file.empty()) run.run_file = std::filesystem::absolute(run.run_file).string();
  return run;
}

}  // namespace

int train(const TrainOptions& options) {
  if (!options.save.empty() && std::filesystem::exists(options.save)) {
    throw Error(ErrorCode::kUsage, "--save: " + options.save + " is there already", "Choose another name.");
  }
  binade::train::Control control(/*attended=*/false);
  const Interrupt interrupt([&] { control.stop(/*cancelled=*/true); });
  const wire::RunConfig run = run_of(options);
  warn_of_drift();
  Headless headless(options.json);
  std::optional<RecordListener> recorder;
  Listeners listeners;
  ProfileListener profiles(listeners);
  listeners.add(&profiles);
  listeners.add(&headless);
  binade::train::Trainer trainer(run, listeners);
  trainer.set_marks(&profiles);
  // Only now: a run that cannot start leaves no file behind.
  if (!run.run_file.empty()) {
    recorder.emplace(run.run_file);
    listeners.add(&*recorder);
  }
  const wire::Finished finished = trainer.run(control);
  if (!options.save.empty()) trainer.save_model(options.save);
  switch (finished.outcome) {
    case wire::Outcome::kCancelled:
      return kCancelled;
    case wire::Outcome::kFailed:
      throw Error(ErrorCode::kBadRun, finished.message, finished.hint);
    default:
      return kDone;
  }
}

}  // namespace binade::host
