// SPDX-License-Identifier: Apache-2.0
#include "engine/graph/dataflow.h"

#include "engine/graph/inliner.h"
#include "engine/graph/shape_trial.h"
#include "engine/graph/source_line.h"

#include <torch/csrc/jit/api/module.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace binade::graph {

namespace jit = torch::jit;

namespace {

using Origins = std::vector<Origin>;  // ascending, without repeats
using Shapes = std::unordered_map<const jit::Value*, Sizes>;

constexpr int kMostPasses = 4;  // a value that a loop carries reaches its beginning in a second pass

void add(Origins& origins, const Origins& more) {
  Origins all;
  std::set_union(origins.begin(), origins.end(), more.begin(), more.end(), std::back_inserter(all));
  if (all.size() > kMostOrigins) all.erase(all.begin(), all.end() - static_cast<std::ptrdiff_t>(kMostOrigins));
  origins = std::move(all);
}

/// Returns the path of the module that a node belongs to, without the method.
std::string path_of(jit::Node& node) {
  if (node.scope()->isBlank()) return {};
  std::string path = node.scope()->name().toUnqualString();
  if (path == "<root>") return {};
  return path.substr(0, path.find("::"));
}

/// Walks the graph in the order of the text, which is that of the sites.
class Follower {
 public:
  Follower(const FlatGraph& flat, const Shapes& shapes) : flat_(flat), shapes_(shapes) {}

  Dataflow run() {
    const jit::Graph& graph = flat_.graph();
    // The first argument of a model's forward is the model.
    const std::size_t self = !flat_.schema().arguments().empty() && flat_.schema().arguments()[0].name() == "self";
    for (int pass = 0; pass < kMostPasses; ++pass) {
      const std::unordered_map<const jit::Value*, Origins> before = of_;
      flow_ = {};
      next_ = 0;
      for (std::size_t i = self; i < graph.inputs().size(); ++i) {
        of_[graph.inputs()[i]] = {{-1, static_cast<int>(i - self)}};
      }
      walk(*graph.block());
      if (!loops_ || before == of_) break;
    }
    for (const jit::Value* result : graph.outputs()) {
      const jit::Node& made = *result->node();
      if (made.kind() == c10::prim::TupleConstruct) {
        for (const jit::Value* element : made.inputs()) flow_.results.push_back(of(element));
      } else {
        flow_.results.push_back(of(result));
      }
    }
    return std::move(flow_);
  }

 private:
  const Origins& of(const jit::Value* value) const {
    static const Origins kNone;
    const auto found = of_.find(value);
    return found == of_.end() ? kNone : found->second;
  }

  void walk(const jit::Block& block) {
    for (const jit::Node* node : block.nodes()) {
      if (node->kind() == c10::prim::If) {
        branch(*node);
      } else if (node->kind() == c10::prim::Loop) {
        loop(*node);
      } else if (is_site(*const_cast<jit::Node*>(node))) {  // reads the node, and looks its operator up
        site(*node);
      } else {
        Origins all;
        for (const jit::Value* input : node->inputs()) add(all, of(input));
        for (const jit::Block* inner : node->blocks()) walk(*inner);
        grow_lists(*node, all);
        for (const jit::Value* output : node->outputs()) {
          if (all.empty()) {
            of_.erase(output);
          } else {
            of_[output] = all;
          }
        }
      }
    }
  }

  void site(const jit::Node& node) {
    const Site& site = *flat_.sites().at(next_++);
    const auto begin = static_cast<std::ptrdiff_t>(flow_.edges.size());
    for (std::size_t i = 0; i < node.inputs().size(); ++i) {
      const jit::Value* input = node.inputs()[i];
      for (const Origin& origin : of(input)) {
        DataEdge edge;
        edge.from = origin;
        edge.to = site.id;
        if (i < site.argument_names.size()) edge.argument = site.argument_names[i];
        if (input->hasDebugName() && !input->debugName().empty()) {
          const std::string name = input->debugNameBase();
          if (name.find_first_not_of("0123456789") != std::string::npos) edge.value = name;
        }
        if (const auto shape = shapes_.find(input); shape != shapes_.end()) edge.shape = shape->second;
        const auto equal = [&](const DataEdge& each) {
          return each.from == edge.from && each.argument == edge.argument;
        };
        if (std::none_of(flow_.edges.begin() + begin, flow_.edges.end(), equal)) flow_.edges.push_back(std::move(edge));
      }
    }
    for (std::size_t i = 0; i < node.outputs().size(); ++i) {
      of_[node.outputs()[i]] = {{site.id, static_cast<int>(i)}};
    }
    grow_lists(node, {{site.id, 0}});
    if (!site.in_place) return;
    for (std::size_t i = 0; i < site.roles.size() && i < node.inputs().size(); ++i) {
      if (site.roles[i] == Role::kWritten) of_[node.inputs()[i]] = {{site.id, 0}};
    }
  }

  // `append` and its like put a tensor into a list that is an argument.
  void grow_lists(const jit::Node& node, const Origins& origins) {
    const auto* schema = node.maybeSchema();
    if (schema == nullptr) return;
    for (std::size_t i = 0; i < schema->arguments().size() && i < node.inputs().size(); ++i) {
      const auto* alias = schema->arguments()[i].alias_info();
      const jit::Value* list = node.inputs()[i];
      if (alias == nullptr || !alias->isWrite() || list->type()->kind() != c10::TypeKind::ListType) continue;
      add(of_[list], origins);
    }
  }

  void branch(const jit::Node& node) {
    std::vector<Origins> results(node.outputs().size());
    for (std::size_t i = 0; i < node.blocks().size(); ++i) {
      const jit::Block& block = *node.blocks()[i];
      inside(node, i == 0 ? ControlBlock::Kind::kIf : ControlBlock::Kind::kElse, block);
      for (std::size_t at = 0; at < results.size(); ++at) add(results[at], of(block.outputs()[at]));
    }
    for (std::size_t at = 0; at < results.size(); ++at) of_[node.outputs()[at]] = results[at];
  }

  // Inputs of the node: count, condition, carried values. Inputs of the body: index, carried values. Its outputs:
  // condition, carried values.
  void loop(const jit::Node& node) {
    loops_ = true;
    const jit::Block& body = *node.blocks()[0];
    const std::size_t carried = node.outputs().size();
    for (std::size_t at = 0; at < carried; ++at) {
      Origins start = of(node.inputs()[at + 2]);
      add(start, of(body.outputs()[at + 1]));  // of the pass before
      of_[body.inputs()[at + 1]] = std::move(start);
    }
    inside(node, ControlBlock::Kind::kLoop, body);
    for (std::size_t at = 0; at < carried; ++at) {
      Origins end = of(node.inputs()[at + 2]);
      add(end, of(body.outputs()[at + 1]));
      of_[node.outputs()[at]] = std::move(end);
    }
  }

  void inside(const jit::Node& node, ControlBlock::Kind kind, const jit::Block& block) {
    const std::size_t first = next_;
    const std::size_t place = flow_.blocks.size();
    // Reading a scope is no const function of LibTorch.
    const std::string path = path_of(const_cast<jit::Node&>(node));
    flow_.blocks.push_back({.kind = kind, .path = path, .source = source_of(node)});
    walk(block);
    if (next_ == first) {
      flow_.blocks.erase(flow_.blocks.begin() + static_cast<std::ptrdiff_t>(place));
      return;
    }
    flow_.blocks[place].first = flat_.sites()[first]->id;
    flow_.blocks[place].count = static_cast<int>(next_ - first);
  }

  const FlatGraph& flat_;
  const Shapes& shapes_;
  Dataflow flow_;
  std::size_t next_ = 0;  ///< index of the next site
  bool loops_ = false;
  std::unordered_map<const jit::Value*, Origins> of_;
};

/// Replaces the batch of the guess by -1. Returns nullopt for a size that contains the batch as a factor.
std::optional<Sizes> with_batch(Sizes sizes) {
  for (std::int64_t& size : sizes) {
    if (size == kGuessedBatch) {
      size = -1;
    } else if (size < 0 || (size > 0 && size % kGuessedBatch == 0)) {
      return std::nullopt;
    }
  }
  return sizes;
}

void collect(const jit::Block& block, const ShapeTrial& trial, Shapes& shapes) {
  for (const jit::Node* node : block.nodes()) {
    for (const jit::Value* output : node->outputs()) {
      const Sizes* sizes = trial.sizes_of(output);
      if (sizes == nullptr) continue;
      if (auto known = with_batch(*sizes)) shapes.emplace(output, *known);
    }
    for (const jit::Block* inner : node->blocks()) collect(*inner, trial, shapes);
  }
}

Shapes shapes_of(const FlatGraph& flat, const Model& model, std::span<const std::optional<InputGuess>> guesses) {
  Shapes shapes;
  const jit::Graph& graph = flat.graph();
  const c10::IValue self = model.module()._ivalue();
  for (std::size_t i = 0; i < guesses.size() && i + 1 < graph.inputs().size(); ++i) {
    if (!guesses[i]) continue;
    const jit::Value* input = graph.inputs()[i + 1];  // the first is self
    ShapeTrial trial(graph, self);
    if (!trial.run(input, guesses[i]->sizes)) continue;
    if (auto known = with_batch(guesses[i]->sizes)) shapes.emplace(input, *known);
    collect(*graph.block(), trial, shapes);
  }
  return shapes;
}

}  // namespace

Dataflow dataflow(const FlatGraph& flat, const Model* model, std::span<const std::optional<InputGuess>> guesses) {
  return Follower(flat, model == nullptr ? Shapes() : shapes_of(flat, *model, guesses)).run();
}

}  // namespace binade::graph
