// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace torch::jit {
struct Module;
}

namespace binade::graph {

/// A TorchScript module. Shares its parameters with every FlatGraph made from it.
class Model {
 public:
  /// Loads a file on the CPU. Throws Error{kBadFile} for a file that is not TorchScript (the message says what it is),
  /// Error{kUnsafe} for one that would run code when loaded, and Error{kBadModel} for an op or tensor that is not
  /// supported.
  static Model load(const std::string& file);

  explicit Model(torch::jit::Module module);
  Model(const Model&);
  Model& operator=(const Model&);
  ~Model();

  torch::jit::Module& module() const;

  /// Parameters with dotted names, in the module's order. A frozen file has none.
  std::vector<std::pair<std::string, at::Tensor>> parameters() const;
  std::vector<std::pair<std::string, at::Tensor>> buffers() const;

  /// Sets every `training` attribute. Has no effect on frozen and traced modules; see warnings().
  void train(bool on) const;
  void to(c10::Device device) const;

  /// Module::forward without the graph executor's optimisations, the reference for comparisons. Throws Error{kBadModel}
  /// if it fails, kOutOfMemory if a tensor could not be allocated. The optimising executor is not the reference: it
  /// differs from itself between calls on common models and fails in bfloat16 backward on several. A policy that casts
  /// nothing gives the same bits as this: outputs, gradients and buffers.
  c10::IValue forward(std::vector<c10::IValue> inputs) const;

 private:
  std::shared_ptr<torch::jit::Module> module_;
};

}  // namespace binade::graph
