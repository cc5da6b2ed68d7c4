// SPDX-License-Identifier: Apache-2.0
//
// bench_scaled: time of a training step (forward, loss, backward, update) with quantized products, as a recipe states
// them, ÷ the same step of the engine in float32. Ordinary formats run native or emulated as a training on this machine
// runs them. `bench_scaled transformer mxfp8` runs that case alone.
#include "engine/autocast/autocast.h"
#include "engine/autocast/resolve_executions.h"
#include "engine/formats/error.h"
#include "engine/graph/flat_graph.h"
#include "engine/graph/samples.h"
#include "engine/policy/recipes.h"
#include "engine/train/device.h"
#include "tests/bench/ratio.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>

#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace binade::bench {

namespace {

constexpr int kPairs = 30;
constexpr int kWarmUp = 4;
constexpr double kRate = 1e-3;

/// A sample with its batch and parameters, trained by plain SGD.
class Step {
 public:
  Step(const std::string& name, const policy::Policy& policy)
      : model_(graph::make_sample(name, 1)), flat_((model_.train(true), model_)) {
    std::vector<const graph::Site*> sites;
    for (const auto& site : flat_.sites()) sites.push_back(site.get());
    auto table =
        std::make_shared<policy::Resolved>(autocast::resolve_for(policy, sites, train::capabilities(c10::kCPU)));
    for (const policy::Decision& decision : table->sites) quantized_ += decision.products.empty() ? 0 : 1;
    casts_.set_policy(std::move(table));
    input_ = name == "transformer" ? at::randint(0, 1000, {32, 32}) : at::randn({32, 3, 32, 32});
    target_ = at::randint(0, 10, {32});
    for (const auto& [path, parameter] : model_.parameters()) parameters_.push_back(parameter);
  }

  /// Number of op calls whose products are quantized.
  int quantized() const { return quantized_; }

  void operator()() {
    for (at::Tensor& parameter : parameters_) parameter.mutable_grad().reset();
    casts_.products().begin_step(1, step_++);
    casts_.begin();
    graph::SiteHook* hooks[] = {&casts_};
    const at::Tensor output = flat_.run({input_}, hooks).toTensor();
    const at::Tensor loss = at::cross_entropy_loss(output.to(at::kFloat), target_);
    casts_.end();
    loss.backward();
    casts_.products().end_step(true);
    const at::NoGradGuard no_history;
    for (at::Tensor& parameter : parameters_) parameter.sub_(parameter.grad(), kRate);
    if (!(loss.item<double>() < 1e3))
      throw Error(ErrorCode::kInternal, "the training diverged: its time means nothing");
  }

 private:
  graph::Model model_;
  graph::FlatGraph flat_;
  autocast::Autocast casts_{c10::kCPU};
  at::Tensor input_;
  at::Tensor target_;
  std::vector<at::Tensor> parameters_;
  std::int64_t step_ = 0;
  int quantized_ = 0;
};

policy::Policy float32() {
  policy::Policy policy;
  policy.base = policy::Base::kAllFloat32;
  return policy;
}

void compare(const std::string& sample, const std::string& recipe, double bar) {
  Step scaled(sample, *policy::recipe(recipe));
  Step full(sample, float32());
  if (scaled.quantized() == 0) throw Error(ErrorCode::kInternal, sample + ": " + recipe + " quantizes nothing");
  const auto ratios = interleaved_ratios([&] { scaled(); }, [&] { full(); }, kPairs, kWarmUp);
  print_ratio("scaled.step", sample + " " + recipe + " / float32", median_interval(ratios), bar);
}

}  // namespace

}  // namespace binade::bench

int main(int count, char** arguments) try {
  using namespace binade;
  const std::vector<std::string> wanted(arguments + 1, arguments + count);
  for (const std::string sample : {"resnet", "transformer"}) {
    if (!wanted.empty() && wanted[0] != sample) continue;
    for (const auto& [recipe, bar] : {std::pair<std::string, double>{"mxfp8", 1.6}, {"nvfp4", 2.5}}) {
      if (wanted.size() < 2 || wanted[1] == recipe) bench::compare(sample, recipe, bar);
    }
  }
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "bench_scaled: %s\n", error.what());
  return 1;
}
