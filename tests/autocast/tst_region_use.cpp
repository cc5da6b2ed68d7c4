// SPDX-License-Identifier: Apache-2.0
//
// Regions as PyTorch's own pages use them, over LibTorch's autocast and over a policy.
#include "engine/autocast/rounding.h"
#include "tests/autocast/region_case.h"
#include "tests/support/suite.h"

#include <ATen/Context.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/mse_loss.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/relu.h>
#include <ATen/record_function.h>
#include <torch/autograd.h>

#include <algorithm>
#include <stdexcept>
#include <thread>

using namespace binade;
using test::Form;
using test::open;

namespace {

at::Tensor matrix() {
  return at::rand({8, 8});
}

/// A two-layer model of plain tensors and its squared error.
struct Mlp {
  at::Tensor first = at::randn({16, 8}).requires_grad_(true);
  at::Tensor second = at::randn({4, 16}).requires_grad_(true);

  at::Tensor operator()(const at::Tensor& x) const { return at::linear(at::relu(at::linear(x, first)), second); }
  at::Tensor loss(const at::Tensor& x) const { return at::mse_loss((*this)(x), at::ones({x.size(0), 4})); }
  std::vector<at::Tensor> gradients_after(const std::function<void()>& backward) const {
    first.mutable_grad() = second.mutable_grad() = at::Tensor();
    backward();
    return {first.grad().clone(), second.grad().clone()};
  }
};

thread_local QStringList called;

std::unique_ptr<at::ObserverContext> note(const at::RecordFunction& function) {
  called += QString::fromUtf8(function.name());
  return nullptr;
}

/// The ops that `run` calls on this thread, in their order.
QStringList ops_of(const std::function<void()>& run) {
  called.clear();
  const auto handle = at::addThreadLocalCallback(at::RecordFunctionCallback(&note));
  run();
  at::removeCallback(handle);
  return called;
}

bool equal(const std::vector<at::Tensor>& a, const std::vector<at::Tensor>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), [](const auto& x, const auto& y) { return x.equal(y); });
}

}  // namespace

class TestRegionUse : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void stateIsOnInsideAndOffAround_data() { test::forms(); }
  void stateIsOnInsideAndOffAround() {
    QFETCH(Form, form);
    QVERIFY(!autocast::is_enabled("cpu"));
    {
      const autocast::Region region = open(form, at::kHalf);
      QVERIFY(autocast::is_enabled("cpu"));
      QVERIFY(autocast::dtype("cpu") == at::kHalf);
    }
    QVERIFY(!autocast::is_enabled("cpu"));
    QVERIFY(autocast::dtype("cpu") == at::kBFloat16);
  }

  void castsComeBeforeTheirOpInTheTrace_data() { test::forms(); }
  void castsComeBeforeTheirOpInTheTrace() {
    QFETCH(Form, form);
    const at::Tensor a = matrix();
    const autocast::Region region = open(form);
    const QStringList ops = ops_of([&a] { at::mm(a, a); });
    // The op as it was called, its two casts, the op again in the low dtype.
    QCOMPARE(ops.count(QStringLiteral("aten::_to_copy")), 2);
    QVERIFY(ops.lastIndexOf(QStringLiteral("aten::mm")) > ops.lastIndexOf(QStringLiteral("aten::_to_copy")));
  }

  void regionsUnwindInOrder_data() { test::forms(); }
  void regionsUnwindInOrder() {
    QFETCH(Form, form);
    const at::Tensor a = matrix();
    const autocast::Region float16 = open(form, at::kHalf);
    QVERIFY(at::mm(a, a).scalar_type() == at::kHalf);
    {
      const autocast::Region off = open(form, {}, false);
      QVERIFY(at::mm(a, a).scalar_type() == at::kFloat);
      {
        const autocast::Region bfloat16 = open(form, at::kBFloat16);
        QVERIFY(at::mm(a, a).scalar_type() == at::kBFloat16);
      }
      QVERIFY(at::mm(a, a).scalar_type() == at::kFloat);
    }
    QVERIFY(at::mm(a, a).scalar_type() == at::kHalf);
  }

  void aSharedWeightOfTwoDtypesFailsAsPyTorchAndWorksFixed() {
    const at::Tensor w = matrix().requires_grad_(true);
    for (const auto behaviour : {policy::Behaviour::kPyTorch211, policy::Behaviour::kFixed}) {
      policy::Policy policy;
      policy.base = policy::Base::kCpuAmp;
      policy.behaviour = behaviour;
      policy.execution = policy::Execution::kNative;
      policy.low = formats::kBFloat16;
      const autocast::Region outer(autocast::PolicyRegionArguments{autocast::table_for(policy), "cpu"});
      at::mm(matrix(), w);
      policy.low = formats::kFloat16;
      const autocast::Region inner(autocast::PolicyRegionArguments{autocast::table_for(policy), "cpu"});
      if (behaviour == policy::Behaviour::kPyTorch211) {
        QVERIFY_THROWS_EXCEPTION(c10::Error, at::mm(matrix(), w));
      } else {
        QVERIFY(at::mm(matrix(), w).scalar_type() == at::kHalf);
      }
    }
  }

  void aPolicyOfAFormatWithoutADtypeRunsEagerCode_data() {
    QTest::addColumn<QString>("format");
    for (const char* name : {"float8_e4m3fn", "float8_e5m2", "tfloat32", "e5m4"}) {
      QTest::newRow(name) << QString::fromLatin1(name);
    }
  }
  void aPolicyOfAFormatWithoutADtypeRunsEagerCode() {
    QFETCH(QString, format);
    policy::Policy policy;
    policy.base = policy::Base::kCudaAmp;
    policy.low = *formats::parse(format.toStdString());
    const auto in = [&policy](const at::Tensor& values) {
      return autocast::round_values(values.detach(),
                                    formats::Rounder(policy.low, formats::default_overflow(policy.low)));
    };
    const auto back_in = [backward = formats::default_backward(policy.low)](const at::Tensor& values) {
      return autocast::round_values(values.detach(), formats::Rounder(backward, formats::default_overflow(backward)));
    };
    const Mlp mlp;
    const at::Tensor x = at::randn({5, 8}) * 100;
    at::Tensor y, loss;
    {
      const autocast::Region region(autocast::PolicyRegionArguments{autocast::table_for(policy), "cpu"});
      y = mlp(x);
      loss = at::mse_loss(y, at::ones({5, 4}));
    }
    const at::Tensor h = at::relu(in(at::linear(in(x), in(mlp.first))));
    QVERIFY(y.detach().equal(in(at::linear(h, in(mlp.second)))));
    QVERIFY(y.scalar_type() == at::kFloat && !y.detach().equal(mlp(x).detach()));

    const std::vector<at::Tensor> gradients = mlp.gradients_after([&loss] { loss.backward(); });
    const at::Tensor end = y.detach().requires_grad_(true);
    at::mse_loss(end, at::ones({5, 4})).backward();
    const at::Tensor to_y = back_in(end.grad());
    const at::Tensor to_h = back_in(to_y.mm(in(mlp.second))) * (h > 0);
    QVERIFY(gradients[1].equal(back_in(to_y.t().mm(h))));
    QVERIFY(gradients[0].equal(back_in(to_h.t().mm(in(x)))));
    // The region is left: its formats are, too.
    QVERIFY(at::mm(y, y.t()).detach().equal(y.detach().mm(y.detach().t())));
  }

  void insideADisabledRegionNothingIsCast_data() { test::forms(); }
  void insideADisabledRegionNothingIsCast() {
    QFETCH(Form, form);
    const autocast::Region outer = open(form);
    const at::Tensor e = at::mm(matrix(), matrix());
    QVERIFY(e.scalar_type() == at::kBFloat16);
    const at::Tensor c = matrix();
    at::Tensor f;
    {
      const autocast::Region off = open(form, {}, false);
      QVERIFY_THROWS_EXCEPTION(c10::Error, at::mm(c, e));  // the user says how: .to(kFloat)
      f = at::mm(c, e.to(at::kFloat));
      QVERIFY(f.scalar_type() == at::kFloat);
    }
    QVERIFY(at::mm(c, f).scalar_type() == at::kBFloat16);
  }

  void outsideLowResultsMeetFloat32AsEver_data() { test::forms(); }
  void outsideLowResultsMeetFloat32AsEver() {
    QFETCH(Form, form);
    const at::Tensor d = matrix();
    at::Tensor f;
    {
      const autocast::Region region = open(form);
      const at::Tensor e = at::mm(matrix(), matrix());
      f = at::mm(d, e);
      QVERIFY(f.scalar_type() == at::kBFloat16);
    }
    QVERIFY_THROWS_EXCEPTION(c10::Error, at::mm(d, f));
    QVERIFY(at::mm(d, f.to(at::kFloat)).scalar_type() == at::kFloat);
    QVERIFY(d.to(at::kFloat).is_same(d));
  }

  void backwardOutsideHasTheDtypesOfForward_data() { test::forms(); }
  void backwardOutsideHasTheDtypesOfForward() {
    QFETCH(Form, form);
    const Mlp model;
    at::Tensor hidden;
    at::Tensor loss;
    {
      const autocast::Region region = open(form);
      hidden = at::linear(at::rand({5, 8}), model.first);
      hidden.retain_grad();
      loss = at::mse_loss(at::linear(hidden, model.second), at::ones({5, 4}));
    }
    QVERIFY(loss.scalar_type() == at::kFloat);
    loss.backward();
    QVERIFY(hidden.grad().scalar_type() == at::kBFloat16);
    QVERIFY(model.first.grad().scalar_type() == at::kFloat);
  }

  void backwardInsideIsTheSameUnlessForwardHeldFloat32Products_data() { test::forms(); }
  void backwardInsideIsTheSameUnlessForwardHeldFloat32Products() {
    QFETCH(Form, form);
    const Mlp model;
    const at::Tensor x = at::randn({5, 8});
    const auto gradients = [&](bool float32_head, bool backward_inside) {
      return model.gradients_after([&] {
        at::Tensor loss;
        const auto forward = [&] {
          if (!float32_head) {
            loss = model.loss(x);
            return;
          }
          const at::Tensor hidden = at::relu(at::linear(x, model.first));
          const autocast::Region off = open(form, {}, false);
          loss = at::mse_loss(at::linear(hidden.to(at::kFloat), model.second), at::ones({5, 4}));
        };
        if (backward_inside) {
          const autocast::Region region = open(form);
          forward();
          loss.backward();
        } else {
          {
            const autocast::Region region = open(form);
            forward();
          }
          loss.backward();
        }
      });
    };
    QVERIFY(equal(gradients(false, false), gradients(false, true)));
    QVERIFY(!equal(gradients(true, false), gradients(true, true)));
  }

  void aGradientPenaltyIsTakenOutside_data() { test::forms(); }
  void aGradientPenaltyIsTakenOutside() {
    QFETCH(Form, form);
    const Mlp model;
    const at::Tensor x = at::randn({5, 8});
    const auto penalised = [&](const std::function<at::Tensor()>& forward) {
      return model.gradients_after([&] {
        const at::Tensor loss = forward();
        const auto first = torch::autograd::grad({loss}, {model.first, model.second}, {}, true, true);
        (loss + first[0].pow(2).sum() + first[1].pow(2).sum()).backward();
      });
    };
    const auto ours = penalised([&] {
      const autocast::Region region = open(form);
      return model.loss(x);
    });
    const auto by_hand = penalised([&] {
      const auto low = [](const at::Tensor& tensor) { return tensor.to(at::kBFloat16); };
      const at::Tensor hidden = at::relu(at::linear(low(x), low(model.first)));
      return at::mse_loss(at::linear(hidden, low(model.second)).to(at::kFloat), at::ones({5, 4}));
    });
    QVERIFY(equal(ours, by_hand));
  }

  void aWrappedFunctionRunsWholeInItsRegion() {
    const auto forward = autocast::wrap(autocast::RegionArguments{"cpu"}, [](const at::Tensor& x, bool fails) {
      if (fails) throw std::runtime_error("from inside");
      return std::pair(at::mm(x, x).scalar_type(), autocast::is_enabled("cpu"));
    });
    QVERIFY(forward(matrix(), false) == std::pair(at::kBFloat16, true));
    QVERIFY(!autocast::is_enabled("cpu"));
    QVERIFY_THROWS_EXCEPTION(std::runtime_error, forward(matrix(), true));
    QVERIFY(!autocast::is_enabled("cpu"));
  }

  void trainingInBFloat16NeedsNoScaler_data() { test::forms(); }
  void trainingInBFloat16NeedsNoScaler() {
    QFETCH(Form, form);
    at::manual_seed(2);
    const Mlp model;
    const at::Tensor x = at::rand({32, 8});
    double first = 0;
    double last = 0;
    for (int step = 0; step < 50; ++step) {
      at::Tensor loss;
      {
        const autocast::Region region = open(form);
        QVERIFY(model(x).scalar_type() == at::kBFloat16);
        loss = model.loss(x);
      }
      last = loss.item<double>();
      if (step == 0) first = last;
      for (const at::Tensor& gradient : model.gradients_after([&] { loss.backward(); })) {
        QVERIFY(gradient.ne(0).any().item<bool>());
      }
      const at::NoGradGuard no_grad;
      for (const at::Tensor& weight : {model.first, model.second}) weight.sub_(weight.grad() * 0.002);
    }
    QVERIFY2(last < first / 2, qPrintable(QStringLiteral("%1 -> %2").arg(first).arg(last)));
    QVERIFY(model.first.scalar_type() == at::kFloat);
  }

  void inferenceRecordsNoGraph_data() { test::forms(); }
  void inferenceRecordsNoGraph() {
    QFETCH(Form, form);
    const Mlp model;
    const at::NoGradGuard no_grad;
    const autocast::Region region = open(form);
    const at::Tensor y = model(at::rand({2, 8}));
    QVERIFY(y.scalar_type() == at::kBFloat16);
    QVERIFY(!y.requires_grad());
    QVERIFY(model.first.scalar_type() == at::kFloat);
  }

  void everyWorkerEntersARegionOfItsOwn_data() { test::forms(); }
  void everyWorkerEntersARegionOfItsOwn() {
    QFETCH(Form, form);
    const autocast::Region region = open(form, at::kHalf);
    std::vector<at::ScalarType> without(4);
    std::vector<at::ScalarType> within(4);
    std::vector<std::thread> workers;
    for (std::size_t i = 0; i < 4; ++i) {
      workers.emplace_back([&, i] {
        const at::Tensor a = matrix();
        without[i] = at::mm(a, a).scalar_type();
        const autocast::Region own = open(form, at::kHalf);
        within[i] = at::mm(a, a).scalar_type();
      });
    }
    for (std::thread& worker : workers) worker.join();
    for (std::size_t i = 0; i < 4; ++i) {
      QVERIFY(without[i] == at::kFloat);
      QVERIFY(within[i] == at::kHalf);
    }
  }

  void mixedInputsAreAccepted_data() { test::forms(); }
  void mixedInputsAreAccepted() {
    QFETCH(Form, form);
    const autocast::Region region = open(form);
    QVERIFY(at::mm(matrix(), matrix().to(at::kHalf)).scalar_type() == at::kBFloat16);
    QVERIFY(at::mm(matrix().to(at::kBFloat16), matrix()).scalar_type() == at::kBFloat16);
  }
};

BINADE_SUITE(TestRegionUse);
#include "tst_region_use.moc"
