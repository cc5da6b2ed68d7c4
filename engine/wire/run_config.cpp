// SPDX-License-Identifier: Apache-2.0
#include "engine/wire/run_config.h"

#include "engine/formats/input_file.h"
#include "engine/formats/json_fault.h"
#include "engine/formats/newer_version.h"
#include "engine/policy/base_policy.h"
#include "engine/wire/archive.h"
#include "engine/wire/nesting.h"

#include <filesystem>
#include <set>

namespace binade::wire {

namespace {

using nlohmann::json;
constexpr int kVersion = 1;
constexpr const char* kVersionField = "binade_run";

/// Parses JSON text. Throws for a key that occurs twice in one object, where plain JSON readers keep the last.
json parse_once(std::string_view text, const std::string& source) {
  if (is_too_deep(text)) {
    throw Error(ErrorCode::kBadRun, source + ": lists and objects are nested too deeply",
                "A run description has at most 5 levels.");
  }
  std::vector<std::set<std::string>> open;
  const auto watch = [&](int, json::parse_event_t event, json& parsed) {
    if (event == json::parse_event_t::object_start) open.emplace_back();
    if (event == json::parse_event_t::object_end) open.pop_back();
    if (event == json::parse_event_t::key && !open.back().insert(parsed.get<std::string>()).second) {
      throw Error(ErrorCode::kBadRun, source + ": " + parsed.get<std::string>() + " is given twice",
                  "Delete one of the two.");
    }
    return true;
  };
  try {
    return json::parse(text, watch);
  } catch (const json::out_of_range& error) {  // for numbers: `number overflow parsing '1e400'`
    const std::string what = error.what();
    throw Error(
        ErrorCode::kBadRun, source + ": " + what.substr(what.find("] ") == std::string::npos ? 0 : what.find("] ") + 2),
        "The largest number is about 1.8e308. Most numbers of a run are limited to 3.4e38, the range of float32.");
  } catch (const json::parse_error& error) {
    if (text.starts_with("SQLite format 3")) {
      throw Error(ErrorCode::kBadRun, source + " is a run file or another SQLite database, not a run description",
                  "The explorer opens run files. A run description is a JSON file with \"binade_run\": 1.");
    }
    if (text.starts_with("PK\x03\x04")) {
      throw Error(ErrorCode::kBadRun, source + " is a ZIP archive, such as a TorchScript model, not a run description",
                  "A run description is a JSON file with \"binade_run\": 1. Its field model names the model.");
    }
    const JsonFault fault = json_fault(error.what());
    const std::string place = fault.place.empty() ? "" : fault.place + ": ";
    throw Error(ErrorCode::kBadRun, source + ": " + place + "not JSON: " + fault.reason,
                "A run description is a JSON file with \"binade_run\": 1. JSON has numbers, strings in double quotes, "
                "true, false and null. It has no NaN or Infinity.");
  }
}

void check_version(const json& object, const std::string& source) {
  const auto version = object.find(kVersionField);
  if (version == object.end() && object.contains("binade_policy")) {
    throw Error(
        ErrorCode::kBadRun, source + " is a policy, not a run description",
        "Pass it beside a run description: binade-engine train RUN --policy POLICY. `binade-engine policy check` "
        "takes a policy alone.");
  }
  if (version == object.end()) {
    throw Error(ErrorCode::kBadRun, source + ": " + kVersionField + " is missing, so this is not a run description",
                "Start the file with \"binade_run\": 1.");
  }
  if (!version->is_number_integer() || *version != kVersion) {
    const auto needed = object.find(kNeedsField);
    const std::string needs = needed != object.end() && needed->is_string() ? needed->get<std::string>() : "";
    throw Error(ErrorCode::kBadRun,
                source + ": " + kVersionField + " is " + version->dump() + "; this program supports 1",
                version->is_number_integer() && *version > kVersion ? newer_version_hint(needs)
                                                                    : "Start the file with \"binade_run\": 1.");
  }
}

std::string resolved(const std::string& path, const std::string& folder) {
  if (path.empty() || folder.empty()) return path;
  return (std::filesystem::path(folder) / path).lexically_normal().string();
}

/// Throws if both forms of the losses are given, because one would be ignored.
void check_one_form(const json& object, const std::string& source) {
  const auto losses = object.find("losses");
  if (losses == object.end()) return;
  if (losses->is_array() && losses->empty()) {
    throw Error(ErrorCode::kBadRun, source + ": losses must contain at least one loss",
                "Omit the field to use loss, which is cross_entropy by default.")
        .at("losses");
  }
  if (!object.contains("loss") && !object.contains("output")) return;
  throw Error(ErrorCode::kBadRun,
              source + ": losses cannot be combined with \"loss\" and \"output\", which are short for a single entry",
              "Move them into losses, or delete losses.")
      .at("losses");
}

policy::Policy read_policy(const json& value, const std::string& source, const std::string& folder) {
  if (value.is_object()) return policy::parse_policy(value.dump(), source + ": policy");
  if (!value.is_string()) {
    throw Error(ErrorCode::kBadRun,
                source + ": policy must be an object, the path of a policy file, or the name of a base list")
        .at("policy");
  }
  const auto named = value.get<std::string>();
  const std::string path = resolved(named, folder);
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored) && !ignored) {
    if (const auto base = policy::base_policy(named)) return *base;
  }
  std::string text;
  try {
    text = read_input_text(path);
  } catch (const Error& error) {
    const bool missing = !std::filesystem::exists(path, ignored) && !ignored;
    throw Error(ErrorCode::kBadRun, source + ": policy: " + error.what(),
                missing ? policy::hint_on_base(named) + " A relative path starts at the folder of the run description."
                        : error.hint)
        .at("policy");
  }
  return policy::parse_policy(text, path);
}

}  // namespace

std::vector<LossConfig> losses_of(const RunConfig& config) {
  if (!config.losses.empty()) return config.losses;
  LossConfig only;
  only.kind = config.loss;
  only.output = config.output;
  return {only};
}

std::vector<ScalerConfig> scalers_of(const RunConfig& config) {
  if (!config.scalers.empty()) return config.scalers;
  return {config.scaler};
}

bool has_scaler(const RunConfig& config) {
  return config.scaler_given || config.scaler != ScalerConfig{} || !config.scalers.empty();
}

RunConfig parse_run(std::string_view text, const std::string& source, const std::string& folder) {
  json object = parse_once(text, source);
  if (!object.is_object()) throw Error(ErrorCode::kBadRun, source + ": a run description must be a JSON object");
  check_version(object, source);
  object.erase(kVersionField);

  if (const auto kept = object.find("checkpoint"); kept != object.end() && kept->is_object() && kept->empty()) {
    throw Error(ErrorCode::kBadRun, source + ": checkpoint must name a folder",
                "For example \"checkpoint\": { \"folder\": \"checkpoints\", \"every\": 500 }.")
        .at("checkpoint");
  }
  check_one_form(object, source);
  RunConfig config;
  if (const auto policy = object.find("policy"); policy != object.end()) {
    config.policy = read_policy(*policy, source, folder);
    object.erase(policy);
  }
  Reader::read(object, Place{}, ReadRules{.code = ErrorCode::kBadRun, .source = source, .by_hand = true}, config);

  if (config.run_file == "none") {
    throw Error(ErrorCode::kBadRun, source + ": run_file is \"none\", which would be a file name here",
                "To record nothing, use --run-file none. For a file with this name, write \"./none\".")
        .at("run_file");
  }
  if (!config.model.starts_with("sample:")) config.model = resolved(config.model, folder);
  config.data.folder = resolved(config.data.folder, folder);
  for (std::string& file : config.data.files) file = resolved(file, folder);
  config.weights = resolved(config.weights, folder);
  config.run_file = resolved(config.run_file, folder);
  config.checkpoint.folder = resolved(config.checkpoint.folder, folder);
  config.resume = resolved(config.resume, folder);
  check(config, source);
  return config;
}

std::string to_json(const RunConfig& config) {
  using nlohmann::ordered_json;
  ordered_json object;
  object[kVersionField] = kVersion;
  ordered_json rest = Writer<ordered_json>::make(config);
  if (config.losses.empty()) {
    rest.erase("losses");
  } else {
    rest.erase("loss");
    rest.erase("output");
  }
  for (const auto& [name, value] : rest.items()) object[name] = value;
  return object.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace binade::wire
