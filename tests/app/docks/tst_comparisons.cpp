// SPDX-License-Identifier: Apache-2.0
// One step beside float32: how op calls are ranked, and what the window does with a comparison.
#include "app/docks/comparison_dock.h"
#include "app/docks/empty_state.h"
#include "app/docks/questions_dock.h"
#include "app/present/cell_model.h"
#include "app/present/comparison_rows.h"
#include "app/present/diagnose_answers.h"
#include "app/window/actions.h"
#include "app/window/banner.h"
#include "tests/app/app_fixture.h"
#include "tests/app/fake_findings.h"
#include "tests/app/fake_sites.h"
#include "tests/app/row_mutator.h"
#include "tests/app/wait_opened.h"
#include "tests/support/suite.h"

#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

#include <limits>

namespace {

using namespace binade;
using test::Explorer;
using Tone = views::AnswerTone;

class Comparisons : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void theComparisonIsRankedByWhatWasAddedNotInherited() {
    app::RunModel run;
    test::feedRun(run, 2);
    const QList<app::CellRow> rows = app::comparisonRows(run, test::comparison(1));
    QCOMPARE(rows.size(), 3);  // the one that added nothing is left out
    QCOMPARE(rows[0].id, qlonglong(test::kFc1));
    QCOMPARE(rows[1].id, qlonglong(0));   // by its backward
    QCOMPARE(rows[2].id, qlonglong(11));  // inherits the greatest error, adds least
    QCOMPARE(rows[0].cells[2].value(Qt::DisplayRole).toString(), QStringLiteral("8.00 %"));
    QCOMPARE(rows[2].cells[3].value(Qt::DisplayRole).toString(), QStringLiteral("–"));
    QCOMPARE(rows[2].cells[8].value(Qt::DisplayRole).toString(), QStringLiteral("estimated"));
  }

  // Two numbers that are nearly equal are subtracted: nothing is added there, and what came in is all that is left.
  void anErrorThatOnlyCameInIsShownWhereItIsLarge() {
    app::RunModel run;
    test::feedRun(run, 2);
    wire::Float32Comparison compared = test::comparison(1);
    compared.sites[1].forward = compared.sites[1].inherited = 0.04;
    compared.sites[1].arrived = 0.0005;
    const QList<app::CellRow> rows = app::comparisonRows(run, compared);
    QCOMPARE(rows.size(), 4);
    QCOMPARE(rows[1].id, qlonglong(5));
    QCOMPARE(rows[1].cells[2].value(Qt::DisplayRole).toString(), QStringLiteral("0"));
    QVERIFY(rows[1].cells[5].value(views::AttentionRole).toBool());
    QVERIFY(rows[1].cells[5].value(Qt::ToolTipRole).toString().contains(QStringLiteral("cancel")));
    app::Selection selection;
    const app::ComparisonDock dock(&run, &selection);
    run.setComparison(compared);
    QVERIFY2(dock.summary()->text().endsWith(QStringLiteral("3 op calls added error")),
             qPrintable(dock.summary()->text()));
  }

  void whereTheReferenceIsNotFloat32IsTold() {
    using Kind = wire::ReferenceNote::Kind;
    app::RunModel run;
    test::feedRun(run, 2);
    app::Selection selection;
    const app::ComparisonDock dock(&run, &selection);
    wire::Float32Comparison compared = test::comparison(1);
    compared.reference = {{Kind::kLiftedCast, test::kFc1, "", ""}};
    run.setComparison(compared);
    QVERIFY2(dock.summary()->text().endsWith(QStringLiteral("the model's own casts, removed for float32: 1")),
             qPrintable(dock.summary()->text()));
    QVERIFY2(dock.summary()->toolTip().contains(QStringLiteral("fc1/aten::linear#0")),
             qPrintable(dock.summary()->toolTip()));
    compared.sites.clear();
    QVERIFY(app::comparisonText(run, compared).endsWith(QStringLiteral("equal.")));
    run.setComparison(compared);
    QVERIFY(app::silentAnswer(run).tone == Tone::kGood);

    compared.reference.push_back({Kind::kLowResult, 11, "", "float16"});
    compared.reference.push_back({Kind::kParameter, -1, "fc1.weight", "bfloat16"});
    compared.reference.push_back({Kind::kCastsKept, -1, "an assert", ""});
    run.setComparison(compared);
    QVERIFY2(dock.summary()->text().endsWith(QStringLiteral("the float32 run also uses other formats")),
             qPrintable(dock.summary()->text()));
    for (const char* told : {"fc2/aten::linear#0 in float16", "fc1.weight in bfloat16", "an assert"}) {
      QVERIFY2(dock.summary()->toolTip().contains(QLatin1String(told)), qPrintable(dock.summary()->toolTip()));
    }
    // Equal to what is not float32 either: that nothing is lost is not known.
    QVERIFY(app::comparisonText(run, compared).contains(QStringLiteral("also used other formats")));
    QVERIFY(app::silentAnswer(run).tone == Tone::kUnknown);
  }

  void aSmallErrorThatGrowsIsRankedByWhatItBecomes() {
    app::RunModel run;
    test::feedRun(run, 2);
    wire::Float32Comparison compared = test::comparison(1);
    wire::SiteDifference& grows = compared.sites[3];  // fc2, which adds least
    grows.becomes = 1;
    grows.becomes_at = 12;
    wire::SiteDifference subtracts;
    subtracts.site = 12;
    subtracts.forward = subtracts.inherited = 1;
    subtracts.arrived = 0.0012;
    compared.sites.push_back(subtracts);
    const QList<app::CellRow> rows = app::comparisonRows(run, compared);
    QCOMPARE(rows.front().id, qlonglong(11));
    QCOMPARE(rows.front().cells[4].value(Qt::DisplayRole).toString(), QStringLiteral("100 %"));
    QVERIFY(rows.front().cells[4].value(Qt::ToolTipRole).toString().contains(QStringLiteral("loss/aten::nll_loss")));
    QCOMPARE(rows[2].cells[4].value(Qt::DisplayRole).toString(), QStringLiteral("–"));
    QCOMPARE(rows[1].id, qlonglong(12));
    QVERIFY(rows[1].cells[5].value(Qt::ToolTipRole).toString().contains(QStringLiteral("0.12 %")));
    QVERIFY(app::comparisonText(run, compared).contains(QStringLiteral("becomes 100 % at loss/aten::nll_loss#0")));
    run.setComparison(compared);
    QVERIFY(app::silentAnswer(run).tone == Tone::kBad);
    QCOMPARE(app::silentAnswer(run).site, 11);
  }

  void anErrorWithoutBoundSaysInfinite() {
    QCOMPARE(app::errorText(std::numeric_limits<double>::infinity()), QStringLiteral("infinite"));
  }

  void aComparisonThatTheRunMadeByItselfIsToldOf() {
    Explorer explorer({QStringLiteral("--compare-at"), QStringLiteral("4")});
    explorer.show();
    QVERIFY(explorer.playAndPause(8));
    QTRY_VERIFY(explorer.session().run().comparison().has_value());
    app::Banner* banner = explorer.window().banner();
    QTRY_VERIFY(banner->isVisible());
    QVERIFY2(banner->message().startsWith(QStringLiteral("Step 4 beside float32: fc1/aten::linear#0 adds")),
             qPrintable(banner->message()));
    Explorer::picture(&explorer.window(), QStringLiteral("compared-by-itself"));
    banner->offered()->click();
    QVERIFY(!banner->isVisible());
    QVERIFY(!explorer.window().docks()->comparison->visibleRegion().isEmpty());
    QVERIFY(!explorer.window().docks()->comparison->empty()->isShownEmpty());
  }

  void aComparisonThatWasAskedForIsNoNews() {
    Explorer explorer;
    explorer.show();
    QVERIFY(explorer.playAndPause(8));
    QSignalSpy news(&explorer.session(), &app::Session::comparedByItself);
    explorer.session().compareWithFloat32();
    QTRY_VERIFY(explorer.session().run().comparison().has_value());
    // The engine tells of it once more, as of any other.
    const wire::Float32Comparison again = *explorer.session().run().comparison();
    Q_EMIT explorer.session().engine().notified(again);
    // What an engine tells is taken with the next frame, in its order: once the later one is told of, the first was
    // not.
    wire::Float32Comparison later = again;
    later.step += 100;
    Q_EMIT explorer.session().engine().notified(later);
    QTRY_COMPARE(explorer.session().run().comparison()->step, later.step);
    QCOMPARE(news.count(), 1);
  }

  void comparingAsksTheEngineAndFillsTheTable() {
    Explorer explorer;
    QVERIFY(explorer.playAndPause(20));
    explorer.window().setArrangement(app::Arrangement::kDiagnose);
    app::ComparisonDock* dock = explorer.window().docks()->comparison;
    QVERIFY(dock->empty()->isShownEmpty());
    explorer.window().docks()->questions->compareButton()->click();
    QTRY_VERIFY(!dock->empty()->isShownEmpty());
    QCOMPARE(explorer.requests(QStringLiteral("observe.compare")).size(), 1);
    QCOMPARE(dock->model()->rowCount(), 3);
    QVERIFY(dock->summary()->text().contains(QStringLiteral("0.4412")));
    QTRY_VERIFY(explorer.window().docks()->questions->answer(3).tone == Tone::kBad);
    dock->table()->selectRow(0);
    QVERIFY(explorer.session().selection().sites() == std::vector<int>{test::kFc1});
    Explorer::picture(&explorer.window(), QStringLiteral("comparison"));
  }

  // Its engine began no run, and knows of none.
  void aRunOpenedFromItsFileIsComparedToo() {
    Explorer explorer;
    explorer.show();
    const app::RunModel& run = explorer.session().run();
    const QSignalSpy problems(&explorer.session(), &app::Session::problem);
    explorer.session().openFile(fileOfARun());
    test::waitOpened(explorer.session());
    QVERIFY(run.source() == app::RunModel::Source::kFile && run.hasWeights());
    QCOMPARE(run.comparison()->step, std::int64_t{40});
    explorer.session().compareWithFloat32();
    QTRY_COMPARE(run.comparison()->step, std::int64_t{0});  // what the made-up engine says
    QCOMPARE(run.comparison()->sites.size(), test::comparison(0).sites.size());
    QCOMPARE(problems.count(), 0);
  }

  void anAnswerThatComesForAnotherRunIsNotShown() {
    Explorer explorer;
    QVERIFY(explorer.playAndPause(8));
    app::Session& session = explorer.session();
    session.stop();
    QTRY_VERIFY(session.run().finished().has_value());
    QSignalSpy comparing(&session, &app::Session::comparing);
    session.compareWithFloat32();
    session.openFile(fileOfARun());
    test::waitOpened(session);
    QTRY_COMPARE(comparing.count(), 2);  // begun and over
    QCOMPARE(session.run().comparison()->step, std::int64_t{40});
  }

  void aComparisonThatFailsSaysWhy() {
    Explorer explorer({QStringLiteral("--refuse"), QStringLiteral("observe.compare")});
    QVERIFY(explorer.playAndPause(10));
    const QSignalSpy problems(&explorer.session(), &app::Session::problem);
    explorer.window().actions()->compare->trigger();
    QTRY_COMPARE(problems.size(), 1);
    QVERIFY(explorer.window().docks()->comparison->empty()->isShownEmpty());
    QVERIFY(explorer.window().docks()->comparison->compareButton()->isEnabled());
  }

 private:
  // With a checkpoint, and a comparison of step 40.
  static QString fileOfARun() {
    const QString path = test::temporaryFolder() + QStringLiteral("/kept.binade");
    QFile file(path);
    const QByteArray whole = test::wholeRunFile();
    if (!file.open(QIODevice::WriteOnly) || file.write(whole) != whole.size()) qFatal("no file");
    return path;
  }
};

BINADE_SUITE(Comparisons);

}  // namespace

#include "tst_comparisons.moc"
