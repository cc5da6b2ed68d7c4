// SPDX-License-Identifier: Apache-2.0
// Tuning with the mouse in the whole window: a search ended and continued, its policies tried and applied, also while
// the run is paused.
#include "app/docks/history_dock.h"
#include "app/docks/search_dock.h"
#include "app/docks/search_form.h"
#include "app/docks/try_choices.h"
#include "app/docks/try_dock.h"
#include "app/window/dock_set.h"
#include "app/window/main_window.h"
#include "tests/app/app_fixture.h"
#include "tests/app/ended_run.h"
#include "tests/app/fake_search.h"
#include "tests/app/fake_try.h"
#include "tests/app/mouse.h"
#include "tests/support/suite.h"
#include "views/values/roles.h"

#include <QPushButton>
#include <QSpinBox>
#include <QStatusBar>
#include <QTableView>
#include <QTest>
#include <QToolButton>
#include <QUndoStack>

namespace {

using namespace binade;
using test::fakePoint;
using test::FakeSearch;

constexpr int kPatienceMs = 20000;

/// Ends a search or a Try that is asked to end, and none by itself.
const QString kUntilCancelled = QStringLiteral("trap 'exit 130' TERM; while :; do sleep 0.05; done; ");

QByteArray threeTried() {
  const app::SearchPoint cheap = fakePoint(1, 100, 0.01, true);
  const app::SearchPoint near = fakePoint(3, 150, 0.001, true);
  return FakeSearch::proven(cheap) + FakeSearch::proven(fakePoint(2, 90, 0.5, false)) + FakeSearch::proven(near) +
         FakeSearch::searching(3, 8, "Done") + FakeSearch::front({cheap, near}, "The tries are used up.");
}

/// A window in the arrangement Tune, with the Search in front of the op calls.
struct TuneWindow {
  explicit TuneWindow(const QString& body, const QSize& size = {1600, 1000})
      : fake(body), run(fake.engine()), window(&run.session(), &run.settings()) {
    fake.write(QStringLiteral("lines"), threeTried());
    window.resize(size);
    window.show();
  }
  void showTune() {
    window.setArrangement(app::Arrangement::kTune);
    app::DockSet::raise(search());
  }
  app::SearchDock* search() { return window.docks()->search; }
  app::TryDock* tries() { return window.docks()->tries; }
  app::HistoryDock* history() { return window.docks()->history; }
  app::Session& session() { return run.session(); }

  FakeSearch fake;
  test::EndedRun run;
  app::MainWindow window;
};

int fullRows(const QTableView* table) {
  int full = 0;
  for (int row = 0; row < table->model()->rowCount(); ++row) {
    const QRect cell = table->visualRect(table->model()->index(row, 0));
    if (!cell.isEmpty() && QRegion(cell).subtracted(table->viewport()->visibleRegion()).isEmpty()) ++full;
  }
  return full;
}

bool clickEntry(QTableView* table, int row) {
  return test::clickAt(table->viewport(), table->visualRect(table->model()->index(row, 0)).center());
}

class TuningByMouse : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void theListOfASearchShowsFullRows_data() {
    QTest::addColumn<QSize>("size");
    QTest::newRow("1500x950") << QSize(1500, 950);
    QTest::newRow("1280x800") << QSize(1280, 800);
  }
  void theListOfASearchShowsFullRows() {
    QFETCH(QSize, size);
    TuneWindow tune(QStringLiteral("cat \"$folder/lines\""), size);
    tune.run.feed();
    tune.showTune();
    QVERIFY(test::click(tune.search()->searchButton()));
    QVERIFY(tune.run.finish());
    QTRY_COMPARE(fullRows(tune.search()->table()), 3);
    test::Explorer::picture(&tune.window, QStringLiteral("tune-search-") + QString::number(size.width()));
  }

  void aSearchIsCancelledAndGoesOn() {
    TuneWindow tune(
        QStringLiteral("if [ -e \"$folder/again\" ]; then cat \"$folder/lines\"; exit 0; fi; touch \"$folder/again\"\n"
                       "trap 'exit 130' TERM; cat \"$folder/first\"; while :; do sleep 0.05; done"));
    tune.fake.write(QStringLiteral("first"), FakeSearch::proven(fakePoint(1, 100, 0.01, true)));
    tune.run.feed();
    tune.showTune();
    app::SearchDock* search = tune.search();
    QVERIFY(test::click(search->searchButton()));
    QTRY_COMPARE_WITH_TIMEOUT(search->table()->model()->rowCount(), 1, kPatienceMs);
    QVERIFY(!search->searchButton()->isVisible());
    QVERIFY(test::click(search->cancelButton()));
    QVERIFY(tune.run.finish());
    QVERIFY(search->searches().result()->cancelled);
    QVERIFY(search->resumeButton()->isVisible());  // though the order is folded
    QVERIFY(test::click(search->orderButton()));
    search->form()->tries()->setValue(99);
    QVERIFY(test::click(search->resumeButton()));
    QVERIFY(tune.run.finish());
    QVERIFY(tune.fake.options(QStringLiteral("--budget")).contains(QStringLiteral("99tries")));
    QCOMPARE(search->table()->model()->rowCount(), 3);
  }

  void theKeyOfATrySaysWhyNoneStarts() {
    TuneWindow tune(kUntilCancelled);
    tune.run.feed();
    tune.showTune();
    tune.session().document().addRules(test::fakeTrial().after.sites, QStringLiteral("fc2 in float32"));
    QVERIFY(test::click(tune.search()->searchButton()));
    QVERIFY(tune.session().searches().isRunning());
    QVERIFY(QTest::qWaitForWindowActive(&tune.window));
    QTest::keyClick(&tune.window, Qt::Key_T, Qt::ControlModifier);
    QVERIFY(!tune.session().tries().isRunning());
    const QString said = tune.window.findChild<QStatusBar*>()->currentMessage();
    QVERIFY2(said.startsWith(QStringLiteral("“Try the newest edit” is not possible now.")), qPrintable(said));
    QVERIFY(test::click(tune.search()->cancelButton()));
    QVERIFY(tune.run.finish());
  }

  void tryLongerStartsATryThatKeepsASearchWaiting() {
    TuneWindow tune(QStringLiteral("if [ \"$1\" = search ]; then cat \"$folder/lines\"; exit 0; fi; ") +
                    kUntilCancelled);
    tune.run.feed();
    tune.showTune();
    app::SearchDock* search = tune.search();
    search->form()->steps()->setValue(20);
    QVERIFY(test::click(search->searchButton()));
    QVERIFY(tune.run.finish());
    QTRY_VERIFY(search->tryButton()->isVisible());
    QVERIFY(test::click(search->tryButton()));
    QVERIFY(tune.session().tries().isRunning());
    QVERIFY(tune.tries()->isVisible());
    QCOMPARE(tune.session().tries().wish().steps, qint64{100});
    QVERIFY(!search->tryButton()->isEnabled());
    // Both would train at once.
    QVERIFY(test::click(search->orderButton()));
    QVERIFY(!search->searchButton()->isEnabled() && !search->resumeButton()->isEnabled());
    QVERIFY2(search->whyNot()->text().contains(QStringLiteral("A Try is in progress")),
             qPrintable(search->whyNot()->text()));
    QVERIFY(test::click(tune.tries()->cancelButton()));
    QVERIFY(tune.run.finish());
    QVERIFY(search->searchButton()->isEnabled() && search->whyNot()->text().isEmpty());
  }

  void aTryWaitsForTheEndOfASearch() {
    TuneWindow tune(kUntilCancelled);
    tune.run.feed();
    tune.showTune();
    QVERIFY(test::click(tune.search()->searchButton()));
    QVERIFY(tune.session().searches().isRunning());
    tune.tries()->tryPolicy(fakePoint(1, 0, 0, true).policy, QStringLiteral("fc1 in float32"));
    QVERIFY(!tune.session().tries().isRunning());
    QVERIFY2(tune.tries()->whyNoNewestEdit().contains(QStringLiteral("A search is in progress")),
             qPrintable(tune.tries()->whyNoNewestEdit()));
    QVERIFY(test::click(tune.search()->cancelButton()));
    QVERIFY(tune.run.finish());
    QVERIFY(!tune.session().tries().whyNot());
  }

  void aPausedRunIsEditedAndItsHistoryShowsIt() {
    TuneWindow tune(QStringLiteral("cat \"$folder/lines\""));
    app::Session& session = tune.session();
    app::RunModel& run = session.run();
    session.runDemo();
    QTRY_VERIFY_WITH_TIMEOUT(run.steps().size() > 5, kPatienceMs);
    session.pause();
    QTRY_VERIFY_WITH_TIMEOUT(run.state() == wire::RunState::kPaused, kPatienceMs);
    tune.showTune();
    const policy::Policy before = session.document().policy();
    QVERIFY(test::click(tune.search()->searchButton()));
    QVERIFY(tune.run.finish());
    QTRY_VERIFY(tune.search()->applyButton()->isVisible());
    QVERIFY(test::click(tune.search()->applyButton()));
    QTRY_COMPARE_WITH_TIMEOUT(run.policies().size(), std::size_t{2}, kPatienceMs);
    QVERIFY(run.state() == wire::RunState::kPaused);
    QTableView* entries = tune.history()->table();
    QCOMPARE(entries->model()->rowCount(), 2);
    QVERIFY(entries->model()->index(0, 0).data(views::NowRole).toBool());
    // The first policy again.
    QVERIFY(clickEntry(entries, 1));
    QTRY_VERIFY(tune.history()->useButton()->isVisible());
    QVERIFY(test::click(tune.history()->useButton()));
    QTRY_COMPARE_WITH_TIMEOUT(run.policies().size(), std::size_t{3}, kPatienceMs);
    QVERIFY(session.document().policy() == before);
    QVERIFY(entries->model()->index(0, 0).data(views::StruckRole).toBool());
    QVERIFY(entries->model()->index(1, 0).data(views::NowRole).toBool());
  }
};

BINADE_SUITE(TuningByMouse);

}  // namespace

#include "tst_tuning_mouse.moc"
