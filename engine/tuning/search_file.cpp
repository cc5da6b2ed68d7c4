// SPDX-License-Identifier: Apache-2.0
#include "engine/tuning/search_file.h"

#include "engine/files/atomic_file.h"
#include "engine/formats/error.h"
#include "engine/formats/input_file.h"
#include "engine/tuning/search_contents.h"
#include "engine/tuning/search_json.h"
#include "engine/wire/codec.h"
#include "engine/wire/utf8.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <utility>
#include <vector>

namespace binade::tuning {

using nlohmann::json;
namespace fs = std::filesystem;

namespace {

constexpr const char* kStateName = "search.json";
constexpr const char* kContents = "contents";
constexpr const char* kVersionKey = "binade_search";
constexpr int kVersion = 2;  // 1 had no contents of data files

[[noreturn]] void refuse_state(const std::string& file, const std::string& what) {
  throw Error(ErrorCode::kBadFile, file + " is no state of a search that this version can read: " + what,
              "Move the file away to start the search anew; the policy files beside it stay as they are. Or choose "
              "another folder with --out.");
}

json encode_request(const SearchRequest& request) {
  json run = wire::encode(request.run);
  // The order has the policy that the search starts from. The others change nothing in a Try.
  for (const char* key : {"policy", "name", "caption", "observe", "profile", "run_file"}) run.erase(key);
  wire::codec::spell(run);
  json object{{"run", std::move(run)},
              {"checkpoint", wire::valid_utf8(request.checkpoint)},
              {kContents, contents_of(request.run, request.checkpoint)},
              {"steps", request.steps},
              {"seeds", request.seeds}};
  object["order"] = encode(request.order);
  object["order"]["policy"].erase("provenance");
  return json::parse(object.dump());  // numbers in the form in which they are read back
}

/// `/run/optimizer/learning_rate` as `run.optimizer.learning_rate`.
std::string dotted(std::string path) {
  if (!path.empty()) path.erase(0, 1);
  std::replace(path.begin(), path.end(), '/', '.');
  return path;
}

/// A value for a message: on one line and short.
std::string brief_text(const json& root, const std::string& path) {
  constexpr std::size_t kMost = 60;
  const json::json_pointer pointer(path);
  if (!root.contains(pointer)) return "absent";
  std::string text = root.at(pointer).dump(-1, ' ', /*ensure_ascii=*/true);
  if (text.size() > kMost) text = text.substr(0, kMost) + "...";
  return text;
}

/// Where the trainings of a search begin: a checkpoint, as it is stored.
std::string start_text(const json& request) {
  const std::string checkpoint = request.value("checkpoint", std::string());
  return checkpoint.empty() ? std::string("the start of the run") : checkpoint;
}

// A run that goes on has another newest checkpoint, though the arguments are the same.
[[noreturn]] void refuse_start(const json& stored, const json& asked, const std::string& file) {
  const bool from_start = stored.value("checkpoint", std::string()).empty();
  throw Error(ErrorCode::kUsage,
              file + " belongs to another search: it began at " + start_text(stored) +
                  ", and this one would begin at " + start_text(asked),
              std::string(from_start ? "Name the run description (JSON), without --from, in place of the run file or "
                                       "checkpoint"
                                     : "Give that checkpoint with --from") +
                  " to go on with that search, or start a new one in another folder with --out.");
}

/// Both without the contents of files.
void check_same_request(json stored, json asked, const std::string& file) {
  stored.erase(kContents);
  asked.erase(kContents);
  if (stored == asked) return;
  const std::string path = json::diff(stored, asked).at(0).at("path").get<std::string>();
  if (path == "/checkpoint") refuse_start(stored, asked, file);
  throw Error(ErrorCode::kUsage,
              file + " belongs to another search: its " + dotted(path) + " is " + brief_text(stored, path) +
                  ", and here it is " + brief_text(asked, path),
              "Give the same arguments to go on with that search, or start a new one in another folder with --out.");
}

void write_text(const std::string& name, const std::string& text) {
  files::AtomicFile file(name);
  file.write(text.data(), text.size());
  file.commit();
}

/// Throws if the folder, which does not exist, cannot be made: before hours of trying, and without making it.
void check_can_be_made(const std::string& folder) {
  std::error_code error;
  fs::path parent = fs::absolute(folder, error).lexically_normal();
  while (parent.has_relative_path() && !fs::exists(parent, error)) parent = parent.parent_path();
  const char* const reason = !fs::is_directory(parent, error)             ? "is no folder"
                             : ::access(parent.c_str(), W_OK | X_OK) != 0 ? "may not be written to"
                                                                          : nullptr;
  if (reason == nullptr) return;
  throw Error(ErrorCode::kBadFile, folder + " cannot be created: " + parent.string() + ' ' + reason,
              "Choose another folder with --out.");
}

/// Names of files that a search writes.
bool is_of_search(const std::string& name) {
  return name == kStateName || (name.starts_with("policy-") && name.ends_with(".json"));
}

}  // namespace

SearchFile::SearchFile(std::string folder) : folder_(std::move(folder)) {
  std::error_code error;
  if (!fs::exists(folder_, error)) {
    check_can_be_made(folder_);
    return;
  }
  lock();
  if (!fs::exists(path(kStateName), error)) {
    if (fs::is_empty(folder_, error)) return;
    throw Error(ErrorCode::kUsage, folder_ + " exists and holds no search",
                "Choose a new folder with --out, or empty this one.");
  }
  stored_ = json::parse(read_input_text(path(kStateName)), nullptr, /*allow_exceptions=*/false);
  if (!stored_.is_object() || !stored_.contains(kVersionKey)) refuse_state(path(kStateName), "it is damaged");
  const json& version = stored_[kVersionKey];
  if (!version.is_number_integer() || version.get<std::int64_t>() != kVersion) {
    refuse_state(path(kStateName), "its version is " + version.dump());
  }
}

std::optional<SearchState> SearchFile::resume(const SearchRequest& request) {
  request_ = encode_request(request);
  if (stored_.is_null()) return std::nullopt;
  try {
    const json& before = stored_.at("request");
    check_same_request(before, request_, path(kStateName));
    check_contents(before.at(kContents).get<Contents>(), request_.at(kContents).get<Contents>(), path(kStateName));
    SearchState state;
    state.evidence = decode_evidence(stored_.at("evidence"));
    state.estimates_time = stored_.at("estimates_time").get<bool>();
    state.progress = decode_progress(stored_.at("progress"));
    return state;
  } catch (const json::exception& damage) {
    refuse_state(path(kStateName), damage.what());
  } catch (const Error& damage) {
    if (damage.code == ErrorCode::kUsage) throw;
    refuse_state(path(kStateName), damage.what());
  }
}

void SearchFile::write(const SearchState& state) {
  if (!lock_) {
    std::error_code error;
    fs::create_directories(folder_, error);
    if (error) {
      throw Error(ErrorCode::kBadFile, folder_ + " cannot be created: " + error.message(),
                  "Choose another folder with --out.");
    }
    lock();
  }
  const json object{{kVersionKey, kVersion},
                    {"request", request_},
                    {"evidence", encode(state.evidence)},
                    {"estimates_time", state.estimates_time},
                    {"progress", encode(state.progress)}};
  write_text(path(kStateName), object.dump(1) + "\n");
}

void SearchFile::write(const search::Point& point) const {
  write_text(policy_file(point), policy::to_json(point.policy));
}

std::string SearchFile::policy_file(const search::Point& point) const {
  return point.holds ? path("policy-" + std::to_string(point.attempt) + ".json") : std::string();
}

std::string SearchFile::path(const std::string& name) const {
  return (fs::path(folder_) / name).string();
}

void SearchFile::lock() {
  lock_.emplace(folder_);
  files::remove_abandoned(folder_, is_of_search);
}

}  // namespace binade::tuning
