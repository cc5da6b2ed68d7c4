// SPDX-License-Identifier: Apache-2.0
#include "engine/autocast/region.h"
#include "engine/formats/error.h"
#include "tests/autocast/tf32_run.h"
#include "tests/support/suite.h"
#include "tests/support/warnings.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/randn.h>

#include <stdexcept>
#include <thread>

using namespace binade;
using test::first_in_tf32;
using test::is_on;
using test::Tf32Run;

class TestTf32 : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void init() {
    test::failOnWarnings();
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

  void anExceptionInBackwardIsPutRightByTheNextForward_data() {
    QTest::addColumn<bool>("eager");
    QTest::newRow("of a graph") << false;
    QTest::newRow("of a region") << true;
  }
  void anExceptionInBackwardIsPutRightByTheNextForward() {
    QFETCH(bool, eager);
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
    if (eager) {
      const autocast::Region next("cpu");
      QVERIFY(!is_on());
    } else {
      autocast::Autocast next;
      next.begin();
      QVERIFY(!is_on());
      next.end();
    }
  }

  void aForwardLeavesTheScopesOfOtherThreads() {
    const autocast::Tf32Scope running;
    std::thread([] {
      autocast::Autocast other;
      other.begin();
      other.end();
    }).join();
    QVERIFY(is_on());
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
};

BINADE_SUITE(TestTf32);
#include "tst_tf32.moc"
