// SPDX-License-Identifier: Apache-2.0
#include "engine/host/commands/commands.h"
#include "engine/host/print/policy_json.h"
#include "engine/host/process/exit_code.h"
#include "engine/host/process/trusted_models.h"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <string>
#include <vector>

namespace binade::host {

namespace {

void print(const char* event, const wire::TrustedModel& model, bool json) {
  if (json) {
    print_json({{"event", event}, {"sha256", model.sha256}, {"file", model.file}});
  } else {
    std::printf("%s  %s\n", model.sha256.c_str(), model.file.empty() ? "(no path)" : model.file.c_str());
  }
}

}  // namespace

int trust(const TrustOptions& options) {
  for (const std::string& named : options.removed) {
    for (const wire::TrustedModel& model : end_trust(named)) {
      if (!options.json) std::fputs("No longer trusted: ", stdout);
      print("removed", model, options.json);
    }
  }
  if (!options.removed.empty()) return kDone;
  const std::vector<wire::TrustedModel> models = listed_trusted_models();
  for (const wire::TrustedModel& model : models) print("trusted", model, options.json);
  if (models.empty() && !options.json) std::puts("No model is trusted.");
  return kDone;
}

}  // namespace binade::host
