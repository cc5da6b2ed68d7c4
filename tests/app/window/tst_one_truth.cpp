// SPDX-License-Identifier: Apache-2.0
// One run, one truth: docks count alike, show the same step, judge nothing by figures of before an edit, and say of
// what is mended that it was.
#include "app/docks/cast_ledger_dock.h"
#include "app/docks/comparison_dock.h"
#include "app/docks/inspector_dock.h"
#include "app/docks/inspector_page.h"
#include "app/docks/profile_dock.h"
#include "app/docks/questions_dock.h"
#include "app/docks/site_filter.h"
#include "app/docks/site_table_model.h"
#include "app/docks/sites_dock.h"
#include "app/model/site_history.h"
#include "app/present/call_counts.h"
#include "app/present/diagnose_answers.h"
#include "app/present/event_story.h"
#include "app/present/event_table_model.h"
#include "app/present/graph_rows.h"
#include "app/present/profile_rows.h"
#include "app/present/site_figures.h"
#include "app/window/banner.h"
#include "tests/app/app_fixture.h"
#include "tests/app/fake_findings.h"
#include "tests/app/fake_run.h"
#include "tests/app/fake_sites.h"
#include "tests/support/suite.h"
#include "views/style/looks.h"
#include "views/values/roles.h"

#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QTimer>

#include <algorithm>
#include <cmath>

namespace {

using namespace binade;
using app::SiteTableModel;
using test::Explorer;
using Tone = views::AnswerTone;

policy::Policy inFormat(const char* match, const formats::Format& format) {
  policy::Policy policy = test::FakeRun::config().policy;
  policy::SiteRule rule;
  rule.match = match;
  rule.format = format;
  policy.sites = {rule};
  return policy;
}

// A made-up run that a test feeds step by step.
struct Fed {
  test::FakeRun fake;
  app::RunModel run;
  app::PolicyDocument document;
  app::Selection selection;
  SiteTableModel table{&run, &document, &selection};
  app::SiteFilter filter{&table};

  Fed() {
    run.begin(fake.started(), app::RunModel::Source::kLive);
    run.setState({wire::RunState::kRunning, 0});
  }
  void steps(int count) {
    for (int i = 0; i < count; ++i) {
      run.addSteps({fake.next()});
      if (fake.event() != nullptr) run.addEvent(*fake.event());
    }
    table.refresh();
    filter.setQuery({});
  }
  void edit(const policy::Policy& policy) {
    document.replace(policy, QStringLiteral("edit"));
    run.addPolicy(fake.setPolicy(policy, document.revision()));
    table.refresh();
  }
  QString cell(int site, int column, int role = Qt::DisplayRole) const {
    return table.index(site, column).data(role).toString();
  }
};

class OneTruths : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  // ---- counts ----

  void executedIsWhatWasObservedOrTimed() {
    Fed fed;
    fed.steps(3);
    QCOMPARE(fed.filter.summary(), QStringLiteral("12 op calls · 1 not observed so far is hidden"));
    QCOMPARE(fed.filter.rowCount(), 12);
    // A view has nothing to observe; a profiled step times it.
    wire::Profile profile = test::cpuProfile(0, 2);
    wire::SiteProfile timed = profile.sites.front();
    timed.site = test::kDropout;
    profile.sites.push_back(timed);
    fed.run.addProfile(profile);
    fed.table.refresh();
    fed.filter.setQuery({});
    QCOMPARE(fed.filter.summary(), QStringLiteral("13 op calls"));
    QCOMPARE(fed.filter.rowCount(), 13);
    QVERIFY(app::profileSummary(fed.run, profile).startsWith(QStringLiteral("4 of 13 op calls")));
    const auto nodes = app::graphNodes(fed.run);
    const auto calls = std::count_if(nodes.begin(), nodes.end(), [](const auto& node) { return node.id >= 0; });
    QCOMPARE(static_cast<int>(calls), 13);
    const app::CallCounts counts = app::callCounts(fed.run);
    QCOMPARE(counts.all(), 13);
    QCOMPARE(counts.loss, 1);
    QCOMPARE(app::callsText(counts), QStringLiteral("13 op calls, 1 of the loss"));
  }

  void onlyATimedStepSaysThatACallIsNeverExecuted() {
    Fed fed;
    fed.steps(1);
    QVERIFY(fed.filter.summary().endsWith(QStringLiteral("not observed so far is hidden")));
    fed.run.addProfile(test::cpuProfile(0, 0));
    QVERIFY2(fed.filter.summary().endsWith(QStringLiteral("1 never executed is hidden")),
             qPrintable(fed.filter.summary()));
  }

  // ---- casts ----

  void theCastOfAnArgumentIsToBlameAndNotTheOpCall() {
    Fed fed;
    fed.fake.setScale(1024);
    fed.steps(3);
    wire::Diagnosis found = test::benignOverflow(65536);
    found.roots.front().site = test::kLoss;  // in float32, by the base list
    found.roots.front().what = "self";
    found.chain.front().site = test::kLoss;
    fed.run.addEvent(test::diagnosed(2, wire::Event::Kind::kGradientOverflow, 65536, found));
    fed.table.refresh();
    QCOMPARE(fed.cell(test::kLoss, SiteTableModel::kFormat), QStringLiteral("float32"));
    QCOMPARE(fed.cell(test::kLoss, SiteTableModel::kOverflows), QStringLiteral("1 in a cast"));
    QVERIFY(fed.cell(test::kLoss, SiteTableModel::kOverflows, Qt::ToolTipRole).contains(QStringLiteral("float16")));
    QCOMPARE(fed.cell(test::kLoss, SiteTableModel::kVerdict), QStringLiteral("The cast of self overflows in float16"));
    const app::EventTableModel events(&fed.run);
    QCOMPARE(events.index(0, app::EventTableModel::kCalls).data().toString(),
             QStringLiteral("loss/aten::nll_loss#0 (cast of self)"));
    const app::EventStory story = app::storyOf(fed.run, 0);
    const auto fact = [&](const char* name) {
      for (const app::EventStory::Fact& each : story.facts) {
        if (each.name == QString::fromUtf8(name)) return each.value;
      }
      return QString();
    };
    QCOMPARE(fact("Cast to"), QStringLiteral("float16"));
    QCOMPARE(fact("Tensor"), QStringLiteral("gradient of self, after its cast"));
    QVERIFY(fact("Format").isEmpty());
  }

  void anOpCallThatOverflowsItselfIsToBlame() {
    Fed fed;
    fed.steps(2);
    fed.run.addEvent(test::diagnosed(1, wire::Event::Kind::kGradientOverflow, 65536, test::benignOverflow(65536)));
    const app::SiteOverflows overflows = app::overflowsAt(fed.run, test::kFc2);
    QCOMPARE(overflows.cast, 0);
    QCOMPARE(overflows.own, 2);  // steps, not events
  }

  // ---- edits ----

  void noFigureOfBeforeAnEditJudgesIt_data() {
    QTest::addColumn<bool>("list");
    QTest::newRow("a rule of the call") << false;
    QTest::newRow("a change of the list") << true;
  }
  void noFigureOfBeforeAnEditJudgesIt() {
    QFETCH(const bool, list);
    Fed fed;
    fed.steps(12);  // the scale comes down from 2^24: fc2 overflows
    QVERIFY(app::overflowsAt(fed.run, test::kFc2).own > 0);
    QVERIFY(!std::isnan(app::figuresOf(fed.run, test::kFc2).doublings));
    const int before = app::overflowsAt(fed.run, test::kFc2).own;
    policy::Policy policy = inFormat("fc2/aten::linear#0", formats::kBFloat16);
    if (list) {
      policy.sites.clear();
      policy.ops.insert_or_assign("aten::linear", formats::kBFloat16);
    }
    fed.edit(policy);
    QCOMPARE(fed.cell(test::kFc2, SiteTableModel::kFormat), QStringLiteral("bfloat16"));
    QCOMPARE(fed.cell(test::kFc2, SiteTableModel::kVerdict), QStringLiteral("Not observed since the edit at step 12"));
    QCOMPARE(fed.cell(test::kFc2, SiteTableModel::kDoublings), QStringLiteral("–"));
    QCOMPARE(fed.cell(test::kFc2, SiteTableModel::kLost), QStringLiteral("–"));
    QCOMPARE(fed.cell(test::kFc2, SiteTableModel::kOverflows), QStringLiteral("0 (%1 before)").arg(before));
    QVERIFY(fed.cell(test::kFc2, SiteTableModel::kOverflows, Qt::ToolTipRole).contains(QString::number(before)));
    QVERIFY(!fed.cell(test::kConv1, SiteTableModel::kVerdict).contains(QStringLiteral("edit")));  // it was not edited
    fed.steps(1);
    QVERIFY(!fed.cell(test::kFc2, SiteTableModel::kVerdict).contains(QStringLiteral("edit")));
    QVERIFY(app::figuresOf(fed.run, test::kFc2).doublings > 40);
    // Its undo brings back the format, and none of the figures that it had then.
    fed.edit(test::FakeRun::config().policy);
    QCOMPARE(fed.cell(test::kFc2, SiteTableModel::kVerdict), QStringLiteral("Not observed since the edit at step 13"));
    QCOMPARE(fed.cell(test::kFc2, SiteTableModel::kOverflows), QStringLiteral("0 (%1 before)").arg(before));
    fed.steps(1);
    QVERIFY(app::figuresOf(fed.run, test::kFc2).doublings < 40);
  }

  void anEditThatTheEngineHasNotTakenUpHasNoFiguresEither() {
    Fed fed;
    fed.steps(12);
    fed.document.setFormat({fed.run.sites()[test::kFc2].key}, formats::kBFloat16);
    QCOMPARE(fed.cell(test::kFc2, SiteTableModel::kFormat, views::NoteRole), QStringLiteral("from the next step"));
    QCOMPARE(fed.cell(test::kFc2, SiteTableModel::kVerdict), QStringLiteral("Not observed since this edit"));
    QCOMPARE(fed.cell(test::kFc2, SiteTableModel::kDoublings), QStringLiteral("–"));
    fed.document.undoStack()->undo();
    QVERIFY(fed.cell(test::kFc2, SiteTableModel::kDoublings) != QStringLiteral("–"));
    // A change of the list is an edit of every call that it reaches.
    fed.document.setOpChange("aten::linear", formats::kBFloat16);
    QCOMPARE(fed.cell(test::kFc2, SiteTableModel::kVerdict), QStringLiteral("Not observed since this edit"));
    QVERIFY(fed.cell(test::kConv1, SiteTableModel::kDoublings) != QStringLiteral("–"));
  }

  void theInspectorSaysThatAnEventIsOfBeforeTheEdit() {
    Fed fed;
    fed.steps(12);
    fed.run.addEvent(test::diagnosed(11, wire::Event::Kind::kGradientOverflow, 65536, test::benignOverflow(65536)));
    const int event = static_cast<int>(fed.run.events().size()) - 1;
    app::InspectorDock dock(&fed.run, &fed.selection);
    fed.selection.setEvent(event);
    QVERIFY(dock.page()->before()->isHidden());
    fed.edit(inFormat("fc2/aten::linear#0", formats::kFloat32));
    QCOMPARE(dock.page()->before()->text(),
             QStringLiteral("Before the edit at step 12: fc2/aten::linear#0 has run differently since."));
    QVERIFY(!dock.page()->before()->isHidden());
    // What the policy does already is not offered again, whichever rule has brought it.
    dock.page()->setApplicable(true, {});
    dock.page()->tried()->selectRow(1);
    QVERIFY(!dock.page()->apply()->isEnabled());
    fed.edit(inFormat("fc2", formats::kFloat32));
    dock.page()->tried()->selectRow(1);
    QVERIFY(!dock.page()->apply()->isEnabled());
    // So is a change of the list.
    policy::Policy list = test::FakeRun::config().policy;
    list.ops.insert_or_assign("aten::linear", formats::kFloat32);
    fed.edit(list);
    dock.page()->tried()->selectRow(1);
    QVERIFY(!dock.page()->apply()->isEnabled());
    // A rule that a later one overrules is not in force.
    policy::Policy overruled = inFormat("fc2/aten::linear#0", formats::kFloat32);
    overruled.sites.push_back(inFormat("fc*", formats::kFloat16).sites.front());
    fed.edit(overruled);
    dock.page()->tried()->selectRow(1);
    QVERIFY(dock.page()->apply()->isEnabled());
    // Nor is one whose gradients take another format than the fix leaves them.
    policy::Policy backward = inFormat("fc2/aten::linear#0", formats::kFloat32);
    backward.sites.front().backward = formats::kFloat16;
    fed.edit(backward);
    dock.page()->tried()->selectRow(1);
    QVERIFY(dock.page()->apply()->isEnabled());
    fed.edit(test::FakeRun::config().policy);
    dock.page()->tried()->selectRow(1);
    QVERIFY(dock.page()->apply()->isEnabled());
  }

  void ledgerAndComparisonOfBeforeAnEditSaySo() {
    Fed fed;
    fed.steps(12);
    app::CastLedgerDock ledger(&fed.run, &fed.selection);
    app::ComparisonDock comparison(&fed.run, &fed.selection);
    fed.run.addCasts(test::casts(0, 10));
    fed.run.setComparison(test::comparison(9));
    ledger.table()->selectRow(0);
    QVERIFY(ledger.applyButton()->isEnabled());
    QVERIFY(!ledger.summary()->text().startsWith(QStringLiteral("Before")));
    fed.edit(inFormat("conv1/aten::conv2d#0", formats::kBFloat16));
    QVERIFY(ledger.summary()->text().startsWith(QStringLiteral("Before the edit at step 12")));
    QVERIFY(comparison.summary()->text().startsWith(QStringLiteral("Before the edit at step 12 · Step 9")));
    QVERIFY(!ledger.applyButton()->isEnabled());
    QVERIFY(ledger.model()->index(0, 4).data(views::QuietRole).toBool());
    QVERIFY(comparison.model()->index(0, 2).data(views::QuietRole).toBool());
    const app::Answer silent = app::silentAnswer(fed.run);
    QVERIFY(silent.tone == Tone::kUnknown);
    QCOMPARE(silent.text, QStringLiteral("Not known yet since the edit at step 12"));
    fed.run.addCasts(test::casts(fed.document.revision(), 13));
    QVERIFY(ledger.applyButton()->isEnabled());
    QVERIFY(!ledger.summary()->text().startsWith(QStringLiteral("Before")));
  }

  void timesOfBeforeAnEditAreNoTimesOfWhatRunsNow() {
    Fed fed;
    fed.steps(12);
    app::ProfileDock dock(&fed.run, &fed.selection);
    const auto reason = [&](int row) { return dock.model()->row(row).cells.back().value(Qt::ToolTipRole).toString(); };
    const auto quiet = [&](int row) { return dock.model()->row(row).cells[2].value(views::QuietRole).toBool(); };
    fed.run.addProfile(test::lifelikeProfile(8, 11));
    fed.table.refresh();
    QVERIFY(fed.cell(test::kConv1, SiteTableModel::kTime) != QStringLiteral("–"));
    const int row = dock.model()->rowOf(test::kConv1);
    QVERIFY(!quiet(row));
    const auto shades = [&](app::GraphColor color) {
      const auto nodes = app::graphNodes(fed.run);
      const auto all = app::graphShades(fed.run, nodes, color);
      for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (nodes[i].id == test::kConv1) return all[i].figure;
      }
      return QString();
    };
    const QString time = shades(app::GraphColor::kTime);
    fed.edit(inFormat("conv1/aten::conv2d#0", formats::kBFloat16));
    QCOMPARE(fed.cell(test::kConv1, SiteTableModel::kTime), QStringLiteral("–"));
    QVERIFY(fed.cell(test::kConv1, SiteTableModel::kTime, Qt::ToolTipRole).contains(QStringLiteral("step 12")));
    QVERIFY(fed.cell(test::kFc2, SiteTableModel::kTime) != QStringLiteral("–"));  // it was not edited
    QVERIFY(quiet(row));
    QVERIFY(reason(row).startsWith(QStringLiteral("Measured before the edit at step 12")));
    QVERIFY(!quiet(dock.model()->rowOf(test::kFc2)));
    QVERIFY(shades(app::GraphColor::kTime) != time);
    fed.steps(2);
    fed.run.addProfile(test::lifelikeProfile(12, 13));
    fed.table.refresh();
    QVERIFY(fed.cell(test::kConv1, SiteTableModel::kTime) != QStringLiteral("–"));
    QVERIFY(!quiet(row));
    QCOMPARE(shades(app::GraphColor::kTime), time);
  }

  void aSilentFaultOfBeforeTheEditIsNoAnswer() {
    Fed fed;
    fed.fake.setScale(1024);
    fed.steps(10);
    wire::Event lost;
    lost.step = 9;
    lost.kind = wire::Event::Kind::kSilent;
    lost.facts = wire::SilentFaultFound{test::silentReport().faults[0]};
    fed.run.addEvent(lost);
    QVERIFY(app::silentAnswer(fed.run).tone == Tone::kBad);
    fed.edit(inFormat("conv1/aten::conv2d#0", formats::kBFloat16));
    QVERIFY(app::silentAnswer(fed.run).tone != Tone::kBad);
    fed.steps(10);
    const app::Answer answer = app::silentAnswer(fed.run);
    QVERIFY(answer.tone == Tone::kGood);
    QVERIFY2(answer.text.startsWith(QStringLiteral("It was until step 9")), qPrintable(answer.text));
  }

  // ---- what is mended ----

  void aQuestionTurnsToWasOnceAnEditHasHeld() {
    Fed fed;
    fed.steps(12);
    QVERIFY(app::nonFiniteAnswer(fed.run).tone == Tone::kBad);
    const std::int64_t last = fed.run.events().back().step;
    fed.fake.setScale(1024);
    fed.edit(inFormat("fc2/aten::linear#0", formats::kBFloat16));
    fed.steps(5);
    QVERIFY(app::nonFiniteAnswer(fed.run).tone == Tone::kBad);  // too early to say
    fed.steps(20);
    const app::Answer answer = app::nonFiniteAnswer(fed.run);
    QVERIFY(answer.tone == Tone::kGood);
    QCOMPARE(answer.text, QStringLiteral("It was, in %1 steps until step %2; good since the edit at step 12")
                              .arg(fed.run.events().size())
                              .arg(last));
    QVERIFY(answer.event >= 0);  // what it was can still be looked at
  }

  void whatHappensSeldomNeedsLongerToBeOver_data() {
    QTest::addColumn<QList<int>>("steps");
    QTest::newRow("evenly") << QList<int>{0, 100, 200, 300, 400};
    // A run's first steps, all skipped, say nothing of how seldom it came later.
    QTest::newRow("many at first") << QList<int>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 100, 200, 300, 400};
  }
  void whatHappensSeldomNeedsLongerToBeOver() {
    QFETCH(const QList<int>, steps);
    Fed fed;
    fed.fake.setScale(1024);
    fed.fake.neverGrow();  // no overflow but those below
    fed.steps(401);
    QVERIFY(fed.run.events().empty());
    for (const int step : steps) {
      wire::Event event;
      event.step = step;
      fed.run.addEvent(event);
    }
    fed.edit(inFormat("fc2/aten::linear#0", formats::kBFloat16));
    fed.steps(150);
    QVERIFY(app::nonFiniteAnswer(fed.run).tone == Tone::kBad);
    fed.steps(60);
    QVERIFY(app::nonFiniteAnswer(fed.run).tone == Tone::kGood);
  }

  void theMessageOfALowScaleTurnsOverWhenTheFixHolds() {
    Explorer explorer;
    explorer.show();
    app::RunModel& run = explorer.session().run();
    test::FakeRun fake;
    run.begin(fake.started(), app::RunModel::Source::kLive);
    run.setState({wire::RunState::kRunning, 0});
    std::int64_t step = 0;
    const auto add = [&](double scale, double next) {
      wire::StepRecord record;
      record.step = step++;
      record.loss = 1;
      record.scale = scale;
      record.next_scale = next;
      record.stepped = next >= scale;
      record.found_inf = !record.stepped;
      run.addSteps({record});
    };
    for (int k = 3; k > -7; --k) add(std::exp2(k), std::exp2(k - 1));
    const app::Banner* banner = explorer.window().banner();
    QTRY_COMPARE(banner->message(), QStringLiteral("The loss scale has fallen below 1."));
    QVERIFY(app::scaleAnswer(run).tone == Tone::kBad);
    QVERIFY(views::surfaceOf(banner) == views::Surface::kProblem);
    wire::PolicyApplied applied = fake.setPolicy(inFormat("fc2/aten::linear#0", formats::kBFloat16), 1);
    applied.step = step;
    run.addPolicy(applied);
    for (int i = 0; i < 40; ++i) add(std::exp2(-7), std::exp2(-7));
    QTRY_COMPARE(banner->message(), QStringLiteral("The loss scale was below 1 until step 9."));
    QVERIFY(views::surfaceOf(banner) == views::Surface::kNotice);
    const app::Answer answer = app::scaleAnswer(run);
    QVERIFY(answer.tone == Tone::kGood);
    QVERIFY2(answer.text.startsWith(QStringLiteral("It was, until step 9; no back-off since the edit at step 10")),
             qPrintable(answer.text));
  }

  // ---- frames ----

  void allDocksShowTheSameRun() {
    Explorer explorer;
    explorer.show();
    app::MainWindow& window = explorer.window();
    app::Session& session = explorer.session();
    session.runDemo();
    QTRY_VERIFY(!session.run().steps().empty());
    window.setArrangement(app::Arrangement::kDiagnose);
    window.docks()->sites->show();
    window.docks()->sites->raise();
    int looks = 0;
    QString wrong;
    const std::size_t before = session.run().steps().size();
    // At any moment between two frames, whenever that is.
    QTimer any;
    connect(&any, &QTimer::timeout, this, [&] {
      const auto answers = app::answersOf(session.run());
      for (int i = 0; i < 4; ++i) {
        if (!(window.docks()->questions->answer(i) == answers[static_cast<std::size_t>(i)]))
          wrong = answers[static_cast<std::size_t>(i)].text;
      }
      const SiteTableModel* table = window.docks()->sites->model();
      for (int row = 0; window.docks()->sites->isVisible() && row < table->rowCount(); ++row) {
        if (table->figures(row).sentence != app::figuresOf(session.run(), row).sentence)
          wrong = table->figures(row).sentence;
      }
      ++looks;
    });
    any.start(7);
    // The made-up run goes on for minutes: both come, however long the window took to be laid out.
    const auto enough = [&] { return looks > 10 && session.run().steps().size() > before + 150; };
    QTRY_VERIFY_WITH_TIMEOUT(enough() || !wrong.isEmpty(), 60000);
    any.stop();
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
    QVERIFY(looks > 10);
  }

  void aFrameIsToldOnceForAllThatCameTogether() {
    app::RunModel run;
    test::FakeRun fake;
    QSignalSpy frames(&run, &app::RunModel::frame);
    run.begin(fake.started(), app::RunModel::Source::kLive);
    QTRY_COMPARE(frames.count(), 1);
    run.beginFrame();
    for (int i = 0; i < 5; ++i) run.addSteps({fake.next()});
    run.addEvent(*fake.event());
    QCOMPARE(frames.count(), 1);
    run.endFrame();
    QCOMPARE(frames.count(), 2);
    run.beginFrame();
    run.endFrame();  // nothing came
    QCOMPARE(frames.count(), 2);
    QTest::qWait(5);
    QCOMPARE(frames.count(), 2);
  }
};

BINADE_SUITE(OneTruths);

}  // namespace

#include "tst_one_truth.moc"
