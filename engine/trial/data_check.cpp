// SPDX-License-Identifier: Apache-2.0
#include "engine/trial/data_check.h"

#include "engine/checkpoint/checkpoint_header.h"
#include "engine/files/file_stamp.h"
#include "engine/files/safetensors.h"
#include "engine/formats/error.h"
#include "engine/wire/data_files.h"

#include <nlohmann/json.hpp>
#include <sys/stat.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>

namespace binade::trial {

namespace {

using nlohmann::json;

std::string file_name_of(const std::string& path) {
  const std::filesystem::path clean(path);
  return clean.has_filename() ? clean.filename().string() : clean.parent_path().filename().string();
}

/// The fields of a description that decide its batches, without the places of files.
json batches_of(wire::RunConfig run) {
  run.data.prefetch = {};
  run.data.folder = file_name_of(run.data.folder);
  for (std::string& file : run.data.files) file = file_name_of(file);
  const json all = json::parse(wire::to_json(run));
  json some;
  for (const char* field : {"batch", "accumulate", "seed"}) some[field] = all.value(field, json());
  const json data = all.value("data", json::object());
  for (const auto& [field, value] : data.items()) some["data." + field] = value;
  return some;
}

std::string text_of(const json& fields, const std::string& field) {
  const auto found = fields.find(field);
  return found == fields.end() || found->is_null() ? "not given" : found->dump();
}

std::optional<std::int64_t> written(const std::string& file) {
  struct stat status {};
  if (stat(file.c_str(), &status) != 0) return std::nullopt;
  return files::FileStamp::of(status).seconds;
}

}  // namespace

std::vector<std::string> check_data(const wire::RunConfig& run, const std::string& checkpoint) {
  const checkpoint::CheckpointHeader header =
      checkpoint::read_checkpoint_metadata(files::read_safetensors_header(checkpoint), checkpoint);
  const json then = batches_of(header.run);
  const json now = batches_of(run);
  std::set<std::string> fields;
  for (const auto& [field, value] : then.items()) fields.insert(field);
  for (const auto& [field, value] : now.items()) fields.insert(field);
  std::string differ;
  for (const std::string& field : fields) {
    const std::string was = text_of(then, field), is = text_of(now, field);
    if (was == is) continue;
    differ.append(differ.empty() ? "" : "; ").append(field + " is " + is + ", but was " + was);
  }
  if (!differ.empty()) {
    throw Error(ErrorCode::kBadRun, checkpoint + ": the batches are not those of the checkpoint's run: " + differ,
                "Try with the run description of the checkpoint.");
  }
  std::vector<std::string> notes;
  for (const std::string& file : wire::data_files(run.data)) {
    const auto time = written(file);
    if (!time || *time <= header.saved) continue;
    notes.push_back(file + " was written after the checkpoint was saved, so its batches may differ from the run's");
  }
  return notes;
}

}  // namespace binade::trial
