// SPDX-License-Identifier: Apache-2.0
#include "app/docks/cast_ledger_dock.h"
#include "app/docks/comparison_dock.h"
#include "app/docks/empty_state.h"
#include "app/docks/scale_dock.h"
#include "app/docks/sites_dock.h"
#include "app/model/run_file_source.h"
#include "app/present/event_table_model.h"
#include "app/window/banner.h"
#include "engine/record/run_writer.h"
#include "tests/app/app_fixture.h"
#include "tests/app/fake_findings.h"
#include "tests/app/fake_run.h"
#include "tests/app/wait_opened.h"
#include "tests/support/suite.h"
#include "views/values/numbers.h"

#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

namespace {

using namespace binade;
using app::RunModel;

// Writes a made-up run of `steps` steps; without an end where the engine was killed.
QString writeRun(int steps, bool ended) {
  const QString file = test::temporaryFolder() + QStringLiteral("/run.binade");
  test::FakeRun fake;
  record::RunWriter writer(file.toStdString());
  writer.add(fake.started());
  for (int i = 0; i < steps; ++i) {
    if (i == steps / 2) {
      const policy::Policy edited = test::conv1In(formats::kBFloat16);
      writer.add(fake.setPolicy(edited, 1));
    }
    writer.add(fake.next());
    if (fake.event() != nullptr) writer.add(*fake.event());
  }
  writer.add(test::casts(0, 0));
  writer.add(test::casts(1, steps / 2));
  writer.add(test::comparison(steps / 2));
  if (ended) {
    writer.add(wire::Evaluated{steps, 0.875, 0.3});
    writer.add(wire::Finished{wire::Outcome::kCompleted, steps, "", ""});
  }
  writer.close();
  return file;
}

void feedSame(RunModel& run, int steps) {
  test::FakeRun fake;
  run.begin(fake.started(), RunModel::Source::kLive);
  for (int i = 0; i < steps; ++i) {
    if (i == steps / 2) {
      const policy::Policy edited = test::conv1In(formats::kBFloat16);
      run.addPolicy(fake.setPolicy(edited, 1));
    }
    run.addSteps({fake.next()});
    if (fake.event() != nullptr) run.addEvent(*fake.event());
  }
}

QString brokenFile(const QByteArray& bytes) {
  const QString file = test::temporaryFolder() + QStringLiteral("/broken.binade");
  QFile out(file);
  if (out.open(QIODevice::WriteOnly)) out.write(bytes);
  return file;
}

class RunFilesShown : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  // A run with many statistics is shown before all of them are read.
  static void statisticsMayFollowTheSteps() {
    const QString file = writeRun(50, true);
    RunModel parts, whole;
    QVERIFY(!app::loadRunFile(file, parts, nullptr, {}, record::Statistics::kNewest).has_value());
    QVERIFY(!app::loadRunFile(file, whole).has_value());
    QCOMPARE(parts.steps().size(), whole.steps().size());
    QCOMPARE(parts.tensors().size(), whole.tensors().size());
    const auto columns = [](const RunModel& run) {
      int all = 0;
      for (const auto& [id, track] : run.tensors()) all += track.histograms.size();
      return all;
    };
    const int expected = columns(whole);
    const std::size_t band = whole.band().points().size();
    QVERIFY(columns(parts) > 0 && columns(parts) < expected);
    const int id = parts.tensors().begin()->first;
    QCOMPARE(parts.tensor(id)->histograms.latestStep(), whole.tensor(id)->histograms.latestStep());

    RunModel other;
    QVERIFY(!app::loadRunFile(writeRun(20, true), other).has_value());
    const QSignalSpy read(&parts, &RunModel::statisticsRead);
    parts.addStatistics(other.take());
    QCOMPARE(read.count(), 0);  // another run's
    parts.addStatistics(whole.take());
    QCOMPARE(read.count(), 1);
    QCOMPARE(columns(parts), expected);
    QCOMPARE(parts.band().points().size(), band);
  }

  void castsAndTheComparisonAreInTheFile() {
    RunModel run;
    app::Selection selection;
    const app::CastLedgerDock casts(&run, &selection);
    const app::ComparisonDock comparison(&run, &selection);
    QVERIFY(!app::loadRunFile(writeRun(20, true), run).has_value());
    QVERIFY((run.casts() == std::vector{test::casts(0, 0), test::casts(1, 10)}));
    QVERIFY(run.comparison() == test::comparison(10));
    QVERIFY(casts.secondSummary()->text().contains(QStringLiteral("Before the edit: 4 casts a step")));
    QVERIFY(!comparison.empty()->isShownEmpty());
    QVERIFY(comparison.compareButton()->isHidden());  // a file has no step to run again
    QCOMPARE(comparison.model()->rowCount(), 3);
  }

  void aRunFileShowsWhatTheLiveRunShowed() {
    RunModel live;
    feedSame(live, 120);
    RunModel file;
    QVERIFY(!app::loadRunFile(writeRun(120, true), file).has_value());
    QCOMPARE(file.source(), RunModel::Source::kFile);
    QCOMPARE(file.steps().size(), live.steps().size());
    for (std::size_t i = 0; i < live.steps().size(); ++i) {
      QCOMPARE(file.steps()[i].loss, live.steps()[i].loss);
      QCOMPARE(file.steps()[i].scale, live.steps()[i].scale);
      QCOMPARE(file.steps()[i].stepped, live.steps()[i].stepped);
    }
    QVERIFY(file.events() == live.events());
    QCOMPARE(file.policies().size(), live.policies().size());
    QCOMPARE(file.tensors().size(), live.tensors().size());
    for (const auto& [id, track] : live.tensors()) {
      const app::TensorTrack* same = file.tensor(id);
      QVERIFY(same != nullptr && same->tensor == track.tensor);
      QCOMPARE(same->histograms.size(), track.histograms.size());
      for (int i = 0; i < track.histograms.size(); ++i)
        QVERIFY(same->histograms.statsOf(i) == track.histograms.statsOf(i));
    }
    QVERIFY(file.finished()->outcome == wire::Outcome::kCompleted);
    QCOMPARE(file.evaluations().front().accuracy, 0.875);
  }

  void aRunWhoseEngineWasKilledOpensWithWhatItHas() {
    RunModel run;
    QVERIFY(!app::loadRunFile(writeRun(50, false), run).has_value());
    QCOMPARE(run.steps().size(), std::size_t{50});
    QVERIFY(run.finished().has_value());
    QVERIFY(!run.isActive());
  }

  void aBrokenFileIsOneProblemAndLeavesTheRun_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("text") << QByteArray("no run at all\n");
    QTest::newRow("cut") << QByteArray("SQLite format 3\0\x10\0", 18);
  }
  void aBrokenFileIsOneProblemAndLeavesTheRun() {
    QFETCH(QByteArray, bytes);
    test::Explorer explorer;
    explorer.window().show();
    test::feedRun(explorer.session().run(), 20);
    explorer.session().run().finish({wire::Outcome::kStopped, 20, {}, {}});
    QSignalSpy problems(&explorer.session(), &app::Session::problem);
    const QString file = brokenFile(bytes);
    explorer.window().openFiles({file});
    test::waitOpened(explorer.session());
    QCOMPARE(problems.count(), 1);
    QVERIFY2(explorer.window().banner()->message().contains(QStringLiteral("broken.binade")),
             qPrintable(explorer.window().banner()->message()));
    QVERIFY(explorer.window().banner()->isVisible());
    QCOMPARE(explorer.session().run().steps().size(), std::size_t{20});
    QFile unchanged(file);
    QVERIFY(unchanged.open(QIODevice::ReadOnly));
    QCOMPARE(unchanged.readAll(), bytes);
  }

  void theWindowShowsARunFileLikeARunThatHasEnded() {
    test::Explorer explorer;
    explorer.window().resize(1600, 1000);
    explorer.window().show();
    const QString file = writeRun(80, true);
    explorer.window().openFiles({file});
    test::waitOpened(explorer.session());
    QVERIFY(explorer.window().showsRun());
    QVERIFY(explorer.window().docks()->sites->model()->isEditable());
    QVERIFY(explorer.session().canStartAgain());
    QVERIFY(explorer.window().windowTitle().contains(QStringLiteral("run.binade")));
    QCOMPARE(explorer.session().recentFiles().path(0), file);
    QCOMPARE(static_cast<int>(explorer.window().docks()->scale->plot()->series().size()), 80);
  }

  // As the loss scale is shown: after the last step, here a back-off.
  void theListOfRecentFilesHasTheScaleThatTheRunEndedWith() {
    test::Explorer explorer;
    explorer.window().show();
    explorer.window().openFiles({writeRun(3, true)});
    test::waitOpened(explorer.session());
    const app::StepPoint last = explorer.session().run().steps().back();
    QVERIFY(last.next_scale < last.scale);
    const app::RecentFiles& recent = explorer.session().recentFiles();
    const QString details = recent.data(recent.index(0, app::RecentFiles::kDetails), Qt::DisplayRole).toString();
    QVERIFY2(details.endsWith(QStringLiteral("scale ") + views::scaleText(last.next_scale)), qPrintable(details));
  }

  // Even those of an equal policy: they were made in another run.
  void aRunFileHasNoUndoStepsOfTheRunBefore() {
    test::Explorer explorer;
    explorer.window().show();
    const QString file = writeRun(80, true);
    explorer.window().openFiles({file});
    test::waitOpened(explorer.session());
    app::PolicyDocument& document = explorer.session().document();
    document.setFormat({{"conv1", "", "aten::conv2d", "", 0}}, formats::kFloat32);
    document.undoStack()->undo();
    QVERIFY(document.undoStack()->canRedo());
    explorer.window().openFiles({file});
    test::waitOpened(explorer.session());
    QVERIFY(!document.undoStack()->canRedo() && !document.undoStack()->canUndo());
    QVERIFY(!document.isModified());
    explorer.session().selection().setShown(10);
    QTest::keySequence(&explorer.window(), QKeySequence(QStringLiteral("Ctrl+Z")));
    QVERIFY(explorer.session().run().shownStep() == std::optional<std::int64_t>(10));
    QVERIFY(!document.isModified());
  }

  void aFileThatIsNothingWeKnowIsOneProblem() {
    test::Explorer explorer;
    explorer.window().show();
    QSignalSpy problems(&explorer.session(), &app::Session::problem);
    const QString file = test::temporaryFolder() + QStringLiteral("/picture.png");
    QFile out(file);
    QVERIFY(out.open(QIODevice::WriteOnly));
    out.write("\x89PNG");
    out.close();
    explorer.window().openFiles({file});
    explorer.window().openFiles({test::temporaryFolder() + QStringLiteral("/missing.pt")});
    QCOMPARE(problems.count(), 2);
    QVERIFY(explorer.window().banner()->message().contains(QStringLiteral("missing.pt")));
  }
};

BINADE_SUITE(RunFilesShown);

}  // namespace

#include "tst_run_files_shown.moc"
