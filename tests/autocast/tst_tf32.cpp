// SPDX-License-Identifier: Apache-2.0
#include "engine/autocast/tf32.h"
#include "engine/formats/error.h"
#include "tests/autocast/casting_run.h"
#include "tests/support/suite.h"

#include <ATen/Context.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/randn.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/function_hook.h>

#include <map>
#include <stdexcept>

using namespace binade;

namespace {

bool is_on() {
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

constexpr const char* kTwoProducts =
    "def f(x: Tensor, v: Tensor, w: Tensor) -> Tensor:\n    return torch.mm(torch.relu(torch.mm(x, v)), w)\n";

policy::Policy first_in_tf32() {
  policy::Policy policy = test::stock(policy::Base::kAllFloat32, formats::kFloat16);
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

}  // namespace

class TestTf32 : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void init() {
    QTest::failOnWarning(QRegularExpression(QStringLiteral(".?")));
    at::globalContext().setAllowTF32CuBLAS(false);
    at::globalContext().setAllowTF32CuDNN(false);
  }

  void onlyItsSiteRunsInTf32Forward() {
    Tf32Run run(first_in_tf32());
    run(at::randn({2, 3}), at::randn({3, 4}), at::randn({4, 2}));
    QVERIFY(run.probe.forward.at("m/aten::mm#0"));
    QVERIFY(!run.probe.forward.at("m/aten::relu#0"));
    QVERIFY(!run.probe.forward.at("m/aten::mm#1"));
    QVERIFY(!is_on());
  }

  void onlyItsNodesRunInTf32Backward() {
    Tf32Run run(first_in_tf32());
    const at::Tensor v = at::randn({3, 4}).requires_grad_(true);
    const at::Tensor w = at::randn({4, 2}).requires_grad_(true);
    const at::Tensor y = run(at::randn({2, 3}), v, w);
    // A hook that is added now runs after the one that switches, right before the node.
    const auto first = y.grad_fn()->next_edge(0).function->next_edge(0).function;
    QCOMPARE(first->name(), std::string("MmBackward0"));
    QCOMPARE(first->pre_hooks().size(), std::size_t{2});   // the probe's and the switch
    QCOMPARE(first->post_hooks().size(), std::size_t{1});  // the switch
    bool inside = false;
    struct Look : torch::autograd::FunctionPreHook {
      explicit Look(bool& into) : seen(into) {}
      torch::autograd::variable_list operator()(const torch::autograd::variable_list& gradients) override {
        seen = is_on();
        return gradients;
      }
      bool& seen;
    };
    first->add_pre_hook(std::make_unique<Look>(inside));
    bool inside_second = true;
    y.grad_fn()->add_pre_hook(std::make_unique<Look>(inside_second));
    y.sum().backward();
    QVERIFY(inside);
    QVERIFY(!inside_second);
    QVERIFY(!run.probe.backward.at("m/aten::relu#0"));
    QVERIFY(!is_on());
    QVERIFY(v.grad().defined());
  }

  void anExceptionInForwardPutsItBack() {
    Tf32Run run(first_in_tf32());
    QVERIFY_THROWS_EXCEPTION(Error, run(at::randn({2, 3}), at::randn({5, 4}), at::randn({4, 2})));
    QVERIFY(!is_on());
  }

  void anExceptionInBackwardIsPutRightByTheNextForward() {
    Tf32Run run(first_in_tf32());
    const at::Tensor v = at::randn({3, 4}).requires_grad_(true);
    const at::Tensor y = run(at::randn({2, 3}), v, at::randn({4, 2}));
    struct Throw : torch::autograd::FunctionPreHook {
      torch::autograd::variable_list operator()(const torch::autograd::variable_list&) override {
        throw std::runtime_error("inside the node's turn");
      }
    };
    y.grad_fn()->next_edge(0).function->next_edge(0).function->add_pre_hook(std::make_unique<Throw>());
    QVERIFY_THROWS_EXCEPTION(std::runtime_error, y.sum().backward());
    QVERIFY(is_on());  // LibTorch runs no hook after an exception
    autocast::Autocast next;
    next.begin();
    QVERIFY(!is_on());
    next.end();
  }

  void whatStoodBeforeIsPutBackNotSwitchedOff() {
    at::globalContext().setAllowTF32CuDNN(true);
    {
      const autocast::Tf32Scope outer;
      const autocast::Tf32Scope inner;
      QVERIFY(is_on());
    }
    QVERIFY(!at::globalContext().allowTF32CuBLAS());
    QVERIFY(at::globalContext().allowTF32CuDNN());
    at::globalContext().setAllowTF32CuDNN(false);
  }

  void valuesOnTheDeviceAreThoseOfTf32() {
    if (!at::hasCUDA()) QSKIP("needs a CUDA device of capability 8 or more");
    const at::Device device(at::kCUDA);
    at::manual_seed(1);
    const at::Tensor x = at::randn({256, 256}).to(device);
    const at::Tensor v = at::randn({256, 256}).to(device).requires_grad_(true);
    const at::Tensor w = at::randn({256, 256}).to(device);
    Tf32Run run(first_in_tf32());
    run(x, v, w).sum().backward();
    const at::Tensor ours = v.grad().clone();
    // Where nothing is in TF32 the same run gives other bits; near the exact result it is all the same.
    Tf32Run plain(test::stock(policy::Base::kAllFloat32, formats::kFloat16));
    v.mutable_grad() = at::Tensor();
    plain(x, v, w).sum().backward();
    QVERIFY(!ours.equal(v.grad()));
    QVERIFY(ours.allclose(v.grad(), 1e-2, 1e-1));
  }
};

BINADE_SUITE(TestTf32);
#include "tst_tf32.moc"
