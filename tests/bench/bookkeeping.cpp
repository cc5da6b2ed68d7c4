// SPDX-License-Identifier: Apache-2.0
//
// bench_bookkeeping [per_call | policy_swap]: the cost of naming op calls and deciding for them, without the ops.
#include "engine/autocast/autocast.h"
#include "engine/autocast/resolve_executions.h"
#include "engine/formats/error.h"
#include "engine/graph/flat_graph.h"
#include "tests/bench/ratio.h"

#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/ones.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/function_hook.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

namespace binade::bench {

namespace {

constexpr int kOps = 400;
constexpr int kRounds = 400;
constexpr int kSwapSites = 5000;
constexpr int kSwaps = 60;

/// Returns a graph of `count` consecutive calls on a tiny tensor.
graph::FlatGraph chain(const std::string& call, int count) {
  std::string text = "def f(x: Tensor, y: Tensor) -> Tensor:\n";
  for (int i = 0; i < count; ++i) text += "    x = " + call + "\n";
  return graph::FlatGraph::from_text(text + "    return x\n", "f", "m", 0);
}

/// A hook on the autograd node of every site: what identifying gradients in backward requires.
class Tags : public graph::SiteHook {
 public:
  void after(graph::Call& call) override {
    const auto& node = call.result(0).toTensor().grad_fn();
    if (node != nullptr) node->add_pre_hook(std::make_unique<Tag>(call.site.id));
  }

 private:
  struct Tag : torch::autograd::FunctionPreHook {
    explicit Tag(int of) : site(of) {}
    torch::autograd::variable_list operator()(const torch::autograd::variable_list& gradients) override {
      return gradients;
    }
    int site;
  };
};

std::vector<const graph::Site*> sites_of(const graph::FlatGraph& flat) {
  std::vector<const graph::Site*> sites;
  for (const auto& site : flat.sites()) sites.push_back(site.get());
  return sites;
}

std::shared_ptr<const policy::Resolved> table(const graph::FlatGraph& flat, policy::Base base) {
  policy::Policy policy;
  policy.base = base;
  policy.low = formats::kBFloat16;
  const auto sites = sites_of(flat);
  return std::make_shared<const policy::Resolved>(autocast::resolve_for(policy, sites, {}));
}

double microseconds(const std::function<void()>& run) {
  const auto start = std::chrono::steady_clock::now();
  run();
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
}

/// Returns the extra time per op of the second run. The runs alternate, so that drift affects both.
Interval per_op(const std::function<void()>& bare, const std::function<void()>& engine) {
  std::vector<double> differences;
  for (int i = 0; i < kRounds; ++i) {
    const double before = microseconds(bare);
    differences.push_back((microseconds(engine) - before) / kOps);
  }
  return median_interval(differences);
}

void per_call() {
  graph::FlatGraph flat = chain("torch.add(x, y)", kOps);
  const std::vector<c10::IValue> inputs{at::ones({4}).requires_grad_(true), at::ones({4})};
  const auto bare = [&] { flat.run_native(inputs); };
  for (const policy::Base base : {policy::Base::kAllFloat32, policy::Base::kCudaAmp}) {
    const auto policy = table(flat, base);
    autocast::Autocast casts;
    casts.set_policy(policy);
    const auto run = [&](std::span<graph::SiteHook* const> hooks) {
      casts.begin();
      flat.run(inputs, hooks);
      casts.end();
    };
    graph::SiteHook* const alone[] = {&casts};
    {
      const at::NoGradGuard no_grad;
      print_figure("engine.bookkeeping", policy::name(base) + ", no gradients", per_op(bare, [&] { run(alone); }), "us",
                   0.10);
    }
    print_figure("engine.bookkeeping", policy::name(base) + ", gradients", per_op(bare, [&] { run(alone); }), "us",
                 0.10);
    Tags tags;
    graph::SiteHook* const tagging[] = {&casts, &tags};
    print_figure("engine.bookkeeping", policy::name(base) + ", gradients, backward tagged",
                 per_op(bare, [&] { run(tagging); }), "us", 0.30);
  }
}

void policy_swap() {
  graph::FlatGraph flat = chain("torch.linear(torch.relu(x), y)", kSwapSites / 2);
  const auto sites = sites_of(flat);
  for (const int rules : {0, 10}) {
    policy::Policy policy;
    policy.ops["aten::relu"] = formats::kFloat32;
    for (int i = 0; i < rules; ++i) {
      policy::SiteRule rule;
      rule.match = "m/aten::linear#" + std::to_string(i * 7);
      rule.format = formats::kFloat32;
      policy.sites.push_back(rule);
    }
    autocast::Autocast casts;
    std::vector<double> times;
    for (int i = 0; i < kSwaps; ++i) {
      times.push_back(microseconds([&] {
                        casts.set_policy(
                            std::make_shared<const policy::Resolved>(autocast::resolve_for(policy, sites, {})));
                      }) /
                      1000);
    }
    print_figure("engine.policy_swap", std::to_string(sites.size()) + " op calls, " + std::to_string(rules) + " rules",
                 median_interval(times), "ms", 1.0);
  }
}

}  // namespace

}  // namespace binade::bench

int main(int argc, char** argv) try {
  const std::string wanted = argc > 1 ? argv[1] : "";
  if (!wanted.empty() && wanted != "per_call" && wanted != "policy_swap") {
    std::fprintf(stderr, "bench_bookkeeping: no benchmark %s\n", wanted.c_str());
    return 2;
  }
  at::set_num_threads(1);
  if (wanted != "policy_swap") binade::bench::per_call();
  if (wanted != "per_call") binade::bench::policy_swap();
  return 0;
} catch (const binade::Error& error) {
  std::fprintf(stderr, "bench_bookkeeping: %s\n  %s\n", error.what(), error.hint.c_str());
  return 1;
}
