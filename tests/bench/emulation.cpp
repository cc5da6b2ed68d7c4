// SPDX-License-Identifier: Apache-2.0
//
// bench_emulation: time of a training step (forward, loss, backward, update) under the CUDA lists in an emulated format
// ÷ the same step of the engine in float32. `bench_emulation transformer float16` runs that case alone.
#include "engine/autocast/autocast.h"
#include "engine/autocast/resolve_executions.h"
#include "engine/formats/error.h"
#include "engine/graph/flat_graph.h"
#include "engine/graph/samples.h"
#include "tests/bench/ratio.h"

#include <ATen/Context.h>
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

constexpr int kPairs = 40;
constexpr int kWarmUp = 4;
constexpr double kRate = 1e-3;

/// A sample with its batch and parameters, trained by plain SGD.
class Step {
 public:
  Step(const std::string& name, const policy::Policy& policy)
      : model_(graph::make_sample(name, 1)), flat_((model_.train(true), model_)) {
    std::vector<const graph::Site*> sites;
    for (const auto& site : flat_.sites()) sites.push_back(site.get());
    casts_.set_policy(std::make_shared<policy::Resolved>(autocast::resolve_for(policy, sites, {})));
    input_ = name == "transformer" ? at::randint(0, 1000, {32, 32}) : at::randn({32, 3, 32, 32});
    target_ = at::randint(0, 10, {32});
    for (const auto& [path, parameter] : model_.parameters()) parameters_.push_back(parameter);
  }

  void operator()() {
    for (at::Tensor& parameter : parameters_) parameter.mutable_grad().reset();
    casts_.begin();
    graph::SiteHook* hooks[] = {&casts_};
    const at::Tensor output = flat_.run({input_}, hooks).toTensor();
    const at::Tensor loss = at::cross_entropy_loss(output.to(at::kFloat), target_);
    casts_.end();
    loss.backward();
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
};

policy::Policy policy_in(const formats::Format& low) {
  policy::Policy policy;
  policy.base = low == formats::kFloat32 ? policy::Base::kAllFloat32 : policy::Base::kCudaAmp;
  policy.low = low;
  policy.execution = policy::Execution::kEmulated;
  return policy;
}

void compare(const std::string& name, const formats::Format& low, double bar) {
  Step emulated(name, policy_in(low));
  Step full(name, policy_in(formats::kFloat32));
  const auto ratios = interleaved_ratios([&] { emulated(); }, [&] { full(); }, kPairs, kWarmUp);
  print_ratio("engine.emulated_vs_float32", name + " " + formats::name(low) + " / float32", median_interval(ratios),
              bar);
}

}  // namespace

}  // namespace binade::bench

int main(int count, char** arguments) try {
  using namespace binade;
  const std::vector<std::string> wanted(arguments + 1, arguments + count);
  for (const std::string name : {"resnet", "transformer"}) {
    if (!wanted.empty() && wanted[0] != name) continue;
    for (const auto& [format, bar] : {std::pair{formats::kFloat16, 1.1},
                                      {formats::kFloat8E4M3fn, 1.5},
                                      {formats::kFloat8E5M2, 1.5},
                                      {formats::kTFloat32, 1.5}}) {
      if (wanted.size() < 2 || wanted[1] == formats::name(format)) bench::compare(name, format, bar);
    }
  }
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "bench_emulation: %s\n", error.what());
  return 1;
}
