// SPDX-License-Identifier: Apache-2.0
//
// What surrounds the guide's pieces of C++: the names that they use, and a look at what came of them.
#include "engine/apex/initialize.h"
#include "engine/autocast/autocast.h"
#include "engine/autocast/cast_scope.h"
#include "engine/autocast/custom_function.h"
#include "engine/autocast/region.h"
#include "engine/autocast/resolve_executions.h"
#include "engine/formats/error.h"
#include "engine/graph/flat_graph.h"
#include "engine/graph/samples.h"
#include "engine/scaler/grad_scaler.h"

#include <torch/csrc/autograd/custom_function.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/nn/modules/linear.h>
#include <torch/optim/sgd.h>

#include <cstdio>
#include <memory>
#include <vector>

namespace {

int failures = 0;

void expect(bool truth, const char* what) {
  std::printf("%s  %s\n", truth ? "ok  " : "FAIL", what);
  if (!truth) ++failures;
}

at::Tensor precise(const at::Tensor& x) {
  return torch::mm(x, x.t()).mean();
}

void regions() {
  torch::nn::Linear net(8, 8);
  const at::Tensor x = torch::rand({4, 8});
  const at::Tensor logits = net(x);
  at::Tensor loss;
#include "library-1.inc"
  expect(loss.scalar_type() == at::kFloat, "an island computes in float32");
  expect(forward(x).scalar_type() == at::kBFloat16, "a wrapped function runs in a region");
}

void region_over_a_policy() {
  torch::nn::Linear model(8, 1);
  const at::Tensor x = torch::rand({4, 8});
  const at::Tensor y = torch::rand({4, 1});
  at::Tensor loss;
#include "library-2.inc"
  expect(model->weight.grad().defined(), "a region over a policy trains");
}

#include "library-3.inc"  // a torch::autograd::Function, `Outer`

void function_of_ones_own() {
  const at::Tensor x = torch::rand({4, 8}, at::kBFloat16).requires_grad_(true);
  {
    const binade::autocast::Region region("cpu");
    const at::Tensor y = Outer::apply(x);
    expect(y.scalar_type() == at::kFloat, "a function of one's own takes float32");
    y.sum().backward();
  }
  expect(x.grad().scalar_type() == at::kBFloat16, "and gives gradients in the dtype of its input");
}

void rules_for_single_calls() {
  binade::graph::make_sample("mlp", 1).module().save("model.pt");
  const at::Tensor x = torch::rand({4, 1, 28, 28});
  at::Tensor output;
#include "library-4.inc"
  expect(output.scalar_type() == at::kFloat, "a rule keeps the last layer in float32");
}

void loss_scaling() {
  torch::nn::Linear model(8, 1);
  torch::optim::SGD optimizer(model->parameters(), /*lr=*/0.1);
  const at::Tensor before = model->weight.detach().clone();
  const std::vector<std::pair<at::Tensor, at::Tensor>> batches{{torch::rand({4, 8}), torch::rand({4, 1})}};
#include "loss-scaling-1.inc"
  expect(!model->weight.equal(before), "a scaled step is taken");
}

void several_losses() {
  torch::nn::Linear net(8, 1);
  torch::optim::SGD sgd(net->parameters(), /*lr=*/0.1);
  const at::Tensor before = net->weight.detach().clone();
  const at::Tensor first = net(torch::rand({4, 8})).mean();
  const at::Tensor second = net(torch::rand({4, 8})).square().mean();
#include "apex-levels-1.inc"
  expect(!net->weight.equal(before), "two scaled losses make one step");
}

}  // namespace

int main() try {
  regions();
  region_over_a_policy();
  function_of_ones_own();
  rules_for_single_calls();
  loss_scaling();
  several_losses();
  return failures == 0 ? 0 : 1;
} catch (const binade::Error& error) {
  std::fprintf(stderr, "%s\n%s\n", error.what(), error.hint.c_str());
  return 1;
}
