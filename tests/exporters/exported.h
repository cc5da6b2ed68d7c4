// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/autocast/resolve_executions.h"
#include "engine/exporters/bake.h"
#include "engine/exporters/proof.h"
#include "engine/graph/flat_graph.h"
#include "engine/graph/samples.h"

#include <ATen/Context.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randint.h>
#include <torch/csrc/jit/api/module.h>

#include <memory>
#include <string>
#include <vector>

namespace binade::test {

/// The CPU list in bfloat16.
inline policy::Policy cpuAmp() {
  policy::Policy policy;
  policy.base = policy::Base::kCpuAmp;
  policy.low = formats::kBFloat16;
  return policy;
}

/// The policy's table for a model, of a device that runs halves natively.
inline std::shared_ptr<const policy::Resolved> tableFor(const graph::Model& model, const policy::Policy& policy) {
  const graph::FlatGraph flat(model);
  std::vector<const graph::Site*> sites;
  for (const auto& site : flat.sites()) sites.push_back(site.get());
  policy::Capabilities capabilities;
  capabilities.native_float16 = true;
  capabilities.list = policy::Base::kCpuAmp;
  return std::make_shared<policy::Resolved>(autocast::resolve_for(policy, sites, capabilities));
}

/// A module of one TorchScript text with the trainable parameters `weight` [8,8] and `offset` [8].
inline graph::Model modelOf(const std::string& forward) {
  torch::jit::Module module("__torch__.Written");
  at::manual_seed(5);
  module.register_attribute("training", c10::BoolType::get(), true);
  module.register_parameter("weight", at::rand({8, 8}).sub_(0.5).requires_grad_(true), false);
  module.register_parameter("offset", at::rand({8}).requires_grad_(true), false);
  module.define(forward);
  return graph::Model(module);
}

/// Small batches: what is compared is bits.
inline std::vector<c10::IValue> inputsOf(const std::string& sample) {
  at::manual_seed(17);
  if (sample == "resnet") return {at::rand({4, 3, 16, 16})};
  if (sample == "transformer") return {at::randint(1000, {3, 12}, at::kLong)};
  if (sample == "attention") return {at::rand({3, 24, 64})};
  if (sample == "control-flow") {
    c10::Dict<std::string, at::Tensor> inputs;
    inputs.insert("x", at::rand({3, 16}));
    inputs.insert("context", at::rand({3, 8}));
    return {inputs, 4};
  }
  return {at::rand({8, 1, 28, 28})};
}

}  // namespace binade::test
