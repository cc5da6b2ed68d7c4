// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/host/commands/commands.h"
#include "engine/host/policy_commands.h"

#include <CLI/CLI.hpp>

namespace binade::host {

/// The commands that train, with their options. Must outlive the parsing and the running of the command line.
class TrainingCommands {
 public:
  /// `add` adds a command that opens models. `json` is read when a command runs. `exit_codes` ends every help.
  TrainingCommands(PolicyCommands::Add add, const bool& json, const char* exit_codes);

  void add_train(CLI::App& app);
  void add_demo(CLI::App& app);

  const TrainOptions& options() const { return options_; }
  /// Whether the chosen command trains.
  bool are_chosen() const { return train_->parsed() || demo_->parsed(); }
  /// Chooses the run file now, if the chosen command trains and none is named.
  void name_run_file();

 private:
  void add_options(CLI::App* command);
  CLI::App* add_training(CLI::App& app, const char* name, const char* what);

  PolicyCommands::Add add_;
  const bool& json_;
  const char* exit_codes_;
  TrainOptions options_;
  CLI::App* train_ = nullptr;
  CLI::App* demo_ = nullptr;
};

}  // namespace binade::host
