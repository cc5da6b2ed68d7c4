// SPDX-License-Identifier: Apache-2.0
// A run that overflows at every step, for hours: what is kept of it is bounded, and nothing is lost from its counts.
#include "app/docks/events_dock.h"
#include "app/docks/scale_dock.h"
#include "app/docks/series_dock.h"
#include "app/model/site_history.h"
#include "app/present/diagnose_answers.h"
#include "app/present/event_story.h"
#include "app/present/event_table_model.h"
#include "tests/app/app_fixture.h"
#include "tests/app/fake_findings.h"
#include "tests/app/fake_run.h"
#include "tests/app/fake_sites.h"
#include "tests/support/suite.h"
#include "views/plot/scale_plot.h"

#include <QAbstractItemModelTester>
#include <QTableView>
#include <QTest>

namespace {

using namespace binade;
using app::RunModel;
using test::Explorer;

constexpr int kBadSteps = 30'000;

// Step after step without one that counts: each has an event with its proof, and one that follows from it.
void feedOverflows(RunModel& run, int from, int steps) {
  const wire::Event proved = test::diagnosed(0, wire::Event::Kind::kGradientOverflow, 1, test::benignOverflow(2));
  for (int step = from; step < from + steps; ++step) {
    wire::StepRecord record;
    record.step = step;
    record.loss = 1;
    record.scale = record.next_scale = 1;
    record.found_inf = true;
    record.stepped = false;
    run.addSteps({record});
    wire::Event event = proved;
    event.step = step;
    run.addEvent(event);
    wire::Event follows;
    follows.step = step;
    follows.kind = wire::Event::Kind::kNonFiniteLoss;
    run.addEvent(follows);
  }
}

class ManyEvents : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aRunKeepsItsFirstAndItsNewestEvents() {
    RunModel run;
    const test::FakeRun fake;
    run.begin(fake.started(), RunModel::Source::kLive);
    app::EventTableModel table(&run);
    feedOverflows(run, 0, kBadSteps);
    // Until some are about to go.
    const int full = static_cast<int>(RunModel::kMostEvents - run.events().size()) / 2 - 1;
    feedOverflows(run, kBadSteps, full);
    const std::size_t most = run.events().size();
    {
      // It looks at every row at every change: for a few steps.
      const QAbstractItemModelTester tester(&table, QAbstractItemModelTester::FailureReportingMode::Fatal);
      feedOverflows(run, kBadSteps + full, 4);
    }
    QVERIFY(run.events().size() < most);
    QVERIFY(run.events().size() <= RunModel::kMostEvents);
    QVERIFY(run.events().size() > RunModel::kMostEvents / 2);
    QCOMPARE(static_cast<std::size_t>(table.events()), run.events().size());
    QCOMPARE(table.rowOf(table.events() - 1), 0);
    QCOMPARE(table.eventAt(table.rowCount() - 1), 0);
    QCOMPARE(run.events().front().step, std::int64_t{0});
    QCOMPARE(run.events().back().step, std::int64_t{kBadSteps + full + 3});
    QVERIFY(std::is_sorted(run.events().begin(), run.events().end(),
                           [](const wire::Event& a, const wire::Event& b) { return a.step < b.step; }));
    // Events of one step stay together: the newest steps have both.
    QCOMPARE(app::provedEventOf(run, static_cast<int>(run.events().size()) - 1),
             static_cast<int>(run.events().size()) - 2);
    for (const int index : run.eventsOf(test::kFc2)) {
      const wire::Event& event = run.events()[static_cast<std::size_t>(index)];
      QVERIFY(event.diagnosis && event.diagnosis->roots.front().site == test::kFc2);
    }
  }

  void theirCountsStayWhole() {
    RunModel run;
    test::FakeRun fake;
    run.begin(fake.started(), RunModel::Source::kLive);
    feedOverflows(run, 0, kBadSteps);
    QVERIFY2(app::nonFiniteAnswer(run).text.startsWith(QStringLiteral("Yes: in 30,000 steps")),
             qPrintable(app::nonFiniteAnswer(run).text));
    QCOMPARE(app::overflowsAt(run, test::kFc2).own, kBadSteps);
    // An edit makes them earlier ones, kept or not.
    policy::Policy edited = test::FakeRun::config().policy;
    policy::SiteRule rule;
    rule.match = "fc2/aten::linear#0";
    rule.format = formats::kBFloat16;
    edited.sites = {rule};
    wire::PolicyApplied applied = fake.setPolicy(edited, 1);
    applied.step = kBadSteps;
    run.addPolicy(applied);
    QCOMPARE(app::overflowsAt(run, test::kFc2).all(), 0);
    QCOMPARE(app::overflowsAt(run, test::kFc2).earlier, kBadSteps);
    feedOverflows(run, kBadSteps, kBadSteps);
    QCOMPARE(app::overflowsAt(run, test::kFc2).all(), kBadSteps);
    QCOMPARE(app::overflowsAt(run, test::kFc2).earlier, kBadSteps);
    run.clear();
    QCOMPARE(run.forgottenEvents().steps.count, std::int64_t{0});
  }

  // An operation without a result is no overflow of its op call, listed or not.
  // Its output is in another format since an edit of the op call before it, and its gradient is not.
  void aStepIsNotBothUnderADecisionAndBeforeIt() {
    RunModel run;
    test::FakeRun fake;
    run.begin(fake.started(), RunModel::Source::kLive);
    wire::StepRecord first = fake.next();
    run.addSteps({first});
    wire::Event event;
    event.tensors.clear();
    wire::StepRecord second = fake.next();
    for (const wire::WatchedTensor& tensor : first.new_tensors) {
      if (tensor.site != test::kBn1) continue;
      using Kind = wire::WatchedTensor::Kind;
      if (tensor.kind == Kind::kOutput || tensor.kind == Kind::kOutputGradient)
        event.tensors.push_back({tensor.id, tensor.site, 1, 1, 1e6F});
      if (tensor.kind != Kind::kOutput) continue;
      wire::WatchedTensor again = tensor;
      again.id = 9999;
      std::erase_if(second.observations, [&](const wire::Observation& each) { return each.tensor == tensor.id; });
      again.format = formats::kBFloat16;
      second.new_tensors.insert(second.new_tensors.begin(), again);
    }
    QCOMPARE(event.tensors.size(), std::size_t{2});
    run.addEvent(event);
    run.addSteps({second});
    const app::SiteOverflows found = app::overflowsAt(run, test::kBn1);
    QCOMPARE(found.own + found.earlier, 1);
  }

  void whatIsNoOverflowIsCountedAsNone() {
    RunModel run;
    const test::FakeRun fake;
    run.begin(fake.started(), RunModel::Source::kLive);
    wire::Event event = test::diagnosed(0, wire::Event::Kind::kNonFiniteLoss, 1, test::benignOverflow(2));
    event.tensors.clear();
    for (wire::Root& root : event.diagnosis->roots) root.fault = wire::Root::Fault::kInvalid;
    const int site = event.diagnosis->roots.front().site;
    for (int step = 0; step < kBadSteps; ++step) {
      event.step = step;
      run.addEvent(event);
    }
    QVERIFY(run.forgottenEvents().non_finite.count > 0);
    QCOMPARE(app::overflowsAt(run, site).all(), 0);
    QCOMPARE(app::overflowsAt(run, site).earlier, 0);
  }

  void theChosenEventStaysChosenAndTheTitleSaysHowManyAreListed() {
    Explorer explorer;
    explorer.showFed(1);
    app::Session& session = explorer.session();
    session.run().clear();
    const test::FakeRun fake;
    session.run().begin(fake.started(), RunModel::Source::kLive);
    feedOverflows(session.run(), 0, 4000);
    const int chosen = 7000;
    const std::int64_t step = session.run().events()[chosen].step;
    session.selectEvent(chosen);
    feedOverflows(session.run(), 4000, 2000);
    const int now = session.selection().event();
    QVERIFY(now >= 0 && now < chosen);
    QCOMPARE(session.run().events()[static_cast<std::size_t>(now)].step, step);
    const QModelIndexList rows = explorer.window().docks()->events->table()->selectionModel()->selectedRows();
    QCOMPARE(rows.size(), 1);
    QCOMPARE(rows.front().row(), explorer.window().docks()->events->model()->rowOf(now));
    const QString title = explorer.window().docks()->events->windowTitle();
    QVERIFY2(title.contains(QStringLiteral("6,000")) && title.contains(QStringLiteral("listed")), qPrintable(title));
    // One that goes is chosen no more.
    session.selectEvent(600);
    feedOverflows(session.run(), 6000, 2000);
    QCOMPARE(session.selection().event(), -1);
    // A mark of the chart stands for all of its steps.
    QVERIFY(explorer.window().docks()->scale->plot()->marks().size() < 10);
    QVERIFY(explorer.window().docks()->loss->plot()->marks().size() < 10);
    QCOMPARE(views::countMarks(explorer.window().docks()->scale->plot()->marks(), views::MarkKind::kSkipped),
             std::int64_t{8000});
  }

  // Beside the graph the list has one column.
  void theChosenEventIsInViewInANarrowList() {
    Explorer explorer;
    explorer.showFed(1);
    app::Session& session = explorer.session();
    feedOverflows(session.run(), 1, 200);
    explorer.window().setArrangement(app::Arrangement::kDiagnose);
    for (int i = 0; i < 5; ++i) QApplication::processEvents();
    QTableView* table = explorer.window().docks()->events->table();
    QVERIFY(table->isColumnHidden(app::EventTableModel::kStep));
    const auto& events = session.run().events();
    for (const std::size_t event : {events.size() - 2, std::size_t{0}, events.size() / 4 * 2 + 1}) {
      session.selectEvent(static_cast<int>(event));
      const app::EventTableModel* model = explorer.window().docks()->events->model();
      const QModelIndex row = model->index(model->rowOf(static_cast<int>(event)), app::EventTableModel::kWhat);
      QVERIFY(!table->isRowHidden(row.row()));
      const QRect there = table->visualRect(row);
      QVERIFY2(table->viewport()->rect().contains(there), qPrintable(QStringLiteral("%1: %2 to %3 of %4")
                                                                         .arg(event)
                                                                         .arg(there.top())
                                                                         .arg(there.bottom())
                                                                         .arg(table->viewport()->height())));
    }
  }
};

BINADE_SUITE(ManyEvents);

}  // namespace

#include "tst_many_events.moc"
