// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/output_file.h"
#include "engine/graph/samples.h"
#include "engine/host/commands/commands.h"
#include "engine/host/print/policy_json.h"
#include "engine/host/process/exit_code.h"
#include "engine/train/model_state.h"

#include <nlohmann/json.hpp>

#include <cstdio>

namespace binade::host {

namespace {

void print(const nlohmann::ordered_json& line) {
  print_json(line);
}

}  // namespace

int sample(const SampleOptions& options) {
  if (options.out.empty()) {
    for (const graph::Sample& known : graph::samples()) {
      if (options.json) {
        print(
            {{"event", "sample"}, {"name", known.name}, {"description", known.description}, {"inputs", known.inputs}});
        continue;
      }
      std::printf("%-13s %s; forward takes %s\n", known.name.c_str(), known.description.c_str(),
                  known.inputs.front().c_str());
    }
    return kDone;
  }
  refuse_existing(options.out);
  train::save_model(graph::make_sample(options.name, options.seed), options.out);
  if (options.json) {
    print({{"event", "sample"}, {"name", options.name}, {"file", options.out}});
  } else {
    std::printf("Wrote the sample %s to %s\n", options.name.c_str(), options.out.c_str());
  }
  return kDone;
}

}  // namespace binade::host
