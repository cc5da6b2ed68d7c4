// SPDX-License-Identifier: Apache-2.0
#include "engine/checkpoint/checkpoint_folder.h"
#include "engine/graph/samples.h"
#include "engine/run/run_loop.h"
#include "tests/diagnose/faults.h"
#include "tests/run/listening.h"
#include "tests/run/small_run.h"
#include "tests/support/suite.h"

using namespace binade;

/// No alarm where nothing is wrong.
class HealthyRuns : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void everySampleTrainsWithoutASilentFault_data();
  void everySampleTrainsWithoutASilentFault();
  void lookingChangesNoBit_data();
  void lookingChangesNoBit();
};

void HealthyRuns::everySampleTrainsWithoutASilentFault_data() {
  QTest::addColumn<QString>("sample");
  QTest::addColumn<bool>("adam");
  QTest::addColumn<bool>("bfloat16");
  for (const graph::Sample& sample : graph::samples()) {
    if (sample.faulty) continue;
    const QString name = QString::fromStdString(sample.name);
    QTest::addRow("%s, sgd, float16", sample.name.c_str()) << name << false << false;
    QTest::addRow("%s, adam, bfloat16", sample.name.c_str()) << name << true << true;
  }
}

void HealthyRuns::everySampleTrainsWithoutASilentFault() {
  QFETCH(QString, sample);
  QFETCH(bool, adam);
  QFETCH(bool, bfloat16);
  wire::RunConfig config = test::healthyRun(sample.toStdString());
  config.observe = {.level = "histogram", .every = 2};
  config.steps = 60;
  config.scaler.init_scale = 65536;
  config.optimizer.learning_rate = 0.002;  // at 0.01 a ReLU of the cnn dies, in float32 too
  if (adam) {
    config.optimizer = {};
    config.optimizer.kind = "adamw";
    config.optimizer.learning_rate = 3e-4;
  }
  if (bfloat16) config.policy.low = formats::kBFloat16;
  test::Listening listening;
  test::runToEnd(config, listening);
  QCOMPARE(listening.finished.at(0).steps, std::int64_t{60});
  for (const wire::Event& event : listening.events) {
    QVERIFY2(event.kind != wire::Event::Kind::kSilent, listening.said(event).c_str());
  }
  QCOMPARE(listening.silent.size(), std::size_t{1});  // the observed steps, at the end
  const wire::SilentReport& report = listening.silent.back();
  QVERIFY2(report.faults.empty(), report.faults.empty() ? "" : wire::name(report.faults.front().kind).c_str());
  QVERIFY(report.observed_steps >= 25);
}

void HealthyRuns::lookingChangesNoBit_data() {
  QTest::addColumn<QString>("sample");
  QTest::addColumn<QString>("optimizer");
  QTest::newRow("dropout") << "mlp"
                           << "sgd";
  QTest::newRow("buffers") << "cnn"
                           << "adam";
  QTest::newRow("attention") << "transformer"
                             << "adamw";
}

void HealthyRuns::lookingChangesNoBit() {
  QFETCH(QString, sample);
  QFETCH(QString, optimizer);
  std::size_t comparisons = 0;
  const auto train = [&](const char* level) {
    wire::RunConfig config = test::healthyRun(sample.toStdString());
    config.observe = {.level = level, .every = 1};
    config.steps = 12;
    config.optimizer = {};
    config.optimizer.kind = optimizer.toStdString();
    config.scaler.init_scale = 0x1p-18;  // so low that suspicions are confirmed by a comparison
    test::Listening listening;
    test::Tensors tensors = test::runToEnd(config, listening).tensors;
    comparisons += listening.comparisons.size();
    return std::pair(std::move(tensors), listening.silent.size());
  };
  const auto [observed, reports] = train("histogram");
  QVERIFY(comparisons > 0);  // what a suspicion asks for is told like what a person does
  const auto [bare, none] = train("off");
  QVERIFY(reports > 1);
  QCOMPARE(none, std::size_t{0});
  QCOMPARE(test::firstDifference(observed, bare), std::string());
}

BINADE_SUITE(HealthyRuns);
#include "tst_healthy_runs.moc"
