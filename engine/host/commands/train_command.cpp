// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/error.h"
#include "engine/formats/input_file.h"
#include "engine/formats/output_file.h"
#include "engine/host/commands/commands.h"
#include "engine/host/input/demo.h"
#include "engine/host/input/read_run.h"
#include "engine/host/input/run_access.h"
#include "engine/host/listeners/listeners.h"
#include "engine/host/listeners/profile_listener.h"
#include "engine/host/listeners/record_listener.h"
#include "engine/host/print/policy_json.h"
#include "engine/host/print/run_printer.h"
#include "engine/host/process/exit_code.h"
#include "engine/host/process/interrupt.h"
#include "engine/host/process/probe.h"
#include "engine/run/control.h"
#include "engine/run/trainer.h"

#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <functional>
#include <optional>
#include <system_error>

namespace binade::host {

namespace {

wire::RunConfig run_of(const TrainOptions& options) {
  wire::RunConfig run = read_run(options.run, options.policy);
  if (!options.run_file.empty()) run.run_file.clear();  // the user's own choice may have any name
  check_outputs(run);
  if (!options.resume.empty()) {
    refuse_if_missing(options.resume);  // here, since a name in the run description starts at another folder
    run.resume = options.resume;
  }
  if (!options.profile.empty()) run.profile.level = options.profile;
  if (options.steps > 0) run.steps = options.steps;
  if (options.seed >= 0) run.seed = static_cast<std::uint64_t>(options.seed);
  if (options.run_file != "none") {
    if (!options.run_file.empty()) run.run_file = options.run_file;
    if (run.run_file.empty()) run.run_file = options.new_run_file;
    if (run.run_file.empty()) run.run_file = new_run_file(run.name);
  }
  if (!run.run_file.empty()) run.run_file = std::filesystem::absolute(run.run_file).string();
  return run;
}

/// Checked before training, whose result would otherwise be lost.
void check_save(const std::string& file) {
  namespace fs = std::filesystem;
  if (file.empty()) return;
  refuse_existing(file, "--save");
  const fs::path folder = fs::absolute(file).parent_path();
  std::error_code error;
  if (!fs::is_directory(folder, error)) {
    throw Error(ErrorCode::kBadFile, "--save: " + folder.string() + " is not a folder", "Create the folder first.");
  }
  if (::access(folder.c_str(), W_OK) != 0) {
    throw Error(ErrorCode::kBadFile, "--save: " + folder.string() + " cannot be written to", "Choose another folder.");
  }
}

/// With --json a failed record is reported twice: when recording stops, and as the command's error at the end.
void report_lost_record(const wire::LogLine& line) {
  print_json({{"event", "recording_stopped"}, {"message", line.text}});
}

[[noreturn]] void fail_for_lost_record(const RecordListener& recorder, const std::string& file,
                                       const wire::Finished& finished) {
  const Error error = *recorder.failure();
  throw Error(error.code,
              "Training ended, but its recording is incomplete: " + file + " has " +
                  std::to_string(recorder.recorded_steps()) + " of the steps up to " + std::to_string(finished.steps) +
                  ". " + error.what(),
              error.hint);
}

}  // namespace

void name_run_file(TrainOptions& options) {
  if (!options.run_file.empty()) return;
  std::error_code unknown;
  try {
    std::string name = "run";
    if (!std::filesystem::is_fifo(options.run, unknown)) {
      const wire::RunConfig run = read_run(options.run);
      if (!run.run_file.empty()) return;
      name = run.name;
    }
    options.new_run_file = new_run_file(name);
    make_run_folder(options.new_run_file);
  } catch (const Error&) {
    return;  // train() reports it
  }
}

int train(const TrainOptions& options) {
  check_save(options.save);
  run::Control control(/*attended=*/false);
  std::atomic<bool> begun = false;
  const Interrupt interrupt([&] { control.stop(/*cancelled=*/true); }, [&] { return !begun; });
  const wire::RunConfig run = run_of(options);
  if (!run.run_file.empty() && std::filesystem::exists(run.run_file)) {
    throw Error(ErrorCode::kUsage, run.run_file + " already exists, and a run file is never overwritten",
                "Choose another file with --run-file FILE, or move the existing file.");
  }
  warn_of_drift();
  RunPrinter printer(options.json);
  std::optional<RecordListener> recorder;
  Listeners listeners;
  ProfileListener profiles(listeners);
  listeners.add(&profiles);
  listeners.add(&printer);
  run::Trainer trainer(run, listeners, control.stop_token());
  trainer.set_marks(&profiles);
  begun = true;
  // Created only now, so that a run that cannot start leaves no file.
  if (!run.run_file.empty()) {
    make_run_folder(run.run_file);
    recorder.emplace(run.run_file, options.json ? report_lost_record : std::function<void(const wire::LogLine&)>());
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
      break;
  }
  if (recorder && recorder->failure()) fail_for_lost_record(*recorder, run.run_file, finished);
  return kDone;
}

}  // namespace binade::host
