// SPDX-License-Identifier: Apache-2.0
// What happens to edits, questions and requests where one run ends and the next begins.
#include "app/docks/gradients_dock.h"
#include "app/form/setup_page.h"
#include "app/window/actions.h"
#include "app/window/banner.h"
#include "tests/app/answer.h"
#include "tests/app/app_fixture.h"
#include "tests/app/fake_run.h"
#include "tests/support/suite.h"

#include <QComboBox>
#include <QFile>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QTimer>

#include <algorithm>

namespace {

using namespace binade;
using test::Answer;
using test::Explorer;

const policy::SiteKey kConvCall{"conv1", "", "aten::conv2d", "", 0};

bool becomesReady(Explorer& explorer) {
  explorer.show();
  return QTest::qWaitFor([&] { return explorer.session().engine().state() == app::EngineClient::State::kReady; },
                         10000);
}

qsizetype policyMarks(Explorer& explorer) {
  const auto& marks = explorer.window().docks()->gradients->view()->heatMap()->marks();
  return std::count_if(marks.begin(), marks.end(),
                       [](const views::Mark& mark) { return mark.kind == views::MarkKind::kPolicyEdit; });
}

class RunsAndEdits : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void theDemoBeginsWhenTheRunBeforeItHasEnded() {
    Explorer explorer;
    QVERIFY(explorer.playAndPause(10));
    {
      const Answer stay(QMessageBox::No);
      explorer.window().actions()->demo->trigger();
      QVERIFY(stay.given());
    }
    QVERIFY(explorer.requests(QStringLiteral("run.stop")).isEmpty());
    const Answer go(QMessageBox::Yes);
    explorer.window().actions()->demo->trigger();
    QVERIFY(go.given());
    // The engine tells of the state first and of the end then.
    QTRY_COMPARE(explorer.requests(QStringLiteral("run.demo")).size(), 2);
    QCOMPARE(explorer.requests(QStringLiteral("run.stop")).size(), 1);
    QTRY_VERIFY(explorer.session().run().isActive() && explorer.session().run().steps().size() > 3);
  }

  void aRunThatCouldNotBeStoppedIsNotFollowedByTheDemo() {
    Explorer explorer({QStringLiteral("--refuse"), QStringLiteral("run.stop")});
    QVERIFY(explorer.playAndPause(10));
    QSignalSpy problems(&explorer.session(), &app::Session::problem);
    explorer.session().runDemo();
    QTRY_COMPARE(problems.count(), 1);
    // It ends by itself, much later.
    Q_EMIT explorer.session().engine().notified(wire::Finished{wire::Outcome::kCompleted, 10, {}, {}});
    QTest::qWait(50);
    QCOMPARE(explorer.requests(QStringLiteral("run.demo")).size(), 1);
  }

  void anEditMadeWhileARunLoadsIsKeptAndSent() {
    Explorer explorer({QStringLiteral("--slow-load"), QStringLiteral("300")});
    QVERIFY(becomesReady(explorer));
    explorer.session().runDemo();
    explorer.session().document().setFormat({kConvCall}, formats::kBFloat16);
    QVERIFY(explorer.session().run().isEmpty());
    QTRY_COMPARE(explorer.session().run().policies().size(), std::size_t{2});
    QVERIFY(explorer.session().run().decision(0)->format == formats::kBFloat16);
    QCOMPARE(explorer.session().document().policy().sites.size(), std::size_t{1});
    QVERIFY(explorer.session().document().undoStack()->canUndo());
    QCOMPARE(explorer.session().run().policies().back().revision, explorer.session().document().revision());
  }

  void aRunWithAnotherPolicyAsksForUnsavedEdits() {
    Explorer explorer;
    QVERIFY(becomesReady(explorer));
    explorer.session().document().setFormat({kConvCall}, formats::kBFloat16);
    Q_EMIT explorer.session().modelInspected(test::FakeRun::model());
    app::SetupPage* page = explorer.window().setupPage();
    QVERIFY(explorer.window().showsSetup());
    const auto combos = page->findChildren<QComboBox*>();
    const auto lists = std::find_if(combos.begin(), combos.end(),
                                    [](const QComboBox* combo) { return combo->accessibleName() == u"Policy"; });
    QVERIFY(lists != combos.end());
    (*lists)->setCurrentIndex((*lists)->findText(QStringLiteral("all-float32")));
    QPushButton* start = page->startButton();
    {
      const Answer stay(QMessageBox::Cancel);
      start->click();
      QVERIFY(stay.given());
    }
    QVERIFY(start->isEnabled());
    QCOMPARE(explorer.session().document().policy().sites.size(), std::size_t{1});
    const Answer discard(QMessageBox::Discard);
    start->click();
    QVERIFY(discard.given());
    QTRY_VERIFY(!explorer.session().run().isEmpty());
    QCOMPARE(explorer.requests(QStringLiteral("run.start")).size(), 1);
    QVERIFY(explorer.session().document().policy().base == policy::Base::kAllFloat32);
  }

  void aRunFileUnderAnyNameAsksForUnsavedEdits() {
    Explorer explorer;
    explorer.session().document().setFormat({kConvCall}, formats::kBFloat16);
    QFile file(explorer.folder() + QStringLiteral("/copy of a run"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("SQLite format 3");
    file.close();
    QSignalSpy problems(&explorer.session(), &app::Session::problem);
    const Answer stay(QMessageBox::Cancel);
    explorer.window().openFiles({file.fileName()});
    QVERIFY(stay.given());
    QCOMPARE(problems.count(), 0);  // it was not even tried
  }

  void aPolicyToldOfBeforeTheRunIsLeftOut() {
    Explorer explorer({QStringLiteral("--early-policy")});
    QVERIFY(explorer.playAndPause(5));
    QCOMPARE(explorer.session().run().policies().size(), std::size_t{1});
  }

  void aWantedRestartIsNoProblem() {
    Explorer explorer({QStringLiteral("--hang"), QStringLiteral("run.pause")});
    QVERIFY(becomesReady(explorer));
    explorer.session().runDemo();
    QTRY_VERIFY(explorer.session().run().isActive());
    QSignalSpy problems(&explorer.session(), &app::Session::problem);
    explorer.session().pause();
    explorer.session().restartEngine();
    QTRY_VERIFY(explorer.session().engine().state() == app::EngineClient::State::kReady);
    QCOMPARE(problems.count(), 0);
    QVERIFY(!explorer.window().banner()->isVisible());
    QVERIFY(explorer.session().run().finished().has_value());
  }

  void anEditIsMarkedOnTheHeatMapWhateverItShows() {
    Explorer explorer;
    QVERIFY(explorer.playAndPause(20));
    QCOMPARE(policyMarks(explorer), 0);
    explorer.session().document().setFormat({kConvCall}, formats::kBFloat16);
    QTRY_COMPARE(explorer.session().run().policies().size(), std::size_t{2});
    QCOMPARE(policyMarks(explorer), 1);
    QComboBox* calls = explorer.window().docks()->gradients->callCombo();
    calls->setCurrentIndex(calls->count() - 1);
    QCOMPARE(policyMarks(explorer), 1);
    const std::size_t steps = explorer.session().run().steps().size();
    explorer.session().step();
    QTRY_VERIFY(explorer.session().run().steps().size() > steps);
    QCOMPARE(policyMarks(explorer), 1);
  }

  void noTwoRunsShareAFile() {
    QStringList made;
    for (int i = 0; i < 4; ++i) {  // several within one second
      const QString name = app::Session::newRunFile(QStringLiteral("a/net: v2.pt"));
      QVERIFY2(QFileInfo(name).fileName().startsWith(QStringLiteral("net-v2-")), qPrintable(name));
      QVERIFY(!made.contains(name));
      QFile file(name);
      QVERIFY(file.open(QIODevice::NewOnly));
      made << name;
    }
    for (const QString& name : made) QFile::remove(name);
    QVERIFY(QFileInfo(app::Session::newRunFile({})).fileName().startsWith(QStringLiteral("run-")));
  }
};

BINADE_SUITE(RunsAndEdits);

}  // namespace

#include "tst_runs_and_edits.moc"
