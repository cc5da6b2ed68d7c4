// SPDX-License-Identifier: Apache-2.0
#include "tests/autocast_oracle/met_ops.h"

#include "engine/graph/flat_graph.h"
#include "engine/graph/samples.h"
#include "tests/support/places.h"

#include <ATen/Context.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randint.h>

#include <set>

namespace binade::test {

namespace {

using Inputs = std::vector<c10::IValue>;

/// Copies the arguments of the first call of every op.
class Gather : public graph::SiteHook {
 public:
  explicit Gather(MetOps& into) : into_(into) {}

  void before(graph::Call& call) override {
    if (!seen_.insert(fullName(call.site.op, call.site.overload)).second) return;
    const auto op = c10::Dispatcher::singleton().findSchema({call.site.op, call.site.overload});
    if (!op) {
      into_.undispatched.push_back(fullName(call.site.op, call.site.overload));
      return;
    }
    RowCall made{*op, {}};
    for (std::size_t i = 0; i < call.site.inputs; ++i) made.arguments.push_back(copyOf(call.argument(i)));
    into_.calls.push_back(std::move(made));
  }

 private:
  static c10::IValue copyOf(const c10::IValue& value) {
    const auto copy = [](const at::Tensor& tensor) { return tensor.defined() ? tensor.detach().clone() : tensor; };
    if (value.isTensor()) return copy(value.toTensor());
    if (!value.isTensorList()) return value;
    c10::List<at::Tensor> tensors;
    for (const at::Tensor& tensor : value.toTensorVector()) tensors.push_back(copy(tensor));
    return tensors;
  }

  MetOps& into_;
  std::set<std::string> seen_;
};

Inputs inputsOf(const std::string& file) {
  if (file == "recurrent.pt") return {at::rand({3, 5, 8})};
  if (file == "attention.pt") return {at::randint(50, {2, 6}, at::kLong), at::randint(50, {2, 6}, at::kLong)};
  if (file == "control.pt") {
    c10::Dict<std::string, at::Tensor> inputs;
    inputs.insert("x", at::rand({2, 8}));
    inputs.insert("y", at::rand({2, 8}));
    return {inputs, 3};
  }
  if (file == "interface_list.pt") return {at::rand({2, 4}), 1};
  for (const char* picture : {"scripted.pt", "traced_train.pt", "traced_eval.pt", "frozen.pt"}) {
    if (file == picture) return {at::rand({2, 3, 8, 8})};
  }
  return {at::rand({2, 4})};
}

Inputs inputsOfSample(const std::string& name) {
  if (name == "resnet") return {at::rand({2, 3, 16, 16})};
  if (name == "transformer") return {at::randint(1000, {2, 12}, at::kLong)};
  if (name == "attention") return {at::rand({2, 12, 64})};
  if (name == "control-flow") {
    c10::Dict<std::string, at::Tensor> inputs;
    inputs.insert("x", at::rand({3, 16}));
    inputs.insert("context", at::rand({3, 8}));
    return {inputs};
  }
  return {at::rand({4, 1, 28, 28})};
}

}  // namespace

MetOps metInModels() {
  MetOps met;
  Gather gather(met);
  at::manual_seed(5);
  const auto run = [&](const graph::Model& model, Inputs inputs) {
    ++met.models;
    graph::SiteHook* hooks[] = {&gather};
    graph::FlatGraph(model).run(std::move(inputs), hooks);
  };
  for (const graph::Sample& sample : graph::samples()) {
    run(graph::make_sample(sample.name, 3), inputsOfSample(sample.name));
  }
  for (const char* file :
       {"scripted.pt", "traced_train.pt", "traced_eval.pt", "frozen.pt", "recurrent.pt", "attention.pt", "control.pt",
        "device_constant.pt", "interface.pt", "untrainable.pt", "forked.pt", "own_blocks.pt", "fork_list.pt",
        "own_autocast.pt", "interface_list.pt", "user_dtypes.pt", "user_dtypes_traced.pt"}) {
    run(graph::Model::load(std::string(BINADE_TEST_DATA "/models/") + file), inputsOf(file));
  }
  return met;
}

}  // namespace binade::test
