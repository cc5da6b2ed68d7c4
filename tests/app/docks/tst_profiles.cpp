// SPDX-License-Identifier: Apache-2.0
// Profile: times of op calls, and tensor-core figures with their source.
#include "app/docks/empty_state.h"
#include "app/docks/profile_dock.h"
#include "app/docks/series_dock.h"
#include "app/docks/site_table_model.h"
#include "app/docks/tensor_dock.h"
#include "app/model/profile_track.h"
#include "app/present/cell_model.h"
#include "app/present/profile_rows.h"
#include "tests/app/app_fixture.h"
#include "tests/app/fake_findings.h"
#include "tests/app/fake_sites.h"
#include "tests/support/suite.h"
#include "views/plot/line_plot.h"
#include "views/plot/step_axis.h"
#include "views/table/bar_key.h"

#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QLabel>
#include <QTableView>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <memory>

namespace {

using namespace binade;
using namespace app::profile_column;
using test::Explorer;

const app::CellRow* rowOf(const QList<app::CellRow>& rows, int site) {
  const auto found = std::find_if(rows.begin(), rows.end(), [site](const app::CellRow& row) { return row.id == site; });
  return found == rows.end() ? nullptr : &*found;
}

QString textOf(const app::CellRow* row, int column) {
  return row->cells[column].value(Qt::DisplayRole).toString();
}

class Profiles : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void timesAreRankedAndSplitIntoForwardAndBackward() {
    app::RunModel run;
    test::feedRun(run, 5);
    const QList<app::CellRow> rows = app::profileRows(run, test::cpuProfile(0, 4));
    QCOMPARE(rows.size(), 3);
    QCOMPARE(rows[0].id, qlonglong(test::kFc2));
    const app::CellRow* conv = rowOf(rows, test::kConv1);
    QCOMPARE(textOf(conv, kTime), QStringLiteral("6.00 ms"));
    QCOMPARE(textOf(conv, kForward), QStringLiteral("2.00 ms"));
    QCOMPARE(textOf(conv, kBackward), QStringLiteral("4.00 ms"));
    QCOMPARE(textOf(conv, kShare), QStringLiteral("30.00 %"));
    QCOMPARE(conv->cells[kTime].value(views::BarRole).toDouble(), 0.75);
    QCOMPARE(conv->cells[kTime].value(views::BarSecondRole).toDouble(), 0.5);
    QCOMPARE(textOf(conv, kSource), QStringLiteral("CPU CLOCK"));
  }

  void anEmulatedTimeIsNeverShownAsASpeed() {
    app::RunModel run;
    test::feedRun(run, 5);
    const QList<app::CellRow> rows = app::profileRows(run, test::cpuProfile(0, 4));
    const app::CellRow* emulated = rowOf(rows, test::kFc2);
    QCOMPARE(textOf(emulated, kSource), QStringLiteral("EMULATED"));
    QVERIFY(emulated->cells[kTime].value(views::BarHatchedRole).toBool());
    QVERIFY(emulated->cells[kTime].value(Qt::ToolTipRole).toString().contains(QStringLiteral("does not indicate")));
    QVERIFY(!rowOf(rows, test::kConv1)->cells[kTime].value(views::BarHatchedRole).toBool());
    QVERIFY(app::profileSummary(app::RunModel(), test::cpuProfile(0, 4)).contains(QStringLiteral("not of the format")));
  }

  void whatWasNotMeasuredIsADashNotAZero() {
    app::RunModel run;
    test::feedRun(run, 5);
    const QList<app::CellRow> rows = app::profileRows(run, test::cpuProfile(0, 4));
    QVERIFY(rowOf(rows, test::kConv1) != nullptr);
    for (const app::CellRow& row : rows) {
      QCOMPARE(textOf(&row, kTensor), QStringLiteral("–"));
      QVERIFY(std::isnan(row.cells[kTensor].value(views::BarRole).toDouble()));
    }
  }

  void countersGiveABarAnErrorAndAReason() {
    app::RunModel run;
    test::feedRun(run, 5);
    wire::Profile profile = test::gpuProfile(0, 4);
    profile.estimate = false;
    const QList<app::CellRow> rows = app::profileRows(run, profile);
    const app::CellRow* conv = rowOf(rows, test::kConv1);
    QCOMPARE(textOf(conv, kTensor), QStringLiteral("13.1 %"));
    QCOMPARE(textOf(conv, kSource), QStringLiteral("COUNTERS"));
    QCOMPARE(conv->cells[kTensor].value(views::BarErrorRole).toDouble(), 0.015);
    QVERIFY(textOf(conv, kWhy).contains(QStringLiteral("multiple of 8")));
    QVERIFY(conv->cells[kWhy].value(Qt::ToolTipRole).toString().contains(QStringLiteral("Pad to 8")));
    // One op call of the three was too short for the counters.
    QCOMPARE(textOf(rowOf(rows, test::kFc2), kTensor), QStringLiteral("–"));
    // The badge must not suggest that its share was measured.
    QCOMPARE(textOf(rowOf(rows, test::kFc2), kSource), QStringLiteral("NOT MEASURED"));
    QVERIFY(rowOf(rows, test::kFc2)->cells[kSource].value(Qt::ToolTipRole).toString().contains(u"From kernel records"));
  }

  void noMatrixOperationIsAnExactZeroAndNoEstimate() {
    app::RunModel run;
    test::feedRun(run, 5);
    wire::Profile profile = test::gpuProfile(0, 4);
    wire::SiteProfile& site = profile.sites[0];
    site.tensor = 0;
    site.tensor_error = 1.5;
    site.verdict = {.kind = wire::TensorVerdict::Kind::kNotMatrix};
    const QList<app::CellRow> rows = app::profileRows(run, profile);
    const app::CellRow* row = rowOf(rows, site.site);
    QCOMPARE(textOf(row, kTensor), QStringLiteral("0"));
    QVERIFY(!row->cells[kTensor].value(views::BarHatchedRole).toBool());
    QVERIFY(!row->cells[kTensor].value(views::BarErrorRole).isValid());
    QCOMPARE(textOf(row, kSource), QStringLiteral("KERNELS"));
    // A matrix operation for which the fit finds 0 remains an estimate, and so does a share above 0.
    site.verdict = {.kind = wire::TensorVerdict::Kind::kUnexplained};
    QCOMPARE(textOf(rowOf(app::profileRows(run, profile), site.site), kTensor), QStringLiteral("≈ 0.0 %"));
    site.verdict = {.kind = wire::TensorVerdict::Kind::kNotMatrix};
    site.tensor = 0.04;
    QCOMPARE(textOf(rowOf(app::profileRows(run, profile), site.site), kTensor), QStringLiteral("≈ 0.0 %"));
    QCOMPARE(textOf(rowOf(app::profileRows(run, profile), site.site), kSource), QStringLiteral("ESTIMATE"));
  }

  void anEstimateIsCalledOne() {
    app::RunModel run;
    test::feedRun(run, 5);
    const QList<app::CellRow> rows = app::profileRows(run, test::gpuProfile(0, 4));
    const app::CellRow* conv = rowOf(rows, test::kConv1);
    QCOMPARE(textOf(conv, kSource), QStringLiteral("ESTIMATE"));
    QCOMPARE(textOf(conv, kTensor), QStringLiteral("≈ 13.1 %"));
    QVERIFY(conv->cells[kTensor].value(views::BarHatchedRole).toBool());
  }

  void aMeasuredTimeStandsInTheTableOfOpCalls() {
    app::RunModel run;
    app::PolicyDocument document;
    app::Selection selection;
    test::feedRun(run, 5);
    app::SiteTableModel table(&run, &document, &selection);
    const auto time = [&](int site) { return table.index(site, app::SiteTableModel::kTime).data().toString(); };
    QCOMPARE(time(test::kConv1), QStringLiteral("–"));
    run.addProfile(test::cpuProfile(0, 4));
    table.refresh();
    QCOMPARE(time(test::kConv1), QStringLiteral("6.00 ms"));
    QCOMPARE(time(test::kFc2), QStringLiteral("–"));  // emulated
    QCOMPARE(time(1), QStringLiteral("–"));           // not measured
  }

  void anOpCallWithoutABackwardHasNoZeroInIt() {
    app::RunModel run;
    test::feedRun(run, 5);
    wire::Profile profile = test::cpuProfile(0, 4);
    profile.sites[0].backward = 0;
    QCOMPARE(textOf(rowOf(app::profileRows(run, profile), test::kConv1), kBackward), QStringLiteral("–"));
  }

  void theChosenOpCallStandsBelowWithReasonEditAndKernels() {
    app::RunModel run;
    app::Selection selection;
    app::ProfileDock dock(&run, &selection);
    test::feedRun(run, 5);
    run.addProfile(test::gpuProfile(0, 4));
    QVERIFY(dock.detail()->isHidden());
    dock.table()->selectRow(1);
    QVERIFY(!dock.detail()->isHidden());
    QVERIFY(dock.detail()->text().startsWith(QStringLiteral("conv1/aten::conv2d#0: 3 inputs")));
    QVERIFY(dock.detail()->text().contains(QStringLiteral("Pad to 8 in the model.")));
    QVERIFY(dock.detail()->text().contains(QStringLiteral("2 × nchwToNhwcKernel")));
  }

  void kernelsStandInTheToolTip() {
    app::RunModel run;
    test::feedRun(run, 5);
    const QList<app::CellRow> rows = app::profileRows(run, test::gpuProfile(0, 4));
    const QString tip = rowOf(rows, test::kConv1)->cells[kCall].value(Qt::ToolTipRole).toString();
    QVERIFY(tip.contains(QStringLiteral("sm90_xmma_fprop_f16")));
    QVERIFY(tip.contains(QStringLiteral("by its name a tensor-core kernel")));
    QVERIFY(tip.contains(QStringLiteral("2 × nchwToNhwcKernel")));
  }

  void theCurveLiesOnTheStepsItWasMeasuredIn() {
    app::ProfileTrack track;
    track.add(test::gpuProfile(10, 14));
    QCOMPARE(static_cast<int>(track.curve().size()), 5);
    for (int i = 0; i < 5; ++i) {
      const auto& point = track.curve()[static_cast<std::size_t>(i)];
      QCOMPARE(point.step, std::int64_t(10 + i));
      QCOMPARE(point.tensor, 30.0);  // 20, 30, 40; the fourth bin was not measured
      QCOMPARE(point.lowest, 20.0);
      QCOMPARE(point.highest, 40.0);
    }
    QCOMPARE(track.recent().tensor, 30.0);
    track.add(test::gpuProfile(12, 16));  // told in part before
    QCOMPARE(track.curve().back().step, std::int64_t(16));
    QCOMPARE(static_cast<int>(track.curve().size()), 7);
  }

  void aProfileWithoutSitesKeepsTheLastFigures() {
    app::ProfileTrack track;
    track.add(test::cpuProfile(0, 4));
    wire::Profile none = test::cpuProfile(5, 9);
    none.sites.clear();
    track.add(none);
    QCOMPARE(static_cast<int>(track.latest().sites.size()), 3);
    QCOMPARE(track.latest().last_step, std::int64_t(9));
  }

  void theCurveBetweenProfiledStepsKeepsTheirFigures() {
    app::RunModel run;
    test::feedRun(run, 60);
    run.addProfile(test::gpuProfile(0, 4));
    const wire::Profile before = run.profile().latest();
    wire::Profile between = test::gpuProfile(0, 4);
    between.first_step = between.last_step = between.steps = 0;
    between.step_seconds = 0;
    between.sites.clear();
    run.addProfile(between);
    const wire::Profile& now = run.profile().latest();
    QCOMPARE(now.sites.size(), before.sites.size());
    QCOMPARE(now.steps, before.steps);
    QCOMPARE(now.last_step, before.last_step);
    QCOMPARE(now.step_seconds, before.step_seconds);
    // Its bins lie after those that were told, up to the run's newest step.
    QVERIFY(run.profile().curve().back().step > 4 && run.profile().curve().back().step <= 59);
    for (std::size_t i = 1; i < run.profile().curve().size(); ++i)
      QVERIFY(run.profile().curve()[i].step > run.profile().curve()[i - 1].step);
  }

  void theChartMarksSkippedStepsAndEditsAsTheOthersDo() {
    app::RunModel run;
    views::StepAxis axis;
    const app::TensorDock dock(&run, &axis);
    const std::unique_ptr<app::SeriesDock> loss(app::makeLossDock(&run, &axis, nullptr));
    const auto count = [](const views::LinePlot* plot, views::MarkKind kind) {
      return views::countMarks(plot->marks(), kind);
    };
    test::feedRun(run, 60);
    run.addProfile(test::gpuProfile(50, 59));
    wire::PolicyApplied edit = run.policies().back();
    edit.step = 40;
    ++edit.revision;
    run.addPolicy(edit);
    QVERIFY(count(loss->plot(), views::MarkKind::kSkipped) > 0);
    QCOMPARE(count(dock.plot(), views::MarkKind::kSkipped), count(loss->plot(), views::MarkKind::kSkipped));
    QCOMPARE(count(dock.plot(), views::MarkKind::kPolicyEdit), std::int64_t{1});
    QCOMPARE(count(loss->plot(), views::MarkKind::kPolicyEdit), std::int64_t{1});
    // A dock that is made later, and one of a run that begins again.
    const app::TensorDock later(&run, &axis);
    QCOMPARE(count(later.plot(), views::MarkKind::kSkipped), count(dock.plot(), views::MarkKind::kSkipped));
    QCOMPARE(count(later.plot(), views::MarkKind::kPolicyEdit), std::int64_t{1});
    test::feedRun(run, 60);
    QCOMPARE(count(dock.plot(), views::MarkKind::kSkipped), count(loss->plot(), views::MarkKind::kSkipped));
    QCOMPARE(count(dock.plot(), views::MarkKind::kPolicyEdit), std::int64_t{0});
  }

  void theBarsOfTimeHaveAKey() {
    app::RunModel run;
    app::Selection selection;
    const app::ProfileDock dock(&run, &selection);
    test::feedRun(run, 5);
    QVERIFY(dock.key()->isHidden());  // nothing to explain
    run.addProfile(test::cpuProfile(0, 4));
    QVERIFY(!dock.key()->isHidden());
    QCOMPARE(dock.key()->accessibleDescription(), QStringLiteral("first forward, then, paler, backward"));
  }

  void theDockHidesTensorCoresWhereNoneWereMeasured() {
    app::RunModel run;
    app::Selection selection;
    app::ProfileDock dock(&run, &selection);
    const QAbstractItemModelTester tester(dock.model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
    test::feedRun(run, 5);
    QVERIFY(dock.empty()->isShownEmpty());
    run.addProfile(test::cpuProfile(0, 4));
    QVERIFY(!dock.empty()->isShownEmpty());
    QVERIFY(dock.table()->isColumnHidden(kTensor));
    run.addProfile(test::gpuProfile(0, 4));
    QVERIFY(!dock.table()->isColumnHidden(kTensor));
    dock.table()->selectRow(1);
    QCOMPARE(static_cast<int>(selection.sites().size()), 1);
  }

  void theArrangementBeginsToMeasureAndCanBeToldNotTo() {
    Explorer explorer;
    QVERIFY(explorer.playAndPause(20));
    explorer.window().setArrangement(app::Arrangement::kProfile);
    QTRY_COMPARE(explorer.requests(QStringLiteral("profiler.set")).size(), 1);
    QCOMPARE(explorer.requests(QStringLiteral("profiler.set")).back()[QLatin1String("level")].toString(),
             QStringLiteral("counters"));
    app::ProfileDock* dock = explorer.window().docks()->profile;
    QTRY_VERIFY(!dock->empty()->isShownEmpty());  // the fake engine answers with a profile
    QVERIFY(dock->measure()->isChecked());
    Explorer::picture(&explorer.window(), QStringLiteral("profile"));
    dock->measure()->click();
    QTRY_COMPARE(explorer.requests(QStringLiteral("profiler.set")).size(), 2);
    QCOMPARE(explorer.requests(QStringLiteral("profiler.set")).back()[QLatin1String("level")].toString(),
             QStringLiteral("off"));
    // The figures that were measured stay.
    QVERIFY(!dock->empty()->isShownEmpty());
  }
};

BINADE_SUITE(Profiles);

}  // namespace

#include "tst_profiles.moc"
