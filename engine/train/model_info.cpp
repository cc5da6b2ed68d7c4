// SPDX-License-Identifier: Apache-2.0
#include "engine/train/model_info.h"

#include "engine/autocast/resolve_executions.h"
#include "engine/graph/dataflow.h"
#include "engine/graph/dtype_name.h"
#include "engine/graph/input_guess.h"
#include "engine/graph/warnings.h"
#include "engine/policy/inner_calls.h"
#include "engine/policy/op_lists.h"

#include <torch/csrc/jit/api/module.h>

#include <algorithm>
#include <regex>
#include <sstream>

namespace binade::train {

namespace {

wire::TensorInfo tensor_info(const std::string& name, const at::Tensor& tensor, bool trainable) {
  return {name, graph::dtype_name(tensor.scalar_type()), tensor.sizes().vec(), trainable};
}

/// Shortens `__torch__.___torch_mangle_3.nets.Cnn` to the source's `nets.Cnn`.
std::string class_name(const torch::jit::Module& module) {
  const auto name = module.type()->name();
  if (!name) return {};
  static const std::regex mangling(R"(__torch__\.|___torch_mangle_\d+\.)");
  return std::regex_replace(name->qualifiedName(), mangling, "");
}

/// Returns the index, or -1 for null.
int index_of(const std::vector<std::unique_ptr<policy::OwnBlock>>& blocks, const policy::OwnBlock* block) {
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (blocks[i].get() == block) return static_cast<int>(i);
  }
  return -1;
}

wire::ControlInfo::Kind kind_of(graph::ControlBlock::Kind kind) {
  using enum graph::ControlBlock::Kind;
  return kind == kIf     ? wire::ControlInfo::Kind::kIf
         : kind == kElse ? wire::ControlInfo::Kind::kElse
                         : wire::ControlInfo::Kind::kLoop;
}

wire::EdgeInfo edge_info(const graph::DataEdge& edge) {
  return {edge.from.site, edge.from.output, edge.to, edge.argument, edge.value, edge.shape};
}

void add_blocks(const graph::Dataflow& from, wire::FlowInfo& flow) {
  for (const graph::ControlBlock& block : from.blocks) {
    flow.blocks.push_back({kind_of(block.kind), block.first, block.count, block.path, block.source});
  }
}

/// Returns where the output at `path` of forward's result comes from. All of the result for a path that goes further
/// than to an element of a tuple.
std::vector<graph::Origin> origins_of(const std::vector<std::vector<graph::Origin>>& results, const std::string& path) {
  for (std::size_t i = 0; i < results.size(); ++i) {
    const std::string from_end = "[-" + std::to_string(results.size() - i) + "]";
    if (path == "[" + std::to_string(i) + "]" || path == from_end) return results[i];
  }
  std::vector<graph::Origin> all;
  for (const auto& result : results) {
    for (const graph::Origin& origin : result) {
      if (std::find(all.begin(), all.end(), origin) == all.end()) all.push_back(origin);
    }
  }
  return all;
}

std::string default_text(const c10::Argument& argument) {
  if (!argument.default_value()) return {};
  std::ostringstream text;
  text << *argument.default_value();
  return text.str();
}

}  // namespace

std::vector<wire::SiteInfo> describe_sites(const graph::FlatGraph& graph, policy::Base base) {
  std::vector<wire::SiteInfo> all;
  for (const auto& site : graph.sites()) {
    wire::SiteInfo info{.id = site->id, .key = site->key, .source = site->source, .list_rule = {}};
    const policy::SitePlace place = autocast::place_of(*site);
    const auto device = policy::device_of(base);
    const policy::OwnBlock* block = policy::block_in_force(site->own_block, device);
    const policy::Base list = block == nullptr ? base : policy::lists_of(*block, base, formats::kFloat16, device).list;
    const auto rule = policy::rule_for(list, site->key.op, site->key.overload);
    if (rule != policy::CastRule::kNone) {
      info.list_rule = policy::name(rule);
    } else if (place.inside && (site->composite || policy::calls_listed(list, site->key.op, site->key.overload))) {
      info.list_rule = wire::kInside;
    }
    info.view = site->view;
    info.in_place = site->in_place;
    info.in_loop = site->in_loop;
    info.inside = place.inside;
    info.own_block = index_of(graph.own_blocks(), site->own_block);
    all.push_back(std::move(info));
  }
  return all;
}

void describe_loss(wire::FlowInfo& flow, const std::vector<std::vector<graph::Origin>>& results,
                   const graph::FlatGraph& loss, const std::vector<std::string>& outputs) {
  const graph::Dataflow own = graph::dataflow(loss);
  for (const graph::DataEdge& edge : own.edges) {
    if (edge.from.site >= 0) {
      flow.edges.push_back(edge_info(edge));
      continue;
    }
    const auto argument = static_cast<std::size_t>(edge.from.output);
    if (argument >= outputs.size()) continue;  // the target
    for (const graph::Origin& origin : origins_of(results, outputs[argument])) {
      graph::DataEdge joined = edge;
      joined.from = origin;
      flow.edges.push_back(edge_info(joined));
    }
  }
  add_blocks(own, flow);
}

wire::ModelInfo describe(const std::string& file, const graph::Model& model, const graph::FlatGraph& forward,
                         policy::Base base) {
  wire::ModelInfo info;
  info.file = file;
  info.type = class_name(model.module());
  info.sites = describe_sites(forward, base);
  for (const auto& block : forward.own_blocks()) {
    info.own_blocks.push_back({block->list ? policy::name(*block->list) : "", block->low, block->enabled,
                               block->cache_enabled, block->source, index_of(forward.own_blocks(), block->outer)});
  }
  for (const auto& [name, tensor] : model.parameters()) {
    info.parameters.push_back(tensor_info(name, tensor, tensor.requires_grad()));
  }
  for (const auto& [name, tensor] : model.buffers()) info.buffers.push_back(tensor_info(name, tensor, false));
  const auto& arguments = forward.schema().arguments();
  for (std::size_t i = 1; i < arguments.size(); ++i) {  // the first is self
    info.inputs.push_back({.name = arguments[i].name(),
                           .type = arguments[i].type()->annotation_str(),
                           .default_value = default_text(arguments[i])});
  }
  const auto guesses = graph::guess_inputs(model, forward);
  for (std::size_t i = 0; i < info.inputs.size() && i < guesses.size(); ++i) {
    if (!guesses[i]) continue;
    info.inputs[i].guess = guesses[i]->spec;
    info.inputs[i].guess_from = guesses[i]->from;
  }
  const graph::Dataflow flow = graph::dataflow(forward, &model, guesses);
  info.flow.emplace();
  for (const graph::DataEdge& edge : flow.edges) info.flow->edges.push_back(edge_info(edge));
  add_blocks(flow, *info.flow);
  if (!forward.schema().returns().empty()) info.output = forward.schema().returns().front().type()->annotation_str();
  info.warnings = graph::warnings(model, forward);
  return info;
}

}  // namespace binade::train
