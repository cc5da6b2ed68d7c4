// SPDX-License-Identifier: Apache-2.0
#include "engine/host/training_commands.h"

#include "engine/formats/error.h"
#include "engine/host/at_least.h"
#include "engine/host/process/log.h"
#include "engine/ranks/place.h"

#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

namespace binade::host {

namespace {
constexpr const char* kTrainEnds =
    "At the end, the command lists the silent faults, worst first. Below them it lists what is not known yet,\nwith "
    "the reason: steps that were not observed, or a measurement that failed.\n";
}  // namespace

TrainingCommands::TrainingCommands(PolicyCommands::Add add, const bool& json, const char* exit_codes)
    : add_(std::move(add)), json_(json), exit_codes_(exit_codes) {}

CLI::App* TrainingCommands::add_training(CLI::App& app, const char* name, const char* what) {
  return add_(&app, name, what, [this] {
    options_.json = json_;
    return train(options_);
  });
}

void TrainingCommands::add_train(CLI::App& app) {
  train_ = add_training(app, "train", "Train a run description");
  add_run(train_);
  add_options(train_);
}

void TrainingCommands::add_run(CLI::App* command) {
  command->add_option("RUN", options_.run, "Run description (JSON)")->required();
  command->add_option("--resume", options_.resume, "Checkpoint to resume from, or a folder for its newest checkpoint");
  command
      ->add_option("--rank-timeout", options_.rank_timeout,
                   "On several ranks: seconds to wait for one that does not answer")
      ->check(CLI::Range(0.1, 1e6))
      ->capture_default_str();
  command
      ->add_option("--gradients-over", options_.gradients_over,
                   "On several ranks: what sums gradients of GPUs; auto is nccl if all ranks can use it")
      ->check(CLI::IsMember({"auto", "gloo", "nccl"}))
      ->capture_default_str();
}

void TrainingCommands::add_launch(CLI::App& app) {
  launch_ = add_(&app, "launch", "Train a run description on several ranks of this computer", [this] {
    options_.json = json_;
    launch_options_.train = options_;
    return launch(launch_options_);
  });
  launch_->add_option("--ranks", launch_options_.ranks, "Number of processes, each with its part of every batch")
      ->required()
      ->check(at_least(1, "POSITIVE"));
  launch_->add_option("--port", launch_options_.port, "Port by which the ranks find each other (default: a free one)")
      ->check(CLI::Range(1, 65535));
  launch_->add_flag("--keep-going", launch_options_.keep_going,
                    "Start all ranks again from the last checkpoint if one ends unexpectedly");
  add_run(launch_);
  add_options(launch_);
}

void TrainingCommands::add_demo(CLI::App& app) {
  demo_ = add_training(app, "demo", "Train a small network on Fashion-MNIST in float16 with loss scaling");
  add_options(demo_);
}

void TrainingCommands::add_attach(CLI::App& app, const PolicyCommands::Add& add) {
  CLI::App* command = add(&app, "attach", "Connect an explorer to a training that runs without one", [this] {
    attach_options_.json = json_;
    return attach(attach_options_);
  });
  command->add_option("RUN", attach_options_.run,
                      "Name, process, run file or run description of the training (default: the only one)");
  command->add_flag("--list", attach_options_.list, "List the trainings of this user");
  command->footer(std::string("`binade --connect 'ssh HOST binade-engine attach'` shows a training on HOST, and edits "
                              "it.\nClosing the window lets go of the training, which goes on.\n") +
                  exit_codes_);
}

void TrainingCommands::add_options(CLI::App* command) {
  command->add_option("--run-file", options_.run_file,
                      "Run file to record; `none` records nothing (default: a new file)");
  command->add_option("--steps", options_.steps, "Number of steps; replaces the run's")->check(at_least(1, "POSITIVE"));
  command->add_option("--seed", options_.seed, "Seed; replaces the run's")->check(at_least(0, "NONNEGATIVE"));
  command->add_option("--policy", options_.policy, "Policy file or base list; replaces the run's policy");
  command
      ->add_option("--profile", options_.profile,
                   "Time every op call; with counters, also sample the GPU's tensor cores")
      ->check(CLI::IsMember({"off", "times", "counters"}));
  command->add_option("--save", options_.save, "Save the trained model to this file as TorchScript; must not exist");
  command->add_flag_callback(
      "--no-attach", [this] { options_.attach = false; },
      "Make no socket at which `binade-engine attach` finds the training");
  command->footer(std::string(kTrainEnds) + exit_codes_);
}

CommandConfinement::Shared TrainingCommands::make_door() {
  if (!are_chosen() || are_launching() || !options_.attach) return {};
  // Rank 0 accepts the explorers of a run on several ranks.
  const std::optional<ranks::Place> place = ranks::place_of_process();
  if (place && place->rank != 0) return {};
  try {
    std::error_code unknown;
    door_.emplace(options_.run.empty() ? std::string() : std::filesystem::absolute(options_.run, unknown).string());
    options_.door = &*door_;
  } catch (const Error& error) {
    log("warning", std::string("No explorer can attach to this training: ") + error.what() + ". " + error.hint);
    return {};
  }
  return {.descriptors = {door_->descriptor()}, .started = [this] { door_->open(); }};
}

void TrainingCommands::refuse_ranks() const {
  if (!are_launching() && !(train_->parsed() && ranks::place_of_process())) return;
  throw Error(ErrorCode::kUsage,
              "A confined process reaches no network, and ranks exchange gradients over one, also within a computer",
              "Train in one process, or leave out --confined and trust the model's file.");
}

void TrainingCommands::name_run_file() {
  if (are_chosen() && !are_launching()) host::name_run_file(options_);
}

}  // namespace binade::host
