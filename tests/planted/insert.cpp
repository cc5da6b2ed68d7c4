// SPDX-License-Identifier: Apache-2.0
#include "tests/planted/insert.h"

#include "engine/formats/error.h"
#include "engine/graph/flat_graph.h"
#include "engine/graph/samples.h"
#include "engine/train/training.h"

#include <ATen/core/grad_mode.h>
#include <torch/csrc/jit/api/compilation_unit.h>
#include <torch/csrc/jit/api/function_impl.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/ir/ir.h>
#include <torch/jit.h>

#include <algorithm>
#include <array>
#include <map>
#include <sstream>
#include <utility>

namespace binade::test {

namespace jit = torch::jit;

namespace {

/// Collects the op calls whose result has a dtype.
class LowResults : public graph::SiteHook {
 public:
  explicit LowResults(at::ScalarType low) : low_(low) {}

  void after(graph::Call& call) override {
    if (call.site.outputs != 1 || !call.result(0).isTensor() || call.site.in_loop) return;
    const at::Tensor& result = call.result(0).toTensor();
    if (result.scalar_type() != low_ || result.dim() < 2 || !result.requires_grad()) return;
    names.push_back(call.site.key.name());
  }

  std::vector<std::string> names;

 private:
  at::ScalarType low_;
};

/// Adds the nodes of a block that calls an op, by the names of their sites.
void add_nodes(jit::Block* block, const std::string& path, std::map<std::string, int>& next,
               std::map<std::string, jit::Node*>& found) {
  for (jit::Node* node : block->nodes()) {
    for (jit::Block* inner : node->blocks()) add_nodes(inner, path, next, found);
    if (!node->kind().is_aten()) continue;
    const bool takes_tensor = std::any_of(node->inputs().begin(), node->inputs().end(), [](const jit::Value* input) {
      return input->type()->isSubtypeOf(*c10::TensorType::get()) || input->type()->kind() == c10::TypeKind::ListType;
    });
    if (!takes_tensor) continue;
    const std::string op = node->kind().toQualString();
    const std::string site = (path.empty() ? "" : path + "/") + op + "#" + std::to_string(next[op]++);
    const bool gives_tensor =
        node->outputs().size() == 1 && node->output()->type()->isSubtypeOf(*c10::TensorType::get());
    if (gives_tensor) found[site] = node;
  }
}

/// The lines of a piece as a function.
std::shared_ptr<jit::CompilationUnit> compiled(const Piece& piece) {
  std::string text = "def planted(x: Tensor) -> Tensor:\n    c = x.clone()\n";
  std::istringstream lines(piece.lines);
  for (std::string line; std::getline(lines, line);) text += "    " + line + "\n";
  return jit::compile(text + "    return u.type_as(c)\n");
}

}  // namespace

graph::Model openHost(const wire::RunConfig& run) {
  graph::Model model = graph::open_model(run.model, run.seed);
  model.train(true);
  return model;
}

std::vector<std::string> lowResults(const wire::RunConfig& run) {
  const auto training = train::set_up(run);
  LowResults results(run.policy.low == formats::kFloat16 ? at::kHalf : at::kBFloat16);
  std::array<graph::SiteHook*, 2> hooks{&results, &training->autocast};
  training->autocast.begin();
  training->forward.run(training->data->next().inputs, hooks);
  training->autocast.end();
  return results.names;
}

std::vector<Place> placesOf(const graph::Model& model, const std::vector<std::string>& calls) {
  std::map<std::string, jit::Node*> nodes;
  for (const auto& named : model.module().named_modules()) {
    const auto method = named.value.find_method("forward");
    if (!method) continue;
    std::map<std::string, int> next;
    add_nodes(method->graph()->block(), named.name, next, nodes);
  }
  std::vector<Place> places;
  for (const std::string& call : calls) {
    const auto found = nodes.find(call);
    if (found != nodes.end()) places.push_back({found->second, call == calls.back()});
  }
  return places;
}

void insert(const Place& place, const Piece& piece) {
  const auto unit = compiled(piece);
  auto& function = jit::toGraphFunction(unit->get_function(c10::QualifiedName("planted")));
  function.ensure_defined();
  jit::Graph& graph = *place.node->owningGraph();
  jit::Value* result = place.node->output();
  const jit::WithInsertPoint here(place.node->next());
  jit::Value* planted = jit::insertGraph(graph, *function.graph(), {result}).at(0);
  result->replaceAllUsesAfterNodeWith(planted->node(), planted);
}

void scaleLayer(const graph::Model& model, const std::string& path, double factor) {
  const at::NoGradGuard no_history;
  bool scaled = false;
  for (const auto& [name, parameter] : model.parameters()) {
    if (!name.starts_with(path + ".") || name.find('.', path.size() + 1) != std::string::npos) continue;
    at::Tensor(parameter).mul_(factor);
    scaled = true;
  }
  if (!scaled) throw Error(ErrorCode::kInternal, "The model has no layer " + path);
}

void save(const graph::Model& model, const std::string& file) {
  model.module().save(file);
}

std::vector<std::string> plantedCalls(const std::string& file, const std::vector<const Piece*>& pieces) {
  const graph::Model model = graph::Model::load(file);
  const graph::FlatGraph flat(model);
  const auto& sites = flat.sites();
  std::vector<std::string> names;
  for (std::size_t i = 0; i < sites.size(); ++i) {
    if (sites[i]->op != "aten::clone") continue;
    if (names.size() == pieces.size()) return {};  // a module with a piece is called twice
    const Piece& piece = *pieces[names.size()];
    int left = piece.ordinal;
    for (std::size_t j = i + 1; j < sites.size(); ++j) {
      if (sites[j]->op != piece.op || left-- > 0) continue;
      names.push_back(sites[j]->key.name());
      break;
    }
  }
  return names;
}

}  // namespace binade::test
