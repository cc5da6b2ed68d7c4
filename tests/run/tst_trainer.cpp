// SPDX-License-Identifier: Apache-2.0
#include "engine/batches/synthetic_data.h"
#include "tests/files/idx_files.h"
#include "tests/run/small_run.h"
#include "tests/support/suite.h"

#include <QRegularExpression>

#include <algorithm>
#include <cmath>
#include <stdexcept>

using namespace binade;
using test::Done;
using test::firstDifference;
using test::Listening;
using test::runToEnd;
using test::smallRun;

namespace {

wire::RunConfig smallCnn(std::int64_t steps) {
  wire::RunConfig config = smallRun(steps);
  config.model = "sample:cnn";  // has batch norms: buffers
  return config;
}

wire::RunConfig inFloat32(std::int64_t steps) {
  wire::RunConfig config = smallRun(steps);
  config.policy.base = policy::Base::kAllFloat32;
  return config;
}

}  // namespace

class TestTrainer : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void theListenerHearsTheWholeStory();
  void findingsAboutThePolicyAreLoggedOnce();
  void aListenerThatThrowsEndsTheRunWithItsReason();
  void theBatchReplacesTheFirstDimension();
  void equalSeedsGiveEqualRuns();
  void observingChangesNothing_data();
  void observingChangesNothing();
  void evaluatingChangesNothing_data();
  void evaluatingChangesNothing();
  void aHighScaleIsSkippedBackedOffAndGrown();
  void theRecordedScaleIsTheScalers();
  void aPowerOfTwoScaleChangesNothingInFloat32();
  void adamTrainsToo();
  void parametersStayFloat32();
  void aLossThatIsNotFiniteDoesNotEndTheRun();
  void anEvaluationThatIsNotFiniteNamesTheBuffer();
  void itLearnsFromIdxFiles();
};

void TestTrainer::theListenerHearsTheWholeStory() {
  wire::RunConfig config = smallRun(5);
  config.observe.every = 1;
  Listening heard;
  const Done done = runToEnd(config, heard);
  QCOMPARE(done.finished.outcome, wire::Outcome::kCompleted);
  QCOMPARE(done.finished.steps, 5);
  QCOMPARE(heard.started.size(), 1u);
  const wire::RunStarted& started = heard.started.front();
  QCOMPARE(started.policy.decisions.size(), started.model.sites.size());
  QCOMPARE(started.model.sites.back().key.path, std::string("loss"));
  for (std::size_t i = 0; i < started.model.sites.size(); ++i) QCOMPARE(started.model.sites[i].id, static_cast<int>(i));
  QVERIFY(QString::fromStdString(started.device).startsWith(QStringLiteral("CPU, ")));
  QCOMPARE(heard.steps.size(), 5u);
  std::size_t tensors = 0;
  for (std::size_t i = 0; i < heard.steps.size(); ++i) {
    const wire::StepRecord& step = heard.steps[i];
    QCOMPARE(step.step, static_cast<std::int64_t>(i));
    QVERIFY(std::isfinite(step.loss));
    QVERIFY(step.stepped == std::isfinite(step.gradient_norm));
    QVERIFY(step.seconds >= step.observe_seconds);
    for (const auto& tensor : step.new_tensors) QCOMPARE(tensor.id, static_cast<int>(tensors++));
    QVERIFY(!step.observations.empty());
    for (const auto& observation : step.observations) QVERIFY(observation.tensor < static_cast<int>(tensors));
  }
  QCOMPARE(heard.evaluations.size(), 1u);
  QCOMPARE(heard.evaluations[0].step, 5);
  QVERIFY(heard.evaluations[0].loss > 0);
  QVERIFY(std::isnan(heard.evaluations[0].accuracy));  // the labels were drawn: there is nothing to be right about
  QCOMPARE(heard.finished.size(), 1u);
  std::vector<wire::RunState> states;
  for (const auto& change : heard.states) states.push_back(change.state);
  QCOMPARE(states, (std::vector<wire::RunState>{wire::RunState::kLoading, wire::RunState::kRunning,
                                                wire::RunState::kFinished}));
}

void TestTrainer::findingsAboutThePolicyAreLoggedOnce() {
  wire::RunConfig config = smallRun(1);
  config.policy.ops["aten::gelu"] = formats::kFloat32;  // an operator, but none of this model's
  Listening heard;
  runToEnd(config, heard);
  for (const policy::Finding& finding : heard.started.front().policy.findings) {
    QCOMPARE(std::count(heard.log.begin(), heard.log.end(), "policy: " + finding.message), 1);
  }
  QVERIFY(std::any_of(heard.log.begin(), heard.log.end(),
                      [](const std::string& line) { return line.starts_with("policy: ops[\"aten::gelu\"]"); }));
}

void TestTrainer::aListenerThatThrowsEndsTheRunWithItsReason() {
  class Throwing : public Listening {
   public:
    void receive(wire::NotificationRef notification) override {
      if (notification.get_if<wire::RunStarted>() != nullptr) throw std::runtime_error("the disk is gone");
      Listening::receive(notification);
    }
  } heard;
  const Done done = runToEnd(smallRun(1), heard);
  QCOMPARE(done.finished.outcome, wire::Outcome::kFailed);
  QVERIFY(QString::fromStdString(done.finished.message).contains(QStringLiteral("the disk is gone")));
  QVERIFY(!done.finished.hint.empty());
  QCOMPARE(heard.finished.size(), 1u);
  QCOMPARE(heard.states.back().state, wire::RunState::kFinished);
}

void TestTrainer::theBatchReplacesTheFirstDimension() {
  batches::SyntheticData data({"float32[8,4]", "int64[8]<3", "float32[3,3]", "float32[]"}, 5, 10, 1);
  const batches::Batch batch = data.next();
  QVERIFY(batch.inputs[0].toTensor().sizes() == (at::IntArrayRef{5, 4}));
  QVERIFY(batch.inputs[1].toTensor().sizes() == (at::IntArrayRef{5}));
  QVERIFY2(batch.inputs[2].toTensor().sizes() == (at::IntArrayRef{3, 3}), "a mask has no batch dimension");
  QCOMPARE(batch.inputs[3].toTensor().dim(), std::int64_t{0});
  QVERIFY(batch.target().sizes() == (at::IntArrayRef{5}));
}

void TestTrainer::equalSeedsGiveEqualRuns() {
  Listening first;
  Listening second;
  Listening other;
  const Done a = runToEnd(smallRun(6), first);
  const Done b = runToEnd(smallRun(6), second);
  QCOMPARE(first.losses(), second.losses());
  QCOMPARE(firstDifference(a.tensors, b.tensors), std::string());
  wire::RunConfig config = smallRun(6);
  config.seed = 8;
  runToEnd(config, other);
  QVERIFY(first.losses() != other.losses());
}

void TestTrainer::observingChangesNothing_data() {
  QTest::addColumn<QString>("level");
  QTest::addColumn<int>("every");
  QTest::newRow("finite") << QStringLiteral("finite") << 1;
  QTest::newRow("histograms") << QStringLiteral("histogram") << 1;
  QTest::newRow("every third") << QStringLiteral("histogram") << 3;
}

void TestTrainer::observingChangesNothing() {
  QFETCH(const QString, level);
  QFETCH(const int, every);
  wire::RunConfig config = smallCnn(6);
  config.scaler.init_scale = std::ldexp(1.0, 24);  // with skipped steps among them
  config.observe.level = "off";
  Listening unseen;
  Listening seen;
  const Done without = runToEnd(config, unseen);
  config.observe = {.level = level.toStdString(), .every = every, .between = "finite"};
  const Done with = runToEnd(config, seen);
  QCOMPARE(seen.losses(), unseen.losses());
  QCOMPARE(firstDifference(with.tensors, without.tensors), std::string());
  QVERIFY(unseen.steps[0].observations.empty());
  QVERIFY(!seen.steps[1].observations.empty());
}

void TestTrainer::evaluatingChangesNothing_data() {
  QTest::addColumn<QString>("model");
  QTest::newRow("dropout") << QStringLiteral("sample:mlp");
  QTest::newRow("batch norm") << QStringLiteral("sample:cnn");
  // As a model traced in train mode: draws numbers and updates statistics in eval mode too.
  QTest::newRow("always training") << QString::fromStdString(
      test::saveModel(test::temporaryFolder().toStdString(),
                      "def forward(self, x: Tensor) -> Tensor:\n"
                      "    self.mean.mul_(0.9).add_(x.detach().mean([0]), alpha=0.1)\n"
                      "    y = torch.dropout(x - self.mean, 0.5, True)\n"
                      "    return torch.linear(y, self.weight, self.bias)\n"));
}

void TestTrainer::evaluatingChangesNothing() {
  QFETCH(const QString, model);
  wire::RunConfig config = smallRun(6);
  config.model = model.toStdString();
  if (model.endsWith(QStringLiteral(".pt"))) {
    config.data.inputs = {"float32[6,8]"};
    config.data.classes = 4;
  }
  Listening once;
  Listening often;
  const Done at_end = runToEnd(config, once);
  config.evaluate_every = 2;
  const Done between = runToEnd(config, often);
  QCOMPARE(once.evaluations.size(), 1u);
  QCOMPARE(often.evaluations.size(), 3u);
  QCOMPARE(often.losses(), once.losses());
  QCOMPARE(firstDifference(between.tensors, at_end.tensors), std::string());
  QCOMPARE(often.evaluations.back().loss, once.evaluations.back().loss);
}

void TestTrainer::aHighScaleIsSkippedBackedOffAndGrown() {
  wire::RunConfig config = smallRun(40);
  config.scaler.init_scale = std::ldexp(1.0, 28);
  config.scaler.growth_interval = 5;
  Listening heard;
  runToEnd(config, heard);
  int skipped = 0;
  int grown = 0;
  for (const wire::StepRecord& step : heard.steps) {
    QCOMPARE(step.stepped, !step.found_inf);
    if (step.found_inf) {
      ++skipped;
      QCOMPARE(step.next_scale, step.scale / 2);
      QVERIFY(std::isnan(step.gradient_norm));
    }
    if (step.next_scale > step.scale) ++grown;
  }
  QVERIFY2(skipped >= 2, qPrintable(QString::number(skipped)));
  QVERIFY2(grown >= 2, qPrintable(QString::number(grown)));
  QVERIFY(heard.steps.front().found_inf);
  int overflows = 0;
  for (const wire::Event& event : heard.events) {
    if (event.kind != wire::Event::Kind::kGradientOverflow) continue;
    ++overflows;
    static const QRegularExpression overflowed(QStringLiteral("overflowed in (the cast to )?float16 at step"));
    QVERIFY2(QString::fromStdString(heard.said(event)).contains(overflowed), heard.said(event).c_str());
    QVERIFY(!event.tensors.empty());
  }
  QCOMPARE(overflows, skipped);
}

void TestTrainer::theRecordedScaleIsTheScalers() {
  wire::RunConfig config = smallRun(30);
  config.scaler = {.enabled = true,
                   .init_scale = std::ldexp(1.0, 28),
                   .growth_factor = 1.7,
                   .backoff_factor = 0.3,
                   .growth_interval = 3};
  Listening heard;
  runToEnd(config, heard);
  QCOMPARE(heard.steps.size(), std::size_t{30});
  // GradScaler's rule: back off at an infinity, grow after three steps without one.
  double expected = std::ldexp(1.0, 28);
  int clean = 0;
  int grown = 0;
  for (const wire::StepRecord& step : heard.steps) {
    QVERIFY2(std::abs(step.scale / expected - 1) < 1e-5, qPrintable(QString::number(step.scale)));
    clean = step.found_inf ? 0 : clean + 1;
    if (step.found_inf) expected *= 0.3;
    if (clean == 3) {
      expected *= 1.7;
      clean = 0;
      ++grown;
    }
    QVERIFY2(std::abs(step.next_scale / expected - 1) < 1e-5, qPrintable(QString::number(step.next_scale)));
  }
  QVERIFY(heard.steps.front().found_inf);
  QVERIFY(grown > 0);
  for (std::size_t i = 1; i < heard.steps.size(); ++i) QCOMPARE(heard.steps[i].scale, heard.steps[i - 1].next_scale);
}

void TestTrainer::aPowerOfTwoScaleChangesNothingInFloat32() {
  wire::RunConfig config = inFloat32(8);
  config.scaler.growth_interval = 3;
  Listening scaled;
  Listening plain;
  const Done with = runToEnd(config, scaled);
  config.scaler.enabled = false;
  const Done without = runToEnd(config, plain);
  QCOMPARE(scaled.losses(), plain.losses());
  QCOMPARE(firstDifference(with.tensors, without.tensors), std::string());
  for (std::size_t i = 0; i < plain.steps.size(); ++i) {
    QCOMPARE(scaled.steps[i].gradient_norm, plain.steps[i].gradient_norm);  // recorded unscaled
    QCOMPARE(plain.steps[i].scale, 1.0);
  }
  QVERIFY(scaled.steps.back().scale > 65536);
}

void TestTrainer::adamTrainsToo() {
  wire::RunConfig config = smallRun(8);
  config.optimizer = {.kind = "adam", .learning_rate = 0.003};
  Listening heard;
  QCOMPARE(runToEnd(config, heard).finished.outcome, wire::Outcome::kCompleted);
  QCOMPARE(heard.steps.back().learning_rate, 0.003);
}

void TestTrainer::parametersStayFloat32() {
  Listening heard;
  const Done done = runToEnd(smallCnn(2), heard);
  QCOMPARE(heard.steps.size(), std::size_t{2});
  int checked = 0;
  for (const auto& [name, tensor] : done.tensors) {
    if (!tensor.is_floating_point()) continue;
    QVERIFY2(tensor.scalar_type() == at::kFloat, name.c_str());
    ++checked;
  }
  QVERIFY(checked > 0);
}

void TestTrainer::aLossThatIsNotFiniteDoesNotEndTheRun() {
  wire::RunConfig config = smallRun(3);
  config.model = test::saveModel(test::temporaryFolder().toStdString(),
                                 "def forward(self, x: Tensor) -> Tensor:\n"
                                 "    y = torch.linear(x, self.weight, self.bias)\n"
                                 "    return y * 3e38 * 3e38 if self.training else y\n");
  config.data.inputs = {"float32[6,8]"};
  config.data.classes = 4;
  Listening heard;
  const Done done = runToEnd(config, heard);
  QCOMPARE(done.finished.outcome, wire::Outcome::kCompleted);
  QCOMPARE(heard.steps.size(), std::size_t{3});
  for (const wire::StepRecord& step : heard.steps) {
    QVERIFY(!std::isfinite(step.loss));
    QVERIFY(step.found_inf);
  }
  int losses = 0;
  for (const wire::Event& event : heard.events) losses += event.kind == wire::Event::Kind::kNonFiniteLoss ? 1 : 0;
  QCOMPARE(losses, 3);
  QCOMPARE(done.tensors.size(), std::size_t{3});  // weight, bias, and the buffer
  for (const auto& [name, tensor] : done.tensors) QVERIFY(tensor.isfinite().all().item<bool>());
}

void TestTrainer::anEvaluationThatIsNotFiniteNamesTheBuffer() {
  wire::RunConfig config = smallRun(3);
  config.data.inputs = {"float32[16,8]"};
  config.data.classes = 4;
  // As a batch norm: training writes the statistic, and only eval mode computes with it.
  const auto saved = [](const std::string& wrong) {
    return test::saveModel(test::temporaryFolder().toStdString(),
                           "def forward(self, x: Tensor) -> Tensor:\n"
                           "    if self.training:\n"
                           "        self.mean.add_(" +
                               wrong +
                               ")\n"
                               "        return torch.linear(x, self.weight, self.bias)\n"
                               "    return torch.linear(x - self.mean, self.weight, self.bias)\n");
  };
  const auto warned = [](const Listening& heard) {
    return std::any_of(heard.log.begin(), heard.log.end(), [](const std::string& line) {
      return line.starts_with("After 3 steps the loss on the test data is not finite. The buffer mean holds NaN");
    });
  };
  config.model = saved("float('inf')");
  Listening poisoned;
  runToEnd(config, poisoned);
  QVERIFY(std::isfinite(poisoned.steps.back().loss));
  QVERIFY(warned(poisoned));
  config.model = saved("0.125");
  Listening healthy;
  runToEnd(config, healthy);
  QVERIFY(std::isfinite(healthy.evaluations.back().loss) && !warned(healthy));
}

void TestTrainer::itLearnsFromIdxFiles() {
  const std::string folder = test::temporaryFolder().toStdString();
  test::writeDataSet(folder, 512, 64, 2, ".gz");
  wire::RunConfig config = smallRun(120);
  config.model = test::saveModel(folder,
                                 "def forward(self, x: Tensor) -> Tensor:\n"
                                 "    y = torch.flatten(x, 1)[:, :8]\n"
                                 "    parity = torch.remainder(torch.round(y * 255.0), 2.0) * 2.0 - 1.0\n"
                                 "    return torch.linear(parity, self.weight, self.bias)\n");
  config.data = {};
  config.data.kind = "idx";
  config.data.folder = folder;
  config.batch = 32;
  config.optimizer.momentum = 0;
  Listening heard;
  const Done done = runToEnd(config, heard);
  QCOMPARE(done.finished.outcome, wire::Outcome::kCompleted);
  QCOMPARE(heard.evaluations.back().accuracy, 1.0);
  QVERIFY(heard.steps.back().loss < heard.steps.front().loss / 2);
}

BINADE_SUITE(TestTrainer);
#include "tst_trainer.moc"
