// SPDX-License-Identifier: Apache-2.0
// The list of events: newest first, the start-up group below a heading that folds it, figures as columns.
#include "app/docks/event_rows.h"
#include "app/docks/events_dock.h"
#include "app/present/event_table_model.h"
#include "app/present/start_up.h"
#include "tests/app/app_fixture.h"
#include "tests/app/fake_findings.h"
#include "tests/app/fake_run.h"
#include "tests/support/suite.h"
#include "views/values/roles.h"

#include <QAbstractItemModelTester>
#include <QHeaderView>
#include <QTableView>
#include <QTest>

#include <algorithm>
#include <cmath>

namespace {

using namespace binade;
using app::EventTableModel;
using Kind = wire::Event::Kind;

// A run whose scaler starts at 2^24.
struct Begun {
  app::RunModel run;
  explicit Begun(wire::ScalerConfig scaler = {}) {
    wire::RunStarted started = test::FakeRun().started();
    started.config.scaler = scaler;
    run.begin(started, app::RunModel::Source::kLive);
  }
  void overflow(std::int64_t step, int exponent, Kind kind = Kind::kGradientOverflow) {
    wire::Event event;
    event.step = step;
    event.kind = kind;
    event.scale = std::ldexp(1.0, exponent);
    run.addEvent(event);
  }
  void step(std::int64_t step, bool stepped = true) {
    wire::StepRecord record;
    record.step = step;
    record.stepped = stepped;
    run.addSteps({record});
  }
};

// Overflows in the first steps, then a step that fits.
void startUp(Begun& begun, int events) {
  for (int i = 0; i < events; ++i) {
    begun.step(i, false);
    begun.overflow(i, 24 - i);
  }
  begun.step(events);
}

// A dock with an event after the start-up group.
struct Listed {
  Begun begun;
  app::Selection selection;
  app::EventsDock dock{&begun.run, &selection};
  Listed() {
    startUp(begun, 4);
    begun.overflow(421, 17);
    QObject::connect(&dock, &app::EventsDock::eventRequested, &selection, &app::Selection::setEvent);
    dock.resize(300, 400);
    dock.show();
  }
  EventTableModel* model() { return dock.model(); }
  QTableView* table() { return dock.table(); }
  bool folded() { return table()->isRowHidden(model()->rowOf(0)) && table()->isRowHidden(model()->rowOf(3)); }
  QModelIndex heading() { return model()->index(model()->headingRow(), EventTableModel::kWhat); }
  void press(Qt::Key key) {
    table()->setCurrentIndex(heading());
    QTest::keyClick(table(), key);
  }
};

class EventLists : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void theNewestEventIsFirstAndTheStartUpGroupLast() {
    Begun begun;
    EventTableModel model(&begun.run);
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    begun.overflow(0, 24);
    QCOMPARE(model.headingRow(), -1);
    QCOMPARE(model.eventAt(0), 0);
    begun.overflow(1, 23);
    QCOMPARE(model.headingRow(), -1);
    QCOMPARE(model.rowCount(), 2);
    begun.step(2);
    QCOMPARE(model.headingRow(), 0);
    QCOMPARE(model.rowCount(), 3);
    begun.overflow(3, 22);
    begun.overflow(421, 17);
    begun.overflow(900, 18);
    QCOMPARE(model.rowCount(), 6);
    const QList<int> wanted{4, 3, -1, 2, 1, 0};
    for (int row = 0; row < 6; ++row) {
      QCOMPARE(model.eventAt(row), wanted[row]);
      if (wanted[row] >= 0) QCOMPARE(model.rowOf(wanted[row]), row);
    }
    QCOMPARE(model.eventAt(6), -1);
    QCOMPARE(model.rowOf(5), -1);
    QCOMPARE(model.index(0, EventTableModel::kStep).data().toString(), QStringLiteral("900"));
    QCOMPARE(model.index(2, EventTableModel::kWhat).data().toString(), QStringLiteral("Start-up: 2²⁴ is too high"));
    // The same of a run that has its events already.
    const EventTableModel read(&begun.run);
    QCOMPARE(read.headingRow(), 2);
    QCOMPARE(read.rowCount(), 6);
  }

  void theGroupEndsWhereTheScalerNoLongerSearches_data() {
    QTest::addColumn<int>("step");
    QTest::addColumn<int>("exponent");
    QTest::addColumn<int>("kind");
    QTest::addColumn<bool>("joins");
    const int overflow = static_cast<int>(Kind::kGradientOverflow);
    QTest::newRow("soon, at a lower scale") << 52 << 21 << overflow << true;
    QTest::newRow("51 steps later") << 53 << 21 << overflow << false;
    QTest::newRow("at the same scale") << 4 << 22 << overflow << false;
    QTest::newRow("after a growth") << 40 << 23 << overflow << false;
    QTest::newRow("in the forward pass") << 4 << 21 << static_cast<int>(Kind::kForwardOverflow) << false;
  }
  void theGroupEndsWhereTheScalerNoLongerSearches() {
    QFETCH(int, step);
    QFETCH(int, exponent);
    QFETCH(int, kind);
    QFETCH(bool, joins);
    Begun begun;
    startUp(begun, 3);
    begun.overflow(step, exponent, static_cast<Kind>(kind));
    QCOMPARE(app::startUpEvents(begun.run), joins ? 4 : 3);
  }

  void aCauseThatNoScaleAvoidsIsNoStartUp() {
    Begun begun;
    startUp(begun, 2);
    wire::Diagnosis found = test::benignOverflow(2);
    found.verdict = wire::Verdict::kOverflowAtSite;
    begun.run.addEvent(test::diagnosed(2, Kind::kGradientOverflow, 2, found));
    QCOMPARE(app::startUpEvents(begun.run), 2);
  }

  // However far the scale falls, nothing shows that it was only too high at first.
  void aRunThatOverflowsInEveryStepHasNoHeading() {
    Begun begun;
    app::Selection selection;
    const app::EventsDock dock(&begun.run, &selection);
    for (int i = 0; i < 30; ++i) {
      begun.step(i, false);
      begun.overflow(i, 24 - i);
    }
    QCOMPARE(dock.model()->headingRow(), -1);
    QCOMPARE(dock.model()->rowCount(), 30);
    QCOMPARE(EventTableModel(&begun.run).headingRow(), -1);
    for (int row = 0; row < 30; ++row) QVERIFY(!dock.table()->isRowHidden(row));
    // A step that fits at last: the group ends where the scale was 1.
    begun.step(30);
    QCOMPARE(dock.model()->startUp(), 25);
    QCOMPARE(dock.model()->headingRow(), 5);
    QVERIFY(!dock.table()->isRowHidden(5) && !dock.table()->isRowHidden(4));
    for (int row = 6; row < 31; ++row) QVERIFY(dock.table()->isRowHidden(row));
  }

  void aGroupThatFormsWithItsSecondEventIsUnfolded() {
    Begun begun;
    app::Selection selection;
    const app::EventsDock dock(&begun.run, &selection);
    startUp(begun, 1);
    QCOMPARE(dock.model()->headingRow(), -1);
    begun.overflow(2, 23);
    QCOMPARE(dock.model()->headingRow(), 0);
    for (int row = 0; row < 3; ++row) QVERIFY(!dock.table()->isRowHidden(row));
  }

  void aFixedScaleHasNoStartUp() {
    wire::ScalerConfig scaler;
    scaler.fixed = true;
    Begun begun(scaler);
    startUp(begun, 3);
    QCOMPARE(app::startUpEvents(begun.run), 0);
  }

  void aScalerThatWaitsMayOverflowTwiceAtOneScale() {
    wire::ScalerConfig scaler;
    scaler.hysteresis = 2;
    Begun begun(scaler);
    for (int i = 0; i < 6; ++i) begun.overflow(i, 24 - i / 2);
    QCOMPARE(app::startUpEvents(begun.run), 6);
  }

  void theGroupIsFoldedOnceAnotherEventFollows() {
    Begun begun;
    app::Selection selection;
    const app::EventsDock dock(&begun.run, &selection);
    startUp(begun, 3);
    for (int event = 0; event < 3; ++event) QVERIFY(!dock.table()->isRowHidden(dock.model()->rowOf(event)));
    begun.overflow(421, 17);
    for (int event = 0; event < 3; ++event) QVERIFY(dock.table()->isRowHidden(dock.model()->rowOf(event)));
    QVERIFY(!dock.table()->isRowHidden(dock.model()->headingRow()));
    QVERIFY(!dock.table()->isRowHidden(dock.model()->rowOf(3)));
    // Folded events count.
    QCOMPARE(dock.windowTitle(), QStringLiteral("Overflow events  4"));
  }

  void aClickOnTheHeadingUnfoldsAndFolds() {
    Listed listed;
    QVERIFY(listed.folded());
    const QPoint there = listed.table()->visualRect(listed.heading()).center();
    QTest::mouseClick(listed.table()->viewport(), Qt::LeftButton, Qt::NoModifier, there);
    QVERIFY(!listed.folded());
    QCOMPARE(listed.selection.event(), -1);  // a heading is no event
    QTest::mouseClick(listed.table()->viewport(), Qt::LeftButton, Qt::NoModifier, there);
    QVERIFY(listed.folded());
  }

  void keysUnfoldAndFold() {
    Listed listed;
    listed.press(Qt::Key_Right);
    QVERIFY(!listed.folded());
    listed.press(Qt::Key_Right);
    QVERIFY(!listed.folded());
    listed.press(Qt::Key_Left);
    QVERIFY(listed.folded());
    listed.press(Qt::Key_Return);
    QVERIFY(!listed.folded());
    QVERIFY(listed.heading().data(Qt::AccessibleTextRole).toString().endsWith(QStringLiteral("4 events, unfolded")));
    listed.press(Qt::Key_Return);
    QVERIFY(listed.folded());
    QVERIFY(listed.heading().data(Qt::AccessibleTextRole).toString().endsWith(QStringLiteral("4 events, folded")));
  }

  void aSelectedEventOfTheGroupUnfoldsIt() {
    Listed listed;
    listed.selection.setEvent(4);
    QVERIFY(listed.folded());
    listed.selection.setEvent(1);
    QVERIFY(!listed.folded());
    const QModelIndexList rows = listed.table()->selectionModel()->selectedRows();
    QCOMPARE(rows.size(), 1);
    QCOMPARE(rows.front().row(), listed.model()->rowOf(1));
    // Rows that were hidden while the list was wide are as high as the others.
    QCOMPARE(listed.table()->rowHeight(listed.model()->rowOf(1)), listed.table()->rowHeight(listed.model()->rowOf(4)));
  }

  void aClickOnAnEventBelowTheHeadingRequestsThatEvent() {
    Listed listed;
    listed.press(Qt::Key_Right);
    const QModelIndex event = listed.model()->index(listed.model()->rowOf(2), EventTableModel::kWhat);
    listed.table()->scrollTo(event);
    QTest::mouseClick(listed.table()->viewport(), Qt::LeftButton, Qt::NoModifier,
                      listed.table()->visualRect(event).center());
    QCOMPARE(listed.selection.event(), 2);
  }

  // A run that overflows in every step forgets events in its middle, never those of the group.
  void theGroupStaysWhenEventsAreForgotten() {
    Begun begun;
    app::Selection selection;
    const app::EventsDock dock(&begun.run, &selection);
    startUp(begun, 4);
    for (std::size_t i = 4; i <= app::RunModel::kMostEvents; ++i) begun.overflow(static_cast<std::int64_t>(i), 20);
    QVERIFY(begun.run.events().size() < app::RunModel::kMostEvents);
    const EventTableModel* model = dock.model();
    QCOMPARE(model->startUp(), 5);  // the first event at 2^20 is lower than the one before it
    QCOMPARE(model->events(), static_cast<int>(begun.run.events().size()));
    QCOMPARE(model->headingRow(), model->events() - 5);
    for (const int event : {0, 4, 5, 499, 500, model->events() - 1})
      QCOMPARE(model->eventAt(model->rowOf(event)), event);
    QVERIFY(dock.table()->isRowHidden(model->rowOf(4)));
    QVERIFY(!dock.table()->isRowHidden(model->rowOf(5)));
    QVERIFY(!dock.table()->isRowHidden(model->headingRow()));
  }

  // The list of a second run file has its heading where the first had a folded event, and an event where that had its
  // heading.
  void rowsOfASecondRunAreShownWithTheirOwnHeights() {
    Listed listed;
    QVERIFY(listed.folded());
    Begun second;
    startUp(second, 4);
    for (int i = 0; i < 3; ++i) second.overflow(421 + 100 * i, 17 + i);
    listed.begun.run.show(second.run.take());
    const EventTableModel* model = listed.model();
    QTableView* table = listed.table();
    QCOMPARE(model->headingRow(), 3);
    QVERIFY(!table->isRowHidden(3));
    QVERIFY(listed.folded());
    for (int row = 0; row < 3; ++row) {
      QVERIFY(!table->isRowHidden(row));
      QCOMPARE(table->rowHeight(row), table->verticalHeader()->defaultSectionSize());
    }
    listed.press(Qt::Key_Right);
    for (int row = 4; row < 8; ++row) QCOMPARE(table->rowHeight(row), table->verticalHeader()->defaultSectionSize());
  }

  void aWideListHasTheFiguresAsColumns() {
    app::RunModel run;
    test::feedRun(run, 3);
    wire::Diagnosis found = test::benignOverflow(65536);
    found.band = wire::ScaleBand{.lowest = -4, .highest = 15};
    wire::Event event = test::diagnosed(2, Kind::kGradientOverflow, 65536, found);
    const auto& before = run.events().front().tensors;
    const auto fc2 = std::find_if(before.begin(), before.end(),
                                  [&](const wire::EventTensor& each) { return each.site == found.roots.front().site; });
    QVERIFY(fc2 != before.end());
    event.tensors = {*fc2};
    event.tensors.front().largest = 262'080;  // 2 doublings beyond 65,520
    event.tensors.front().overflow = 1;
    run.addEvent(event);
    const EventTableModel model(&run);
    const auto cell = [&](int column, int role = Qt::DisplayRole) {
      return model.index(model.rowOf(model.events() - 1), column).data(role);
    };
    QCOMPARE(cell(EventTableModel::kLargest).toString(), QStringLiteral("262,080"));
    QCOMPARE(cell(EventTableModel::kDoublings).toString(), QStringLiteral("−2.0"));
    QVERIFY(cell(EventTableModel::kDoublings, views::AttentionRole).toBool());
    QCOMPARE(cell(EventTableModel::kSafe).toString(), QStringLiteral("2⁻⁴ … 2¹⁵"));
    QVERIFY(cell(EventTableModel::kVerdict).toString().startsWith(QStringLiteral("Harmless")));
    QVERIFY(cell(EventTableModel::kTensor).toString().startsWith(QStringLiteral("gradient of")));
    // Without a replay, only what was observed.
    const QModelIndex first = model.index(model.rowOf(0), EventTableModel::kVerdict);
    QCOMPARE(first.data().toString(), QStringLiteral("–"));
    QCOMPARE(first.siblingAtColumn(EventTableModel::kSafe).data().toString(), QStringLiteral("–"));
  }

  void theLeastImportantColumnsHideWhereRoomIsShort() {
    app::RunModel run;
    app::Selection selection;
    app::EventsDock dock(&run, &selection);
    test::feedRun(run, 20);
    dock.resize(1300, 300);
    dock.show();
    QTRY_VERIFY(!dock.table()->isColumnHidden(EventTableModel::kVerdict));
    dock.resize(700, 300);
    QTRY_VERIFY(dock.table()->isColumnHidden(EventTableModel::kVerdict));
    QVERIFY(!dock.table()->isColumnHidden(EventTableModel::kDoublings));
    QVERIFY(!dock.table()->isColumnHidden(EventTableModel::kSentence));
    test::Explorer::picture(&dock, QStringLiteral("events-medium"));
  }
};

BINADE_SUITE(EventLists);

}  // namespace

#include "tst_events_dock.moc"
