// SPDX-License-Identifier: Apache-2.0
#include "engine/wire/flow_info.h"

namespace binade::wire {

namespace {

std::string place(const char* list, std::size_t index, const char* field) {
  return std::string("flow.") + list + "[" + std::to_string(index) + "]." + field;
}

}  // namespace

std::string misfit_of(const FlowInfo& flow, std::size_t sites) {
  const auto count = static_cast<std::int64_t>(sites);
  const std::string has = ", and the model has " + std::to_string(sites) + " op calls";
  for (std::size_t i = 0; i < flow.edges.size(); ++i) {
    const EdgeInfo& edge = flow.edges[i];
    if (edge.from < -1 || edge.from >= count) {
      return place("edges", i, "from") + " is " + std::to_string(edge.from) + has;
    }
    if (edge.to < 0 || edge.to >= count) return place("edges", i, "to") + " is " + std::to_string(edge.to) + has;
    if (edge.output < 0) return place("edges", i, "output") + " is " + std::to_string(edge.output);
    for (const std::int64_t size : edge.shape) {
      if (size < -1) return place("edges", i, "shape") + " contains " + std::to_string(size);
    }
  }
  for (std::size_t i = 0; i < flow.blocks.size(); ++i) {
    const ControlInfo& block = flow.blocks[i];
    if (block.first < 0 || block.first >= count) {
      return place("blocks", i, "first") + " is " + std::to_string(block.first) + has;
    }
    if (block.count < 1 || block.count > count - block.first) {
      return place("blocks", i, "count") + " is " + std::to_string(block.count) + has;
    }
  }
  return {};
}

}  // namespace binade::wire
