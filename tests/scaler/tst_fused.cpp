// SPDX-License-Identifier: Apache-2.0
#include "engine/scaler/fused_adam.h"
#include "engine/scaler/fused_sgd.h"
#include "engine/scaler/grad_scaler.h"
#include "tests/scaler/counters.h"
#include "tests/scaler/parameters.h"
#include "tests/support/failing_allocator.h"
#include "tests/support/suite.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/sparse_coo_tensor.h>
#include <c10/util/Exception.h>
#include <torch/optim/adam.h>
#include <torch/optim/adamw.h>
#include <torch/optim/sgd.h>
#include <torch/serialize/archive.h>

#include <sstream>

using namespace binade::scaler;
using namespace binade::test;
using Optimizer = torch::optim::Optimizer;
using Parameters = std::vector<at::Tensor>;

/// Optimizers that scale themselves. Their arithmetic under every call order is in TestOracle.
class TestFused : public Suite {
  Q_OBJECT

 private Q_SLOTS:
  void theyTrainAsLibTorchsOwnDo_data() { kinds(); }
  void theyTrainAsLibTorchsOwnDo();
  void aSkippedStepChangesNothing_data() { kinds(); }
  void aSkippedStepChangesNothing();
  void nothingWaitsForTheDevice_data() { kinds(); }
  void nothingWaitsForTheDevice();
  void aSkippedFirstStepLeavesCleanMomentum_data();
  void aSkippedFirstStepLeavesCleanMomentum();
  void aFoundInfOfTwoSkips();
  void groupsKeepTheirOwnRates();
  void savedAndLoadedTheyGoOnAlike_data() { kinds(); }
  void savedAndLoadedTheyGoOnAlike();
  void halfGradientsAreTakenUnlessUnscaledFirst();
  void besideTellsTheHostWhetherItSkipped();
  void aFirstStepWithoutMemoryCanBeTakenAgain_data();
  void aFirstStepWithoutMemoryCanBeTakenAgain();
  void wrongOptionsAndSparseGradientsAreRefused();

 private:
  static void kinds();
};

namespace {

std::unique_ptr<Optimizer> fused(const QString& kind, const Parameters& parameters) {
  if (kind == QStringLiteral("adam")) {
    return std::make_unique<FusedAdam>(parameters, torch::optim::AdamOptions(0.05).amsgrad(true));
  }
  if (kind == QStringLiteral("adamw"))
    return std::make_unique<FusedAdamW>(parameters, torch::optim::AdamWOptions(0.05));
  const double dampening = kind == QStringLiteral("sgd dampened") ? 0.25 : 0;
  const double momentum = kind == QStringLiteral("sgd") ? 0 : 0.9;
  return std::make_unique<FusedSGD>(
      parameters, torch::optim::SGDOptions(0.1).momentum(momentum).dampening(dampening).weight_decay(0.01));
}

std::unique_ptr<Optimizer> ordinary(const QString& kind, const Parameters& parameters) {
  if (kind == QStringLiteral("adam")) {
    return std::make_unique<torch::optim::Adam>(parameters, torch::optim::AdamOptions(0.05).amsgrad(true));
  }
  if (kind == QStringLiteral("adamw")) {
    return std::make_unique<torch::optim::AdamW>(parameters, torch::optim::AdamWOptions(0.05));
  }
  const double dampening = kind == QStringLiteral("sgd dampened") ? 0.25 : 0;
  const double momentum = kind == QStringLiteral("sgd") ? 0 : 0.9;
  return std::make_unique<torch::optim::SGD>(
      parameters, torch::optim::SGDOptions(0.1).momentum(momentum).dampening(dampening).weight_decay(0.01));
}

Parameters twoParameters() {
  return {leaf(at::ones({5, 8})), leaf(at::full({5}, 0.5))};
}

void giveGradients(const Parameters& parameters, const Parameters& gradients, double scale) {
  for (std::size_t i = 0; i < parameters.size(); ++i) parameters[i].mutable_grad() = gradients[i] * scale;
}

/// Everything that an optimizer keeps, as one list.
Parameters kept(const Optimizer& optimizer, const Parameters& parameters) {
  Parameters all;
  for (const at::Tensor& parameter : parameters) {
    const auto found = optimizer.state().find(parameter.unsafeGetTensorImpl());
    if (found == optimizer.state().end()) continue;
    if (const auto* adam = dynamic_cast<const FusedAdamParamState*>(found->second.get())) {
      for (const at::Tensor& each : {adam->step, adam->exp_avg, adam->exp_avg_sq, adam->max_exp_avg_sq}) {
        if (each.defined()) all.push_back(each.clone());
      }
    } else if (const auto* sgd = dynamic_cast<const FusedSGDParamState*>(found->second.get())) {
      all.push_back(sgd->momentum_buffer.clone());
    }
  }
  for (const at::Tensor& parameter : parameters) all.push_back(parameter.detach().clone());
  return all;
}

bool equal(const Parameters& a, const Parameters& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!a[i].equal(b[i])) return false;
  }
  return true;
}

bool close(const Parameters& a, const Parameters& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!a[i].allclose(b[i], 1e-5, 1e-7)) return false;
  }
  return a.size() == b.size();
}

}  // namespace

void TestFused::kinds() {
  QTest::addColumn<QString>("kind");
  for (const char* kind : {"adam", "adamw", "sgd", "sgd momentum", "sgd dampened"}) {
    QTest::newRow(kind) << QString::fromLatin1(kind);
  }
}

void TestFused::theyTrainAsLibTorchsOwnDo() {
  QFETCH(const QString, kind);
  const Parameters mine = twoParameters();
  const Parameters theirs = twoParameters();
  const auto scaled = fused(kind, mine);
  const auto plain = ordinary(kind, theirs);
  GradScaler scaler(Options{.growth_interval = 4});
  for (int i = 0; i < 12; ++i) {
    const Parameters gradients{at::randn({5, 8}), at::randn({5})};
    scaler.scale(at::ones({}));
    giveGradients(mine, gradients, scaler.get_scale());
    giveGradients(theirs, gradients, 1);
    // An overflow now and then, the first step too: the other optimizer never hears of those.
    const bool overflow = i % 5 == 0;
    if (overflow) mine[1].mutable_grad()[2] = kInfinity;
    scaler.step(*scaled);
    scaler.update();
    if (!overflow) plain->step();
    QVERIFY2(close(mine, theirs), qPrintable(QString::number(i)));
  }
}

void TestFused::aSkippedStepChangesNothing() {
  QFETCH(const QString, kind);
  const Parameters parameters = twoParameters();
  const auto optimizer = fused(kind, parameters);
  GradScaler scaler;
  const auto iterate = [&](float bad) {
    scaler.scale(at::ones({}));
    for (const at::Tensor& parameter : parameters) giveGradient(parameter, 2);
    if (bad != 0) parameters[0].mutable_grad()[1][1] = bad;
    scaler.step(*optimizer);
    scaler.update();
  };
  iterate(0);
  const Parameters before = kept(*optimizer, parameters);
  for (const float bad : {kInfinity, -kInfinity, kNaN}) {
    const double scale = scaler.get_scale();
    iterate(bad);
    QVERIFY(equal(kept(*optimizer, parameters), before));
    QCOMPARE(scaler.get_scale(), scale / 2);
  }
  iterate(0);
  QVERIFY(!equal(kept(*optimizer, parameters), before));
}

void TestFused::nothingWaitsForTheDevice() {
  QFETCH(const QString, kind);
  const Parameters parameters = twoParameters();
  const auto optimizer = fused(kind, parameters);
  GradScaler scaler;
  for (const bool first : {true, false}) {
    for (const bool unscale : {true, false}) {
      scaler.scale(at::ones({}));
      for (const at::Tensor& parameter : parameters) giveGradient(parameter, first ? kInfinity : 2);
      const ReadCounter counter;
      if (unscale) scaler.unscale_(*optimizer);
      const auto result = scaler.step(*optimizer);
      scaler.update();
      QCOMPARE(ReadCounter::count(), 0);
      QVERIFY(result.on_device);
      QVERIFY(!scaler.known_state());  // the host does not know, and says so
    }
  }
}

void TestFused::aSkippedFirstStepLeavesCleanMomentum_data() {
  QTest::addColumn<QString>("kind");
  QTest::newRow("momentum") << "sgd momentum";
  QTest::newRow("dampening") << "sgd dampened";
}

void TestFused::aSkippedFirstStepLeavesCleanMomentum() {
  QFETCH(const QString, kind);
  const Parameters skipping = twoParameters();
  const Parameters straight = twoParameters();
  const auto one = fused(kind, skipping);
  const auto other = fused(kind, straight);
  GradScaler scaler(Options{.init_scale = 4});
  scaler.scale(at::ones({}));
  for (int i = 0; i < 2; ++i) {
    for (const at::Tensor& parameter : skipping) giveGradient(parameter, kInfinity);
    scaler.step(*one);
    scaler.update();
  }
  QCOMPARE(scaler.get_scale(), 1.0);
  for (int i = 0; i < 3; ++i) {
    const Parameters gradients{at::randn({5, 8}), at::randn({5})};
    giveGradients(skipping, gradients, 1);
    giveGradients(straight, gradients, 1);
    scaler.step(*one);
    scaler.update();
    other->step();  // without any scaler: its first step is known to be one
    QVERIFY(equal(skipping, straight));
  }
}

void TestFused::aFoundInfOfTwoSkips() {
  // What the overflows of two devices add up to. PyTorch's kernels skip at exactly 1.
  const at::Tensor fixed = leaf(at::ones({2}));
  const at::Tensor upstream = leaf(at::ones({2}));
  FusedAdam a({fixed}, torch::optim::AdamOptions(0.1));
  FusedAdam b({upstream}, torch::optim::AdamOptions(0.1), Behaviour::kPytorch211);
  for (FusedAdam* optimizer : {&a, &b}) {
    for (const at::Tensor& parameter : optimizer->param_groups()[0].params()) giveGradient(parameter, kInfinity);
    optimizer->grad_scale = at::full({}, 4.0F);
    optimizer->found_inf = at::full({}, 2.0F);
    optimizer->step();
  }
  QVERIFY(fixed.detach().equal(at::ones({2})));
  QVERIFY(!upstream.detach().equal(at::ones({2})));
  const auto steps = [](const Optimizer& optimizer, const at::Tensor& parameter) {
    const auto& state = *optimizer.state().at(parameter.unsafeGetTensorImpl());
    return static_cast<const FusedAdamParamState&>(state).step.item<double>();
  };
  QCOMPARE(steps(a, fixed), 0.0);
  QCOMPARE(steps(b, upstream), -1.0);
}

void TestFused::groupsKeepTheirOwnRates() {
  const at::Tensor slow = leaf(at::ones({3}));
  const at::Tensor fast = leaf(at::ones({3}));
  FusedSGD optimizer({torch::optim::OptimizerParamGroup({slow}),
                      torch::optim::OptimizerParamGroup({fast}, std::make_unique<torch::optim::SGDOptions>(0.5))},
                     torch::optim::SGDOptions(0.25));
  GradScaler scaler(Options{.init_scale = 8});
  scaler.scale(at::ones({}));
  giveGradient(slow, 8);
  giveGradient(fast, 8);
  scaler.step(optimizer);
  QVERIFY(slow.detach().equal(at::full({3}, 0.75F)));
  QVERIFY(fast.detach().equal(at::full({3}, 0.5F)));
}

void TestFused::savedAndLoadedTheyGoOnAlike() {
  QFETCH(const QString, kind);
  const Parameters parameters = twoParameters();
  const auto optimizer = fused(kind, parameters);
  GradScaler scaler(Options{.init_scale = 2});
  const auto iterate = [&scaler](Optimizer& stepped, const Parameters& of, const Parameters& gradients) {
    scaler.scale(at::ones({}));
    giveGradients(of, gradients, 2);
    scaler.step(stepped);
    scaler.update();
  };
  for (int i = 0; i < 3; ++i) iterate(*optimizer, parameters, {at::randn({5, 8}), at::randn({5})});

  torch::serialize::OutputArchive out;
  optimizer->save(out);
  std::stringstream file;
  out.save_to(file);
  torch::serialize::InputArchive in;
  in.load_from(file);
  const Parameters others{leaf(parameters[0]), leaf(parameters[1])};
  const auto loaded = fused(kind, others);
  loaded->load(in);
  for (int i = 0; i < 3; ++i) {
    const Parameters gradients{at::randn({5, 8}), at::randn({5})};
    iterate(*optimizer, parameters, gradients);
    iterate(*loaded, others, gradients);
    QVERIFY(equal(kept(*loaded, others), kept(*optimizer, parameters)));
  }
}

void TestFused::halfGradientsAreTakenUnlessUnscaledFirst() {
  const at::Tensor parameter = leaf(at::ones({2}, at::kHalf));
  FusedSGD optimizer({parameter}, torch::optim::SGDOptions(0.125));
  GradScaler scaler(Options{.init_scale = 4});
  scaler.scale(at::ones({}));
  giveGradient(parameter, 4);
  QVERIFY_THROWS_EXCEPTION(c10::ValueError, scaler.unscale_(optimizer));
  scaler.step(optimizer);
  QCOMPARE(parameter[0].item<float>(), 0.875F);
}

void TestFused::besideTellsTheHostWhetherItSkipped() {
  const at::Tensor parameter = leaf(at::ones({2}));
  FusedAdamW optimizer({parameter});
  GradScaler scaler;
  for (const bool bad : {false, true}) {
    scaler.scale(at::ones({}));
    giveGradient(parameter, bad ? kNaN : 1);
    const ReadCounter counter;
    const auto result = scaler.step(optimizer, {at::full({}, 0.5)});
    QCOMPARE(ReadCounter::count(), 0);  // one copy of both instead
    QCOMPARE(result.beside, std::vector<double>{0.5});
    QCOMPARE(result.found_inf, bad);
    QCOMPARE(result.stepped, !bad);
    scaler.update();
    QVERIFY(scaler.known_state());
    QCOMPARE(scaler.known_state()->scale, scaler.get_scale());
  }
}

void TestFused::wrongOptionsAndSparseGradientsAreRefused() {
  const at::Tensor parameter = leaf(at::ones({2}));
  QVERIFY_THROWS_EXCEPTION(c10::Error, FusedAdam({parameter}, torch::optim::AdamOptions(-1)));
  QVERIFY_THROWS_EXCEPTION(c10::Error, FusedAdamW({parameter}, torch::optim::AdamWOptions(1).betas({1, 0.5})));
  QVERIFY_THROWS_EXCEPTION(c10::Error, FusedSGD({parameter}, torch::optim::SGDOptions(1).nesterov(true)));
  parameter.mutable_grad() =
      at::sparse_coo_tensor(at::full({1, 1}, 1, at::kLong), at::ones({1}), std::vector<std::int64_t>{2});
  FusedSGD sgd({parameter}, torch::optim::SGDOptions(1));
  FusedAdam adam({parameter});
  QVERIFY_THROWS_EXCEPTION(c10::Error, sgd.step());
  QVERIFY_THROWS_EXCEPTION(c10::Error, adam.step());
}

void TestFused::aFirstStepWithoutMemoryCanBeTakenAgain_data() {
  QTest::addColumn<QString>("kind");
  QTest::addColumn<int>("buffers");  // of both parameters
  QTest::newRow("adam") << "adam" << 8;
  QTest::newRow("adamw") << "adamw" << 6;
  QTest::newRow("sgd with momentum") << "sgd with momentum" << 2;
  QTest::newRow("sgd dampened") << "sgd dampened" << 2;
}

void TestFused::aFirstStepWithoutMemoryCanBeTakenAgain() {
  QFETCH(const QString, kind);
  QFETCH(const int, buffers);
  // Two steps, before which one finds no memory for the buffer of this number; below 0: none fails.
  const auto trained = [&kind](int failing) {
    const Parameters parameters = twoParameters();
    const auto optimizer = fused(kind, {parameters[0]});
    auto options = optimizer->param_groups()[0].options().clone();
    optimizer->add_param_group(torch::optim::OptimizerParamGroup({parameters[1]}, std::move(options)));
    for (const at::Tensor& parameter : parameters) giveGradient(parameter, 0.5F);
    const Parameters before{parameters[0].detach().clone(), parameters[1].detach().clone()};
    if (failing >= 0) {
      FailingAllocator::instance().fail_after(failing);
      bool failed = false;
      try {
        optimizer->step();
      } catch (const c10::Error&) {
        failed = true;
      }
      FailingAllocator::instance().disarm();
      if (!failed || !equal({parameters[0].detach(), parameters[1].detach()}, before)) return Parameters();
    }
    optimizer->step();
    optimizer->step();
    return kept(*optimizer, parameters);
  };
  const Parameters straight = trained(-1);
  for (int i = 0; i < buffers; ++i) QVERIFY2(equal(trained(i), straight), qPrintable(QString::number(i)));
}

BINADE_SUITE(TestFused);
#include "tst_fused.moc"
