// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/host/commands/commands.h"

#include <CLI/CLI.hpp>

#include <functional>
#include <string>
#include <vector>

namespace binade::host {

/// The subcommands of `policy`, with their options. Must outlive the parsing and the running of the command line.
class PolicyCommands {
 public:
  /// Adds a command to another one; `run` returns its exit code.
  using Add = std::function<CLI::App*(CLI::App* parent, const char* name, const char* what, std::function<int()> run)>;

  /// `json` is read when a command runs. `exit_codes` ends every help, `model` describes an argument MODEL.
  PolicyCommands(Add add, const bool& json, const char* exit_codes, const char* model);

  void add_to(CLI::App& app);

  // What the parsed options name; empty names among them.
  std::vector<std::string> read_files() const;
  std::vector<std::string> written_files() const;

 private:
  void add_check(CLI::App* parent);
  void add_show(CLI::App* parent);
  void add_diff(CLI::App* parent);
  void add_merge(CLI::App* parent);
  void add_minimise(CLI::App* parent);
  void add_generalise(CLI::App* parent);
  void add_import(CLI::App* parent);

  Add add_;
  const bool& json_;
  const char* exit_codes_;
  const char* model_;
  PolicyOptions policy_;
  PolicyDiffOptions diff_;
  PolicyMergeOptions merge_;
  PolicyRewriteOptions rewrite_;
  PolicyImportOptions import_;
};

}  // namespace binade::host
