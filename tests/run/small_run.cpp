// SPDX-License-Identifier: Apache-2.0
#include "tests/run/small_run.h"

#include "engine/graph/model.h"
#include "engine/run/trainer.h"
#include "tests/support/suite.h"

#include <ATen/Parallel.h>
#include <ATen/ops/linspace.h>
#include <ATen/ops/zeros.h>
#include <torch/csrc/jit/api/module.h>

namespace binade::test {

std::string folder() {
  return temporaryFolder().toStdString();
}

wire::RunConfig smallRun(std::int64_t steps) {
  at::set_num_threads(1);  // the models are too small to share out
  wire::RunConfig config;
  config.name = "small";
  config.model = "sample:mlp";
  config.data.inputs = {"float32[16,1,28,28]"};
  config.batch = 16;
  config.optimizer.learning_rate = 0.05;
  config.optimizer.momentum = 0.9;
  config.policy.execution = policy::Execution::kEmulated;
  config.steps = steps;
  config.seed = 7;
  return config;
}

wire::RunConfig lineRun(const std::string& body, std::int64_t steps) {
  wire::RunConfig config = smallRun(steps);
  config.model = saveModel(folder(), "def forward(self, x: Tensor) -> Tensor:\n" + body);
  config.data.inputs = {"float32[6,8]"};
  config.data.classes = 4;
  config.batch = 6;
  config.scaler.init_scale = 1024;
  config.observe = {.level = "histogram", .every = 1};
  return config;
}

wire::RunConfig quantizingRun(const std::string& format, std::int64_t steps) {
  wire::RunConfig config = lineRun(
      "    y = torch.linear(x * self.weight[3, 7], self.weight, self.bias)\n"
      "    return torch.linear(y, self.weight.t())[:, :4]\n",
      steps);
  config.observe.measure_cost = false;  // it would leave a step out
  if (format.empty()) return config;
  const auto operand = policy::parse_operand(format);
  policy::SiteRule rule;
  rule.match = "aten::linear#0";
  rule.format = formats::kFloat32;
  rule.products.forward = rule.products.grad_input = rule.products.grad_weight = operand;
  config.policy.sites = {rule};
  return config;
}

Done runToEnd(const wire::RunConfig& config, Listening& listening, run::Control& control) {
  run::Trainer trainer(config, listening);
  Done done{trainer.run(control), {}};
  for (const auto& [name, tensor] : trainer.model().parameters()) {
    done.tensors.emplace_back(name, tensor.detach().clone());
  }
  for (const auto& [name, tensor] : trainer.model().buffers()) done.tensors.emplace_back(name, tensor.clone());
  return done;
}

Done runToEnd(const wire::RunConfig& config, Listening& listening) {
  run::Control control;
  return runToEnd(config, listening, control);
}

std::string firstDifference(const Tensors& a, const Tensors& b) {
  if (a.empty() || a.size() != b.size()) return "number of tensors";
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].first != b[i].first || !a[i].second.equal(b[i].second)) return a[i].first;
  }
  return {};
}

std::string saveModel(const std::string& folder, const std::string& text, bool with_parameters) {
  torch::jit::Module module("__torch__.Net");
  module.register_attribute("training", c10::BoolType::get(), true);
  if (with_parameters) {
    module.register_parameter("weight", at::linspace(-1, 1, 32).reshape({4, 8}).requires_grad_(true), false);
    module.register_parameter("bias", at::zeros({4}).requires_grad_(true), false);
  }
  module.register_buffer("mean", at::zeros({8}));
  module.define(text);
  const std::string file = folder + "/net.pt";
  module.save(file);
  return file;
}

}  // namespace binade::test
