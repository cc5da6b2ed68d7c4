// SPDX-License-Identifier: Apache-2.0
#include "engine/host/given_inputs.h"

#include "engine/formats/error.h"
#include "engine/graph/flat_graph.h"
#include "engine/graph/samples.h"

namespace binade::host {

std::vector<std::string> given_inputs(const std::string& model, const std::vector<std::string>& given) {
  if (!given.empty()) return given;
  if (const graph::Sample* sample = graph::find_sample(model); sample != nullptr) return sample->inputs;
  const graph::FlatGraph flat(graph::open_model(model));
  std::string takes;
  const auto& arguments = flat.schema().arguments();
  for (std::size_t i = 1; i < arguments.size(); ++i) {  // the first is self
    if (arguments[i].default_value()) continue;
    takes += (takes.empty() ? "" : ", ") + arguments[i].name() + ": " + arguments[i].type()->annotation_str();
  }
  throw Error(ErrorCode::kUsage, "--input is missing: " + model + " must be run, and forward takes (" + takes + ")",
              "Give one SPEC for each, for example --input 'float32[2,3,224,224]'; --help tells what a SPEC can be.");
}

}  // namespace binade::host
