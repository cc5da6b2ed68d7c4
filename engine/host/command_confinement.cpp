// SPDX-License-Identifier: Apache-2.0
#include "engine/host/command_confinement.h"

#include "engine/confine/confined_process.h"
#include "engine/formats/error.h"
#include "engine/formats/input_file.h"
#include "engine/graph/unsafe_code.h"
#include "engine/host/commands/commands.h"
#include "engine/host/input/demo.h"
#include "engine/host/input/read_run.h"
#include "engine/host/input/run_access.h"
#include "engine/host/input/run_state.h"
#include "engine/host/process/log.h"
#include "engine/host/process/trusted_models.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <system_error>
#include <utility>

namespace binade::host {

namespace {

namespace fs = std::filesystem;

/// The policy file that a run description names instead of a policy; empty: none.
std::string policy_file_of(const std::string& description) {
  const auto json = nlohmann::json::parse(read_input_text(description), nullptr, false);
  if (!json.is_object() || !json.contains("policy") || !json["policy"].is_string()) return {};
  return (fs::path(description).parent_path() / json["policy"].get<std::string>()).string();
}

confine::Access files_of_description(const std::string& file, bool trains) {
  wire::RunConfig config = read_run(file);  // refuses what is nested too deeply for the JSON library
  if (!trains) {
    config.checkpoint = {};
    config.run_file.clear();
  }
  confine::Access access = run_access(config);
  confine::add(access, {.reads = {policy_file_of(file)}});
  confine::add(access, checkpoint_access(run_state(file).checkpoint));
  return access;
}

/// The files of the run in a file or folder; nothing if it holds none.
confine::Access files_of_run(const std::string& file, const NamedFiles& named) {
  const std::string ending = fs::path(file).extension().string();
  std::error_code unknown;
  try {
    if (ending == ".json") return files_of_description(file, named.trains);
    if (ending != ".binade" && ending != ".safetensors" && !fs::is_directory(file, unknown)) return {};
    const RunState state = run_state(file);
    confine::Access access = run_access(state.config);
    confine::add(access, checkpoint_access(state.checkpoint));
    if (ending == ".binade" && named.tries) access.outputs.push_back(file);
    // What SQLite left beside a file whose writer was killed.
    if (ending == ".binade") confine::add(access, {.reads = {file + "-wal", file + "-shm"}});
    return access;
  } catch (const Error& error) {
    if (error.code == ErrorCode::kUnsafe) throw;
    return {};  // the command reports what it cannot use
  }
}

confine::Access files_of_command(const NamedFiles& named) {
  confine::Access access;
  access.gpu = has_gpu_devices();
  confine::add(access, {.reads = named.files});
  confine::add(access, {.reads = named.checkpoints, .read_folders = named.checkpoints});
  bool has_run = false;
  for (const std::string& run : named.runs) {
    if (run.empty()) continue;
    has_run = true;
    confine::add(access, {.reads = {run}, .read_folders = {run}});
    confine::add(access, files_of_run(run, named));
  }
  if (named.demo && !has_run) confine::add(access, {.reads = run_access(demo_run()).reads});
  confine::add(access, named.written);
  return access;
}

}  // namespace

void CommandConfinement::add_to(CLI::App* command) {
  CLI::Option* confined = command->add_flag(
      "--confined", confined_, "Run in a process that can use the named files only, and no network or other program");
  command->add_flag("--confined-if-possible", confined_if_possible_, "As --confined, as far as the system can do it")
      ->excludes(confined);
  command->add_flag("--trust", trust_, "Open models although checks of their code refuse them");
}

bool CommandConfinement::confines() const {
  if (!is_on()) return false;
  const std::string why = confine::why_unavailable();
  if (confined_ && !why.empty()) {
    throw Error(ErrorCode::kUnsafe, "--confined: " + why,
                "For models whose authors you trust, use --confined-if-possible.");
  }
  if (!why.empty()) log("warning", "The model is not fully confined. " + why);
  return confine::is_possible_in_part();
}

int CommandConfinement::run(const std::function<int()>& command, const NamedFiles& named, const Shared& shared) const {
  graph::set_trust({.all = trust_, .hashes = trusted_models()});
  if (!confines()) return command();
  return confine::run_confined(files_of_command(named), command, shared.descriptors, shared.started);
}

void CommandConfinement::check_executor(VerifyCommand& command, const NamedFiles& named) const {
  if (!command.check_executor || command.executor_only || !confine::is_possible_in_part()) return;
  if (confined_ && !confine::why_unavailable().empty()) return;  // run() refuses
  graph::set_trust({.all = trust_, .hashes = trusted_models()});
  VerifyCommand only = command;
  only.executor_only = true;
  confine::ConfinedOutput output =
      confine::output_of_confined(files_of_command(named), [&only] { return verify_model(only); });
  command.executor = report_of_executor(std::move(output.text), output.code);
}

}  // namespace binade::host
