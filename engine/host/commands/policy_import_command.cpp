// SPDX-License-Identifier: Apache-2.0
#include "engine/files/atomic_file.h"
#include "engine/formats/error.h"
#include "engine/formats/input_file.h"
#include "engine/formats/output_file.h"
#include "engine/graph/known_ops.h"
#include "engine/host/commands/assigned_model.h"
#include "engine/host/commands/export_findings.h"
#include "engine/host/commands/export_targets.h"
#include "engine/host/commands/saved_policy.h"
#include "engine/host/print/policy_json.h"
#include "engine/host/process/exit_code.h"
#include "engine/targets/read_text.h"
#include "engine/wire/codec.h"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <filesystem>
#include <string>

namespace binade::host {

namespace {

/// Reads the file for the model's op calls, which decide what a pattern of another program means.
targets::Read read_text(const PolicyImportOptions& options, const targets::Target& target) {
  AssignedModel model(options.model, policy::Policy{});
  const std::string folder = std::filesystem::path(options.file).parent_path().string();
  targets::Read read =
      targets::read_text(target, read_input_text(options.file), options.file, folder, model.assignment());
  graph::check_ops(read.policy, options.file);
  return read;
}

}  // namespace

int policy_import(const PolicyImportOptions& options) {
  const targets::Target& target = text_target(options.target, "--from");
  if (target.read == nullptr) {
    throw Error(ErrorCode::kUsage, "--from: " + options.target + " is for people and cannot be read",
                "Give the file that it was made from.");
  }
  refuse_existing(options.out, "--out");
  const targets::Read read = read_text(options, target);
  print_findings(read.findings, options.json);
  const std::string text = policy::to_json(read.policy);
  files::AtomicFile file(options.out);
  file.write(text.data(), text.size());
  file.commit();

  if (options.json) {
    nlohmann::ordered_json line{{"event", "imported"},
                                {"file", options.file},
                                {"target", std::string(target.name)},
                                {"model", options.model},
                                {"policy", options.out},
                                {"ops", read.policy.ops.size()},
                                {"sites", read.policy.sites.size()}};
    if (read.scaler) line["scaler"] = wire::encode(*read.scaler);
    print_json(line);
    return kDone;
  }
  std::printf("%s: base %s, low %s, %s\n", options.out.c_str(), name(read.policy.base).c_str(),
              formats::name(read.policy.low).c_str(), changes_text(read.policy).c_str());
  if (read.scaler) {
    std::printf("The file also sets the loss scaler, which belongs to a run description: \"scaler\": %s\n",
                wire::encode_text(*read.scaler).c_str());
  }
  return kDone;
}

}  // namespace binade::host
