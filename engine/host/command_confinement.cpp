// SPDX-License-Identifier: Apache-2.0
#include "engine/host/command_confinement.h"

#include "engine/confine/confined_process.h"
#include "engine/formats/error.h"
#include "engine/graph/unsafe_code.h"
#include "engine/host/input/demo.h"
#include "engine/host/input/read_run.h"
#include "engine/host/input/run_access.h"
#include "engine/host/input/run_state.h"
#include "engine/host/process/trusted_models.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>

namespace binade::host {

namespace {

namespace fs = std::filesystem;

/// The files of the run in a file or folder; nothing if it holds none, as a policy or a model.
confine::Access files_of_run(const std::string& file) {
  const std::string ending = fs::path(file).extension().string();
  std::error_code unknown;
  try {
    if (ending == ".json") return run_access(read_run(file));
    if (ending != ".binade" && ending != ".safetensors" && !fs::is_directory(file, unknown)) return {};
    const RunState state = run_state(file);
    confine::Access access = run_access(state.config);
    access.reads.push_back(state.checkpoint);
    if (ending == ".binade") access.outputs.push_back(file);  // a Try is added to it
    return access;
  } catch (const Error&) {
    return {};  // the command reports what it cannot use
  }
}

confine::Access files_of_command(const std::vector<std::string>& words) {
  confine::Access access;
  access.gpu = has_gpu_devices();
  for (const std::string& word : words) {
    std::error_code unknown;
    if (!fs::exists(word, unknown)) continue;
    confine::add(access, {.reads = {word}});
    confine::add(access, files_of_run(word));
  }
  return access;
}

/// What commands write where no option says where.
confine::Access unnamed_outputs(const std::vector<std::string>& words) {
  if (words.size() < 2) return {};
  const std::string& command = words[1];
  // A run without a name gets one in the user's folder of run files, which is made now.
  if (command == "train" || command == "demo") {
    const std::string file = new_run_file("x");
    make_run_folder(file);
    return {.folders = {fs::path(file).parent_path().string()}};
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
  command->add_flag("--confined", confined_,
                    "Run in a process that can use the named files only, and no network or other program");
  command->add_flag("--trust", trust_, "Open models although checks of their code refuse them");
}

int CommandConfinement::run(const std::function<int()>& command, const std::vector<std::string>& words,
                            confine::Access written) const {
  graph::set_trust({.all = trust_, .hashes = trusted_models()});
  if (!confined_) return command();
  if (const std::string why = confine::why_unavailable(); !why.empty()) {
    throw Error(ErrorCode::kUnsafe, "--confined: " + why, "Leave out --confined for models whose authors you trust.");
  }
  confine::Access access = files_of_command(words);
  confine::add(access, unnamed_outputs(words));
  confine::add(access, written);
  return confine::run_confined(access, command);
}

}  // namespace binade::host
