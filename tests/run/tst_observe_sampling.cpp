// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/tensor_stats.h"
#include "engine/run/step.h"
#include "engine/train/training.h"
#include "tests/run/small_run.h"
#include "tests/support/suite.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

using namespace binade;
using test::Listening;
using test::runToEnd;
using test::smallRun;

namespace {

/// How a run is looked at, by the names of a test's rows.
wire::ObserveConfig observing(const QString& name) {
  wire::ObserveConfig observe;
  if (name == QStringLiteral("off")) observe.level = "off";
  if (name == QStringLiteral("every step")) observe = {.level = "histogram", .every = 1};
  if (name == QStringLiteral("once in a thousand")) observe = {.level = "histogram", .every = 1000};
  if (name == QStringLiteral("one site")) observe.sites = "fc2";
  return observe;
}

/// A run that is finite for five steps and then is not.
wire::RunConfig failingRun(const QString& fault) {
  wire::RunConfig config = smallRun(8);
  config.scaler.init_scale = 1024;
  config.run_file.clear();
  if (fault == QStringLiteral("scale too high")) return config;
  const QString text = fault == QStringLiteral("loss beyond float32")
                           ? QStringLiteral("    return y * (3e38 if n > 6 else 1.0) * (3e38 if n > 6 else 1.0)\n")
                           : QStringLiteral("    return y + torch.sqrt(y * 0.0 if n > 6 else y * 0.0 + 1.0)\n");
  config.model = test::saveModel(test::temporaryFolder().toStdString(),
                                 "def forward(self, x: Tensor) -> Tensor:\n"
                                 "    self.mean.add_(1.0)\n"
                                 "    n = int(self.mean[0]) if self.training else 0\n"
                                 "    y = torch.linear(x, self.weight, self.bias)\n" +
                                     text.toStdString());
  config.data.inputs = {"float32[6,8]"};
  config.data.classes = 4;
  if (fault == QStringLiteral("gradient, no scaler")) config.scaler.enabled = false;
  return config;
}

/// What a run of it said of the first step that was not finite.
struct Said {
  std::int64_t step = -1;
  std::optional<wire::Diagnosis> diagnosis;
  wire::StepRecord record;
};

Said said(const QString& fault, const wire::ObserveConfig& observe) {
  wire::RunConfig config = failingRun(fault);
  config.observe = observe;
  run::Control control;
  Listening heard;
  heard.at_step = [&](const wire::StepRecord& step) {
    if (step.step == 4 && fault == QStringLiteral("scale too high")) control.set_scale(std::ldexp(1.0, 40));
  };
  runToEnd(config, heard, control);
  Said first;
  for (const wire::Event& event : heard.events) {
    if (!event.diagnosis) continue;
    first.step = event.step;
    first.diagnosis = event.diagnosis;
    first.diagnosis->seconds = 0;
    break;
  }
  if (first.step >= 0) first.record = heard.steps[static_cast<std::size_t>(first.step)];
  return first;
}

constexpr const char* kFaults[] = {"scale too high", "loss beyond float32", "gradient", "gradient, no scaler"};
constexpr const char* kSampled[] = {"off", "once in a thousand", "default", "one site"};

}  // namespace

/// A run looks at few of its steps. What goes wrong on the others is found and explained all the same.
class Sampling : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void byDefaultOneStepInThirtyTwoIsLookedAt() {
    wire::RunConfig config = smallRun(65);
    config.scaler.init_scale = 1024;
    Listening heard;
    runToEnd(config, heard);
    QCOMPARE(heard.steps.size(), std::size_t{65});
    for (const wire::StepRecord& step : heard.steps) {
      QVERIFY(step.stepped);
      QCOMPARE(!step.observations.empty(), step.step % 32 == 0);
      const bool histograms = std::any_of(step.observations.begin(), step.observations.end(),
                                          [](const wire::Observation& seen) { return !seen.stats.scan; });
      QCOMPARE(histograms, step.step % 32 == 0);
      if (step.step % 32 != 0) QCOMPARE(step.observe_seconds, 0.0);
    }
  }

  /// Bare steps, by which the cost is told, come at an interval too; here the two would fall together for ever.
  void aLookThatIsDueIsNotGivenUpForABareStep() {
    wire::RunConfig config = smallRun(400);
    config.scaler.init_scale = 1024;
    config.observe.between = "finite";
    const auto training = train::set_up(config);
    run::Stepper stepper(*training);
    int bare = 0;
    for (std::int64_t step = 33; step < 300; ++step) {
      const wire::StepRecord record = stepper.run(step).record;
      const bool histograms = std::any_of(record.observations.begin(), record.observations.end(),
                                          [](const wire::Observation& seen) { return !seen.stats.scan; });
      QCOMPARE(histograms, step % 32 == 0);
      bare += record.observations.empty();
    }
    QVERIFY(bare >= 8);
  }

  void anExplanationDoesNotDependOnWhatIsLookedAt_data() {
    QTest::addColumn<QString>("fault");
    QTest::addColumn<QString>("observe");
    for (const char* fault : kFaults) {
      for (const char* observe : kSampled) QTest::addRow("%s, %s", fault, observe) << fault << observe;
    }
  }
  void anExplanationDoesNotDependOnWhatIsLookedAt() {
    QFETCH(QString, fault);
    QFETCH(QString, observe);
    const Said all = said(fault, observing(QStringLiteral("every step")));
    const Said few = said(fault, observing(observe));
    QVERIFY(all.diagnosis && few.diagnosis);
    QVERIFY(all.step >= 5);
    QCOMPARE(few.step, all.step);
    QVERIFY(!few.diagnosis->roots.empty());
    QVERIFY(few.diagnosis->verdict != wire::Verdict::kUndetermined);
    QVERIFY(*few.diagnosis == *all.diagnosis);
    std::printf("%s, observed %s: %s\n", qPrintable(fault), qPrintable(observe),
                wire::name(few.diagnosis->verdict).c_str());
    std::fflush(stdout);
  }

  void theReplayBringsTheValuesThatSamplingLeftOut() {
    const QString fault = QStringLiteral("scale too high");
    const Said all = said(fault, observing(QStringLiteral("every step")));
    const Said few = said(fault, observing(QStringLiteral("once in a thousand")));
    QVERIFY(!all.record.observations.empty());
    QVERIFY(all.record.observations == few.record.observations);
    QVERIFY(said(fault, observing(QStringLiteral("off"))).record.observations.empty());
  }

  void theLevelChangesMidwayAndTheTrainingDoesNot() {
    wire::RunConfig config = smallRun(24);
    config.scaler.init_scale = std::ldexp(1.0, 24);  // with skipped steps among them
    config.observe.level = "off";
    Listening unseen;
    const auto without = runToEnd(config, unseen);

    const std::vector<wire::ObserveConfig> levels{{.level = "finite", .every = 1},
                                                  {.level = "what-if", .every = 1},
                                                  {.level = "off", .every = 1},
                                                  {.level = "range", .every = 2, .between = "finite"},
                                                  {.level = "histogram", .every = 1, .between = "off", .sites = "fc2"}};
    run::Control control;
    Listening seen;
    seen.at_step = [&](const wire::StepRecord& step) {
      if (step.step % 4 == 3 && step.step < 23) control.set_observe(levels[static_cast<std::size_t>(step.step / 4)]);
    };
    const auto with = runToEnd(config, seen, control);
    QCOMPARE(seen.losses(), unseen.losses());
    QCOMPARE(test::firstDifference(with.tensors, without.tensors), std::string());
    const auto whatIf = [](const wire::Observation& each) { return !each.stats.fine.empty(); };
    const auto scan = [](const wire::Observation& each) { return each.stats.scan; };
    for (const wire::StepRecord& step : seen.steps) {
      const auto& all = step.observations;
      switch (step.step / 4) {
        case 0:
        case 3:
          QVERIFY(all.empty());
          break;
        case 1:
          QVERIFY(!all.empty() && std::all_of(all.begin(), all.end(), scan));
          break;
        case 2:
          QVERIFY(std::any_of(all.begin(), all.end(), whatIf));
          break;
        default:
          QVERIFY(!all.empty());
          break;
      }
    }
    std::vector<wire::WatchedTensor> tensors;
    for (const wire::StepRecord& step : seen.steps) {
      tensors.insert(tensors.end(), step.new_tensors.begin(), step.new_tensors.end());
    }
    for (const wire::Observation& each : seen.steps.back().observations) {
      const int site = tensors[static_cast<std::size_t>(each.tensor)].site;
      QCOMPARE(seen.started.front().model.sites[static_cast<std::size_t>(site)].key.path, std::string("fc2"));
    }
  }

  void whoWatchesSeesMoreThanTheIntervalGives() {
    wire::RunConfig config = smallRun(400);
    config.scaler.init_scale = 1024;
    config.observe.every = 1000;
    config.observe.live = 1e-6;
    const auto observed = [&config](bool watched) {
      run::Control control;
      control.set_watched(watched);
      Listening heard;
      runToEnd(config, heard, control);
      return std::count_if(heard.steps.begin(), heard.steps.end(),
                           [](const wire::StepRecord& step) { return !step.observations.empty(); });
    };
    QCOMPARE(observed(false), 1);
    QVERIFY(observed(true) > 3);
    config.observe.live = 0;
    QCOMPARE(observed(true), 1);
  }
};

BINADE_SUITE(Sampling);
#include "tst_observe_sampling.moc"
