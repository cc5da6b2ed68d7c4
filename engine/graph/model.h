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

/// A TorchScript module and what training asks of it. Shares its parameters with every FlatGraph made of it.
class Model {
 public:
  /// Loads a file on the CPU. Throws Error{kBadFile} for what is not TorchScript (it says what it is instead),
  /// Error{kUnsafe} for a file that would run code on load, Error{kBadModel} for an op this LibTorch lacks.
  static Model load(const std::string& file);

  explicit Model(torch::jit::Module module);
  Model(const Model&);
  Model& operator=(const Model&);
  ~Model();

  torch::jit::Module& module() const;

  /// Dotted names, in the module's order. A frozen file has no parameters.
  std::vector<std::pair<std::string, at::Tensor>> parameters() const;
  std::vector<std::pair<std::string, at::Tensor>> buffers() const;

  /// Sets every `training` attribute; silently nothing for frozen and traced modules, see inspect().
  void train(bool on) const;
  void to(c10::Device device) const;

  /// Module::forward with the graph executor's optimisation off: what everything is compared with.
  /// Throws Error{kBadModel} where it fails.
  c10::IValue forward(std::vector<c10::IValue> inputs) const;

 private:
  std::shared_ptr<torch::jit::Module> module_;
};

}  // namespace binade::graph
