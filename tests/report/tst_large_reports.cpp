// SPDX-License-Identifier: Apache-2.0
#include "engine/record/run_writer.h"
#include "engine/report/report.h"
#include "tests/report/page_reader.h"
#include "tests/support/suite.h"
#include "tests/wire/samples.h"

using namespace binade;

namespace {

/// A run whose every 32nd step has statistics of 40 tensors, with an event every 50 steps.
std::string writeLongRun(int steps) {
  const std::string path = test::temporaryFolder().toStdString() + "/long.binade";
  record::RunWriter writer(path);
  wire::RunStarted started = test::sampleStarted();
  started.policy.decisions.resize(started.model.sites.size());
  writer.add(started);
  for (int step = 0; step < steps; ++step) {
    wire::StepRecord record = test::sampleStep(step, step % 32 == 0 ? 40 : 0);
    record.found_inf = step % 50 == 49;
    record.stepped = !record.found_inf;
    writer.add(record);
    if (record.found_inf) writer.add(test::sampleEvent(step));
    if (step % 1000 == 999) writer.add(wire::Evaluated{step, 0.5, 1.5});
  }
  writer.add(wire::Finished{wire::Outcome::kCompleted, steps, "", ""});
  writer.close();
  return path;
}

class LargeReports : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void hundredThousandStepsTakeAtMostFiveMegabytes() {
    const report::Report report = report::make_report(writeLongRun(100'000));
    QCOMPARE(report.steps, std::int64_t{100'000});
    QVERIFY2(report.damage.empty(), report.damage.empty() ? "" : report.damage.lines().front().c_str());
    qInfo("%zu bytes for 100,000 steps", report.html.size());
    QVERIFY(report.html.size() <= 5'000'000);
    const auto page = test::readPage(report.html);
    QCOMPARE(page.error, QString());
    // Thinned, and says so: no line has a point for each step.
    QVERIFY(page.byId(QStringLiteral("loss")).text.contains(QStringLiteral("Each column combines 128 steps")));
    for (const auto& each : page.elements) QVERIFY(test::pointsOf(each).size() <= 2 * 960);
    // Left out, and says so.
    QVERIFY(page.section(QStringLiteral("events")).contains(QStringLiteral("events of each kind")));
  }

  void readingEndsWhenItIsNotWanted() {
    const std::string path = writeLongRun(5000);
    std::int64_t asked = 0;
    const report::Report report = report::make_report(path, [&asked](std::int64_t steps) {
      asked = steps;
      return steps < 2000;
    });
    QVERIFY(!report.complete);
    QVERIFY(report.html.empty());
    QCOMPARE(asked, std::int64_t{2000});
  }
};
BINADE_SUITE(LargeReports);

}  // namespace

#include "tst_large_reports.moc"
