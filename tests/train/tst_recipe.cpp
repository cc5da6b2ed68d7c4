// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/error.h"
#include "engine/train/clip.h"
#include "engine/train/optimizer.h"
#include "engine/train/schedule.h"
#include "tests/run/small_run.h"
#include "tests/support/suite.h"

#include <ATen/ops/full.h>
#include <ATen/ops/randn.h>
#include <torch/csrc/api/include/torch/nn/utils/clip_grad.h>
#include <torch/optim/optimizer.h>
#include <torch/types.h>

#include <algorithm>
#include <cmath>

using namespace binade;
using test::Listening;
using test::runToEnd;
using test::smallRun;

namespace {

wire::RunConfig inFloat32(std::int64_t steps) {
  wire::RunConfig config = smallRun(steps);
  config.policy.base = policy::Base::kAllFloat32;
  return config;
}

/// A model whose loss goes beyond float32 in training from the first step.
wire::RunConfig diverging(std::int64_t steps) {
  wire::RunConfig config = smallRun(steps);
  config.model = test::saveModel(test::temporaryFolder().toStdString(),
                                 "def forward(self, x: Tensor) -> Tensor:\n"
                                 "    y = torch.linear(x, self.weight, self.bias)\n"
                                 "    return y * 3e38 * 3e38 if self.training else y\n");
  config.data.inputs = {"float32[6,8]"};
  config.data.classes = 4;
  return config;
}

std::vector<at::Tensor> withGradients(std::uint64_t seed) {
  torch::manual_seed(seed);
  std::vector<at::Tensor> all;
  for (int i = 0; i < 3; ++i) {
    all.push_back(at::randn({4, 3}).requires_grad_(true));
    all.back().mutable_grad() = at::randn({4, 3}) * 5;
  }
  return all;
}

std::vector<at::Tensor> gradientsOf(const std::vector<at::Tensor>& parameters) {
  std::vector<at::Tensor> all;
  for (const at::Tensor& parameter : parameters) all.push_back(parameter.grad());
  return all;
}

const wire::Event* findEvent(const Listening& heard, wire::Event::Kind kind) {
  for (const wire::Event& event : heard.events) {
    if (event.kind == kind) return &event;
  }
  return nullptr;
}

}  // namespace

class TestRecipe : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void everyOptimizerTrains_data();
  void everyOptimizerTrains();
  void withoutAnOptimizerParametersStay();
  void groupsHaveRatesOfTheirOwn();
  void aGroupThatMatchesNothingIsRefused();
  void theScheduleMovesTheRate_data();
  void theScheduleMovesTheRate();
  void recordsCarryTheScheduledRate();
  void clippingIsLibTorchsOwn();
  void aClippedRunStaysWithinItsNorm();
  void clippingNeverZeroesGradientsInSilence();
  void clippingByValueHidesNoInfinity();
  void accumulationIsOneStepOverTheWholeBatch();
  void theScaleIsConstantInsideAWindow();
  void aSkippedBatchIsDroppedOrReplayed_data();
  void aSkippedBatchIsDroppedOrReplayed();
  void buffersOfSkippedStepsAreKeptOnRequest();
  void aDivergedRunPausesWithItsState();
  void aDivergedRunEndsWhereNobodyIsThere();
  void memoryThatRunsOutEndsTheStepOnly_data();
  void memoryThatRunsOutEndsTheStepOnly();
};

void TestRecipe::everyOptimizerTrains_data() {
  QTest::addColumn<QString>("kind");
  QTest::addColumn<bool>("fused");
  for (const char* kind : {"sgd", "adam", "adamw", "rmsprop", "adagrad"}) QTest::newRow(kind) << QString(kind) << false;
  for (const char* kind : {"sgd", "adam", "adamw"}) {
    QTest::addRow("%s, fused", kind) << QString(kind) << true;
  }
}

void TestRecipe::everyOptimizerTrains() {
  QFETCH(const QString, kind);
  QFETCH(const bool, fused);
  wire::RunConfig config = inFloat32(30);
  config.data.inputs = {"float32[16,1,28,28]"};
  config.optimizer = {};
  config.optimizer.kind = kind.toStdString();
  config.optimizer.fused = fused;
  config.optimizer.learning_rate = kind == QStringLiteral("sgd") ? 0.1 : 0.002;
  config.losses = {wire::LossConfig{}};
  config.losses[0].kind = "text";
  config.losses[0].text = "def loss(output: Tensor) -> Tensor:\n    return (output - 1.0).square().mean()\n";
  Listening heard;
  QCOMPARE(runToEnd(config, heard).finished.outcome, wire::Outcome::kCompleted);
  QVERIFY2(heard.steps.back().loss < heard.steps.front().loss * 0.7,
           qPrintable(QStringLiteral("%1 -> %2").arg(heard.steps.front().loss).arg(heard.steps.back().loss)));
}

void TestRecipe::withoutAnOptimizerParametersStay() {
  wire::RunConfig config = smallRun(1);
  Listening once;
  config.optimizer.kind = "none";
  const auto short_run = runToEnd(config, once);
  config.steps = 4;
  Listening heard;
  const auto long_run = runToEnd(config, heard);
  QVERIFY(!long_run.tensors.empty());
  QCOMPARE(test::firstDifference(long_run.tensors, short_run.tensors), std::string());
  QVERIFY(!std::isnan(heard.steps.back().gradient_norm) || heard.steps.back().found_inf);
  QVERIFY(!heard.steps.front().observations.empty());
}

void TestRecipe::groupsHaveRatesOfTheirOwn() {
  const train::NamedTensors parameters{{"body.weight", at::ones({2}).requires_grad_(true)},
                                       {"body.bias", at::ones({2}).requires_grad_(true)},
                                       {"head.weight", at::ones({2}).requires_grad_(true)},
                                       {"head.bias", at::ones({2}).requires_grad_(true)}};
  wire::OptimizerConfig config;
  config.learning_rate = 1;
  config.groups = {{"*.bias", 0.0, 0.0}, {"head", 0.5, {}}};  // the later one has head.bias
  const auto optimizer = train::make_optimizer(config, parameters);
  QCOMPARE(optimizer->param_groups().size(), std::size_t{3});
  for (const auto& [name, parameter] : parameters) at::Tensor(parameter).mutable_grad() = at::ones({2});
  const train::LearningRates rates(*optimizer);
  QCOMPARE(rates.set(*optimizer, 0.5), 0.5);
  optimizer->step();
  QCOMPARE(parameters[0].second[0].item<double>(), 0.5);
  QCOMPARE(parameters[1].second[0].item<double>(), 1.0);
  QCOMPARE(parameters[2].second[0].item<double>(), 0.75);
  QCOMPARE(parameters[3].second[0].item<double>(), 0.75);
}

void TestRecipe::aGroupThatMatchesNothingIsRefused() {
  wire::OptimizerConfig config;
  config.groups = {{"heads", 0.1, {}}};
  try {
    train::make_optimizer(config, {{"head", at::ones({2}).requires_grad_(true)}});
  } catch (const Error& error) {
    QCOMPARE(std::string(error.what()),
             std::string("optimizer.groups[0].match \"heads\" matches no trainable parameter"));
    QVERIFY(QString::fromStdString(error.hint).startsWith(QStringLiteral("Did you mean \"head\"?")));
    return;
  }
  QFAIL("accepted");
}

void TestRecipe::theScheduleMovesTheRate_data() {
  QTest::addColumn<QString>("kind");
  QTest::addColumn<int>("step");
  QTest::addColumn<double>("factor");
  const auto row = [](const char* kind, int step, double factor) {
    QTest::addRow("%s at %d", kind, step) << QString(kind) << step << factor;
  };
  for (const char* kind : {"constant", "step", "cosine"}) {
    row(kind, 0, 0.25);  // warm-up over 4 steps
    row(kind, 3, 1);
    row(kind, 4, 1);
  }
  row("constant", 99, 1);
  row("step", 13, 1);
  row("step", 14, 0.5);
  row("step", 24, 0.25);
  row("cosine", 99, 0.1);
  row("cosine", 44, 0.1 + 0.9 * (1 + std::cos(M_PI * 40 / 95)) / 2);
}

void TestRecipe::theScheduleMovesTheRate() {
  QFETCH(const QString, kind);
  QFETCH(const int, step);
  QFETCH(const double, factor);
  const wire::ScheduleConfig schedule{kind.toStdString(), 4, 10, 0.5, 0.1};
  QCOMPARE(train::rate_factor(schedule, step, 100), factor);
}

void TestRecipe::recordsCarryTheScheduledRate() {
  wire::RunConfig config = inFloat32(6);
  config.optimizer.learning_rate = 0.8;
  config.schedule = {"step", 2, 2, 0.5, 0};
  Listening heard;
  runToEnd(config, heard);
  std::vector<double> rates;
  for (const auto& step : heard.steps) rates.push_back(step.learning_rate);
  QCOMPARE(rates, (std::vector<double>{0.4, 0.8, 0.8, 0.8, 0.4, 0.4}));
}

void TestRecipe::clippingIsLibTorchsOwn() {
  for (const double most : {0.5, 1e4}) {
    const auto mine = withGradients(3);
    const auto theirs = withGradients(3);
    train::clip(gradientsOf(mine), train::norm_of(gradientsOf(mine)), {most, 0});
    torch::nn::utils::clip_grad_norm_(theirs, most);
    for (std::size_t i = 0; i < mine.size(); ++i) QVERIFY(mine[i].grad().equal(theirs[i].grad()));
  }
  const auto mine = withGradients(4);
  const auto theirs = withGradients(4);
  train::clip(gradientsOf(mine), train::norm_of(gradientsOf(mine)), {0, 0.75});
  torch::nn::utils::clip_grad_value_(theirs, 0.75);
  for (std::size_t i = 0; i < mine.size(); ++i) QVERIFY(mine[i].grad().equal(theirs[i].grad()));
}

void TestRecipe::aClippedRunStaysWithinItsNorm() {
  wire::RunConfig config = smallRun(12);
  config.scaler.init_scale = std::ldexp(1.0, 26);  // with skipped steps: their infinities meet no clipping
  config.optimizer.momentum = 0;
  config.optimizer.learning_rate = 1;
  config.clip.norm = 1e-3;
  Listening heard;
  const auto clipped = runToEnd(config, heard);
  config.steps = 1;
  config.optimizer.kind = "none";
  Listening begun;
  const auto before = runToEnd(config, begun);
  QVERIFY(heard.steps.front().found_inf);
  double moved = 0;
  for (std::size_t i = 0; i < clipped.tensors.size(); ++i) {
    moved += (clipped.tensors[i].second - before.tensors[i].second).square().sum().item<double>();
  }
  QVERIFY2(std::sqrt(moved) <= 12 * 1e-3 * 1.001 && moved > 0, qPrintable(QString::number(std::sqrt(moved))));
}

void TestRecipe::clippingNeverZeroesGradientsInSilence() {
  wire::RunConfig config = smallRun(2);
  config.model = test::saveModel(test::temporaryFolder().toStdString(),
                                 // A finite loss whose gradient is not: the root at 0.
                                 "def forward(self, x: Tensor) -> Tensor:\n"
                                 "    y = torch.linear(x, self.weight, self.bias)\n"
                                 "    return y + torch.sqrt(self.bias * 0.0) * 1.0\n");
  config.data.inputs = {"float32[6,8]"};
  config.data.classes = 4;
  config.scaler.enabled = false;
  config.policy.base = policy::Base::kAllFloat32;
  config.clip.norm = 1;
  Listening heard;
  runToEnd(config, heard);
  QVERIFY(!heard.steps.front().stepped);
  QVERIFY(std::isfinite(heard.steps.front().loss));
  const wire::Event* why = findEvent(heard, wire::Event::Kind::kGradientOverflow);
  QVERIFY(why != nullptr);
  QVERIFY2(heard.said(*why).find("gradient of sqrt") != std::string::npos,
           heard.said(*why).c_str());  // the cause, first
  QVERIFY(std::any_of(heard.events.begin(), heard.events.end(), [](const wire::Event& event) {
    return event.facts == wire::Event::Facts(wire::ClipRefused{"bias", /*by_norm=*/true});
  }));
}

void TestRecipe::clippingByValueHidesNoInfinity() {
  wire::RunConfig config = smallRun(1);
  const auto saved = [](const std::string& added) {
    return test::saveModel(test::temporaryFolder().toStdString(),
                           "def forward(self, x: Tensor) -> Tensor:\n"
                           "    y = torch.linear(x, self.weight, self.bias)\n"
                           "    return y + " +
                               added + "\n");
  };
  config.data.inputs = {"float32[6,8]"};
  config.data.classes = 4;
  config.scaler.enabled = false;
  config.policy.base = policy::Base::kAllFloat32;
  config.clip.value = 1;
  config.model = saved("torch.sqrt(self.bias * 0.0)");
  Listening infinite;
  runToEnd(config, infinite);
  QVERIFY(!infinite.steps.front().stepped);
  QVERIFY(std::any_of(infinite.events.begin(), infinite.events.end(), [](const wire::Event& event) {
    return event.facts == wire::Event::Facts(wire::ClipRefused{"bias", /*by_norm=*/false});
  }));
  // Finite gradients whose norm is beyond float32: their values are what is clipped.
  config.model = saved("1e30 * (self.bias - self.bias.detach())");
  Listening large;
  runToEnd(config, large);
  QVERIFY(large.steps.front().stepped);
  config.clip = {};
  config.clip.norm = 1;
  Listening by_norm;
  const auto skipped = runToEnd(config, by_norm);
  QCOMPARE(skipped.finished.hint, std::string("See the first event for its cause."));  // there is no scale
  QVERIFY(!by_norm.steps.front().stepped);
  QVERIFY(std::any_of(by_norm.events.begin(), by_norm.events.end(), [](const wire::Event& event) {
    return event.facts == wire::Event::Facts(wire::ClipRefused{"", /*by_norm=*/true});
  }));
  for (const wire::Event& event : by_norm.events) {  // and no gradient is accused
    QVERIFY2(!event.diagnosis && !std::holds_alternative<wire::NotFinite>(event.facts), by_norm.said(event).c_str());
  }
}

void TestRecipe::accumulationIsOneStepOverTheWholeBatch() {
  // The mean over 2 batches of 8 is the mean over 16, but for the order of sums. All draws are given values.
  const std::string folder = test::temporaryFolder().toStdString();
  wire::RunConfig config = smallRun(1);
  config.policy.base = policy::Base::kAllFloat32;
  config.model = test::saveModel(folder,
                                 "def forward(self, x: Tensor) -> Tensor:\n"
                                 "    return torch.linear(x, self.weight, self.bias)\n");
  std::string values;
  for (int i = 0; i < 16; ++i) values += (i == 0 ? "" : ",") + std::to_string(0.25 * (i % 5) - 0.5);
  config.data.inputs = {"float32[2,8]=" + values};
  config.batch = 2;
  config.losses = {wire::LossConfig{}};
  config.losses[0].kind = "mse";
  Listening whole;
  const auto once = runToEnd(config, whole);
  config.accumulate = 4;  // the same batch four times
  Listening parts;
  const auto four = runToEnd(config, parts);
  QCOMPARE(parts.steps.size(), std::size_t{1});
  QVERIFY(std::abs(parts.steps[0].loss - whole.steps[0].loss) < 1e-6);
  QVERIFY(std::abs(parts.steps[0].gradient_norm - whole.steps[0].gradient_norm) < 1e-5);
  for (std::size_t i = 0; i < once.tensors.size(); ++i) {
    QVERIFY(once.tensors[i].second.allclose(four.tensors[i].second, 1e-5, 1e-7));
  }
}

void TestRecipe::theScaleIsConstantInsideAWindow() {
  wire::RunConfig config = smallRun(6);
  config.accumulate = 3;
  config.scaler.growth_interval = 2;
  Listening heard;
  runToEnd(config, heard);
  // The tracker counts steps, not batches.
  QCOMPARE(heard.steps[0].next_scale, heard.steps[0].scale);
  QCOMPARE(heard.steps[1].next_scale, heard.steps[1].scale * 2);
}

void TestRecipe::aSkippedBatchIsDroppedOrReplayed_data() {
  QTest::addColumn<QString>("skipped");
  QTest::addColumn<bool>("again");
  QTest::newRow("drop") << QStringLiteral("drop") << false;
  QTest::newRow("replay") << QStringLiteral("replay") << true;
}

void TestRecipe::aSkippedBatchIsDroppedOrReplayed() {
  QFETCH(const QString, skipped);
  QFETCH(const bool, again);
  wire::RunConfig config = smallRun(8);
  config.model = "sample:cnn";  // no dropout: the same batch has the same loss
  config.scaler.init_scale = std::ldexp(1.0, 30);
  config.skipped = skipped.toStdString();
  config.keep_buffers = true;
  Listening heard;
  runToEnd(config, heard);
  QVERIFY(heard.steps[0].found_inf && heard.steps[1].found_inf);
  QCOMPARE(heard.steps[1].loss == heard.steps[0].loss, again);
}

void TestRecipe::buffersOfSkippedStepsAreKeptOnRequest() {
  wire::RunConfig config = diverging(1);
  config.model = test::saveModel(test::temporaryFolder().toStdString(),
                                 "def forward(self, x: Tensor) -> Tensor:\n"
                                 "    self.mean.mul_(0.9).add_(x.detach().mean([0]) * 3e38 * 3e38)\n"
                                 "    y = torch.linear(x, self.weight, self.bias)\n"
                                 "    return y * 3e38 * 3e38 if self.training else y\n");
  const auto mean = [](const test::Done& done) {
    for (const auto& [name, tensor] : done.tensors) {
      if (name == "mean") return tensor;
    }
    return at::Tensor();
  };
  Listening lost;
  QVERIFY(!mean(runToEnd(config, lost)).isfinite().all().item<bool>());
  QVERIFY(lost.steps.front().found_inf);
  config.keep_buffers = true;
  Listening kept;
  QVERIFY(mean(runToEnd(config, kept)).eq(0).all().item<bool>());
}

void TestRecipe::aDivergedRunPausesWithItsState() {
  wire::RunConfig config = diverging(100);
  config.scaler.enabled = false;
  config.policy.base = policy::Base::kAllFloat32;
  run::Control control;
  Listening heard;
  heard.at_state = [&](const wire::StateChanged& change) {
    if (change.state == wire::RunState::kPaused) control.stop();
  };
  const auto done = runToEnd(config, heard, control);
  QCOMPARE(done.finished.outcome, wire::Outcome::kStopped);
  QCOMPARE(heard.steps.size(), std::size_t{1});
  QVERIFY(!heard.steps[0].stepped);
  const wire::Event* event = findEvent(heard, wire::Event::Kind::kDiverged);
  QVERIFY(event != nullptr);
  QVERIFY2(heard.said(*event).find("at step 0") != std::string::npos, heard.said(*event).c_str());
  QVERIFY(!done.tensors.empty());
  for (const auto& [name, tensor] : done.tensors) QVERIFY(tensor.isfinite().all().item<bool>());
}

void TestRecipe::aDivergedRunEndsWhereNobodyIsThere() {
  wire::RunConfig config = diverging(100);
  config.diverged_after = 4;
  run::Control control(/*attended=*/false);
  Listening heard;
  const auto done = runToEnd(config, heard, control);
  QCOMPARE(done.finished.outcome, wire::Outcome::kFailed);
  QCOMPARE(heard.steps.size(), std::size_t{4});
  QVERIFY(QString::fromStdString(done.finished.message).contains(QStringLiteral("4 times in a row")));
}

void TestRecipe::memoryThatRunsOutEndsTheStepOnly_data() {
  QTest::addColumn<QString>("allocation");
  QTest::addColumn<QString>("place");
  QTest::newRow("an op call") << "self.weight.repeat([1000000, 1000000, 1000])"
                              << "aten::repeat#0";
  QTest::newRow("outside every op call") << "torch.zeros([1000000, 1000000, 1000])"
                                         << "forward: out of memory";
}

void TestRecipe::memoryThatRunsOutEndsTheStepOnly() {
  QFETCH(const QString, allocation);
  QFETCH(const QString, place);
  wire::RunConfig config = smallRun(6);
  config.model = test::saveModel(test::temporaryFolder().toStdString(),
                                 // More than any machine has, once the model has been told to.
                                 "def forward(self, x: Tensor) -> Tensor:\n"
                                 "    self.mean.add_(1.0)\n"
                                 "    if self.training and float(self.mean[0]) == 3.0:\n"
                                 "        x = x + " +
                                     allocation.toStdString() +
                                     "[0, 0, 0]\n"
                                     "    return torch.linear(x, self.weight, self.bias)\n");
  config.data.inputs = {"float32[16,8]"};
  config.data.classes = 4;
  config.policy.base = policy::Base::kAllFloat32;
  run::Control control;
  Listening heard;
  heard.at_state = [&](const wire::StateChanged& change) {
    if (change.state == wire::RunState::kPaused) control.stop();
  };
  const auto done = runToEnd(config, heard, control);
  QCOMPARE(done.finished.outcome, wire::Outcome::kStopped);
  QCOMPARE(heard.steps.size(), std::size_t{2});
  const wire::Event* event = findEvent(heard, wire::Event::Kind::kOutOfMemory);
  QVERIFY(event != nullptr);
  QVERIFY2(QString::fromStdString(heard.said(*event)).contains(place), heard.said(*event).c_str());
  const auto mean =
      std::find_if(done.tensors.begin(), done.tensors.end(), [](const auto& entry) { return entry.first == "mean"; });
  QVERIFY(mean != done.tensors.end());
  QVERIFY(mean->second.eq(2).all().item<bool>());  // as before the step
}

BINADE_SUITE(TestRecipe);
#include "tst_recipe.moc"
