// SPDX-License-Identifier: Apache-2.0
// What quantization did to the operands of products: the track of a run, rows, and the dock.
#include "app/docks/empty_state.h"
#include "app/docks/quantized_dock.h"
#include "app/model/quantized_track.h"
#include "app/present/quantized_rows.h"
#include "engine/scaled/scaled_format.h"
#include "tests/app/app_fixture.h"
#include "tests/app/fake_findings.h"
#include "tests/app/fake_sites.h"
#include "tests/support/suite.h"
#include "views/values/roles.h"

#include <QLabel>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

#include <set>
#include <string>

namespace {

using namespace binade;

QString text(const app::CellRow& row, int column) {
  return row.cells[column].value(Qt::DisplayRole).toString();
}

class Quantized : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aTrackKeepsStepsOfTheWholeRun() {
    app::QuantizedTrack track;
    QVERIFY(track.at({}) == nullptr);
    for (std::int64_t step = 0; step < 1000; ++step) track.add({step, {}});
    QCOMPARE(track.at({})->step, 999);
    std::set<std::int64_t> kept;
    for (std::int64_t step = 0; step < 1000; ++step) {
      if (const wire::QuantizedStep* found = track.at(step)) {
        QVERIFY(found->step <= step);
        kept.insert(found->step);
      }
    }
    QVERIFY(kept.contains(0));
    QVERIFY(kept.size() > app::QuantizedTrack::kMostSteps / 2 && kept.size() <= app::QuantizedTrack::kMostSteps);
    track.dropFrom(500);
    QVERIFY(track.at({})->step < 500);
    track.dropFrom(0);
    QVERIFY(track.at({}) == nullptr);
  }

  void operandsAreRankedByTheirNoise() {
    app::RunModel run;
    test::feedRun(run, 2);
    const QList<app::CellRow> rows = app::quantizedRows(run, test::quantized(1));
    QCOMPARE(rows.size(), 3);
    QCOMPARE(text(rows[0], 1), QStringLiteral("weight's gradient, gradient"));
    QCOMPARE(text(rows[0], 3), QStringLiteral("10.0 dB"));
    QCOMPARE(text(rows[0], 4), QStringLiteral("25.00 %"));
    QVERIFY(rows[0].cells[4].value(views::AttentionRole).toBool());
    QCOMPARE(text(rows[0], 9), QStringLiteral("–"));
    QCOMPARE(text(rows[1], 2), QStringLiteral("fp8_delayed"));
    QCOMPARE(text(rows[1], 9), QStringLiteral("1.5"));
    QVERIFY(rows[1].cells[9].value(views::AttentionRole).toBool());
    QCOMPARE(text(rows[2], 3), QStringLiteral("–"));  // a tensor of zeros loses nothing
    const std::set<qlonglong> ids{rows[0].id, rows[1].id, rows[2].id};
    QCOMPARE(ids.size(), std::size_t{3});
  }

  void everyFormatOfAnOperandHasAnIdOfItsOwn() {
    std::set<qlonglong> ids;
    qlonglong operands = 0;
    for (const scaled::NamedScaledFormat& named : scaled::named_formats()) {
      for (const char* scale : {"", "+rceil", "+ceil", "+even", "+pow2"}) {
        for (const char* rounding : {"", "+stochastic"}) {
          for (const char* transform : {"", "+hadamard"}) {
            wire::QuantizedOperand operand;
            operand.format = std::string(named.name) + scale + rounding + transform;
            if (!scaled::parse(operand.format)) continue;
            for (const int site : {0, 1, 1000000}) {
              for (const auto product : {policy::Product::kForward, policy::Product::kGradWeight}) {
                for (const auto each :
                     {policy::Operand::kInput, policy::Operand::kWeight, policy::Operand::kGradient}) {
                  operand.site = site;
                  operand.product = product;
                  operand.operand = each;
                  ids.insert(app::quantizedId(operand));
                  ++operands;
                }
              }
            }
          }
        }
      }
    }
    QVERIFY(operands > 1000);
    QCOMPARE(static_cast<qlonglong>(ids.size()), operands);
    QVERIFY(*ids.begin() >= 0);
  }

  void theScalesOfBlocksAreADistribution() {
    app::RunModel run;
    test::feedRun(run, 2);
    const wire::QuantizedStep step = test::quantized(1);
    const QList<app::CellRow> rows = app::quantizedRows(run, step);
    QCOMPARE(text(rows[0], 8), QStringLiteral("2⁻⁹ to 2⁻⁷"));
    const QString detail = app::quantizedDetail(run, step.operands[0]);
    QVERIFY2(detail.contains(QStringLiteral("2⁻⁹: 30, 2⁻⁷: 90")), qPrintable(detail));
    QVERIFY2(detail.contains(QStringLiteral("In 12 blocks one value")), qPrintable(detail));
    QVERIFY2(app::quantizedDetail(run, step.operands[1]).contains(QStringLiteral("stale")), "staleness");
  }

  void theDockShowsTheStepThatViewsShow() {
    app::RunModel run;
    app::Selection selection;
    app::QuantizedDock dock(&run, &selection);
    dock.show();
    QVERIFY(dock.empty()->isShownEmpty());
    test::feedRun(run, 40);
    run.addQuantized(test::quantized(10));
    wire::QuantizedStep later = test::quantized(30);
    later.operands.pop_back();
    run.addQuantized(later);
    QTRY_COMPARE(dock.model()->rowCount(), 2);
    QVERIFY(!dock.empty()->isShownEmpty());
    QVERIFY2(dock.summary()->text().startsWith(QStringLiteral("Step 30")), qPrintable(dock.summary()->text()));
    run.showStep(20);
    QCOMPARE(dock.model()->rowCount(), 3);
    QVERIFY(dock.summary()->text().startsWith(QStringLiteral("Step 10")));
    run.showStep(5);
    QVERIFY(dock.empty()->isShownEmpty());
    run.showStep({});
    run.rewind(25);
    QVERIFY(dock.summary()->text().startsWith(QStringLiteral("Step 10")));
  }

  void aHiddenDockMakesItsRowsWhenItIsShown() {
    app::RunModel run;
    app::Selection selection;
    app::QuantizedDock dock(&run, &selection);
    test::feedRun(run, 2);
    const QSignalSpy frames(&run, &app::RunModel::frame);
    run.addQuantized(test::quantized(1));
    QTRY_VERIFY(!frames.isEmpty());
    QCOMPARE(dock.model()->rowCount(), 0);
    dock.show();
    QCOMPARE(dock.model()->rowCount(), 3);
    wire::QuantizedStep fewer = test::quantized(1);
    fewer.operands.pop_back();
    run.beginFrame();
    run.addQuantized(fewer);
    QCOMPARE(dock.model()->rowCount(), 3);  // until the frame is complete
    run.endFrame();
    QCOMPARE(dock.model()->rowCount(), 2);
  }

  void aChosenOperandIsDescribedAndItsOpCallSelected() {
    app::RunModel run;
    app::Selection selection;
    app::QuantizedDock dock(&run, &selection);
    test::feedRun(run, 2);
    run.addQuantized(test::quantized(1));
    dock.show();
    QVERIFY(!dock.table()->accessibleName().isEmpty() && !dock.detail()->accessibleName().isEmpty());
    dock.table()->selectRow(0);
    QCOMPARE(selection.sites(), std::vector<int>{test::kFc1});
    QVERIFY2(dock.detail()->text().contains(QStringLiteral("nvfp4")), qPrintable(dock.detail()->text()));
  }
};

}  // namespace

BINADE_SUITE(Quantized);
#include "tst_quantized.moc"
