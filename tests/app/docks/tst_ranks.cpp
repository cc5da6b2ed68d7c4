// SPDX-License-Identifier: Apache-2.0
// Runs on several ranks: which rank delays the others, and one choice of rank for all docks where ranks differ.
#include "app/docks/events_dock.h"
#include "app/docks/rank_choice.h"
#include "app/docks/ranks_dock.h"
#include "app/docks/series_dock.h"
#include "app/docks/tensor_dock.h"
#include "app/present/event_story.h"
#include "app/present/rank_rows.h"
#include "tests/app/app_fixture.h"
#include "tests/app/fake_findings.h"
#include "tests/app/fake_run.h"
#include "tests/support/suite.h"
#include "views/plot/line_plot.h"
#include "views/plot/step_axis.h"

#include <QAction>
#include <QLabel>
#include <QTableView>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

namespace {

using namespace binade;
using Kind = wire::Event::Kind;

wire::StepRecord stepOf(std::int64_t step, const std::vector<double>& busy, double tensor = std::nan("")) {
  wire::StepRecord record;
  record.step = step;
  record.seconds = 0.02;
  const double slowest = busy.empty() ? 0 : *std::max_element(busy.begin(), busy.end());
  for (std::size_t i = 0; i < busy.size(); ++i) {
    wire::RankFacts& facts = record.ranks.emplace_back();
    facts.rank = static_cast<int>(i);
    facts.seconds = busy[i];
    facts.waited = slowest - busy[i];
    facts.tensor = tensor + static_cast<double>(i);
  }
  return record;
}

wire::RunStarted startedOn(int ranks) {
  wire::RunStarted started = test::FakeRun().started();
  for (int i = 0; i < ranks; ++i) started.ranks.push_back({i, i == 0 ? "node-a" : "node-b", "CPU, 1 thread"});
  return started;
}

/// A run on two ranks, in which rank 1 takes 15 ms and rank 0 takes 10 ms.
void begin(app::RunModel& run, int steps, double tensor = std::nan("")) {
  run.begin(startedOn(2), app::RunModel::Source::kLive);
  std::vector<wire::StepRecord> records;
  for (int i = 0; i < steps; ++i) records.push_back(stepOf(i, {0.010, 0.015}, tensor));
  run.addSteps(records);
}

wire::Event eventOf(std::int64_t step, std::optional<int> rank) {
  wire::Event event = test::diagnosed(step, Kind::kForwardOverflow, 65536, test::forwardOverflow());
  event.rank = rank;
  return event;
}

class RanksOfRuns : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void theSlowRankIsNamedWithItsDistance() {
    app::RunModel run;
    begin(run, 20);
    QCOMPARE(app::stragglerText(run),
             QStringLiteral("Rank 1 on node-b was the last in 100.0 % of the last 20 steps, on "
                            "average 5.00 ms (25.0 % of a step) behind the fastest rank."));
    const QList<app::CellRow> rows = app::rankRows(run);
    QCOMPARE(rows.size(), 2);
    const auto shown = [&](int row, int column) { return rows[row].cells[column].value(Qt::DisplayRole).toString(); };
    QCOMPARE(shown(0, app::rank_column::kBusy), QStringLiteral("10.0 ms"));
    QCOMPARE(shown(0, app::rank_column::kWaiting), QStringLiteral("5.00 ms"));
    QCOMPARE(shown(1, app::rank_column::kBehind), QStringLiteral("5.00 ms"));
    QCOMPARE(shown(1, app::rank_column::kTensor), QStringLiteral("–"));
    QCOMPARE(shown(1, app::rank_column::kDevice), QStringLiteral("node-b: CPU, 1 thread"));
  }

  void fewStepsNameNoSlowRank() {
    app::RunModel run;
    begin(run, 9);
    QCOMPARE(app::stragglerText(run),
             QStringLiteral("Whether a rank delays the others is not known yet: 9 of 10 steps."));
  }

  void theShownStepDecidesWhichStepsCount() {
    app::RunModel run;
    begin(run, 40);
    std::vector<wire::StepRecord> records;
    for (int i = 40; i < 200; ++i) records.push_back(stepOf(i, {0.015, 0.010}));
    run.addSteps(records);
    QVERIFY2(app::stragglerText(run).startsWith(QLatin1String("Rank 0 on node-a")),
             qPrintable(app::stragglerText(run)));
    run.showStep(30);
    QVERIFY2(app::stragglerText(run).startsWith(QLatin1String("Rank 1 on node-b")),
             qPrintable(app::stragglerText(run)));
    QVERIFY(app::stragglerText(run).contains(QLatin1String("31 steps")));
  }

  void aRewindTakesStepsBack() {
    app::RunModel run;
    begin(run, 30);
    run.addSteps({stepOf(10, {0.015, 0.010})});
    QCOMPARE(run.ranks().size(), std::size_t{11});
    QCOMPARE(run.ranks().line(0)->busy.size(), std::size_t{11});
    QCOMPARE(run.ranks().line(0)->busy.lastValue(), 0.015);
    QCOMPARE(run.ranks().recent(11).ranks()[1].last, std::int64_t{10});
    run.addSteps({stepOf(11, {})});  // without facts of its ranks
    QCOMPARE(run.ranks().size(), std::size_t{12});
    QVERIFY(run.ranks().at(11).empty());
    QCOMPARE(run.ranks().recent(12).steps(), std::int64_t{11});
  }

  void manyRanksHaveTheSlowestAndTheFastest() {
    app::RunModel run;
    run.begin(startedOn(64), app::RunModel::Source::kLive);
    std::vector<double> busy(64, 0.01);
    busy[40] = 0.03;
    busy[41] = 0.005;
    for (int i = 0; i < 12; ++i) run.addSteps({stepOf(i, busy)});
    app::Selection selection;
    views::StepAxis axis;
    app::RanksDock dock(&run, &selection, &axis);
    QCOMPARE(dock.plot()->series(0).lastValue(), 0.03);
    QCOMPARE(dock.plot()->series(1).lastValue(), 0.005);
    QCOMPARE(dock.table()->model()->rowCount(), 64);
    QVERIFY(dock.summary()->text().startsWith(QLatin1String("Rank 40")));
  }

  void aRowChoosesTheRankOfEveryDock() {
    app::RunModel run;
    begin(run, 20, /*tensor=*/40);
    run.addEvent(eventOf(3, 0));
    run.addEvent(eventOf(5, 1));
    run.addEvent(eventOf(7, std::nullopt));
    app::Selection selection;
    views::StepAxis axis;
    app::RanksDock ranks(&run, &selection, &axis);
    const std::unique_ptr<app::SeriesDock> time(app::makeStepTimeDock(&run, &selection, &axis, nullptr));
    app::TensorDock tensor(&run, &axis);
    tensor.addRankChoice(&selection);
    app::EventsDock events(&run, &selection);
    for (QWidget* each : std::initializer_list<QWidget*>{&ranks, time.get(), &tensor, &events}) {
      each->resize(700, 500);
      each->show();
    }
    QCOMPARE(ranks.plot()->series(1).lastValue(), 0.015);
    QCOMPARE(time->plot()->series(0).lastValue(), 0.02);  // of the step
    QVERIFY(!tensor.showsCard());
    QCOMPARE(tensor.plot()->series(0).lastValue(), 40.5);  // the mean
    const auto hidden = [&](int event) { return events.table()->isRowHidden(events.model()->rowOf(event)); };
    QVERIFY(!hidden(0) && !hidden(1) && !hidden(2));

    ranks.table()->setFocus();
    ranks.table()->selectRow(1);
    QCOMPARE(selection.rank(), 1);
    QCOMPARE(ranks.plot()->chosenPart(), std::optional(views::LinePlot::partOf(1)));  // its value is in the header
    QCOMPARE(time->plot()->series(0).lastValue(), 0.015);
    QCOMPARE(tensor.plot()->series(0).lastValue(), 41.0);
    QVERIFY(hidden(0) && !hidden(1) && !hidden(2));  // the last is about all ranks
    auto* choice = time->findChild<app::RankChoice*>();
    QVERIFY(choice != nullptr && choice->isVisible());
    QCOMPARE(choice->currentText(), QStringLiteral("Rank 1 on node-b"));
    QCOMPARE(choice->accessibleName(), QStringLiteral("Rank"));

    QTest::keyClick(choice, Qt::Key_Up);
    QCOMPARE(selection.rank(), 0);
    QVERIFY(!hidden(0) && hidden(1));
    QTest::keyClick(ranks.table(), Qt::Key_Escape);
    QCOMPARE(selection.rank(), -1);
    QVERIFY(!ranks.plot()->chosenPart());
    QVERIFY(!hidden(0) && !hidden(1));
    QCOMPARE(time->plot()->series(0).lastValue(), 0.02);
    QVERIFY(ranks.table()->selectionModel()->selectedRows().isEmpty());
    test::Explorer::picture(&ranks, QStringLiteral("ranks"));
    test::Explorer::picture(&events, QStringLiteral("events-of-ranks"));
  }

  void anEventNamesItsRankAndTheRowsOfItsBatch() {
    app::RunModel run;
    begin(run, 8);
    wire::Event event = eventOf(5, 1);
    event.diagnosis->roots.front().rows = wire::BadRows{.batch = 0, .of = 32, .bad = 1, .rows = {7}, .examples = {71}};
    run.addEvent(event);
    const app::EventStory story = app::storyOf(run, 0);
    QVERIFY2(story.sentence.contains(QLatin1String("rank 1")), qPrintable(story.sentence));
    const auto fact = [&](const char* name) {
      for (const app::EventStory::Fact& each : story.facts) {
        if (each.name == QLatin1String(name)) return each.value;
      }
      return QString();
    };
    QCOMPARE(fact("Rank"), QStringLiteral("Rank 1 on node-b"));
    QVERIFY(fact("Rows of its batch not finite").contains(QLatin1String("71")));
  }

  void fourRowsAreInViewInALowDock() {
    app::RunModel run;
    run.begin(startedOn(8), app::RunModel::Source::kLive);
    for (int i = 0; i < 20; ++i) run.addSteps({stepOf(i, std::vector<double>(8, 0.01))});
    app::Selection selection;
    views::StepAxis axis;
    app::RanksDock dock(&run, &selection, &axis);
    dock.resize(600, 250);
    dock.show();
    QVERIFY(QTest::qWaitForWindowExposed(&dock));
    const QRect fourth = dock.table()->visualRect(dock.table()->model()->index(3, 0));
    QTRY_VERIFY(dock.table()->viewport()->visibleRegion().boundingRect().contains(fourth));
  }

  void aRunOfOneProcessHasNeitherChoiceNorDock() {
    test::Explorer explorer;
    explorer.showFed(30);
    const app::DockSet* docks = explorer.window().docks();
    QVERIFY(docks->ranks->isHidden());
    QVERIFY(!docks->ranks->toggleViewAction()->isVisible());
    for (const auto* choice : explorer.window().findChildren<app::RankChoice*>()) QVERIFY(choice->isHidden());
    QVERIFY(app::stragglerText(explorer.session().run()).isEmpty());

    begin(explorer.session().run(), 20);
    QTRY_VERIFY(!docks->ranks->isHidden());
    QVERIFY(docks->ranks->toggleViewAction()->isVisible());
    const auto choices = explorer.window().findChildren<app::RankChoice*>();
    QCOMPARE(choices.size(), 3);
    for (const auto* choice : choices) QVERIFY(!choice->isHidden());
    explorer.session().selection().setRank(1);
    begin(explorer.session().run(), 5);
    explorer.session().run().begin(test::FakeRun().started(), app::RunModel::Source::kLive);
    QCOMPARE(explorer.session().selection().rank(), -1);
    QVERIFY(docks->ranks->isHidden());
  }
};

}  // namespace

BINADE_SUITE(RanksOfRuns);
#include "tst_ranks.moc"
