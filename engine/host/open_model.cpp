// SPDX-License-Identifier: Apache-2.0
#include "engine/host/open_model.h"

#include "engine/graph/samples.h"

namespace binade::host {

graph::Model open_model(const std::string& name) {
  constexpr std::string_view kSample = "sample:";
  if (name.starts_with(kSample)) return graph::make_sample(name.substr(kSample.size()), 1);
  return graph::Model::load(name);
}

}  // namespace binade::host
