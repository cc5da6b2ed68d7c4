// SPDX-License-Identifier: Apache-2.0
#include "engine/graph/warnings.h"

#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/ir/constants.h>
#include <torch/csrc/jit/ir/ir.h>

#include <algorithm>
#include <functional>
#include <set>

namespace binade::graph {

namespace jit = torch::jit;

namespace {

/// Visits every node; `guarded` means inside a branch of an `if`, which may never run.
void for_each_node(const jit::Block* block, const std::function<void(const jit::Node&, bool guarded)>& visit,
                   bool guarded = false) {
  for (const jit::Node* node : block->nodes()) {
    visit(*node, guarded);
    const bool branches = node->kind() == c10::prim::If;
    for (const jit::Block* inner : node->blocks()) for_each_node(inner, visit, guarded || branches);
  }
}

/// Value of the argument `name` if it is a constant of the graph.
std::optional<c10::IValue> constant_argument(const jit::Node& node, std::string_view name) {
  const auto* schema = node.maybeSchema();
  if (schema == nullptr) return std::nullopt;
  for (std::size_t i = 0; i < schema->arguments().size() && i < node.inputs().size(); ++i) {
    if (schema->arguments()[i].name() == name) return jit::toIValue(node.input(i));
  }
  return std::nullopt;
}

/// `cuda, float16`, as far as the block specifies it.
std::string described(const policy::OwnBlock& block) {
  std::string text = !block.list ? "wherever the tensors are" : *block.list == policy::Base::kCpuAmp ? "cpu" : "cuda";
  if (!block.enabled) return text + ", disabled";
  return block.low ? text + ", " + formats::name(*block.low) : text;
}

std::string about(const policy::OwnBlock& block, const FlatGraph& flat) {
  const auto calls = std::count_if(flat.sites().begin(), flat.sites().end(),
                                   [&](const auto& site) { return site->own_block == &block; });
  return "The model has its own autocast block" + (block.source.empty() ? "" : " at " + block.source) + " (" +
         described(block) + ") around " + std::to_string(calls) + (calls == 1 ? " op call" : " op calls") +
         ". It is followed where the base list is for the same device, or for none; op changes and site rules go "
         "before it.";
}

}  // namespace

std::vector<std::string> warnings(const Model& model, const FlatGraph& flat) {
  std::vector<std::string> sentences;
  const auto parameters = model.parameters();
  const bool any_trainable = std::any_of(parameters.begin(), parameters.end(),
                                         [](const auto& parameter) { return parameter.second.requires_grad(); });
  if (parameters.empty()) {
    sentences.emplace_back(
        "The model has no parameters: it is frozen, its weights are constants of the graph. It can be run, but not "
        "trained. Save it again without torch.jit.freeze.");
  } else if (!any_trainable) {
    sentences.emplace_back(
        "No parameter is trainable: the file was saved with requires_grad switched off. Training switches it on.");
  }

  bool train_constant = false;
  bool eval_constant = false;
  bool asks_mode = false;  // scripted models do, traced ones never
  std::set<std::string> devices;
  bool optimised = false;
  for_each_node(flat.graph().block(), [&](const jit::Node& node, bool guarded) {
    asks_mode =
        asks_mode || (node.kind() == c10::prim::GetAttr && node.s(c10::attr::name) == std::string_view("training"));
    for (const char* name : {"training", "train"}) {
      const auto training = guarded ? std::nullopt : constant_argument(node, name);
      if (training && training->isBool()) (training->toBool() ? train_constant : eval_constant) = true;
    }
    if (const auto device = constant_argument(node, "device"); device && device->isDevice()) {
      devices.insert(device->toDevice().str());
    }
    const std::string_view kind = node.kind().toQualString();
    optimised =
        optimised || kind == "aten::_autocast_to_reduced_precision" || kind == "aten::_autocast_to_full_precision";
  });
  if (train_constant) {
    sentences.emplace_back(
        asks_mode
            ? "The model sets some of its dropouts or batch norms to train mode permanently, even while evaluating."
            : "The model was traced in train mode: dropout and batch norm stay in train mode even while "
              "evaluating.");
  }
  if (eval_constant) {
    sentences.emplace_back(
        asks_mode ? "The model sets some of its dropouts or batch norms to eval mode permanently, even while training."
                  : "The model was traced in eval mode: dropout and batch norm stay in eval mode even while training.");
  }
  for (const std::string& device : devices) {
    sentences.push_back("The graph holds the device " + device + " as a constant: tensors made inside stay there.");
  }
  if (optimised) {
    sentences.emplace_back(
        "The graph holds casts inserted by TorchScript's own autocast (_autocast_to_...): it was saved after an "
        "optimisation. They cast only where LibTorch's autocast is on. Save the scripted model before it is "
        "optimised.");
  }
  for (const auto& block : flat.own_blocks()) sentences.push_back(about(*block, flat));
  for (const std::string& call : flat.opaque()) sentences.push_back(call + ".");
  return sentences;
}

}  // namespace binade::graph
