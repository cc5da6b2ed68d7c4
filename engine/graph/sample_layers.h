// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/csrc/jit/api/module.h>

#include <memory>
#include <string>

namespace binade::graph {

/// Makes scripted layers without Python: parameters initialised as torch.nn does by default, forward as TorchScript
/// text. Texts call submodules as `self.name.forward(x)` and can use torch.* functions only.
class Layers {
 public:
  explicit Layers(std::uint64_t seed);

  /// An empty module with a `training` attribute; parameters, submodules and forward are to be added.
  torch::jit::Module module(const std::string& class_name) const;

  torch::jit::Module linear(std::int64_t in, std::int64_t out);
  torch::jit::Module conv2d(std::int64_t in, std::int64_t out, std::int64_t kernel, std::int64_t stride, bool bias);
  torch::jit::Module batch_norm(std::int64_t channels) const;
  torch::jit::Module layer_norm(std::int64_t width) const;
  torch::jit::Module embedding(std::int64_t count, std::int64_t width);

  /// A float32 tensor of the given shape, uniform in ±bound. It does not require gradients yet.
  at::Tensor uniform(at::IntArrayRef shape, double bound);

 private:
  std::shared_ptr<torch::jit::CompilationUnit> unit_;
  at::Generator generator_;
};

}  // namespace binade::graph
