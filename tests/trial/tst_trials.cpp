// SPDX-License-Identifier: Apache-2.0
// The trainings of a Try: each is the run continued, and none touches another.
#include "engine/policy/base_policy.h"
#include "engine/run/evaluation.h"
#include "engine/run/step.h"
#include "engine/train/random_state.h"
#include "engine/train/switch_policy.h"
#include "engine/wire/codec.h"
#include "tests/run/small_run.h"
#include "tests/support/suite.h"
#include "tests/trial/trial_runs.h"

#include <ATen/ops/randn.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using namespace binade;
using test::inFloat32;
using test::lossesOf;
using test::orderOf;
using test::saved;
using test::trained;
using test::trialRun;
using trial::Trials;
using wire::TrialVerdict;

namespace {

constexpr std::int64_t kSteps = 6;

policy::Policy another(const wire::RunConfig& config) {
  return inFloat32(config.policy, "*");
}

/// Returns the Try without the values that depend on the clock.
wire::Trial timeless(wire::Trial trial) {
  trial.made = 0;
  trial.seconds.reset();
  for (wire::TrialSeed& seed : trial.seeds) {
    for (wire::TrialArm* arm : {&seed.before, &seed.after, &seed.noise}) arm->seconds = 0;
  }
  return trial;
}

/// Returns the number of steps that all trainings of a Try have made.
std::int64_t madeSteps(const wire::Trial& trial) {
  std::int64_t made = 0;
  for (const wire::TrialSeed& seed : trial.seeds) {
    for (const wire::TrialArm* arm : {&seed.before, &seed.after, &seed.noise}) made += std::ssize(arm->losses);
  }
  return made;
}

/// Batches that differ whenever they are drawn again.
class DriftingData : public batches::BatchSource {
 public:
  explicit DriftingData(std::unique_ptr<batches::BatchSource> source) : source_(std::move(source)) {}

  batches::Batch next() override {
    batches::Batch batch = source_->next();
    batch.inputs.front() = batch.inputs.front().toTensor().add(0.01 * ++drawn_);
    return batch;
  }
  std::int64_t cursor() const override { return source_->cursor(); }
  void seek(std::int64_t cursor) override { source_->seek(cursor); }
  std::int64_t test_batches() const override { return source_->test_batches(); }
  batches::Batch test_batch(std::int64_t index) const override { return source_->test_batch(index); }
  std::int64_t examples() const override { return source_->examples(); }
  std::int64_t test_examples() const override { return source_->test_examples(); }
  const std::vector<batches::TargetInfo>& targets() const override { return source_->targets(); }

 private:
  std::unique_ptr<batches::BatchSource> source_;
  int drawn_ = 0;
};

}  // namespace

namespace binade::test {

class MadeTrials : public Suite {
  Q_OBJECT

 private Q_SLOTS:
  void anArmIsTheRunContinued_data();
  void anArmIsTheRunContinued();
  void theStartOfTheRunNeedsNoCheckpoint();
  void aTrainingThatGoesOnIsUntouched();
  void theSameOrderGivesTheSameTry();
  void theNoiseArmDiffersByRoundingOnly();
  void seedsTakeFurtherBatches();
  void trainingsOfThePolicyBeforeAreNotRepeated();
  void aSeedInProgressIsReportedAsIfCancelled();
  void partialResultsKeepTheirDistance();
  void theCheckpointMayBeDeleted();
  void theTrainingIsAtTheCheckpointAgain();
  void theRunMayEndEarlier();
  void anEvaluationIsThatOfTheRun();
  void aStepThatCannotBeRepeatedIsNoted();
};

void MadeTrials::anArmIsTheRunContinued_data() {
  QTest::addColumn<QByteArray>("kind");
  QTest::newRow("adam, dropout") << QByteArray("adam");
  QTest::newRow("batch norm") << QByteArray("norm");
  QTest::newRow("master weights") << QByteArray("masters");
  QTest::newRow("accumulated batches, clipped, a schedule") << QByteArray("accumulated");
}

void MadeTrials::anArmIsTheRunContinued() {
  QFETCH(QByteArray, kind);
  wire::RunConfig config = trialRun();
  if (kind == "norm") {
    config.model = "sample:resnet";
    config.data.inputs = {"float32[4,3,32,32]"};
    config.batch = 4;
  } else if (kind == "masters") {
    config.policy.base = policy::Base::kApexO2;
  } else if (kind == "accumulated") {
    config.accumulate = 2;
    config.clip.norm = 0.5;
    config.schedule.kind = "cosine";
    config.steps = 12;
  }
  const std::string checkpoint = saved(*trained(config, 3), 3);
  Trials trials(config, checkpoint);
  QCOMPARE(trials.first_step(), std::int64_t{3});
  QVERIFY(trials.notes().empty());
  const wire::Trial tried = trials.run(orderOf(config.policy, another(config), kSteps));
  QCOMPARE(tried.seeds.size(), std::size_t{1});
  QVERIFY(tried.seeds.front().before.failure.empty());
  QVERIFY(tried.seeds.front().after.failure.empty());
  QVERIFY(tried.complete);

  // One after the other, since trainings share LibTorch's random state.
  const auto before = trained(config, 3);
  QVERIFY(tried.seeds.front().before.losses == lossesOf(*before, 3, kSteps));
  QCOMPARE(tried.seeds.front().before.scale, before->scalers.scale(0));
  const auto edited = trained(config, 3);
  train::switch_policy(*edited, another(config), 1);
  QVERIFY(tried.seeds.front().after.losses == lossesOf(*edited, 3, kSteps));
  QVERIFY(tried.seeds.front().before.losses != tried.seeds.front().after.losses);
}

void MadeTrials::theStartOfTheRunNeedsNoCheckpoint() {
  const wire::RunConfig config = trialRun();
  Trials trials(config, {});
  QCOMPARE(trials.first_step(), std::int64_t{0});
  QVERIFY(trials.policy() == config.policy);
  const wire::Trial tried = trials.run(orderOf(config.policy, another(config)));
  QVERIFY(tried.checkpoint.empty());
  const auto training = train::set_up(config);
  QVERIFY(tried.seeds.front().before.losses == lossesOf(*training, 0, kSteps));
}

void MadeTrials::aTrainingThatGoesOnIsUntouched() {
  const wire::RunConfig config = trialRun();
  const std::vector<double> alone = lossesOf(*trained(config, 2), 2, kSteps);
  const auto training = trained(config, 2);
  const std::string checkpoint = saved(*training, 2);
  {
    Trials trials(config, checkpoint);
    trials.run(orderOf(config.policy, another(config), 3, 2));
  }
  QVERIFY(lossesOf(*training, 2, kSteps) == alone);
}

void MadeTrials::theSameOrderGivesTheSameTry() {
  const wire::RunConfig config = trialRun();
  const std::string checkpoint = saved(*trained(config, 2), 2);
  const trial::Order order = orderOf(config.policy, another(config), kSteps, 2);
  Trials first(config, checkpoint);
  Trials second(config, checkpoint);
  second.run(orderOf(policy::float32_throughout(), config.policy, 2));  // whatever was tried before
  const wire::Trial once = timeless(first.run(order));
  QVERIFY(once == timeless(first.run(order)));
  const wire::Trial again = timeless(second.run(order));
  QCOMPARE(again.seeds.front().before.peak_bytes, once.seeds.front().before.peak_bytes);
  QCOMPARE(again.seeds.front().after.peak_bytes, once.seeds.front().after.peak_bytes);
  QVERIFY(again.seeds == once.seeds);
  QVERIFY(again == once);
}

void MadeTrials::theNoiseArmDiffersByRoundingOnly() {
  const wire::RunConfig config = trialRun();
  Trials trials(config, {});
  const wire::Trial tried = trials.run(orderOf(policy::float32_throughout(), config.policy));
  const wire::TrialSeed& seed = tried.seeds.front();
  QVERIFY(seed.noise.losses != seed.before.losses);
  for (std::size_t i = 0; i < seed.noise.losses.size(); ++i) {
    QVERIFY(std::abs(seed.noise.losses[i] - seed.before.losses[i]) < 1e-4 * std::abs(seed.before.losses[i]));
  }
}

void MadeTrials::seedsTakeFurtherBatches() {
  wire::RunConfig config = trialRun();
  config.accumulate = 2;
  Trials trials(config, {});
  const wire::Trial tried = trials.run(orderOf(config.policy, inFloat32(config.policy, "fc9"), 3, 3));
  QCOMPARE(tried.seeds.size(), std::size_t{3});
  for (std::size_t i = 0; i < 3; ++i) {
    QCOMPARE(tried.seeds[i].seed, static_cast<std::int64_t>(i));
    // A rule that matches nothing: the same batches and random state give the same losses.
    QVERIFY(tried.seeds[i].before.losses == tried.seeds[i].after.losses);
  }
  QVERIFY(tried.seeds[0].before.losses != tried.seeds[1].before.losses);
  QVERIFY(tried.seeds[1].before.losses != tried.seeds[2].before.losses);
  // In float32 the first loss of seed 2 is that of the batches 12 and 13 with the initial weights.
  config.model = saveModel(folder(),
                           "def forward(self, x: Tensor) -> Tensor:\n"
                           "    return torch.linear(x, self.weight, self.bias)\n");
  config.data.inputs = {"float32[6,8]"};
  config.data.classes = 4;
  config.batch = 6;
  config.policy = policy::float32_throughout();
  Trials plain(config, {});
  const double loss = plain.run(orderOf(config.policy, config.policy, 3, 3)).seeds[2].before.losses.front();
  const auto training = train::set_up(config);
  training->data->seek(2 * 3 * 2);
  QVERIFY(loss == lossesOf(*training, 0, 1).front());
}

void MadeTrials::trainingsOfThePolicyBeforeAreNotRepeated() {
  const wire::RunConfig config = trialRun();
  Trials trials(config, {});
  int reports = 0;
  trial::Order order = orderOf(config.policy, another(config));
  order.progress = [&reports](std::int64_t done, std::int64_t of) {
    ++reports;
    return done <= of;
  };
  const wire::Trial first = trials.run(order);
  const int whole = reports;
  QVERIFY(whole >= 3 * kSteps);
  order.after = inFloat32(config.policy, "fc2");
  reports = 0;
  const wire::Trial second = trials.run(order);
  QVERIFY(second.seeds.front().before == first.seeds.front().before);
  QVERIFY(second.seeds.front().noise == first.seeds.front().noise);
  QVERIFY(second.seeds.front().after != first.seeds.front().after);
  QVERIFY2(reports < whole / 2, qPrintable(QString::number(reports)));
  // Another number of steps is another training.
  reports = 0;
  order.steps = kSteps + 1;
  trials.run(order);
  QVERIFY(reports > whole);
}

void MadeTrials::aSeedInProgressIsReportedAsIfCancelled() {
  const wire::RunConfig config = trialRun();
  Trials trials(config, {});
  std::vector<wire::Trial> parts;
  trial::Order order = orderOf(config.policy, another(config), kSteps, 2);
  order.partial_every = std::chrono::milliseconds(0);
  order.partial = [&parts](const wire::Trial& part) { parts.push_back(part); };
  const wire::Trial whole = trials.run(order);
  QVERIFY(whole.complete);
  QVERIFY(!parts.empty());
  QCOMPARE(madeSteps(parts.front()), std::int64_t{1});
  for (const wire::Trial& part : parts) {
    QVERIFY(!part.complete);
    QCOMPARE(part.steps, kSteps);
    for (std::size_t seed = 0; seed < part.seeds.size(); ++seed) {
      for (const auto arm : {&wire::TrialSeed::before, &wire::TrialSeed::after, &wire::TrialSeed::noise}) {
        const std::vector<double>& known = (part.seeds[seed].*arm).losses;
        const std::vector<double>& all = (whole.seeds[seed].*arm).losses;
        QVERIFY(known.size() <= all.size());
        QVERIFY(std::equal(known.begin(), known.end(), all.begin()));
      }
    }
  }
  // The same as what a Try that is cancelled after as many steps returns.
  for (const std::size_t i : {std::size_t{0}, parts.size() / 2, parts.size() - 1}) {
    Trials others(config, {});
    trial::Order cut = orderOf(config.policy, another(config), kSteps, 2);
    cut.progress = [&](std::int64_t done, std::int64_t) { return done < madeSteps(parts[i]); };
    const wire::Trial cancelled = timeless(others.run(cut));
    // As text, since a figure that was not measured is NaN.
    QCOMPARE(QString::fromStdString(wire::encode_text(timeless(parts[i]))),
             QString::fromStdString(wire::encode_text(cancelled)));
  }
}

void MadeTrials::partialResultsKeepTheirDistance() {
  const wire::RunConfig config = trialRun();
  Trials trials(config, {});
  int parts = 0;
  trial::Order order = orderOf(config.policy, another(config));
  order.partial = [&parts](const wire::Trial&) { ++parts; };
  order.partial_every = std::chrono::hours(1);
  trials.run(order);
  QCOMPARE(parts, 0);
  // A slow receiver gets fewer: a second would take half a minute more.
  Trials others(config, {});
  order.partial_every = std::chrono::milliseconds(0);
  order.partial = [&parts](const wire::Trial&) {
    ++parts;
    std::this_thread::sleep_for(std::chrono::milliseconds(600));
  };
  others.run(order);
  QCOMPARE(parts, 1);
}

void MadeTrials::theCheckpointMayBeDeleted() {
  const wire::RunConfig config = trialRun();
  const std::string checkpoint = saved(*trained(config, 2), 2);
  Trials trials(config, checkpoint);
  const wire::Trial with = timeless(trials.run(orderOf(config.policy, another(config))));
  Trials others(config, checkpoint);
  QVERIFY(std::filesystem::remove(checkpoint));
  const wire::Trial without = timeless(others.run(orderOf(config.policy, another(config))));
  QVERIFY(with == without);
  QCOMPARE(QString::fromStdString(without.checkpoint), QString::fromStdString(checkpoint));
}

void MadeTrials::theTrainingIsAtTheCheckpointAgain() {
  const wire::RunConfig config = trialRun();
  const auto training = trained(config, 2);
  Trials trials(config, saved(*training, 2));
  trials.run(orderOf(another(config), inFloat32(config.policy, "fc2"), 3));
  const std::vector<double> expected = lossesOf(*training, 2, 3);
  QVERIFY(lossesOf(trials.training(), 2, 3) == expected);
  QVERIFY(lossesOf(trials.training(), 2, 3) == expected);
  // run() leaves LibTorch's generators as they were.
  const auto state = train::RandomState::of(c10::kCPU);
  const at::Tensor next = at::randn({4});
  state.restore();
  trials.run(orderOf(config.policy, another(config), 2));
  QVERIFY(at::randn({4}).equal(next));
}

void MadeTrials::theRunMayEndEarlier() {
  wire::RunConfig config = trialRun();
  config.steps = 4;
  config.schedule.kind = "cosine";
  config.schedule.floor = 0.5;
  const std::string checkpoint = saved(*trained(config, 3), 3);
  Trials trials(config, checkpoint);
  const wire::Trial tried = trials.run(orderOf(config.policy, another(config)));
  QCOMPARE(tried.seeds.front().before.losses.size(), std::size_t{kSteps});
  QVERIFY(tried.complete);
}

void MadeTrials::anEvaluationIsThatOfTheRun() {
  const wire::RunConfig config = trialRun();
  Trials trials(config, {});
  const wire::Trial tried = trials.run(orderOf(config.policy, another(config)));
  const auto training = trained(config, kSteps);
  const auto evaluated = run::evaluate(*training, kSteps, [] { return false; });
  QVERIFY(evaluated.has_value());
  QVERIFY(tried.seeds.front().before.evaluation.has_value());
  QCOMPARE(*tried.seeds.front().before.evaluation, evaluated->loss);
  QVERIFY(!tried.seeds.front().before.accuracy.has_value());  // labels are drawn
  QVERIFY(tried.evaluation.has_value());
}

void MadeTrials::aStepThatCannotBeRepeatedIsNoted() {
  const wire::RunConfig config = trialRun();
  Trials trials(config, {});
  QVERIFY(trials.run(orderOf(config.policy, another(config), 2)).notes.empty());
  train::Training& training = trials.training();
  training.data = std::make_unique<DriftingData>(std::move(training.data));
  const wire::Trial tried = trials.run(orderOf(config.policy, inFloat32(config.policy, "fc2"), 3));
  QCOMPARE(tried.notes.size(), std::size_t{1});
  QVERIFY(trials.notes() == tried.notes);
}

BINADE_SUITE(MadeTrials);

}  // namespace binade::test

#include "tst_trials.moc"
