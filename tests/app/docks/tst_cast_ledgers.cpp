// SPDX-License-Identifier: Apache-2.0
// The cast ledger: what casts cost, before and after an edit, and the edit that removes one.
#include "app/docks/cast_ledger_dock.h"
#include "app/docks/empty_state.h"
#include "app/present/cast_ledger_rows.h"
#include "tests/app/app_fixture.h"
#include "tests/app/fake_findings.h"
#include "tests/app/fake_run.h"
#include "tests/support/suite.h"
#include "views/values/roles.h"

#include <QLabel>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

namespace {

using namespace binade;
using test::Explorer;

class CastLedgers : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void theDearestCastComesFirst() {
    app::RunModel run;
    test::feedRun(run, 3);
    const QList<app::CellRow> rows = app::castRows(run, test::casts(0, 0));
    QCOMPARE(rows.size(), 3);
    const auto text = [&](int row, int column) { return rows[row].cells[column].value(Qt::DisplayRole).toString(); };
    QCOMPARE(text(0, 0), QStringLiteral("fc2/aten::linear#0"));
    QCOMPARE(text(0, 2), QStringLiteral("float32"));
    QCOMPARE(text(0, 3), QStringLiteral("float16"));
    QCOMPARE(text(0, 4), QStringLiteral("fc2/aten::linear#0 in float32"));
    QCOMPARE(text(0, 6), QStringLiteral("400 µs"));
    QCOMPARE(text(0, 9), QStringLiteral("runs in float16: cuda-amp lists aten::linear"));
    QCOMPARE(text(2, 4), QStringLiteral("no single edit"));
  }

  // Two casts of one op call differ in their formats and arguments, so the first column says these too.
  void aCastIsToldByFormatsAndArgument() {
    app::RunModel run;
    test::feedRun(run, 3);
    const app::Cell cast = app::castRows(run, test::casts(0, 0))[0].cells[0];
    QCOMPARE(cast.value(views::FormatsRole).toStringList(),
             (QStringList{QStringLiteral("float32"), QStringLiteral("float16")}));
    QCOMPARE(cast.value(views::FootRole).toString(), QStringLiteral("input"));
    QCOMPARE(cast.value(Qt::AccessibleTextRole).toString(),
             QStringLiteral("float32 → float16, fc2/aten::linear#0, input"));
    const app::Cell edit = app::castRows(run, test::casts(0, 0))[0].cells[4];
    QCOMPARE(edit.value(views::CallRole).toString(), QStringLiteral("fc2/aten::linear#0"));
    QCOMPARE(edit.value(views::FormatRole).toString(), QStringLiteral("float32"));
  }

  void whatRemovingACastSavesIsSaidBeforeIt() {
    app::RunModel run;
    app::Selection selection;
    app::CastLedgerDock dock(&run, &selection);
    test::feedRun(run, 3);
    wire::CastLedger ledger = test::casts(0, 0);
    const auto price = [&](int row) {
      return app::castRows(run, ledger)[row].cells.back().value(Qt::DisplayRole).toString();
    };
    QCOMPARE(price(0), QStringLiteral("−30.2 kB · −380 µs"));
    QCOMPARE(price(1), QStringLiteral("–"));  // not tried: no zero
    run.addCasts(ledger);
    run.setState({wire::RunState::kRunning, 0});
    dock.table()->selectRow(0);
    QVERIFY2(dock.applyButton()->toolTip().contains(
                 QStringLiteral("A step's casts then move 30.2 kB less. Its forward then takes 380 µs less.")),
             qPrintable(dock.applyButton()->toolTip()));
    QCOMPARE(dock.detail()->text(),
             QStringLiteral("fc2/aten::linear#0, input: runs in float16: cuda-amp lists aten::linear. "
                            "fc2/aten::linear#0 in float32 removes it. A step's casts then move 30.2 kB less. Its "
                            "forward then takes 380 µs less."));
    dock.table()->selectRow(1);
    QVERIFY(dock.detail()->text().endsWith(QStringLiteral("No edit of one op call removes it.")));
    // One that costs asks to be read, and where formats are emulated nothing is said of time.
    ledger.lines[1].edit_bytes = 4096;
    ledger.lines[1].edit_seconds.reset();
    QCOMPARE(price(0), QStringLiteral("+4.1 kB"));
    QVERIFY(app::castRows(run, ledger)[0].cells.back().value(views::StrongRole).toBool());
    QVERIFY(!app::castRows(run, ledger)[0].cells.back().value(views::AttentionRole).toBool());  // more is no fault
    ledger.lines[1].edit_bytes = 0;
    QCOMPARE(price(0), QStringLiteral("±0 B"));
  }

  // The column *Why* is narrower than most of its texts.
  void aCauseThatIsCutIsWholeInItsToolTip() {
    app::RunModel run;
    app::Selection selection;
    app::CastLedgerDock dock(&run, &selection);
    test::feedRun(run, 3);
    run.addCasts(test::casts(0, 0));
    constexpr int kWhy = 9;
    const QAbstractItemModel* rows = dock.table()->model();
    for (int row = 0; row < rows->rowCount(); ++row) {
      const QModelIndex cause = rows->index(row, kWhy);
      QVERIFY(!cause.data().toString().isEmpty());
      QCOMPARE(cause.data(Qt::ToolTipRole).toString(), cause.data().toString());
      QVERIFY(!cause.data(views::KeepEndRole).toBool());  // elided at its end
    }
    QVERIFY(rows->headerData(kWhy, Qt::Horizontal, Qt::ToolTipRole).toString().contains(QStringLiteral("tool tip")));
  }

  // Of a narrow ledger, what it is read for stays: which cast, what it costs, and what removes it.
  void aNarrowLedgerShowsCostAndRemovingEdit() {
    app::RunModel run;
    app::Selection selection;
    app::CastLedgerDock dock(&run, &selection);
    test::feedRun(run, 3);
    wire::CastLedger ledger = test::casts(0, 0);
    ledger.lines[0].casts += 1;  // a column that says the same in every row hides
    ledger.lines[1].casts += 2;
    run.addCasts(ledger);
    dock.resize(430, 500);
    dock.show();
    QVERIFY(QTest::qWaitForWindowExposed(&dock));
    const QTableView* table = dock.table();
    QTRY_VERIFY(table->isColumnHidden(9));  // why
    int wide = 0;
    for (int column = 0; column < table->model()->columnCount(); ++column) wide += table->columnWidth(column);
    QVERIFY2(wide <= table->viewport()->width(), qPrintable(QString::number(wide)));
    for (const int column : {0, 4, 5, 7})
      QVERIFY2(!table->isColumnHidden(column),
               qPrintable(table->model()->headerData(column, Qt::Horizontal).toString()));
  }

  void totalsStandBesideThoseBeforeTheEdit() {
    app::RunModel run;
    app::Selection selection;
    app::CastLedgerDock dock(&run, &selection);
    test::feedRun(run, 3);
    QVERIFY(dock.empty()->isShownEmpty());
    run.addCasts(test::casts(0, 0));
    QVERIFY(dock.summary()->text().startsWith(QStringLiteral("4 casts a step")));
    QVERIFY(!dock.summary()->text().contains(QStringLiteral("before")));
    wire::CastLedger after = test::casts(1, 20);
    after.lines.erase(after.lines.begin() + 1);
    run.addCasts(after);
    QVERIFY(dock.summary()->text().startsWith(QStringLiteral("3 casts a step")));
    QVERIFY(dock.secondSummary()->text().contains(QStringLiteral("Before the edit: 4 casts a step")));
    // A newer count under the same policy takes the old one's place.
    run.addCasts(after);
    QCOMPARE(static_cast<int>(run.casts().size()), 2);
  }

  // An emulated step takes longer than one on hardware for the format.
  void aShareIsThatOfANativeStep() {
    test::FakeRun fake;
    for (const auto execution : {policy::Execution::kNative, policy::Execution::kEmulated}) {
      wire::RunStarted started = fake.started();
      for (policy::Decision& decision : started.policy.decisions) decision.execution = execution;
      app::RunModel run;
      app::Selection selection;
      app::CastLedgerDock dock(&run, &selection);
      run.begin(started, app::RunModel::Source::kLive);
      run.setState({wire::RunState::kRunning, 0});
      run.addCasts(test::casts(0, 0));
      QCOMPARE(dock.summary()->text().contains(QStringLiteral("2.75 % of the step")),
               execution == policy::Execution::kNative);
    }
  }

  void removingACastIsOneUndoStepOfThePolicy() {
    Explorer explorer;
    QVERIFY(explorer.playAndPause(10));
    app::Session& session = explorer.session();
    session.run().addCasts(test::casts(0, 0));
    app::CastLedgerDock* dock = explorer.window().docks()->cast_ledger;
    dock->table()->selectRow(2);  // no edit removes this one
    QVERIFY(!dock->applyButton()->isEnabled());
    dock->table()->selectRow(0);
    QVERIFY(dock->applyButton()->isEnabled());
    QVERIFY(session.selection().sites() == std::vector<int>{11});
    dock->applyButton()->click();
    QTRY_COMPARE(explorer.requests(QStringLiteral("policy.set")).size(), 1);
    QCOMPARE(session.document().policy().sites.back().match, std::string("fc2/aten::linear#0"));
    QVERIFY(session.document().policy().sites.back().format == formats::kFloat32);
    session.document().undoStack()->undo();
    QVERIFY(session.document().policy().sites.empty());
    explorer.window().setArrangement(app::Arrangement::kTune);
    Explorer::picture(&explorer.window(), QStringLiteral("tune"));
  }

  void theChosenCastFollowsTheSelectionAndNewFigures() {
    app::RunModel run;
    app::Selection selection;
    app::CastLedgerDock dock(&run, &selection);
    test::feedRun(run, 3);
    run.addCasts(test::casts(0, 0));
    const auto chosen = [&] {
      const QModelIndexList rows = dock.table()->selectionModel()->selectedRows();
      return rows.isEmpty() ? QString() : rows.front().data().toString();
    };
    selection.setSites({11});
    QCOMPARE(chosen(), QStringLiteral("fc2/aten::linear#0"));
    // A newer count ranks it last: it stays chosen, and nothing is selected anew.
    const QSignalSpy selections(&selection, &app::Selection::sitesChanged);
    wire::CastLedger newer = test::casts(0, 20);
    newer.lines[1].seconds = 0;
    run.addCasts(newer);
    QCOMPARE(chosen(), QStringLiteral("fc2/aten::linear#0"));
    QCOMPARE(selections.count(), 0);
    selection.setSites({4});
    QVERIFY(chosen().isEmpty());
  }

  // A row that was selected while the dock was hidden must not be scrolled to when it is shown later.
  void aLedgerWithoutASelectionBeginsAtItsTop() {
    app::RunModel run;
    app::Selection selection;
    app::CastLedgerDock dock(&run, &selection);
    dock.resize(420, 200);
    test::feedRun(run, 3);
    wire::CastLedger ledger = test::casts(0, 0);
    while (ledger.lines.size() < 12) {
      ledger.lines.push_back(ledger.lines.front());
      ledger.lines.back().site = 20 + static_cast<int>(ledger.lines.size());
      ledger.lines.back().seconds = 1e-9;
    }
    ledger.lines.push_back(ledger.lines[1]);
    ledger.lines.back().site = 11;
    ledger.lines.back().seconds = 0;
    ledger.lines.erase(ledger.lines.begin() + 1);
    run.addCasts(ledger);
    selection.setSites({11});
    selection.setSites({});
    dock.show();
    QVERIFY(QTest::qWaitForWindowExposed(&dock));
    QVERIFY(dock.table()->verticalScrollBar()->maximum() > 0);
    QCOMPARE(dock.table()->verticalScrollBar()->value(), 0);
  }

  void anEndedRunIsNotEdited() {
    app::RunModel run;
    app::Selection selection;
    app::CastLedgerDock dock(&run, &selection);
    test::feedRun(run, 3);
    run.addCasts(test::casts(0, 0));
    dock.table()->selectRow(0);
    run.finish({});
    QVERIFY(!dock.applyButton()->isEnabled());
  }
};

BINADE_SUITE(CastLedgers);

}  // namespace

#include "tst_cast_ledgers.moc"
