// SPDX-License-Identifier: Apache-2.0
#include "engine/host/input/run_state.h"

#include "engine/checkpoint/checkpoint.h"
#include "engine/checkpoint/checkpoint_folder.h"
#include "engine/checkpoint/checkpoint_header.h"
#include "engine/files/safetensors.h"
#include "engine/formats/error.h"
#include "engine/formats/input_file.h"
#include "engine/host/input/read_run.h"
#include "engine/host/process/log.h"
#include "engine/record/run_reader.h"

#include <filesystem>
#include <fstream>
#include <optional>
#include <system_error>
#include <vector>

namespace binade::host {

namespace {

namespace fs = std::filesystem;

/// Whether the file still holds what was saved: another run may have written one of the same name.
bool is_kept(const wire::CheckpointInfo& saved, const std::string& file) {
  std::error_code unknown;
  if (!fs::is_regular_file(file, unknown)) return false;
  try {
    const wire::CheckpointInfo found = checkpoint::inspect_checkpoint(file);
    return found.step == saved.step && found.saved == saved.saved;
  } catch (const Error&) {
    return false;
  }
}

/// The file of a checkpoint; empty: it no longer exists. A path in a run file is relative to the working folder of its
/// engine, which is mostly the file's or the present one.
std::string checkpoint_file(const wire::CheckpointInfo& saved, const std::string& run_file) {
  const std::string beside = (fs::path(run_file).parent_path() / saved.file).string();  // as it is, if absolute
  if (is_kept(saved, beside)) return beside;
  return is_kept(saved, saved.file) ? saved.file : std::string();
}

/// A run description is JSON. The first eight bytes of a checkpoint are a length, whose last byte is 0.
void refuse_run_description(const std::string& file) {
  std::error_code unknown;
  if (!fs::is_regular_file(file, unknown)) return;
  std::ifstream stream(file, std::ios::binary);
  std::string start(8, '\0');
  stream.read(start.data(), static_cast<std::streamsize>(start.size()));
  if (start.front() != '{' || start.back() == '\0') return;
  throw Error(ErrorCode::kBadFile, file + " is a run description, not a checkpoint",
              "Name a .safetensors file that a run saved, or a folder of them; a run description is the RUN.");
}

/// The start of a run: where it resumed from, or nothing.
RunState start_of(wire::RunConfig config) {
  RunState state{.config = std::move(config), .checkpoint = {}, .run_file = {}};
  if (!state.config.resume.empty()) {
    refuse_if_missing(state.config.resume);
    state.checkpoint = checkpoint::CheckpointFolder::newest_of(state.config.resume);
  }
  return state;
}

RunState state_of_run_file(const std::string& run_file) {
  record::Damage damage;
  const record::RunReader reader(run_file, damage);
  auto started = reader.started();
  if (!started) {
    throw Error(ErrorCode::kBadFile, run_file + ": the run ended before training began",
                damage.empty() ? "Record the run again." : "The file is damaged. Use a complete copy.");
  }
  const std::vector<wire::CheckpointInfo> saved = reader.checkpoints();
  for (const std::string& line : damage.lines()) log("warning", line + ": ignored.");
  for (auto each = saved.rbegin(); each != saved.rend(); ++each) {
    const std::string file = checkpoint_file(*each, run_file);
    if (file.empty()) continue;
    RunState state{.config = std::move(started->config), .checkpoint = file, .run_file = run_file};
    if (each != saved.rbegin())
      state.note = "The newest checkpoint of " + run_file + " no longer exists. The trainings start at step " +
                   std::to_string(each->step) + ".";
    return state;
  }
  RunState state = start_of(std::move(started->config));
  state.run_file = run_file;
  state.note = run_file + (saved.empty() ? ": the run kept no checkpoint." : ": no checkpoint of the run exists.") +
               " The trainings start where the run started, not where it is now.";
  return state;
}

RunState state_of_checkpoint(const std::string& file) {
  return {.config = checkpoint::read_checkpoint_metadata(files::read_safetensors_header(file), file).run,
          .checkpoint = file,
          .run_file = {}};
}

RunState state_of(const std::string& run) {
  std::error_code unknown;
  if (fs::is_directory(run, unknown)) return state_of_checkpoint(checkpoint::CheckpointFolder::newest_of(run));
  const std::string ending = fs::path(run).extension().string();
  if (ending == ".binade") return state_of_run_file(run);
  if (ending == ".safetensors") {
    refuse_if_missing(run);
    return state_of_checkpoint(run);
  }
  return start_of(read_run(run));
}

}  // namespace

RunState run_state(const std::string& run, const std::string& checkpoint) {
  RunState state = state_of(run);
  if (!checkpoint.empty()) {
    refuse_if_missing(checkpoint);
    refuse_run_description(checkpoint);
    state.checkpoint = checkpoint::CheckpointFolder::newest_of(checkpoint);
    state.note.clear();
  }
  state.config.run_file.clear();
  state.config.checkpoint = {};
  state.config.resume.clear();
  return state;
}

}  // namespace binade::host
