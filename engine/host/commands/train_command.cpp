// SPDX-License-Identifier: Apache-2.0
#include "engine/checkpoint/checkpoint_folder.h"
#include "engine/formats/error.h"
#include "engine/formats/input_file.h"
#include "engine/formats/output_file.h"
#include "engine/formats/shell_word.h"
#include "engine/graph/failure.h"
#include "engine/host/attach/door.h"
#include "engine/host/attach/training_hub.h"
#include "engine/host/commands/commands.h"
#include "engine/host/commands/rank_errors.h"
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
#include "engine/host/process/log.h"
#include "engine/host/process/probe.h"
#include "engine/host/process/rank_processes.h"
#include "engine/ranks/group.h"
#include "engine/ranks/place.h"
#include "engine/ranks/shared_training.h"
#include "engine/run/control.h"
#include "engine/run/trainer.h"
#include "engine/words/numbers.h"

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <system_error>
#include <thread>

namespace binade::host {

namespace {

/// Options that replace fields of the run description, on every rank.
void override_by(const TrainOptions& options, wire::RunConfig& run) {
  if (!options.profile.empty()) run.profile.level = options.profile;
  if (options.steps > 0) run.steps = options.steps;
  if (options.seed >= 0) run.seed = static_cast<std::uint64_t>(options.seed);
}

wire::RunConfig run_of(const TrainOptions& options) {
  wire::RunConfig run = read_run(options.run, options.policy);
  check_model_file(run, options.run);
  if (!options.run_file.empty()) run.run_file.clear();  // the user's own choice may have any name
  check_outputs(run);
  if (!options.resume.empty()) {
    refuse_if_missing(options.resume);  // here, since a name in the run description starts at another folder
    run.resume = options.resume;
  }
  override_by(options, run);
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

/// A restart continues from the newest checkpoint, if there is one. Its run file gets a name of its own, since a run
/// file is never overwritten.
void continue_after_restart(wire::RunConfig& run, int restart) {
  if (restart == 0) return;
  if (!run.run_file.empty()) {
    const std::filesystem::path file(run.run_file);
    const std::string name = file.stem().string() + "-restart-" + std::to_string(restart) + file.extension().string();
    run.run_file = (file.parent_path() / name).string();
  }
  const std::string& folder = run.checkpoint.folder;
  if (!checkpoint::CheckpointFolder::newest_in(folder).empty()) run.resume = folder;
}

/// Reports, while it lives, that the ranks have not met yet, if that takes long.
class WaitingForRanks {
 public:
  WaitingForRanks(const ranks::Place& place, double timeout)
      : thread_([this, place, timeout](const std::stop_token& stop) {
          constexpr std::chrono::seconds kLong{5};
          std::unique_lock lock(mutex_);
          wake_.wait_for(lock, stop, kLong, [] { return false; });
          if (stop.stop_requested()) return;
          log("info", "Rank " + std::to_string(place.rank) + " of " + std::to_string(place.ranks) +
                          " waits for the other ranks at " + place.address + ":" + std::to_string(place.port) +
                          ", for at most " + words::duration(timeout));
        }) {}

 private:
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::jthread thread_;  // the last member: it uses the others
};

/// Joins the ranks of the run; null: this process trains alone.
std::unique_ptr<ranks::Group> join_ranks(const TrainOptions& options) {
  const std::optional<ranks::Place> place = ranks::place_of_process();
  if (!place) {
    if (options.gradients_over == "nccl") {
      throw Error(ErrorCode::kUsage, "--gradients-over nccl needs several ranks, and this process trains alone",
                  "Start the ranks with `binade-engine launch --ranks N`, torchrun or srun, or leave out the option.");
    }
    return nullptr;
  }
  name_process_of_rank(place->rank);
  constexpr double kMilliseconds = 1000;
  const auto timeout = static_cast<std::int64_t>(options.rank_timeout * kMilliseconds);
  const WaitingForRanks waiting(*place, options.rank_timeout);
  return ranks::Group::join(*place, std::chrono::milliseconds(timeout), ranks::gradients_over(options.gradients_over));
}

/// Tells the training of a rank the use of its tensor cores.
class TensorUse : public run::Listener {
 public:
  void set(ranks::SharedTraining* shared) { shared_ = shared; }
  void receive(wire::NotificationRef notification) override {
    const auto* const profile = notification.get_if<wire::Profile>();
    if (profile == nullptr || shared_ == nullptr) return;
    double seconds = 0;
    double busy = 0;
    for (const wire::ProfileBin& bin : profile->bins) {
      if (!std::isfinite(bin.tensor)) continue;
      seconds += bin.covered * bin.seconds;
      busy += bin.covered * bin.seconds * bin.tensor;
    }
    if (seconds > 0) shared_->set_tensor(busy / seconds);
  }

 private:
  ranks::SharedTraining* shared_ = nullptr;
};

/// What a signal reaches.
struct Stopping {
  run::Control control{/*attended=*/false};
  std::atomic<bool> begun = false;
  std::mutex mutex;
  ranks::SharedTraining* follower = nullptr;  ///< of a rank other than 0, while it trains; under `mutex`
  std::string checkpoints;                    ///< their folder while the ranks train; empty: none

  void stop() {
    const std::scoped_lock lock(mutex);
    if (follower != nullptr) {
      follower->ask_to_stop();
    } else {
      control.stop(/*cancelled=*/true);
    }
  }
  void set_follower(ranks::SharedTraining* shared) {
    const std::scoped_lock lock(mutex);
    follower = shared;
  }
};

/// Trains as a rank other than 0: without output and files of its own.
int follow(const TrainOptions& options, ranks::Group& group, Stopping& stopping) {
  wire::RunConfig run = read_run(options.run, options.policy);
  check_model_file(run, options.run);
  override_by(options, run);
  Listeners listeners;
  ProfileListener profiles(listeners);
  TensorUse use;
  listeners.add(&profiles);
  listeners.add(&use);
  run::Trainer trainer(run, listeners, stopping.control.stop_token(), &group);
  trainer.set_marks(&profiles);
  use.set(trainer.shared());
  stopping.set_follower(trainer.shared());
  stopping.begun = true;
  stopping.checkpoints = run.checkpoint.folder;
  const wire::Finished finished = trainer.run(stopping.control);
  stopping.set_follower(nullptr);
  if (finished.outcome == wire::Outcome::kFailed) throw Error(ErrorCode::kBadRun, finished.message, finished.hint);
  return finished.outcome == wire::Outcome::kCancelled ? kCancelled : kDone;
}

/// Trains alone, or as rank 0.
int lead(const TrainOptions& options, ranks::Group* group, Stopping& stopping);

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

namespace {

int lead(const TrainOptions& options, ranks::Group* group, Stopping& stopping) {
  check_save(options.save);
  wire::RunConfig run = run_of(options);
  if (group != nullptr) continue_after_restart(run, group->place().restart);
  if (!run.run_file.empty() && std::filesystem::exists(run.run_file)) {
    throw Error(ErrorCode::kUsage, run.run_file + " already exists, and a run file is never overwritten",
                "Choose another file with --run-file FILE, or move the existing file.");
  }
  warn_of_drift();
  if (options.door != nullptr && options.door->is_of_this_process()) options.door->open();
  RunPrinter printer(options.json);
  std::optional<RecordListener> recorder;
  std::optional<TrainingHub> explorers;
  Listeners recorders, listeners;
  ProfileListener profiles(listeners);
  TensorUse use;
  listeners.add(&profiles);
  listeners.add(&use);
  listeners.add(&printer);
  // The file is closed before an explorer receives the end and may open it.
  listeners.add(&recorders);
  if (options.door != nullptr) listeners.add(&explorers.emplace(*options.door, stopping.control, run));
  run::Trainer trainer(run, listeners, stopping.control.stop_token(), group);
  trainer.set_marks(&profiles);
  use.set(trainer.shared());
  stopping.begun = true;
  stopping.checkpoints = run.checkpoint.folder;
  // Created only now, so that a run that cannot start leaves no file.
  if (!run.run_file.empty()) {
    make_run_folder(run.run_file);
    recorder.emplace(run.run_file, options.json ? report_lost_record : std::function<void(const wire::LogLine&)>());
    recorders.add(&*recorder);
  }
  const wire::Finished finished = trainer.run(stopping.control);
  if (finished.outcome != wire::Outcome::kFailed) stopping.checkpoints.clear();
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

/// A hint, and how to resume if this computer has checkpoints in the folder. Another rank may still save the newest.
std::string with_checkpoint(const std::string& hint, const std::string& folder) {
  if (checkpoint::CheckpointFolder::newest_in(folder).empty()) return hint;
  return hint + (hint.empty() ? "" : "\n  ") + "To resume from the newest checkpoint in " + folder +
         ", start all ranks again with --resume " + formats::shell_word(folder) + ".";
}

/// Trains as a rank, and tells the others how it ended.
int train_together(const TrainOptions& options, ranks::Group& group, Stopping& stopping) {
  try {
    const int code = group.rank() == 0 ? lead(options, &group, stopping) : follow(options, group, stopping);
    group.leave();
    return code;
  } catch (const Error& error) {
    group.fail(error.what(), stopping.begun);
    if (give_to_launch(group.place(), error)) return exit_code(error.code);
    throw Error(error.code, group.name(group.rank()) + ": " + error.what(),
                with_checkpoint(error.hint, stopping.checkpoints));
  } catch (const std::exception& error) {
    group.fail(graph::reason_of(error), stopping.begun);
    throw;
  }
}

/// Whether this process answers Ctrl-C, which a terminal sends to all ranks of its computer: the first of them does.
bool answers_signals() {
  try {
    const std::optional<ranks::Place> place = ranks::place_of_process();
    return !place || place->local_rank == 0;
  } catch (const Error&) {
    return true;  // join_ranks() reports it
  }
}

}  // namespace

int train(const TrainOptions& options) {
  Stopping stopping;
  // Before the threads of the group, which must not receive signals.
  InterruptWords words;
  words.silent = !answers_signals();
  const Interrupt interrupt([&] { stopping.stop(); }, [&] { return !stopping.begun; }, words);
  std::unique_ptr<ranks::Group> group;
  try {
    group = join_ranks(options);
  } catch (const Error& error) {
    const std::optional<ranks::Place> place = ranks::place_of_process();
    if (place && give_to_launch(*place, error)) return exit_code(error.code);
    throw;
  }
  return group == nullptr ? lead(options, nullptr, stopping) : train_together(options, *group, stopping);
}

}  // namespace binade::host
