// SPDX-License-Identifier: Apache-2.0
#include "engine/graph/sample_layers.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>

#include <cmath>

namespace binade::graph {

using torch::jit::Module;

namespace {

void trainable(Module& module, const char* name, at::Tensor value) {
  module.register_parameter(name, value.requires_grad_(true), /*is_buffer=*/false);
}

}  // namespace

Layers::Layers(std::uint64_t seed)
    : unit_(std::make_shared<torch::jit::CompilationUnit>()), generator_(at::detail::createCPUGenerator(seed)) {}

Module Layers::module(const std::string& class_name) const {
  Module made(c10::QualifiedName("__torch__.binade." + class_name), unit_, /*shouldMangle=*/true);
  made.register_attribute("training", c10::BoolType::get(), true);
  return made;
}

at::Tensor Layers::uniform(at::IntArrayRef shape, double bound) {
  return at::empty(shape, at::kFloat).uniform_(-bound, bound, generator_);
}

Module Layers::linear(std::int64_t in, std::int64_t out) {
  Module made = module("Linear");
  const double bound = 1 / std::sqrt(static_cast<double>(in));
  trainable(made, "weight", uniform({out, in}, bound));
  trainable(made, "bias", uniform({out}, bound));
  made.define("def forward(self, x: Tensor) -> Tensor:\n    return torch.linear(x, self.weight, self.bias)\n");
  return made;
}

Module Layers::conv2d(std::int64_t in, std::int64_t out, std::int64_t kernel, std::int64_t stride, bool bias) {
  Module made = module("Conv2d");
  const double bound = 1 / std::sqrt(static_cast<double>(in * kernel * kernel));
  trainable(made, "weight", uniform({out, in, kernel, kernel}, bound));
  if (bias) trainable(made, "bias", uniform({out}, bound));
  const std::string stride_text = std::to_string(stride);
  const std::string padding = std::to_string(kernel / 2);
  made.define("def forward(self, x: Tensor) -> Tensor:\n    return torch.conv2d(x, self.weight, " +
              std::string(bias ? "self.bias" : "None") + ", [" + stride_text + ", " + stride_text + "], [" + padding +
              ", " + padding + "])\n");
  return made;
}

Module Layers::batch_norm(std::int64_t channels) const {
  Module made = module("BatchNorm2d");
  trainable(made, "weight", at::ones({channels}));
  trainable(made, "bias", at::zeros({channels}));
  made.register_buffer("running_mean", at::zeros({channels}));
  made.register_buffer("running_var", at::ones({channels}));
  made.register_buffer("num_batches_tracked", at::zeros({}, at::kLong));
  made.define(R"(
def forward(self, x: Tensor) -> Tensor:
    if self.training:
        self.num_batches_tracked.add_(1)
    return torch.batch_norm(x, self.weight, self.bias, self.running_mean, self.running_var, self.training, 0.1, 1e-05, True)
)");
  return made;
}

Module Layers::layer_norm(std::int64_t width) const {
  Module made = module("LayerNorm");
  trainable(made, "weight", at::ones({width}));
  trainable(made, "bias", at::zeros({width}));
  made.define("def forward(self, x: Tensor) -> Tensor:\n    return torch.layer_norm(x, [" + std::to_string(width) +
              "], self.weight, self.bias)\n");
  return made;
}

Module Layers::embedding(std::int64_t count, std::int64_t width) {
  Module made = module("Embedding");
  trainable(made, "weight", at::empty({count, width}, at::kFloat).normal_(0, 1, generator_));
  made.define("def forward(self, x: Tensor) -> Tensor:\n    return torch.embedding(self.weight, x)\n");
  return made;
}

}  // namespace binade::graph
