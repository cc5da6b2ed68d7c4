// SPDX-License-Identifier: Apache-2.0
#include "engine/host/command_confinement.h"

#include "engine/confine/confined_process.h"
#include "engine/formats/error.h"
#include "engine/formats/input_file.h"
#include "engine/graph/unsafe_code.h"
#include "engine/host/input/demo.h"
#include "engine/host/input/read_run.h"
#include "engine/host/input/run_access.h"
#include "engine/host/input/run_state.h"
#include "engine/host/process/log.h"
#include "engine/host/process/trusted_models.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>

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

/// The files of the run in a file or folder; nothing if it holds none, as a policy or a model.
confine::Access files_of_run(const std::string& file, bool trains) {
  const std::string ending = fs::path(file).extension().string();
  std::error_code unknown;
  try {
    if (ending == ".json") return files_of_description(file, trains);
    if (ending != ".binade" && ending != ".safetensors" && !fs::is_directory(file, unknown)) return {};
    const RunState state = run_state(file);
    confine::Access access = run_access(state.config);
    confine::add(access, checkpoint_access(state.checkpoint));
    if (ending == ".binade") access.outputs.push_back(file);  // a Try is added to it
    return access;
  } catch (const Error& error) {
    if (error.code == ErrorCode::kUnsafe) throw;
    return {};  // the command reports what it cannot use
  }
}

confine::Access files_of_command(const std::vector<std::string>& words) {
  const bool trains = words.size() > 1 && (words[1] == "train" || words[1] == "demo");
  confine::Access access;
  access.gpu = has_gpu_devices();
  for (std::size_t i = 1; i < words.size(); ++i) {
    std::string word = words[i];
    if (word.starts_with("--") && word.find('=') != std::string::npos) word.erase(0, word.find('=') + 1);
    std::error_code unknown;
    if (!fs::exists(word, unknown)) continue;
    confine::add(access, {.reads = {word}});
    confine::add(access, files_of_run(word, trains));
  }
  return access;
}

/// What commands use without naming it.
confine::Access unnamed_files(const std::vector<std::string>& words) {
  if (words.size() < 2) return {};
  const std::string& command = words[1];
  if (command == "demo" || command == "compare" || command == "casts") {
    return {.reads = run_access(demo_run()).reads};  // what they train if no run is named
  }
  if (command != "search" || std::find(words.begin(), words.end(), "--out") != words.end()) return {};
  for (const std::string& word : words) {
    const std::string ending = fs::path(word).extension().string();
    if (ending == ".json" || ending == ".binade" || ending == ".safetensors") {
      return {.folders = {fs::path(word).replace_extension(".search").string()}};
    }
  }
  return {};
}

}  // namespace

void CommandConfinement::add_to(CLI::App* command) {
  static const std::set<std::string> open_models{"inspect", "train",   "demo",  "data",   "replay", "try",
                                                 "verify",  "compare", "casts", "search", "export"};
  if (!open_models.contains(command->get_name())) return;
  CLI::Option* confined = command->add_flag(
      "--confined", confined_, "Run in a process that can use the named files only, and no network or other program");
  command->add_flag("--confined-if-possible", confined_if_possible_, "As --confined, as far as the system can do it")
      ->excludes(confined);
  command->add_flag("--trust", trust_, "Open models although checks of their code refuse them");
}

int CommandConfinement::run(const std::function<int()>& command, const std::vector<std::string>& words,
                            confine::Access written) const {
  graph::set_trust({.all = trust_, .hashes = trusted_models()});
  if (!is_on()) return command();
  const std::string why = confine::why_unavailable();
  if (confined_ && !why.empty()) {
    throw Error(ErrorCode::kUnsafe, "--confined: " + why,
                "For models whose authors you trust, use --confined-if-possible.");
  }
  if (!why.empty()) log("warning", "The model is not fully confined. " + why);
  if (!confine::is_possible_in_part()) return command();
  confine::Access access = files_of_command(words);
  confine::add(access, unnamed_files(words));
  confine::add(access, written);
  return confine::run_confined(access, command);
}

}  // namespace binade::host
