// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/host/attach/door.h"
#include "engine/host/command_confinement.h"
#include "engine/host/commands/commands.h"
#include "engine/host/policy_commands.h"

#include <CLI/CLI.hpp>

#include <optional>

namespace binade::host {

/// The commands that train, with their options. Must outlive the parsing and the running of the command line.
class TrainingCommands {
 public:
  /// `add` adds a command that opens models. `json` is read when a command runs. `exit_codes` ends every help.
  TrainingCommands(PolicyCommands::Add add, const bool& json, const char* exit_codes);

  void add_train(CLI::App& app);
  void add_launch(CLI::App& app);
  void add_demo(CLI::App& app);
  /// `add` adds a command that opens no model.
  void add_attach(CLI::App& app, const PolicyCommands::Add& add);

  const TrainOptions& options() const { return options_; }
  /// Whether the chosen command trains.
  bool are_chosen() const { return train_->parsed() || launch_->parsed() || demo_->parsed(); }
  /// Makes the socket at which explorers attach, if the chosen command trains in this process. Without one, the
  /// training goes on, and a warning says why. Returns what a confined training needs of it: this process accepts the
  /// explorers.
  CommandConfinement::Shared make_door();
  /// Whether the chosen command starts ranks, which need a network.
  bool are_launching() const { return launch_->parsed(); }
  /// Passed on to the ranks.
  void set_trust(bool trusts_all) { launch_options_.trust = trusts_all; }
  /// Throws Error{kUsage} if the chosen command is to train on several ranks, which --confined does not allow.
  void refuse_ranks() const;
  /// Chooses the run file now, if the chosen command trains and none is named.
  void name_run_file();

 private:
  void add_options(CLI::App* command);
  void add_run(CLI::App* command);
  CLI::App* add_training(CLI::App& app, const char* name, const char* what);

  PolicyCommands::Add add_;
  const bool& json_;
  const char* exit_codes_;
  TrainOptions options_;
  AttachOptions attach_options_;
  std::optional<Door> door_;
  LaunchOptions launch_options_;  ///< all but those of `options_`
  CLI::App* train_ = nullptr;
  CLI::App* launch_ = nullptr;
  CLI::App* demo_ = nullptr;
};

}  // namespace binade::host
