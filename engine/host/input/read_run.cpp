// SPDX-License-Identifier: Apache-2.0
#include "engine/host/input/read_run.h"

#include "engine/formats/error.h"
#include "engine/formats/input_file.h"
#include "engine/graph/known_ops.h"
#include "engine/graph/samples.h"
#include "engine/host/input/demo.h"
#include "engine/host/input/named_policy.h"

#include <filesystem>
#include <system_error>

namespace binade::host {

namespace {

constexpr const char* kSampleModel = "sample:";

void refuse_model_as_run(const std::string& run) {
  std::error_code unknown;
  if (!run.starts_with(kSampleModel) || std::filesystem::exists(run, unknown)) return;
  throw Error(ErrorCode::kUsage, run + " is a model, but this argument takes a run description",
              "Write a JSON file with \"binade_run\": 1 and \"model\": \"" + run + "\", and name that file.");
}

/// So that the message names the file and the field.
void check_sample(const std::string& model, const std::string& source) {
  if (!model.starts_with(kSampleModel) || graph::find_sample(model) != nullptr) return;
  try {
    graph::open_model(model);
  } catch (const Error& error) {
    throw Error(ErrorCode::kBadRun, source + ": model: " + error.what(), error.hint).at("model");
  }
}

}  // namespace

wire::RunConfig read_run(const std::string& run, const std::string& policy) {
  wire::RunConfig config;
  if (run.empty()) {
    config = demo_run();
  } else {
    refuse_model_as_run(run);
    config = wire::parse_run(read_input_text(run), run, std::filesystem::path(run).parent_path().string());
    graph::check_ops(config.policy, run + ": policy");
    check_sample(config.model, run);
  }
  if (!policy.empty()) {
    config.policy = named_policy(policy, "train RUN --policy POLICY");
  }
  return config;
}

void check_model_file(const wire::RunConfig& config, const std::string& run) {
  std::error_code unknown;
  if (config.model.starts_with(kSampleModel)) return;
  if (std::filesystem::status(config.model, unknown).type() != std::filesystem::file_type::not_found) return;
  throw Error(ErrorCode::kBadFile, run + ": model: " + config.model + " does not exist",
              "Check the path. A relative path starts at the folder of the run description.")
      .at("model");
}

}  // namespace binade::host
