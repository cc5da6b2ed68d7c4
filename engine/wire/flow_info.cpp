// SPDX-License-Identifier: Apache-2.0
#include "engine/wire/flow_info.h"

namespace binade::wire {

namespace {

std::string flow_field(const char* list, std::size_t index, const char* field) {
  return std::string("flow.") + list + "[" + std::to_string(index) + "]." + field;
}

}  // namespace

FlowMisfit misfit_of(const FlowInfo& flow, std::size_t sites) {
  const auto count = static_cast<std::int64_t>(sites);
  const auto beside = [&](std::int64_t value) {
    return "is " + std::to_string(value) + ", and the model has " + std::to_string(sites) + " op calls";
  };
  for (std::size_t i = 0; i < flow.edges.size(); ++i) {
    const EdgeInfo& edge = flow.edges[i];
    if (edge.from < -1 || edge.from >= count) return {flow_field("edges", i, "from"), beside(edge.from)};
    if (edge.to < 0 || edge.to >= count) return {flow_field("edges", i, "to"), beside(edge.to)};
    if (edge.output < 0) return {flow_field("edges", i, "output"), "is " + std::to_string(edge.output)};
    for (const std::int64_t size : edge.shape) {
      if (size < -1) return {flow_field("edges", i, "shape"), "contains " + std::to_string(size)};
    }
  }
  for (std::size_t i = 0; i < flow.blocks.size(); ++i) {
    const ControlInfo& block = flow.blocks[i];
    if (block.first < 0 || block.first >= count) return {flow_field("blocks", i, "first"), beside(block.first)};
    if (block.count < 1 || block.count > count - block.first) {
      return {flow_field("blocks", i, "count"), beside(block.count)};
    }
  }
  return {};
}

}  // namespace binade::wire
