// SPDX-License-Identifier: Apache-2.0
#include "engine/host/training_commands.h"

#include "engine/host/at_least.h"

#include <string>
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
  train_->add_option("RUN", options_.run, "Run description (JSON)")->required();
  train_->add_option("--resume", options_.resume, "Checkpoint to resume from, or a folder for its newest checkpoint");
  add_options(train_);
}

void TrainingCommands::add_demo(CLI::App& app) {
  demo_ = add_training(app, "demo", "Train a small network on Fashion-MNIST in float16 with loss scaling");
  add_options(demo_);
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
  command->footer(std::string(kTrainEnds) + exit_codes_);
}

void TrainingCommands::name_run_file() {
  if (are_chosen()) host::name_run_file(options_);
}

}  // namespace binade::host
