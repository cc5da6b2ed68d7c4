// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/host/commands/commands.h"
#include "engine/host/policy_commands.h"

#include <CLI/CLI.hpp>

namespace binade::host {

/// The commands that prove policies by training them, with their options. Must outlive the parsing and the running of
/// the command line.
class TrialCommands {
 public:
  /// As those of TrainingCommands.
  TrialCommands(PolicyCommands::Add add, const bool& json, const char* exit_codes);

  void add_try(CLI::App& app);
  void add_search(CLI::App& app);

  const TryOptions& try_options() const { return try_; }
  const SearchOptions& search_options() const { return search_; }

 private:
  PolicyCommands::Add add_;
  const bool& json_;
  const char* exit_codes_;
  TryOptions try_;
  SearchOptions search_;
};

}  // namespace binade::host
