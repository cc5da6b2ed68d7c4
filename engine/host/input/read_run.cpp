// SPDX-License-Identifier: Apache-2.0
#include "engine/host/input/read_run.h"

#include "engine/formats/input_file.h"
#include "engine/graph/known_ops.h"
#include "engine/host/input/demo.h"
#include "engine/host/input/named_policy.h"

#include <filesystem>

namespace binade::host {

wire::RunConfig read_run(const std::string& run, const std::string& policy) {
  wire::RunConfig config;
  if (run.empty()) {
    config = demo_run();
  } else {
    config = wire::parse_run(read_input_text(run), run, std::filesystem::path(run).parent_path().string());
    graph::check_ops(config.policy, run + ": policy");
  }
  if (!policy.empty()) {
    config.policy = named_policy(policy, "train RUN --policy POLICY");
  }
  return config;
}

}  // namespace binade::host
