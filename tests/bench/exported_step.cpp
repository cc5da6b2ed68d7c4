// SPDX-License-Identifier: Apache-2.0
//
// bench_exported_step: a training step of the exported TorchScript file ÷ the engine's step under the same policy.
#include "engine/autocast/resolve_executions.h"
#include "engine/batches/synthetic_data.h"
#include "engine/exporters/bake.h"
#include "engine/exporters/proof.h"
#include "engine/formats/error.h"
#include "engine/graph/flat_graph.h"
#include "engine/graph/samples.h"
#include "engine/train/device.h"
#include "engine/train/optimizer.h"
#include "tests/bench/ratio.h"
#include "tests/bench/training_steps.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/optim/optimizer.h>

#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace binade::bench {

namespace {

constexpr int kPairs = 60;
constexpr int kWarmUp = 5;  // the optimising executor runs its final code from the third step on
constexpr int kExecutorSteps = 5;

/// The model of a run with the casts of its policy written into it.
graph::Model exported_model(const wire::RunConfig& config) {
  const graph::Model model = graph::open_model(config.model, config.seed);
  const graph::FlatGraph flat(model);
  std::vector<const graph::Site*> sites;
  for (const auto& site : flat.sites()) sites.push_back(site.get());
  const policy::Resolved table = autocast::resolve_for(config.policy, sites, {});
  batches::SyntheticData data(config.data.inputs, config.batch, config.data.classes, config.seed);
  const std::vector<std::vector<c10::IValue>> inputs{data.next().inputs};
  exporters::Baked baked = exporters::bake(model, table, inputs);
  if (!baked.exact()) throw Error(ErrorCode::kInternal, config.model + " is only exported approximately");
  return std::move(baked.model);
}

/// A training step of an exported file as its user writes it: the file holds all casts, and its output is widened for
/// the loss.
class ExportedStep {
 public:
  ExportedStep(const wire::RunConfig& config, bool optimised)
      : model_(exported_model(config)),
        data_(config.data.inputs, config.batch, config.data.classes, config.seed),
        optimizer_(train::make_optimizer(config.optimizer, model_.parameters())),
        optimised_(optimised) {
    model_.train(true);
    train::seed(config.seed);
  }

  void operator()() {
    batches::Batch batch = data_.next();
    optimizer_->zero_grad();
    const c10::IValue output =
        optimised_ ? model_.module().forward(std::move(batch.inputs)) : model_.forward(std::move(batch.inputs));
    const at::Tensor loss = at::cross_entropy_loss(output.toTensor().to(at::kFloat), batch.target());
    loss.backward();
    optimizer_->step();
    loss.item<double>();  // as every training loop reads its loss
  }

 private:
  graph::Model model_;
  batches::SyntheticData data_;
  std::unique_ptr<torch::optim::Optimizer> optimizer_;
  bool optimised_;
};

/// Why the optimising executor cannot train the file; usually empty.
std::string executor_fault(const wire::RunConfig& config) {
  batches::SyntheticData data(config.data.inputs, config.batch, config.data.classes, config.seed);
  return exporters::train_by_executor(exported_model(config), data.next().inputs, kExecutorSteps, config.seed);
}

void compare(const std::string& name) {
  const wire::RunConfig config = lowered_training_of(name, formats::kBFloat16, "cpu");
  const std::string bench = "export.step_vs_engine";
  EngineStep engine(config);
  // People run the file with the optimising executor, which is on by default, so the bar is for it.
  for (const bool optimised : {true, false}) {
    const std::string what = name + " bfloat16" + (optimised ? "" : ", executor's optimisation off");
    if (const std::string fault = optimised ? executor_fault(config) : ""; !fault.empty()) {
      print_not_measured(bench, what, "not-trained", fault);
      continue;
    }
    ExportedStep exported(config, optimised);
    const Interval ratio = median_interval(interleaved_ratios([&] { exported(); }, [&] { engine(); }, kPairs, kWarmUp));
    if (optimised) {
      print_ratio(bench, what, ratio, 1.0);
    } else {
      print_ratio(bench, what, ratio);
    }
  }
}

}  // namespace

}  // namespace binade::bench

int main() try {
  for (const char* name : {"resnet", "transformer"}) binade::bench::compare(name);
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "bench_exported_step: %s\n", error.what());
  return 1;
}
