// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/error.h"
#include "engine/host/commands/export_targets.h"
#include "engine/interchange/export_run.h"
#include "engine/policy/near_name.h"

#include <algorithm>

namespace binade::host {

namespace {

constexpr const char* kTorchScript = "torchscript";

/// All names that `--to` takes for a model.
std::vector<std::string> target_names() {
  std::vector<std::string> names{kTorchScript};
  for (const targets::Target& target : targets::targets()) names.emplace_back(target.name);
  return names;
}

}  // namespace

std::string target_list() {
  std::size_t width = std::string_view(kTorchScript).size();
  for (const targets::Target& target : targets::targets()) width = std::max(width, target.name.size());
  const auto line = [width](std::string_view name, std::string_view doc) {
    return "  " + std::string(name) + std::string(width + 2 - name.size(), ' ') + std::string(doc) + "\n";
  };
  std::string list =
      line(kTorchScript, "The model with the policy's casts in it, compared with the engine to the bit.");
  for (const targets::Target& target : targets::targets()) list += line(target.name, target.doc);
  return list;
}

const targets::Target& text_target(const std::string& name, const std::string& option) {
  if (const targets::Target* target = targets::find_target(name)) return *target;
  const std::vector<std::string> names = target_names();
  std::string all;
  for (const std::string& each : names) all += (all.empty() ? "" : ", ") + each;
  if (interchange::run_target(name)) {
    throw Error(ErrorCode::kUsage, option + ": " + name + " is a target for run files, not for a policy",
                "Give a run file: `binade-engine export RUN.binade --to " + name + " --out PATH`.");
  }
  throw Error(ErrorCode::kUsage, option + ": " + name + " is not a target",
              policy::did_you_mean(name, names) + "Targets: " + all + ".");
}

int export_model(const ExportOptions& options) {
  if (options.target == kTorchScript) return export_torchscript(options);
  return export_text(options, text_target(options.target, "--to"));
}

}  // namespace binade::host
