// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/autocast/tf32.h"
#include "tests/autocast/casting_run.h"

#include <ATen/Context.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/function_hook.h>

#include <map>

namespace binade::test {

/// Whether LibTorch's products may run in TF32 now.
inline bool is_on() {
  return at::globalContext().allowTF32CuBLAS() && at::globalContext().allowTF32CuDNN();
}

/// Notes the switch while each site's op is about to run, and while each of its autograd nodes is.
class Probe : public graph::SiteHook {
 public:
  std::map<std::string, bool> forward;
  std::map<std::string, bool> backward;

  void before(graph::Call& call) override { forward[call.site.key.name()] = is_on(); }

  void after(graph::Call& call) override {
    const at::Tensor& result = call.result(0).toTensor();
    if (result.grad_fn() != nullptr)
      result.grad_fn()->add_pre_hook(std::make_unique<Look>(backward, call.site.key.name()));
  }

 private:
  struct Look : torch::autograd::FunctionPreHook {
    Look(std::map<std::string, bool>& into, std::string site) : notes(into), name(std::move(site)) {}
    torch::autograd::variable_list operator()(const torch::autograd::variable_list& gradients) override {
      // Added before the hook that switches, this one sees the switch as it stands around the node.
      notes[name] = is_on();
      return gradients;
    }
    std::map<std::string, bool>& notes;
    std::string name;
  };
};

inline constexpr const char* kTwoProducts =
    "def f(x: Tensor, v: Tensor, w: Tensor) -> Tensor:\n    return torch.mm(torch.relu(torch.mm(x, v)), w)\n";

/// The first of the two products in TF32.
inline policy::Policy first_in_tf32() {
  policy::Policy policy = stock(policy::Base::kAllFloat32, formats::kFloat16);
  policy::SiteRule rule;
  rule.match = "m/aten::mm#0";
  rule.format = formats::kTFloat32;
  policy.sites.push_back(rule);
  return policy;
}

/// As test::CastingRun runs a graph, with a device that has TF32 and a probe inside the casts.
struct Tf32Run {
  graph::FlatGraph flat = graph::FlatGraph::from_text(kTwoProducts, "f", "m", 0);
  autocast::Autocast casts;
  Probe probe;

  explicit Tf32Run(const policy::Policy& policy) {
    std::vector<const graph::Site*> sites;
    for (const auto& site : flat.sites()) sites.push_back(site.get());
    policy::Capabilities device;
    device.native_tfloat32 = true;
    casts.set_policy(std::make_shared<policy::Resolved>(autocast::resolve_for(policy, sites, device)));
  }
  at::Tensor operator()(const at::Tensor& x, const at::Tensor& v, const at::Tensor& w) {
    graph::SiteHook* hooks[] = {&casts, &probe};
    casts.begin();
    struct End {
      autocast::Autocast& casts;
      ~End() { casts.end(); }
    } end{casts};
    return flat.run({x, v, w}, hooks).toTensor();
  }
};

}  // namespace binade::test
