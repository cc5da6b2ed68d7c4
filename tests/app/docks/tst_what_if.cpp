// SPDX-License-Identifier: Apache-2.0
// Formats measured on an operand: rows, the dock, and the question to the engine.
#include "app/docks/what_if_dock.h"
#include "app/present/cell_model.h"
#include "app/present/what_if_rows.h"
#include "app/window/dock_set.h"
#include "app/window/main_window.h"
#include "tests/app/app_fixture.h"
#include "tests/app/fake_findings.h"
#include "tests/app/fake_sites.h"
#include "tests/support/suite.h"
#include "views/plot/block_view.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

namespace {

using namespace binade;
using policy::Operand;
using policy::Product;
using test::Explorer;

class WhatIfs : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void everyFormatHasARow() {
    const wire::WhatIf answer = test::whatIf(12, {test::kFc1, Product::kForward, Operand::kInput, {}});
    const QList<app::CellRow> rows = app::whatIfRows(answer);
    QCOMPARE(rows.size(), 2);
    const auto text = [&](int row, int column) { return rows[row].cells[column].value(Qt::DisplayRole).toString(); };
    QCOMPARE(text(0, 0), QStringLiteral("mxfp8 (in use)"));
    QCOMPARE(text(1, 0), QStringLiteral("mxfp4"));
    QCOMPARE(text(0, 1), QStringLiteral("30.0 dB"));
    QCOMPARE(text(1, 1), QStringLiteral("10.0 dB"));
    QCOMPARE(text(1, 2), QStringLiteral("25.00 %"));
    QCOMPARE(text(0, 4), QStringLiteral("50.00 %"));
    QCOMPARE(text(0, 6), QStringLiteral("8.25"));
    QCOMPARE(app::blockPlace(answer.blocks[0]), QStringLiteral("row 3, columns 32 to 63"));
    wire::QuantizedBlock square{16, 32, 16, 1, 0, std::vector<float>(256), std::vector<float>(256)};
    QCOMPARE(app::blockPlace(square), QStringLiteral("rows 16 to 31, columns 32 to 47"));
  }

  void onlyAnOpCallWithProductsCanBeMeasured() {
    app::RunModel run;
    app::Selection selection;
    app::WhatIfDock dock(&run, &selection);
    test::feedRun(run, 3);
    QVERIFY(!dock.measure()->isEnabled());
    selection.setSites({test::kFc1});
    QVERIFY(dock.measure()->isEnabled());
    QCOMPARE(dock.operands()->count(), 6);
    const QSignalSpy asked(&dock, &app::WhatIfDock::measureRequested);
    dock.operands()->setCurrentIndex(4);
    dock.measure()->click();
    QCOMPARE(asked.size(), 1);
    const auto question = asked[0][0].value<wire::AskWhatIf>();
    QVERIFY(question == (wire::AskWhatIf{test::kFc1, Product::kGradWeight, Operand::kGradient, {}}));
    QVERIFY(!dock.measure()->isEnabled());  // until the answer
    dock.showAnswer(app::Problem{QStringLiteral("It cannot be."), QStringLiteral("Try another.")});
    QCOMPARE(dock.source()->text(), QStringLiteral("It cannot be. Try another."));
    QVERIFY(dock.measure()->isEnabled());
  }

  void anAnswerAboutAnotherOperandIsNotShown() {
    app::RunModel run;
    app::Selection selection;
    app::WhatIfDock dock(&run, &selection);
    test::feedRun(run, 3);
    selection.setSites({test::kFc1});
    dock.showAnswer(test::whatIf(2, {test::kFc2, Product::kForward, Operand::kInput, {}}));
    QCOMPARE(dock.model()->rowCount(), 0);
    dock.showAnswer(test::whatIf(2, {test::kFc1, Product::kForward, Operand::kInput, {}}));
    QCOMPARE(dock.model()->rowCount(), 2);
    QCOMPARE(dock.blocks()->current(), 0);
    selection.setSites({test::kFc2});
    QCOMPARE(dock.model()->rowCount(), 0);
    QCOMPARE(dock.blocks()->current(), -1);
  }

  void aFailedRequestLeavesNoFiguresUnderItsError() {
    app::RunModel run;
    app::Selection selection;
    app::WhatIfDock dock(&run, &selection);
    test::feedRun(run, 3);
    selection.setSites({test::kFc1});
    dock.showAnswer(test::whatIf(2, {test::kFc1, Product::kForward, Operand::kInput, {}}));
    QCOMPARE(dock.model()->rowCount(), 2);
    // The row says more than the name of the format that it asks for.
    const QSignalSpy asked(&dock, &app::WhatIfDock::measureRequested);
    Q_EMIT dock.table()->activated(dock.model()->index(0, 0));
    QCOMPARE(asked.size(), 1);
    QCOMPARE(asked[0][0].value<wire::AskWhatIf>().format, std::string("mxfp8"));
    dock.showAnswer(app::Problem{QStringLiteral("It cannot be."), {}});
    QCOMPARE(dock.source()->text(), QStringLiteral("It cannot be."));
    QCOMPARE(dock.model()->rowCount(), 0);
    QCOMPARE(dock.blocks()->current(), -1);
  }

  void inTheWindowTheEngineMeasuresIt() {
    Explorer explorer;
    QVERIFY(explorer.playAndPause(20));
    app::WhatIfDock* dock = explorer.window().docks()->what_if;
    explorer.session().selection().setSites({test::kFc1});
    dock->measure()->click();
    QTRY_COMPARE(dock->model()->rowCount(), 2);
    QCOMPARE(explorer.requests(QStringLiteral("observe.what_if")).size(), 1);
    QVERIFY2(dock->source()->text().contains(QStringLiteral("not derived from a histogram")),
             qPrintable(dock->source()->text()));
    // Another format's blocks.
    Q_EMIT dock->table()->activated(dock->model()->index(1, 0));
    QTRY_VERIFY2(dock->source()->text().contains(QStringLiteral("Blocks: mxfp4")), qPrintable(dock->source()->text()));
    QTest::keyClick(dock->blocks(), Qt::Key_Down);
    QVERIFY2(dock->blocks()->description().startsWith(QStringLiteral("Block 2 of 2, row 4")),
             qPrintable(dock->blocks()->description()));
    Explorer::picture(&explorer.window(), QStringLiteral("what-if"));
  }

  void everyPartHasAnAccessibleName() {
    app::RunModel run;
    app::Selection selection;
    const app::WhatIfDock dock(&run, &selection);
    for (const QWidget* each :
         std::initializer_list<const QWidget*>{dock.operands(), dock.table(), dock.blocks(), dock.source()})
      QVERIFY(!each->accessibleName().isEmpty());
  }
};

BINADE_SUITE(WhatIfs);

}  // namespace

#include "tst_what_if.moc"
