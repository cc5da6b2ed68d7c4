// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/error.h"
#include "engine/record/run_writer.h"
#include "engine/record/sqlite.h"
#include "engine/report/report.h"
#include "engine/report/typography.h"
#include "engine/words/event_text.h"
#include "engine/words/fix_text.h"
#include "engine/words/silent_text.h"
#include "tests/report/page_reader.h"
#include "tests/support/suite.h"
#include "tests/wire/samples.h"

#include <cmath>

using namespace binade;
using namespace Qt::StringLiterals;
using record::RunRecord;
using test::PageElement;
using test::ReadPage;

namespace {

std::string writeRun(const std::vector<RunRecord>& records,
                     const std::map<std::string, std::string>& environment = {}) {
  const std::string path = test::temporaryFolder().toStdString() + "/run.binade";
  record::WriterOptions options;
  options.environment = environment;
  record::RunWriter writer(path, options);
  for (const RunRecord& record : records) writer.add(record);
  writer.close();
  return path;
}

/// The sample run, with as many decisions as it has op calls.
wire::RunStarted startedRun() {
  wire::RunStarted started = test::sampleStarted();
  started.policy.decisions.resize(started.model.sites.size());
  return started;
}

/// A finite step with statistics of no tensor.
wire::StepRecord plainStep(std::int64_t step, double loss) {
  wire::StepRecord record;
  record.step = step;
  record.loss = loss;
  record.scale = record.next_scale = 65536;
  record.gradient_norm = 2;
  record.seconds = 0.01;
  return record;
}

/// The sample report without faults at op calls that the sample run lacks.
wire::SilentReport silentReport() {
  wire::SilentReport report = test::sampleSilentReport(26);
  const auto count = static_cast<int>(test::sampleModel().sites.size());
  std::erase_if(report.faults, [count](const wire::SilentFault& fault) { return fault.site >= count; });
  return report;
}

/// A run with everything that a run file can hold.
std::vector<RunRecord> fullRun() {
  std::vector<RunRecord> records{startedRun(), wire::LogLine{"warning", "BatchNorm in train mode"}};
  for (int step = 0; step < 30; ++step) {
    if (step == 12) {
      wire::PolicyApplied applied = test::samplePolicyApplied(2, 12);
      applied.decisions.resize(4);
      applied.policy.sites.emplace_back().match = "layer2/aten::conv2d#2";
      records.emplace_back(applied);
    }
    records.emplace_back(test::sampleStep(step, 40));
    if (step == 15) records.emplace_back(wire::ScalerChanged{15, {.growth_interval = 50}, 1024});
    if (step == 20)
      records.emplace_back(
          wire::CheckpointInfo{"/runs/step-20.safetensors", 20, "step", 2, "sample:cnn", 12345, 1'790'000'000, 0.125});
    if (step == 7) records.emplace_back(test::sampleEvent(step));
    if (step == 14) records.emplace_back(test::sampleProfile(step));
    if (step == 25) records.emplace_back(test::sampleCasts(2, step));
    if (step == 18) records.emplace_back(test::sampleComparison(18));
    if (step == 26) records.emplace_back(silentReport());
    if (step == 27) records.emplace_back(test::sampleTrial(20));
    if (step % 10 == 9) records.emplace_back(wire::Evaluated{step, 0.5, 1.25});
  }
  records.emplace_back(wire::Finished{wire::Outcome::kCompleted, 30, "", ""});
  return records;
}

ReadPage pageOf(const std::vector<RunRecord>& records, const std::map<std::string, std::string>& environment = {}) {
  return test::readPage(report::make_report(writeRun(records, environment)).html);
}

QList<PageElement> linesOf(const ReadPage& page, const QString& chart) {
  return page.within(chart, u"polyline"_s);
}

/// A sentence as the page sets it.
QString shown(const std::string& sentence) {
  return QString::fromStdString(report::typeset(sentence));
}

class Reports : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void thePageIsWellFormedAndLoadsNothing() {
    const report::Report made = report::make_report(writeRun(fullRun()));
    const ReadPage page = test::readPage(made.html);
    QCOMPARE(page.error, QString());
    QCOMPARE(made.steps, std::int64_t{30});
    QCOMPARE(made.events, std::size_t{1});
    for (const PageElement& each : page.elements) {
      for (const char* loading : {"script", "link", "img", "iframe", "object", "embed", "use", "image", "base"})
        QVERIFY2(each.name != QLatin1String(loading), loading);
      QVERIFY(!each.attributes.contains(u"src"_s));
      const QString target = each.attributes.value(u"href"_s);
      QVERIFY2(target.isEmpty() || target.startsWith(u'#'), qPrintable(target));
    }
    QString style;
    for (const PageElement& each : page.elements) {
      if (each.name == u"style"_s) style += each.text;
    }
    QVERIFY(style.contains(u"prefers-color-scheme:dark"_s));
    QVERIFY(!style.contains(u"url("_s));
    QVERIFY(!style.contains(u"@import"_s));
  }

  void everyLinkLeadsToOneElement() {
    const ReadPage page = pageOf(fullRun());
    QMap<QString, int> ids;
    for (const PageElement& each : page.elements) {
      if (!each.id().isEmpty()) ++ids[each.id()];
    }
    for (auto each = ids.begin(); each != ids.end(); ++each) QVERIFY2(each.value() == 1, qPrintable(each.key()));
    for (const PageElement& each : page.elements) {
      const QString target = each.attributes.value(u"href"_s);
      if (!target.isEmpty()) QVERIFY2(ids.contains(target.mid(1)), qPrintable(target));
    }
  }

  void theLossLineHasAPointForEachStepAtItsValue() {
    std::vector<RunRecord> records{startedRun()};
    std::vector<double> losses;
    for (int step = 0; step < 50; ++step) {
      losses.push_back(2 + std::sin(0.3 * step));
      records.emplace_back(plainStep(100 + step, losses.back()));
    }
    const ReadPage page = pageOf(records);
    const QList<PageElement> lines = linesOf(page, u"loss"_s);
    QCOMPARE(lines.size(), 1);
    const QList<QPointF> points = test::pointsOf(lines.first());
    QCOMPARE(points.size(), 50);
    // Height against value, from two of the points. Coordinates have one digit after the point.
    const double slope = (points[5].y() - points[15].y()) / (losses[5] - losses[15]);
    QVERIFY(slope < 0);
    for (int i = 0; i < 50; ++i) {
      const double expected = points[5].y() + slope * (losses[static_cast<std::size_t>(i)] - losses[5]);
      QVERIFY2(std::abs(points[i].y() - expected) < 0.3, qPrintable(QString::number(i)));
      QVERIFY(std::abs(points[i].x() - (points[0].x() + (points[49].x() - points[0].x()) * i / 49)) < 0.2);
    }
  }

  void aLossThatIsNotFiniteIsAGapWithATriangle() {
    std::vector<RunRecord> records{startedRun()};
    for (int step = 0; step < 20; ++step) records.emplace_back(plainStep(step, step == 8 ? NAN : 1 + 0.1 * step));
    const ReadPage page = pageOf(records);
    QList<qsizetype> sizes;
    for (const PageElement& line : linesOf(page, u"loss"_s)) sizes << test::pointsOf(line).size();
    QCOMPARE(sizes, (QList<qsizetype>{8, 11}));
    QStringList triangles;
    for (const PageElement& path : page.within(u"loss"_s, u"path"_s)) {
      if (path.hasClass(u"bad"_s)) triangles << path.attributes.value(u"d"_s);
    }
    QCOMPARE(triangles.size(), 1);
    QCOMPARE(triangles.first().count(u'M'), 1);
    QVERIFY(page.byId(u"loss"_s).text.contains(u"1 value was not finite"_s));
    QVERIFY(page.section(u"non-finite"_s).contains(u"In 1 of 20 steps"_s));
    QVERIFY(page.section(u"non-finite"_s).contains(u"NaN"_s));
  }

  void overflowsAndEditsAreMarked() {
    std::vector<RunRecord> records{startedRun()};
    for (int step = 0; step < 20; ++step) {
      if (step == 10) records.emplace_back(wire::ScalerChanged{10, {}, 1024});
      wire::StepRecord record = plainStep(step, 1);
      record.found_inf = step == 3 || step == 7;
      record.stepped = !record.found_inf;
      records.emplace_back(record);
    }
    const ReadPage page = pageOf(records);
    int overflows = 0;
    for (const PageElement& path : page.within(u"loss-scale"_s, u"path"_s)) {
      if (path.hasClass(u"mark"_s)) overflows += static_cast<int>(path.attributes.value(u"d"_s).count(u'M'));
    }
    QCOMPARE(overflows, 2);
    int edits = 0;
    for (const PageElement& line : page.within(u"loss-scale"_s, u"line"_s)) edits += line.hasClass(u"edit"_s);
    QCOMPARE(edits, 1);
    QVERIFY(page.byId(u"loss-scale"_s).text.contains(u"loss scaler changed at step 10"_s));
    QVERIFY(page.section(u"history"_s).contains(u"scale 2¹⁰"_s));
  }

  void eventsHaveTheWordsOfTheWindow() {
    const wire::Event event = test::sampleEvent(7);
    words::NameBook names;
    names.add(startedRun());
    names.add(test::sampleStep(0, 40));
    const QString events = pageOf(fullRun()).section(u"events"_s);
    QVERIFY(events.contains(shown(names.sentence_of(event))));
    QVERIFY(events.contains(shown(names.explanation_of(event))));
    for (const wire::Attempt& attempt : event.diagnosis->evidence)
      QVERIFY(events.contains(shown(words::change_of(attempt))));
    QVERIFY(events.contains(shown(words::fix_of(event.diagnosis->fix))));
    QVERIFY(events.contains(u"no scale works"_s));
  }

  void silentFaultsHaveTheWordsOfTheWindow() {
    const wire::SilentReport report = silentReport();
    const QString faults = pageOf(fullRun()).section(u"silent-faults"_s);
    QVERIFY(!report.faults.empty());
    const auto sites = test::sampleModel().sites;
    for (const wire::SilentFault& fault : report.faults) {
      QVERIFY(faults.contains(shown(words::silent_sentence(fault, sites))));
      QVERIFY(faults.contains(shown(words::silent_next(fault, sites))));
    }
    for (const wire::SilentGap& gap : report.hidden) QVERIFY(faults.contains(shown(words::silent_gap(gap, sites))));
  }

  void notesAreInTheHistoryAndAtTheCharts() {
    std::vector<RunRecord> records = fullRun();
    records.emplace_back(wire::Note{22, "<b>new data</b>", 1'700'000'000});
    const ReadPage page = pageOf(records);
    QCOMPARE(page.error, QString());
    QVERIFY(page.section(u"history"_s).contains(u"<b>new data</b>"_s));
    QVERIFY(page.byId(u"loss-scale"_s).text.contains(u"note on step 22: <b>new data</b>"_s));
  }

  void theTablesHoldTheRun() {
    const ReadPage page = pageOf(fullRun(), {{"version", "9.8.7"}, {"libtorch", "2.11.0"}});
    const QString calls = page.section(u"op-calls"_s);
    for (const wire::SiteInfo& site : test::sampleModel().sites)
      QVERIFY(calls.contains(QString::fromStdString(site.key.name())));
    QVERIFY(calls.contains(u"means over 10 profiled steps"_s));
    QVERIFY(page.section(u"casts"_s).contains(u"4.608 kB"_s));  // 4096 + 512
    const QString history = page.section(u"history"_s);
    QVERIFY(history.contains(u"layer2/aten::conv2d#2"_s));
    QVERIFY(history.contains(u"step-20.safetensors"_s));
    QVERIFY(history.contains(u"50 %"_s));
    QVERIFY(history.contains(u"BatchNorm in train mode"_s));
    const QString environment = page.section(u"environment"_s);
    QVERIFY(environment.contains(u"9.8.7"_s));
    QVERIFY(environment.contains(u"CPU, 2 threads"_s));
    QVERIFY(environment.contains(u"18446744073709551615"_s));
    const QString policy = page.section(u"policy"_s);
    QVERIFY(policy.contains(u"overflows after step 900"_s));
    QVERIFY(policy.contains(u"ops[\"aten::gelu\"]"_s));
  }

  void ranksHaveASectionOfTheirOwn() {
    wire::RunStarted started = test::sampleStartedOnRanks();
    started.policy.decisions.resize(started.model.sites.size());
    std::vector<RunRecord> records{started};
    for (int step = 0; step < 20; ++step) records.emplace_back(test::sampleStepOfRanks(step));
    wire::Event event = test::sampleEvent(19);
    event.rank = 1;
    records.emplace_back(event);
    const ReadPage page = pageOf(records);
    QCOMPARE(page.error, QString());
    const QString ranks = page.section(u"ranks"_s);
    // Rank 1 takes 10 ms of its steps of 12.3 ms, and rank 0 takes 4 ms.
    QVERIFY2(ranks.contains(u"Rank 1 was the last in 100 % of 20 steps, on average 6 ms (49 % of a step) behind"_s),
             qPrintable(ranks));
    QVERIFY(ranks.contains(u"node-a"_s) && ranks.contains(u"CPU, 1 thread"_s));
    QVERIFY(page.section(u"events"_s).contains(u"rank 1"_s));
    QCOMPARE(page.within(u"rank-times"_s, u"polyline"_s).size(), 2);
    QVERIFY(pageOf(fullRun()).byId(u"ranks"_s).name.isEmpty());  // a run of one process
    QVERIFY2(page.section(u"repeat"_s).contains(u"binade-engine launch --ranks 2 "_s),
             qPrintable(page.section(u"repeat"_s)));
  }

  void theHeatMapHasARowForEachParameter() {
    const ReadPage page = pageOf(fullRun());
    QStringList rows;
    for (const PageElement& label : page.within(u"heat-map"_s, u"title"_s)) rows << label.text;
    // Of 40 tensors, every sixth is a parameter's gradient: 5, 11, 17, 23, 29, 35.
    QCOMPARE(rows.size(), 6);
    qsizetype cells = 0;
    for (const PageElement& path : page.within(u"heat-map"_s, u"path"_s))
      cells += path.attributes.value(u"d"_s).count(u'M');
    QCOMPARE(cells, 6 * 30);
    QVERIFY(page.byId(u"headroom-chart"_s).text.contains(u"30 steps were observed"_s));
  }

  void namesOfAFileAreNeverMarkup() {
    const std::string odd = "<script>alert('x')</script> & \"\x1b[2J\xff";
    wire::RunStarted started = startedRun();
    started.config.name = "<b>run</b> & co";
    started.config.caption = "</p><img src='http://example.com/x'>";
    started.device = odd;
    for (wire::SiteInfo& site : started.model.sites) site.key.path = "<i>" + site.key.path;
    started.model.warnings = {odd};
    std::vector<RunRecord> records{started, wire::LogLine{"warning", "<script>alert('x')</script>"}};
    wire::StepRecord first = plainStep(0, 1);
    first.new_tensors.push_back({.id = 0,
                                 .site = 0,
                                 .kind = wire::WatchedTensor::Kind::kParameterGradient,
                                 .argument = "<u>weight",
                                 .format = formats::kFloat16});
    records.emplace_back(first);
    records.emplace_back(wire::CheckpointInfo{"/r/<s>.safetensors", 1, "<em>", 1, "", 1, 0, {}});
    records.emplace_back(wire::Finished{wire::Outcome::kFailed, 1, "<!-- " + odd, "]]>"});
    const std::string html = report::make_report(writeRun(records)).html;
    const ReadPage page = test::readPage(html);
    QCOMPARE(page.error, QString());
    for (const PageElement& each : page.elements) {
      for (const char* made : {"script", "img", "i", "u", "s", "em"}) QVERIFY2(each.name != QLatin1String(made), made);
    }
    QVERIFY2(page.section(u"history"_s).contains(u"<script>alert('x')</script>"_s),
             qPrintable(page.section(u"history"_s)));
    QVERIFY(page.section(u"op-calls"_s).contains(u"<i>layer0"_s));
  }

  /// Four outputs in float16: an overflow, a mask of -inf, a tensor with the mask, and one beyond the limit behind it.
  void theInfinitiesOfAMaskAreNoLackOfHeadroom() {
    wire::RunStarted started = startedRun();
    started.model.sites[1].key.op = "aten::masked_fill";
    wire::StepRecord step = plainStep(0, 1);
    const float largest[] = {50000, 4, 16, 60000};
    for (int id = 0; id < 4; ++id) {
      step.new_tensors.push_back({.id = id, .site = id, .argument = {}, .format = formats::kFloat16});
      formats::TensorStats stats;
      stats.count = 8;
      stats.negative_infinity = 3;
      stats.largest = stats.smallest = largest[id];
      stats.censored = true;
      step.observations.push_back({.tensor = id, .stats = stats});
    }
    const QString section = pageOf({started, step}).section(u"headroom"_s);
    const auto at = [&section](int layer) { return section.indexOf(u"layer%1"_s.arg(layer)); };
    QVERIFY2(at(0) >= 0 && at(0) < at(3) && at(3) < at(2) && at(2) < at(1), qPrintable(section));
    QVERIFY2(section.contains(u"13.9"_s) && section.contains(u"11.9"_s), qPrintable(section));
  }

  /// One step observes it after an emulated rounding, and one before.
  void aTensorObservedInTwoWaysHasOneRow() {
    wire::StepRecord step = plainStep(0, 1);
    for (const int id : {0, 1}) {
      step.new_tensors.push_back({.id = id,
                                  .site = 0,
                                  .kind = wire::WatchedTensor::Kind::kInputGradient,
                                  .argument = "weight",
                                  .format = formats::kFloat16,
                                  .emulated = id == 1});
      formats::TensorStats stats;
      stats.count = 8;
      stats.largest = stats.smallest = id == 0 ? 65472 : 184798;
      stats.positive_infinity = id == 0 ? 2 : 0;
      stats.overflow = id == 1 ? 2 : 0;
      stats.censored = id == 0;
      step.observations.push_back({.tensor = id, .stats = stats});
    }
    const QString section = pageOf({startedRun(), step}).section(u"headroom"_s);
    QCOMPARE(section.count(u"gradient of weight of"_s), 1);
    QVERIFY2(section.contains(u"184798"_s) && section.contains(u"float16, emulated"_s), qPrintable(section));
    QVERIFY2(!section.contains(u"65472"_s), qPrintable(section));
  }

  void whatIsMissingIsNotZero() {
    const ReadPage page = pageOf({startedRun(), plainStep(0, 1)});
    QCOMPARE(page.error, QString());
    QVERIFY(page.section(u"headroom"_s).contains(u"not recorded"_s));
    QVERIFY(page.section(u"gradients"_s).contains(u"not recorded"_s));
    QVERIFY(page.section(u"op-calls"_s).contains(u"not recorded"_s));
    QVERIFY(page.section(u"casts"_s).contains(u"not recorded"_s));
    QVERIFY(page.section(u"silent-faults"_s).contains(u"not recorded"_s));
    QVERIFY(page.section(u"events"_s).contains(u"No event was recorded"_s));
    QVERIFY(page.section(u"history"_s).contains(u"No evaluation was recorded"_s));
    QVERIFY(page.section(u"history"_s).contains(u"Nothing was edited"_s));
    QVERIFY(page.section(u"tries"_s).contains(u"No policy was tried"_s));
    QVERIFY(page.section(u"environment"_s).contains(u"was not recorded"_s));
    QVERIFY(page.elements.first().text.contains(u"The recording ends before the run did"_s));
  }

  void aFileWithoutARunSaysSo() {
    const ReadPage page = pageOf({wire::LogLine{"error", "model.pt does not exist"}});
    QCOMPARE(page.error, QString());
    QVERIFY(page.elements.first().text.contains(u"The file contains no run"_s));
    QVERIFY(page.section(u"repeat"_s).contains(u"not recorded"_s));
    QVERIFY(page.section(u"charts"_s).contains(u"No step was recorded"_s));
  }

  void damagedRowsAreNamedAtTheTop() {
    const std::string path = writeRun(fullRun());
    record::Database(path, record::Database::Mode::kReadWrite).run("UPDATE events SET kind = 'odd'");
    const report::Report made = report::make_report(path);
    QCOMPARE(made.damage.count(), std::size_t{1});
    const ReadPage page = test::readPage(made.html);
    QCOMPARE(page.error, QString());
    bool named = false;
    for (const PageElement& each : page.elements) {
      if (each.hasClass(u"alert"_s)) named = each.text.contains(u"\"odd\" is unknown"_s);
    }
    QVERIFY(named);
    QVERIFY(page.section(u"events"_s).contains(u"No event was recorded"_s));
  }

  void stepsThatARewindUndidAreNotDrawn() {
    std::vector<RunRecord> records{startedRun()};
    for (int step = 0; step < 10; ++step) records.emplace_back(plainStep(step, 1 + step));
    records.emplace_back(test::sampleEvent(8));
    records.emplace_back(wire::Rewound{5, "/runs/step-5.safetensors"});
    for (int step = 5; step < 8; ++step) records.emplace_back(plainStep(step, 1));
    const report::Report made = report::make_report(writeRun(records));
    QCOMPARE(made.steps, std::int64_t{8});
    QCOMPARE(made.events, std::size_t{0});
    const ReadPage page = test::readPage(made.html);
    QCOMPARE(linesOf(page, u"loss"_s).size(), 1);
    const QList<QPointF> points = test::pointsOf(linesOf(page, u"loss"_s).first());
    QCOMPARE(points.size(), 8);
    QCOMPARE(points[6].y(), points[0].y());
    QVERIFY(page.section(u"history"_s).contains(u"step-5.safetensors"_s));
  }

  void whatWasFoundInStepsThatARewindUndidIsNotListed() {
    std::vector<RunRecord> records{startedRun()};
    for (int step = 0; step < 10; ++step) {
      records.emplace_back(plainStep(step, 1));
      // The second one is of the state that the run goes back to.
      if (step == 2 || step == 4 || step == 7) records.emplace_back(wire::Evaluated{step + 1, 0.01 * step, 0.5});
    }
    records.emplace_back(test::sampleComparison(8));
    records.emplace_back(silentReport());  // up to step 26
    records.emplace_back(wire::Rewound{5, "/runs/step-5.safetensors"});
    records.emplace_back(plainStep(5, 1));
    const ReadPage page = pageOf(records);
    const QString history = page.section(u"history"_s);
    QVERIFY(history.contains(u"2 %"_s));
    QVERIFY(history.contains(u"4 %"_s));
    QVERIFY2(!history.contains(u"7 %"_s), qPrintable(history));
    QVERIFY(history.contains(u"No step was compared with float32"_s));
    QVERIFY(page.section(u"silent-faults"_s).contains(u"not recorded"_s));
  }

  void aLossWithoutRoomForMarksIsDrawnAsAConstant() {
    double above = 1;
    for (int i = 0; i < 3; ++i) above = std::nextafter(above, 2);
    const ReadPage page =
        pageOf({startedRun(), plainStep(0, 1), plainStep(1, std::nextafter(1, 2)), plainStep(2, above)});
    const QList<PageElement> lines = linesOf(page, u"loss"_s);
    QCOMPARE(lines.size(), 1);
    const QList<QPointF> points = test::pointsOf(lines.first());
    QCOMPARE(points.size(), 3);
    QCOMPARE(points[2].y(), points[0].y());
  }

  void theDescriptionOfTheRunReadsBack() {
    const ReadPage page = pageOf(fullRun());
    QString json;
    for (const PageElement& each : page.elements) {
      if (json.isEmpty() && each.name == u"pre"_s && each.text.startsWith(u'{')) json = each.text;
    }
    QCOMPARE(wire::parse_run(json.toStdString(), "report", ""), test::sampleConfig());
    QVERIFY(page.section(u"repeat"_s).contains(u"binade-engine train run.run.json"_s));
  }

  void anotherFileIsRefused() { QVERIFY_EXCEPTION_THROWN(report::make_report("/nowhere/run.binade"), Error); }
};
BINADE_SUITE(Reports);

}  // namespace

#include "tst_reports.moc"
