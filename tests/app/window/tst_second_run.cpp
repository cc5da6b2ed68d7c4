// SPDX-License-Identifier: Apache-2.0
// A second run over the first: in the charts, beside the op calls, and rule by rule.
#include "app/docks/empty_state.h"
#include "app/docks/gradients_dock.h"
#include "app/docks/scale_dock.h"
#include "app/docks/second_run_dock.h"
#include "app/docks/series_dock.h"
#include "app/docks/sites_dock.h"
#include "app/session/second_run.h"
#include "app/window/actions.h"
#include "engine/record/run_writer.h"
#include "tests/app/app_fixture.h"
#include "tests/app/fake_run.h"
#include "tests/app/fake_sites.h"
#include "tests/support/suite.h"
#include "views/values/roles.h"

#include <QComboBox>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFile>
#include <QLabel>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>

namespace {

using namespace binade;
using test::Explorer;

// A recorded run whose second linear layer computes in bfloat16.
QString writeSecondRun(const QString& name, int steps) {
  const QString file = test::temporaryFolder() + u'/' + name;
  test::FakeRun fake;
  wire::RunConfig config = test::FakeRun::config();
  config.steps = steps;
  policy::SiteRule rule;
  rule.match = "fc2/aten::linear#0";
  rule.format = formats::kBFloat16;
  config.policy.sites = {rule};
  fake.restart(config);
  record::RunWriter writer(file.toStdString());
  writer.add(fake.started());
  for (int i = 0; i < steps; ++i) {
    writer.add(fake.next());
    if (fake.event() != nullptr) writer.add(*fake.event());
  }
  writer.add(wire::Finished{wire::Outcome::kCompleted, steps, "", ""});
  writer.close();
  return file;
}

class SecondRuns : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void chartsOpCallsAndPoliciesStandBesideTheOthers() {
    Explorer explorer;
    explorer.showFed(60);
    app::Session& session = explorer.session();
    app::DockSet* docks = explorer.window().docks();
    QVERIFY(docks->second_run->empty()->isShownEmpty());
    QVERIFY(!docks->sites->model()->hasBeside());
    QSignalSpy changed(&session.second(), &app::SecondRun::changed);
    const QString file = writeSecondRun(QStringLiteral("other.binade"), 40);
    session.compareWithRun(file);
    QVERIFY(changed.wait(20000));
    QCOMPARE(session.run().steps().size(), std::size_t{60});  // the first stays
    QCOMPARE(session.second().name(), QStringLiteral("other"));
    QCOMPARE(docks->loss->plot()->series(0).size(), std::size_t{60});
    QCOMPARE(docks->loss->plot()->series(1).size(), std::size_t{40});
    QVERIFY(docks->loss->plot()->csv().contains(QStringLiteral("loss of other")));
    const auto parts = docks->scale->plot()->partsAt(20);
    QVERIFY(std::any_of(parts.begin(), parts.end(),
                        [](const views::Plot::PartValue& part) { return part.name == QStringLiteral("other"); }));
    // Both at one step: the newest that the shorter one has.
    session.selection().setShown(20);
    QCOMPARE(session.second().commonStep(), 20);
    QVERIFY(session.second().run().shownStep() == std::optional<std::int64_t>(20));
    session.selection().setShown(50);
    QCOMPARE(session.second().commonStep(), 39);
    session.selection().setShown(39);
    QVERIFY(docks->second_run->isVisible());
    QVERIFY2(docks->second_run->summary()->text().startsWith(QStringLiteral("Step 39 of both")),
             qPrintable(docks->second_run->summary()->text()));
    const int row = docks->second_run->model()->rowOf(test::kFc2);
    QVERIFY(row >= 0);
    const auto text = [&](int column) { return docks->second_run->model()->index(row, column).data().toString(); };
    QCOMPARE(text(1), QStringLiteral("float16"));
    QCOMPARE(text(2), QStringLiteral("bfloat16"));
    const int here = app::figuresOf(session.run(), test::kFc2).overflows.all();
    const int there = app::figuresOf(session.second().run(), test::kFc2).overflows.all();
    QVERIFY(here > there);
    QCOMPARE(text(3), QString::number(here));
    QCOMPARE(text(4), QStringLiteral("+%1").arg(here - there));
    // The policies: one rule.
    QCOMPARE(docks->second_run->policies()->rowCount(), 1);
    QVERIFY(docks->second_run->policies()->index(0, 0).data().toString().contains(QStringLiteral("fc2")));
    QCOMPARE(docks->second_run->policies()->index(0, 1).data().toString(), QStringLiteral("none"));
    QVERIFY(docks->second_run->policies()->index(0, 2).data().toString().contains(QStringLiteral("bfloat16")));
    // The column of the op calls.
    const app::SiteTableModel* table = docks->sites->model();
    QVERIFY(table->hasBeside());
    QVERIFY(
        table->headerData(app::SiteTableModel::kBeside, Qt::Horizontal).toString().contains(QStringLiteral("other")));
    const QString cell = table->index(test::kFc2, app::SiteTableModel::kBeside).data().toString();
    QVERIFY2(cell.startsWith(QStringLiteral("bfloat16 → float16")), qPrintable(cell));
    QVERIFY2(cell.contains(QStringLiteral("overflow")), qPrintable(cell));
    // One run again.
    explorer.window().actions()->one_run->trigger();
    QVERIFY(session.second().isEmpty());
    QVERIFY(!table->hasBeside());
    QVERIFY(!docks->loss->plot()->csv().contains(QStringLiteral("other")));
    QCOMPARE(docks->loss->plot()->series(0).size(), std::size_t{60});
    QCOMPARE(explorer.window().stepAxis()->latest(), 59);
    QVERIFY(!explorer.window().actions()->one_run->isEnabled());
  }

  void theSecondRunsHistogramIsAnOutlineAndItsHeatMapCanBeChosen() {
    Explorer explorer;
    explorer.showFed(60);
    app::Session& session = explorer.session();
    const app::GradientsDock* dock = explorer.window().docks()->gradients;
    const views::Histogram* histogram = dock->view()->histogram();
    const views::HeatColumns& columns = dock->view()->heatMap()->columns();
    QVERIFY(dock->heatRun()->isHidden() && !histogram->other());
    const std::int64_t last = columns.lastStep();
    QSignalSpy changed(&session.second(), &app::SecondRun::changed);
    session.compareWithRun(writeSecondRun(QStringLiteral("heat.binade"), 40));
    QVERIFY(changed.wait(20000));
    QTRY_VERIFY(histogram->other().has_value());
    QCOMPARE(histogram->other()->name, QStringLiteral("heat"));
    QVERIFY(histogram->other()->step < 40 && histogram->other()->stats.count > 0);
    QVERIFY(histogram->valuesAt(histogram->plotArea().center()).contains(QStringLiteral("heat, step ")));
    // Both at one step, where both have one.
    session.selection().setStep(20);
    QCOMPARE(histogram->other()->step, qint64{20});
    // The heat map stays that of the first run until the other is chosen.
    QVERIFY(!dock->heatRun()->isHidden());
    QCOMPARE(columns.lastStep(), last);
    dock->heatRun()->setFocus();
    QTest::keyClick(dock->heatRun(), Qt::Key_Down);
    QCOMPARE(dock->heatRun()->currentText(), QStringLiteral("heat"));
    QVERIFY(columns.lastStep() < 40);
    Explorer::picture(&explorer.window(), QStringLiteral("second-heat-map"));
    // A step of the first run does not get into it.
    test::FakeRun fake;
    for (int i = 0; i < 60; ++i) fake.next();
    session.run().addSteps({fake.next()});
    QVERIFY(columns.lastStep() < 40);
    QTest::keyClick(dock->heatRun(), Qt::Key_Up);
    QVERIFY(columns.lastStep() >= last);
    explorer.window().actions()->one_run->trigger();
    QVERIFY(dock->heatRun()->isHidden() && !histogram->other());
  }

  void aLiveRunGoesOnBesideTheSecond() {
    Explorer explorer;
    explorer.showFed(10);
    app::Session& session = explorer.session();
    QSignalSpy changed(&session.second(), &app::SecondRun::changed);
    session.compareWithRun(writeSecondRun(QStringLiteral("longer.binade"), 40));
    QVERIFY(changed.wait(20000));
    QCOMPARE(session.second().commonStep(), 9);
    test::FakeRun fake;
    for (int i = 0; i < 10; ++i) fake.next();
    for (int i = 0; i < 5; ++i) session.run().addSteps({fake.next()});
    QTRY_COMPARE(session.second().run().shownStep().value_or(-1), 14);
    QCOMPARE(explorer.window().docks()->loss->plot()->series(0).size(), std::size_t{15});
    // The run is taken back: its charts are drawn anew, with the other.
    session.run().rewind(12);
    QCOMPARE(explorer.window().docks()->loss->plot()->series(0).size(), std::size_t{12});
    QCOMPARE(explorer.window().docks()->loss->plot()->series(1).size(), std::size_t{40});
  }

  void aRunOfAnotherModelHasNoSecondRun() {
    Explorer explorer;
    explorer.showFed(10);
    app::Session& session = explorer.session();
    QSignalSpy changed(&session.second(), &app::SecondRun::changed);
    session.compareWithRun(writeSecondRun(QStringLiteral("before.binade"), 40));
    QVERIFY(changed.wait());
    QVERIFY(!session.second().isEmpty());
    wire::RunStarted other = test::FakeRun().started();
    Q_EMIT session.engine().notified(other);
    QVERIFY(!session.second().isEmpty());  // of the same model
    other.config.model = "other.pt";
    Q_EMIT session.engine().notified(other);
    QVERIFY(session.second().isEmpty());
  }

  void whatIsNoRunFileIsRefused() {
    Explorer explorer;
    explorer.showFed(10);
    app::Session& session = explorer.session();
    QSignalSpy problems(&session, &app::Session::problem);
    const QString text = test::temporaryFolder() + QStringLiteral("/notes.txt");
    QFile file(text);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("no run");
    file.close();
    session.compareWithRun(text);
    QCOMPARE(problems.count(), 1);
    QVERIFY(session.second().isEmpty());
    // Nor is one that breaks off.
    const QString broken = test::temporaryFolder() + QStringLiteral("/broken.binade");
    QFile half(broken);
    QVERIFY(half.open(QIODevice::WriteOnly));
    half.write("SQLite format 3");
    half.close();
    session.compareWithRun(broken);
    QTRY_COMPARE(problems.count(), 2);
    QVERIFY(session.second().isEmpty());
    QCOMPARE(session.run().steps().size(), std::size_t{10});
  }

  void theSecondRunOfADeletedFileIsShownOn() {
    Explorer explorer;
    explorer.showFed(60);
    app::Session& session = explorer.session();
    QSignalSpy changed(&session.second(), &app::SecondRun::changed);
    const QString file = writeSecondRun(QStringLiteral("gone.binade"), 40);
    session.compareWithRun(file);
    QVERIFY(changed.wait(20000));
    QVERIFY(QFile::remove(file));
    for (const app::Arrangement each : app::kArrangements) {
      explorer.window().setArrangement(each);
      session.selection().setShown(20);
      explorer.window().grab();
    }
    const QSignalSpy problems(&session, &app::Session::problem);
    session.compareWithRun(file);
    QTRY_COMPARE_WITH_TIMEOUT(problems.count(), 1, 20000);
    const auto problem = problems.front().front().value<app::Problem>();
    QVERIFY2(problem.message.contains(QStringLiteral("gone.binade")), qPrintable(problem.message));
    QCOMPARE(session.second().name(), QStringLiteral("gone"));
    QCOMPARE(explorer.window().docks()->loss->plot()->series(1).size(), std::size_t{40});
  }

  void aFileThatIsReadCanBeLeft() {
    Explorer explorer;
    explorer.showFed(10);
    app::Session& session = explorer.session();
    QSignalSpy changed(&session.second(), &app::SecondRun::changed);
    QSignalSpy ended(&session.second(), &app::SecondRun::loadingEnded);
    session.compareWithRun(writeSecondRun(QStringLiteral("left.binade"), 300));
    session.cancelOpening();
    QCOMPARE(ended.count(), 1);
    QTest::qWait(50);
    QCOMPARE(changed.count(), 0);
    QVERIFY(session.second().isEmpty());
  }

  void aRunFileDroppedWithShiftIsCompared() {
    Explorer explorer;
    explorer.showFed(10);
    QSignalSpy changed(&explorer.session().second(), &app::SecondRun::changed);
    QMimeData dropped;
    dropped.setUrls({QUrl::fromLocalFile(writeSecondRun(QStringLiteral("dropped.binade"), 20))});
    QDragEnterEvent enter({10, 10}, Qt::CopyAction, &dropped, Qt::LeftButton, Qt::ShiftModifier);
    QCoreApplication::sendEvent(&explorer.window(), &enter);
    QDropEvent drop(QPointF(10, 10), Qt::CopyAction, &dropped, Qt::LeftButton, Qt::ShiftModifier);
    QCoreApplication::sendEvent(&explorer.window(), &drop);
    QVERIFY(changed.wait(20000));
    QCOMPARE(explorer.session().second().name(), QStringLiteral("dropped"));
    QCOMPARE(explorer.session().run().steps().size(), std::size_t{10});
  }
};

}  // namespace

BINADE_SUITE(SecondRuns);
#include "tst_second_run.moc"
