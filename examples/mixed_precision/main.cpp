// SPDX-License-Identifier: Apache-2.0
//
// Mixed-precision training in C++ on the installed library: what torch.autocast and torch.amp.GradScaler are in
// Python, and a rule for one op call, which they do not have.
#include "engine/autocast/autocast.h"
#include "engine/autocast/resolve_executions.h"
#include "engine/formats/error.h"
#include "engine/graph/flat_graph.h"
#include "engine/graph/samples.h"
#include "engine/scaler/grad_scaler.h"

#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <torch/optim/sgd.h>
#include <torch/utils.h>

#include <cstdio>

using namespace binade;

// PyTorch's CUDA lists with float16, but the last layer stays in float32.
constexpr const char* kPolicy = R"({ "binade_policy": 1, "base": "cuda-amp", "low": "float16",
  "sites": [ { "match": "fc3/aten::linear#0", "format": "float32", "why": "the example shows a rule" } ] })";

int main() try {
  torch::manual_seed(1);
  const graph::Model model = graph::make_sample("mlp", 1);  // or graph::Model::load("model.pt")
  graph::FlatGraph forward(model);

  // A policy becomes a table with one decision for each op call.
  std::vector<policy::SiteKey> keys;
  std::vector<const graph::Site*> sites;
  for (const auto& site : forward.sites()) {
    keys.push_back(site->key);
    sites.push_back(site.get());
  }
  auto table = policy::resolve(policy::parse_policy(kPolicy, "the example's policy"), keys, {});
  autocast::resolve_executions(table, sites);
  for (const auto& finding : table.findings) std::printf("note: %s\n", finding.message.c_str());

  autocast::Autocast autocast;
  autocast.set_policy(std::make_shared<const policy::Resolved>(std::move(table)));
  graph::SiteHook* const hooks[] = {&autocast};
  scaler::GradScaler scaler;
  std::vector<at::Tensor> parameters;
  for (const auto& [name, parameter] : model.parameters()) parameters.push_back(parameter);
  torch::optim::SGD optimizer(parameters, torch::optim::SGDOptions(0.1));

  const at::Tensor images = at::randn({64, 1, 28, 28});
  const at::Tensor labels = at::randint(10, {64}, at::kLong);
  double first = 0;
  double last = 0;
  for (int step = 0; step < 30; ++step) {
    optimizer.zero_grad();
    autocast.begin();
    const at::Tensor output = forward.run({images}, hooks).toTensor();
    autocast.end();
    const at::Tensor loss = at::cross_entropy_loss(output.to(at::kFloat), labels);
    scaler.scale(loss).backward();
    const bool stepped = scaler.step(optimizer).stepped;
    scaler.update();
    last = loss.item<double>();
    if (step == 0) first = last;
    if (step % 10 == 0) std::printf("step %2d  loss %.4f%s\n", step, last, stepped ? "" : "  (skipped)");
  }
  std::printf("loss %.4f -> %.4f at loss scale %g\n", first, last, scaler.get_scale());
  return last < first ? 0 : 1;
} catch (const Error& error) {
  std::fprintf(stderr, "%s\n%s\n", error.what(), error.hint.c_str());
  return 1;
}
