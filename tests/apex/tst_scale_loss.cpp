// SPDX-License-Identifier: Apache-2.0
#include "tests/apex/gather.h"
#include "tests/apex/my_model.h"
#include "tests/apex/small_amp.h"
#include "tests/support/suite.h"

#include <torch/nn/utils/clip_grad.h>
#include <torch/optim/sgd.h>

#include <limits>

using namespace binade;
using test::MyModel;
using test::quiet;
using test::Small;
using test::values;

namespace {

using Pair = std::pair<std::vector<double>, std::vector<double>>;  // what w0 and w1 end as

/// A set-up of Apex's tests: which models a loss adds up, which optimizer steps which model.
struct Setup {
  const char* name;
  std::vector<std::vector<std::size_t>> losses;      ///< models of each loss
  std::vector<std::vector<std::size_t>> optimizers;  ///< models of each optimizer
  std::vector<double> rates;                         ///< of each model
  std::vector<double> momenta;                       ///< of each optimizer
  std::vector<std::vector<std::size_t>> passed;      ///< optimizers that each loss names
};

std::vector<Setup> setups() {
  return {
      {"2 models, 2 losses, 1 optimizer", {{0}, {1}}, {{0, 1}}, {.25, .5}, {.125}, {{0}, {0}}},
      {"3 models, 2 losses, 1 optimizer", {{0, 2}, {1, 2}}, {{0, 1, 2}}, {.25, .5, .125}, {.125}, {{0}, {0}}},
      {"2 models, 2 losses, 2 optimizers", {{0}, {1}}, {{0}, {1}}, {.25, .5}, {.125, .25}, {{0}, {1}}},
      {"3 models, 2 losses, 2 optimizers", {{0, 1}, {2, 1}}, {{0, 1}, {2}}, {.25, 1.0, .5}, {.5, .25}, {{0}, {0, 1}}}};
}

const Pair kM0{{0, .53125}, {1.59375, 2.125}};
const Pair kM0ThreeSteps{{-.4609375, -.08984375}, {1.57421875, 1.9453125}};

/// What the models end as; `bad_loss`: the loss whose backward overflows once, or -1.
std::vector<Pair> expected(int setup, int bad_loss) {
  switch (setup) {
    case 0:
      return {kM0, {{-.6875, -.5}, {1.625, 1.8125}}};
    case 1:
      return {kM0, {{-.6875, -.5}, {1.625, 1.8125}}, {{1.0625, 1.59375}, {2.65625, 3.1875}}};
    case 2:
      if (bad_loss == 0) return {kM0, {{-1.96875, -2}, {1.8125, 1.78125}}};
      return {bad_loss == 1 ? kM0ThreeSteps : kM0, {{-.875, -.75}, {1.5, 1.625}}};
    default: {
      const Pair m2 = bad_loss == 0 ? Pair{{-2, -2.03125}, {1.78125, 1.75}} : Pair{{-.75, -.625}, {1.625, 1.75}};
      return {{{-.1875, .25}, {1.5, 1.9375}}, {{-5, -5}, {5, 5}}, m2};
    }
  }
}

std::unique_ptr<torch::optim::SGD> sgd(const std::vector<MyModel>& models, const std::vector<std::size_t>& ids,
                                       const std::vector<double>& rates, double momentum) {
  std::vector<torch::optim::OptimizerParamGroup> groups;
  for (const std::size_t id : ids) {
    groups.emplace_back(models[id]->parameters(), std::make_unique<torch::optim::SGDOptions>(
                                                      torch::optim::SGDOptions(rates[id]).momentum(momentum)));
  }
  return std::make_unique<torch::optim::SGD>(groups, torch::optim::SGDOptions(1.0).momentum(momentum));
}

constexpr double kInf = std::numeric_limits<double>::infinity();

}  // namespace

// Apex's loss scaling: several losses, models and optimizers, in its exact numbers.
class TestScaleLoss : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void modelsLossesOptimizers_data();
  void modelsLossesOptimizers();
  void addedGroups_data();
  void addedGroups();
  void scalerTimelines();
  void everyLossHasItsScaler();
  void lossIsPromotedBeforeItIsScaled();
  void gradientsAreUnscaledAfterTheBlock();
  void onlyMasterGradientsAreUnscaled();
  void clippingWorksOnTheMasters();
  void severalElementsKeepTheirShape();
  void anOptimizerThatIsNotNamedKeepsScaledGradients();
  void lossIdsOutsideAreRefused();
  void delayedUnscalingEqualsTheSum_data();
  void delayedUnscalingEqualsTheSum();
  void accumulationWithDifferentScales();
  void aStaticScaleOfOneKeepsWhatWasAccumulated();
  void staticScalesNeverSkip();
  void aSkipIsToldAndTouchesNothing();
  void anExceptionLeavesTheGradientsFromBefore();
};

void TestScaleLoss::modelsLossesOptimizers_data() {
  QTest::addColumn<int>("setup");
  QTest::addColumn<QString>("level");
  QTest::addColumn<int>("zeroing");
  QTest::addColumn<bool>("shared");
  QTest::addColumn<int>("badStep");
  QTest::addColumn<bool>("badHalf");
  QTest::addColumn<int>("badLoss");
  const char* const zeroings[] = {"none", "model", "optimizer"};
  for (int setup = 0; setup < 4; ++setup) {
    for (const char* level : {"O0", "O1", "O2", "O3"}) {
      const bool dynamic = level[1] == '1' || level[1] == '2';
      for (int zeroing = 0; zeroing < 3; ++zeroing) {
        for (const bool shared : {true, false}) {
          for (int step = -1; step <= (dynamic ? 1 : -1); ++step) {
            for (const bool half : {false, true}) {
              for (int loss = 0; loss < 2; ++loss) {
                if (step < 0 && (half || loss > 0)) continue;
                QTest::addRow("%s, %s, zero %s, %s, overflow %d %d %d", setups()[static_cast<std::size_t>(setup)].name,
                              level, zeroings[zeroing], shared ? "shared" : "own", step, half, step < 0 ? -1 : loss)
                    << setup << QString(level) << zeroing << shared << step << half << (step < 0 ? -1 : loss);
              }
            }
          }
        }
      }
    }
  }
}

void TestScaleLoss::modelsLossesOptimizers() {
  QFETCH(int, setup);
  QFETCH(QString, level);
  QFETCH(int, zeroing);
  QFETCH(bool, shared);
  QFETCH(int, badStep);
  QFETCH(bool, badHalf);
  QFETCH(int, badLoss);
  const Setup how = setups()[static_cast<std::size_t>(setup)];
  std::vector<MyModel> models;
  for (std::size_t i = 0; i < how.rates.size(); ++i) models.emplace_back(static_cast<double>(i + 1));
  std::vector<std::unique_ptr<torch::optim::SGD>> plain;
  std::vector<torch::optim::Optimizer*> pointers;
  for (std::size_t i = 0; i < how.optimizers.size(); ++i) {
    plain.push_back(sgd(models, how.optimizers[i], how.rates, how.momenta[i]));
    pointers.push_back(plain.back().get());
  }
  auto [amp, nets, optimizers] = apex::initialize(models, pointers, quiet(level.toStdString().c_str(), shared ? 1 : 2));
  if (level == "O1" || level == "O2") {
    apex::Amp::State state{{"loss_scaler0", {4.0, 0}}};
    if (!shared) state.push_back({"loss_scaler1", {16.0, 0}});
    amp.load_state_dict(state);
  }
  const at::Tensor x = torch::ones({2});
  for (int step = 0; step < (badStep < 0 ? 2 : 3); ++step) {
    if (zeroing == 0) {
      for (MyModel& model : models) {
        for (const at::Tensor& parameter : model->parameters()) parameter.mutable_grad().reset();
      }
    } else if (zeroing == 1) {
      for (MyModel& model : models) model->zero_grad(/*set_to_none=*/false);
    } else {
      for (apex::Optimizer& optimizer : optimizers) optimizer.zero_grad(/*set_to_none=*/false);
    }
    for (std::size_t loss = 0; loss < how.losses.size(); ++loss) {
      at::Tensor sum = nets[how.losses[loss][0]](x);
      for (std::size_t i = 1; i < how.losses[loss].size(); ++i) sum = sum + nets[how.losses[loss][i]](x);
      std::vector<apex::Optimizer*> passed;
      for (const std::size_t id : how.passed[loss]) passed.push_back(&optimizers[id]);
      const auto scaled = amp.scale_loss(sum, passed, {.loss_id = shared ? 0 : static_cast<int>(loss)});
      scaled->backward();
      if (step == badStep && static_cast<int>(loss) == badLoss) {
        const MyModel& model = models[how.losses[loss][0]];
        (badHalf ? model->w1 : model->w0).mutable_grad()[1] = kInf;
      }
    }
    for (apex::Optimizer& optimizer : optimizers) optimizer.step();
  }
  const std::vector<Pair> wanted = expected(setup, badLoss);
  for (std::size_t i = 0; i < models.size(); ++i) {
    QVERIFY2(values(models[i]->w0) == wanted[i].first, qPrintable(QStringLiteral("w0 of model %1").arg(i)));
    QVERIFY2(values(models[i]->w1) == wanted[i].second, qPrintable(QStringLiteral("w1 of model %1").arg(i)));
    QVERIFY(models[i]->w1.scalar_type() == at::kHalf);
  }
  for (const apex::Optimizer& optimizer : optimizers) {
    QCOMPARE(optimizer.masters() != nullptr, level == "O2");
    if (!optimizer.masters()) continue;
    QVERIFY(!optimizer.masters()->pairs().empty());
    for (const auto& pair : optimizer.masters()->pairs()) QVERIFY(pair.model.equal(pair.master.to(at::kHalf)));
  }
}

void TestScaleLoss::addedGroups_data() {
  QTest::addColumn<QString>("level");
  QTest::addColumn<int>("backwards");
  QTest::addColumn<bool>("zeroFirst");
  QTest::addColumn<int>("zeroing");
  for (const char* level : {"O0", "O1", "O2", "O3"}) {
    for (const int backwards : {1, 2}) {
      for (const bool first : {true, false}) {
        for (int zeroing = 0; zeroing < 3; ++zeroing) {
          QTest::addRow("%s, %d backward, zero %s, %d", level, backwards, first ? "before" : "after", zeroing)
              << QString(level) << backwards << first << zeroing;
        }
      }
    }
  }
}

void TestScaleLoss::addedGroups() {
  QFETCH(QString, level);
  QFETCH(int, backwards);
  QFETCH(bool, zeroFirst);
  QFETCH(int, zeroing);
  std::vector<MyModel> models{MyModel(1), MyModel(2)};
  const auto plain = sgd(models, {0}, {.25, .5}, .125);
  auto [amp, nets, optimizer] = apex::initialize(models, *plain, quiet(level.toStdString().c_str()));
  if (level == "O1" || level == "O2") amp.load_state_dict({{"loss_scaler0", {4.0, 0}}});
  const at::Tensor x = torch::ones({2});
  const auto zero = [&, &optimizer = optimizer] {
    for (MyModel& model : models) {
      if (zeroing == 0) {
        for (const at::Tensor& parameter : model->parameters()) parameter.mutable_grad().reset();
      } else if (zeroing == 1) {
        model->zero_grad(/*set_to_none=*/false);
      }
    }
    if (zeroing == 2) optimizer.zero_grad(/*set_to_none=*/false);
  };
  for (int step = 0; step < 3; ++step) {
    if (step == 1) {
      if (zeroFirst) zero();
      optimizer.add_param_group(torch::optim::OptimizerParamGroup(
          models[1]->parameters(),
          std::make_unique<torch::optim::SGDOptions>(torch::optim::SGDOptions(.5).momentum(.125))));
      if (!zeroFirst) zero();
    } else {
      zero();
    }
    for (int pass = 0; pass < (step == 0 ? 1 : backwards); ++pass) {
      const at::Tensor loss = step == 0 ? nets[0](x) : nets[0](x) + nets[1](x);
      const auto scaled = amp.scale_loss(loss, optimizer);
      scaled->backward();
    }
    optimizer.step();
  }
  if (backwards == 1) {
    QVERIFY(values(models[0]->w0) == kM0ThreeSteps.first && values(models[0]->w1) == kM0ThreeSteps.second);
    QVERIFY(values(models[1]->w0) == (std::vector<double>{-.6875, -.5}));
    QVERIFY(values(models[1]->w1) == (std::vector<double>{1.625, 1.8125}));
  } else {
    QVERIFY(values(models[0]->w0) == (std::vector<double>{-1.2890625, -1.16796875}));
    QVERIFY(values(models[0]->w1) == (std::vector<double>{1.65234375, 1.7734375}));
    QVERIFY(values(models[1]->w0) == (std::vector<double>{-2.375, -2.5}));
    QVERIFY(values(models[1]->w1) == (std::vector<double>{1.75, 1.625}));
  }
}

void TestScaleLoss::scalerTimelines() {
  const at::Tensor clean = torch::ones({1});
  const at::Tensor bad = torch::full({1}, kInf);
  const auto go = [&](scaler::ApexScaler& scaler, int times, const at::Tensor& gradient) {
    for (int i = 0; i < times; ++i) {
      const std::vector<at::Tensor> copy{gradient.clone()};
      scaler.clear_overflow();
      scaler.unscale(copy, copy);
      QCOMPARE(scaler.update(), scaler.is_dynamic() && !std::isfinite(gradient.item<double>()));
    }
  };
  using State = scaler::ApexScaler::State;
  scaler::ApexScaler overflows;
  for (int k = 1; k <= 5; ++k) {
    go(overflows, 1, bad);
    QVERIFY((overflows.state() == State{65536.0 / (1 << k), 0}));
  }
  scaler::ApexScaler grows;
  go(grows, 1999, clean);
  QVERIFY((grows.state() == State{65536, 1999}));
  go(grows, 1, clean);
  QVERIFY((grows.state() == State{131072, 0}));
  scaler::ApexScaler broken;
  go(broken, 1999, clean);
  go(broken, 1, bad);
  QVERIFY((broken.state() == State{32768, 0}));
  scaler::ApexScaler ceiling;
  go(ceiling, 16000, clean);
  QCOMPARE(ceiling.loss_scale(), 16777216.0);
  go(ceiling, 2000, clean);
  QCOMPARE(ceiling.loss_scale(), 16777216.0);
  scaler::ApexScaler floor({.min_scale = 1024.0});
  go(floor, 10, bad);
  QCOMPARE(floor.loss_scale(), 1024.0);
  scaler::ApexScaler none({.min_scale = 0.0});
  go(none, 20, bad);
  QCOMPARE(none.loss_scale(), 0.0625);
  QCOMPARE(scaler::ApexScaler({.max_scale = 1024}).loss_scale(), 1024.0);
  scaler::ApexScaler fixed({.static_scale = 128.0, .min_scale = 1024.0, .max_scale = 2});
  go(fixed, 3, bad);
  QVERIFY((fixed.state() == State{128, 3}));
}

void TestScaleLoss::everyLossHasItsScaler() {
  Small run(quiet("O1", 3));
  for (int overflows = 0; overflows < 3; ++overflows) {
    for (int i = 0; i < overflows; ++i) {
      run.backward(kInf, overflows);
      run.optimizer.step();
      run.optimizer.zero_grad();
    }
  }
  const apex::Amp::State state = run.amp.state_dict();
  QCOMPARE(state[0].second.loss_scale, 65536.0);
  QCOMPARE(state[1].second.loss_scale, 32768.0);
  QCOMPARE(state[2].second.loss_scale, 16384.0);
  QCOMPARE(state[2].second.unskipped, std::int64_t{0});
}

void TestScaleLoss::lossIsPromotedBeforeItIsScaled() {
  Small run({.opt_level = "O2", .loss_scale = 2.0, .verbosity = 0});
  const auto scaled = run.amp.scale_loss(torch::full({}, 60000, at::kHalf), run.optimizer);
  QVERIFY(scaled->scalar_type() == at::kFloat);
  QCOMPARE(scaled->item<float>(), 120000.0F);  // beyond float16
}

void TestScaleLoss::gradientsAreUnscaledAfterTheBlock() {
  for (const std::variant<double, std::string>& scale :
       {std::variant<double, std::string>(128.0), std::variant<double, std::string>("dynamic")}) {
    apex::Options options = quiet("O1");
    options.loss_scale = scale;
    Small run(options);
    run.backward(3);
    QVERIFY(values(run.weight.grad()) == (std::vector<double>{3, 3}));
    QVERIFY(!run.optimizer.skips());
  }
  Small bad(quiet("O1"));
  bad.backward(kInf);
  QVERIFY(bad.optimizer.skips());  // known before step()
}

void TestScaleLoss::onlyMasterGradientsAreUnscaled() {
  Small run({.opt_level = "O2", .loss_scale = 64.0, .verbosity = 0}, at::kHalf);
  run.backward(3);
  const auto& pair = run.optimizer.masters()->pairs()[0];
  QVERIFY(pair.model.is_same(run.weight));
  QVERIFY(pair.model.grad().scalar_type() == at::kHalf && pair.master.grad().scalar_type() == at::kFloat);
  QVERIFY(values(pair.model.grad()) == (std::vector<double>{192, 192}));
  QVERIFY(values(pair.master.grad()) == (std::vector<double>{3, 3}));
  run.optimizer.step();
  QVERIFY(values(run.weight) == (std::vector<double>{-0.5, -0.5}));
  QVERIFY(!pair.master.grad().defined());
}

void TestScaleLoss::clippingWorksOnTheMasters() {
  Small masters({.opt_level = "O2", .loss_scale = 64.0, .verbosity = 0}, at::kHalf);
  masters.backward(3);
  torch::nn::utils::clip_grad_value_(apex::master_params(masters.optimizer), 0.5);
  masters.optimizer.step();
  QVERIFY(values(masters.weight) == (std::vector<double>{0.75, 0.75}));
  Small model({.opt_level = "O2", .loss_scale = 64.0, .verbosity = 0}, at::kHalf);
  model.backward(3);
  torch::nn::utils::clip_grad_value_(std::vector<at::Tensor>{model.weight}, 0.5);  // too late, and scaled
  model.optimizer.step();
  QVERIFY(values(model.weight) == (std::vector<double>{-0.5, -0.5}));
}

void TestScaleLoss::severalElementsKeepTheirShape() {
  Small run(quiet("O1"));
  {
    const auto scaled = run.amp.scale_loss(run.weight * 2, run.optimizer);
    QVERIFY(scaled->sizes() == run.weight.sizes());
    scaled->backward(torch::tensor({1.0F, 0.5F}));
  }
  QVERIFY(values(run.weight.grad()) == (std::vector<double>{2, 1}));
}

void TestScaleLoss::anOptimizerThatIsNotNamedKeepsScaledGradients() {
  const apex::Amp amp(quiet("O1"));
  const at::Tensor a = torch::ones({1}).requires_grad_(true);
  const at::Tensor b = torch::ones({1}).requires_grad_(true);
  torch::optim::SGD sgd_a({a}, 0.5);
  torch::optim::SGD sgd_b({b}, 0.5);
  apex::Optimizer named(sgd_a, amp);
  apex::Optimizer forgotten(sgd_b, amp);
  {
    const auto scaled = amp.scale_loss((a + b).sum(), named);
    scaled->backward();
  }
  QCOMPARE(a.grad().item<double>(), 1.0);
  QCOMPARE(b.grad().item<double>(), 65536.0);
  forgotten.step();
  QCOMPARE(b.item<double>(), 1 - 32768.0);
}

void TestScaleLoss::lossIdsOutsideAreRefused() {
  Small run(quiet("O1", 2));
  for (const int id : {-1, 2}) {
    const QString error =
        test::errorOf([&] { (void)run.amp.scale_loss(run.weight.sum(), run.optimizer, {.loss_id = id}); });
    QVERIFY2(error.startsWith(QStringLiteral("loss_id %1 is outside [0, 2) | ").arg(id)), qPrintable(error));
  }
}

void TestScaleLoss::delayedUnscalingEqualsTheSum_data() {
  QTest::addColumn<QString>("level");
  QTest::newRow("O1") << "O1";
  QTest::newRow("O2") << "O2";
}

void TestScaleLoss::delayedUnscalingEqualsTheSum() {
  QFETCH(QString, level);
  apex::Options options{.opt_level = level.toStdString(), .loss_scale = 8.0, .verbosity = 0};
  Small run(options, level == "O2" ? at::kHalf : at::kFloat);
  for (int i = 0; i < 3; ++i) run.backward(1 + i, 0, /*delay=*/true);
  QVERIFY(values(run.weight.grad()) == (std::vector<double>{48, 48}));
  QVERIFY(test::errorOf([&] { run.optimizer.step(); }).startsWith("step() on gradients that are still scaled"));
  run.backward(4);
  run.optimizer.step();
  QVERIFY(values(run.weight) == (std::vector<double>{-4, -4}));  // 1 - 0.5 * 10
}

void TestScaleLoss::accumulationWithDifferentScales() {
  for (const auto dtype : {at::kFloat, at::kHalf}) {
    Small run(quiet("O2", 2), dtype);
    run.amp.load_state_dict({{"loss_scaler0", {4, 0}}, {"loss_scaler1", {64, 0}}});
    run.backward(1, 0);
    run.backward(2, 1);
    run.amp.load_state_dict({{"loss_scaler0", {256, 0}}, {"loss_scaler1", {64, 0}}});
    run.backward(3, 0);
    const at::Tensor gradient = apex::master_params(run.optimizer)[0].grad();
    QVERIFY(values(gradient) == (std::vector<double>{6, 6}));
    QCOMPARE(run.amp.loss_scaler(0).unskipped(), std::int64_t{1});  // loading took the first one away
    // An infinity of an earlier pass is not blamed on the next one's scaler.
    run.backward(kInf, 1);
    run.backward(1, 0);
    QCOMPARE(run.amp.loss_scaler(0).loss_scale(), 256.0);
    QCOMPARE(run.amp.loss_scaler(1).loss_scale(), 32.0);
    QVERIFY(run.optimizer.skips());
  }
}

void TestScaleLoss::aStaticScaleOfOneKeepsWhatWasAccumulated() {
  // Apex loses the gradients of float32 parameters here.
  Small run({.opt_level = "O2", .loss_scale = 1.0, .verbosity = 0});
  for (int i = 0; i < 3; ++i) run.backward(2);
  QVERIFY(values(run.weight.grad()) == (std::vector<double>{6, 6}));
}

void TestScaleLoss::staticScalesNeverSkip() {
  Small run({.opt_level = "O2", .loss_scale = "128.0", .verbosity = 0});
  run.backward(kInf);
  QVERIFY(!run.optimizer.skips());
  QCOMPARE(run.amp.loss_scaler().loss_scale(), 128.0);
  run.optimizer.step();
  QVERIFY(!std::isfinite(run.weight[0].item<double>()));
}

void TestScaleLoss::aSkipIsToldAndTouchesNothing() {
  std::vector<std::string> lines;
  apex::Options options{.opt_level = "O2", .print = [&](const std::string& line) { lines.push_back(line); }};
  Small run(options, at::kHalf);
  run.amp.load_state_dict({{"loss_scaler0", {1024, 0}}});  // within float16's range
  lines.clear();
  run.backward(1);
  run.backward(kInf);
  run.backward(kInf);  // two overflows before one step are one skip
  QVERIFY(test::errorOf([&] { run.optimizer.step([] { return at::Tensor(); }); }).contains("does not support closure"));
  run.optimizer.step();
  QVERIFY(lines ==
          (std::vector<std::string>{"Gradient overflow.  Skipping step, loss scaler 0 reducing loss scale to 256.0"}));
  QVERIFY(values(run.weight) == (std::vector<double>{1, 1}));
  QVERIFY(run.sgd.state().empty());
  QVERIFY(!apex::master_params(run.optimizer)[0].grad().defined());
  run.backward(1);
  run.optimizer.step();
  QVERIFY(values(run.weight) == (std::vector<double>{0.5, 0.5}));
}

void TestScaleLoss::anExceptionLeavesTheGradientsFromBefore() {
  for (const auto dtype : {at::kFloat, at::kHalf}) {
    Small run(quiet("O2"), dtype);
    run.amp.load_state_dict({{"loss_scaler0", {1024, 0}}});
    run.backward(2);
    try {
      const auto scaled = run.amp.scale_loss(run.weight.to(at::kFloat).sum(), run.optimizer);
      scaled->backward();
      throw std::runtime_error("the caller's");
    } catch (const std::runtime_error&) {
    }
    QVERIFY(values(apex::master_params(run.optimizer)[0].grad()) == (std::vector<double>{2, 2}));
    QCOMPARE(run.amp.loss_scaler().unskipped(), std::int64_t{1});
  }
}

BINADE_SUITE(TestScaleLoss);
#include "tst_scale_loss.moc"
