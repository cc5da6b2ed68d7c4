// SPDX-License-Identifier: Apache-2.0
// Tuning in the window, with the real engine: a training diverges, a search repairs its policy, a Try proves it, and
// the policy is applied and saved. The chapter Tuning of the guide tells the same journey.
#include "app/docks/inspector_dock.h"
#include "app/docks/inspector_page.h"
#include "app/docks/search_dock.h"
#include "app/docks/search_form.h"
#include "app/docks/try_choices.h"
#include "app/docks/try_dock.h"
#include "app/form/setup_page.h"
#include "app/session/session.h"
#include "app/window/dock_set.h"
#include "app/window/main_window.h"
#include "app/window/theme_setting.h"
#include "tests/app/journey.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"

#include <QApplication>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>

#include <cmath>
#include <memory>

namespace {

using namespace binade;

class TuningJourney : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    if (!QFileInfo::exists(test::enginePath())) QSKIP("binade-engine is not built");
    folder_ = test::temporaryFolder();
    qputenv("XDG_DATA_HOME", (folder_ + QStringLiteral("/own")).toUtf8());
    settings_ = std::make_unique<QSettings>(folder_ + QStringLiteral("/settings.ini"), QSettings::IniFormat);
    session_ = std::make_unique<app::Session>(
        app::EngineCommand{test::enginePath(), {QStringLiteral("serve")}, app::Confinement::kIfPossible},
        settings_.get());
    app::applyThemeChoice(app::ThemeChoice::kLight);  // the program's own looks, for the guide's pictures
    window_ = std::make_unique<app::MainWindow>(session_.get(), settings_.get());
    window_->resize(1600, 1000);
    window_->show();
    session_->startEngine();
    QTRY_VERIFY_WITH_TIMEOUT(session_->engine().state() == app::EngineClient::State::kReady, test::kPatience);
  }
  void cleanupTestCase() {
    window_.reset();
    session_.reset();
    settings_.reset();
  }

  void aDivergingTrainingIsRepairedProvedAppliedAndSaved() {
    const QString file = folder_ + QStringLiteral("/bright.run.json");
    QVERIFY(QFile::copy(QStringLiteral(BINADE_TEST_DATA "/tuning/bright.run.json"), file));
    window_->openFiles({file});
    QTRY_VERIFY_WITH_TIMEOUT(window_->showsSetup() && session_->description().file() == file, test::kPatience);
    QTest::mouseClick(window_->setupPage()->startButton(), Qt::LeftButton);
    app::RunModel& run = session_->run();
    QTRY_VERIFY_WITH_TIMEOUT(run.state() == wire::RunState::kPaused && divergence() >= 0, test::kPatience);
    const policy::Policy failing = session_->document().policy();

    // The event leads to the search, which starts before the losses that are not finite.
    window_->setArrangement(app::Arrangement::kTune);
    app::DockSet* docks = window_->docks();
    session_->selectEvent(divergence());
    app::DockSet::raise(docks->inspector);
    QPushButton* repair = docks->inspector->page()->repairButton();
    QVERIFY(!repair->isHidden());
    repair->click();
    app::SearchDock* search = docks->search;
    QVERIFY(search->isVisible());
    search->form()->minutes()->setValue(0);
    search->form()->tries()->setValue(12);
    search->form()->steps()->setValue(12);
    QVERIFY2(search->searchButton()->isEnabled(), qPrintable(search->searchButton()->toolTip()));
    QTest::mouseClick(search->searchButton(), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(search->searches().result().has_value(), 2 * test::kPatience);
    QVERIFY2(!search->searches().result()->problem, qPrintable(search->message()->text()));
    QVERIFY2(!search->searches().result()->front.isEmpty(), qPrintable(search->sentence()->text()));
    const app::SearchPoint best = search->searches().result()->front.front();
    QVERIFY(best.holds);
    // conv1 receives values beyond float16; the batch norm behind it brings them back into its range.
    QCOMPARE(best.changed, QStringList{QStringLiteral("conv1/aten::conv2d#0")});

    picture(QStringLiteral("tuning-repair"));

    // A Try proves it in other trainings, and the paused run is not touched.
    const std::size_t steps = run.steps().size();
    docks->tries->choices()->setAmount(12, 2);
    policy::Policy float32;
    float32.base = policy::Base::kAllFloat32;
    docks->tries->start({float32, best.policy, QStringLiteral("the repair")});
    QTRY_VERIFY_WITH_TIMEOUT(!session_->tries().isRunning() && !run.trials().empty(), 2 * test::kPatience);
    const wire::Trial& trial = run.trials().back();
    QVERIFY(trial.complete);
    QCOMPARE(trial.seeds.size(), std::size_t{2});
    QVERIFY(trial.verdict == wire::TrialVerdict::kInsideNoise || trial.verdict == wire::TrialVerdict::kBetter);
    QCOMPARE(run.steps().size(), steps);
    picture(QStringLiteral("tuning-proof"));

    // Applied as one undo step, the training goes on with finite losses.
    app::DockSet::raise(search);
    QTest::mouseClick(search->applyButton(), Qt::LeftButton);
    QVERIFY(session_->document().policy() == best.policy);
    QCOMPARE(session_->document().undoStack()->count(), 1);
    session_->resume();
    QTRY_VERIFY_WITH_TIMEOUT(run.steps().size() >= steps + 3, test::kPatience);
    session_->stop();
    QTRY_VERIFY_WITH_TIMEOUT(run.finished().has_value(), test::kPatience);
    QVERIFY(std::isfinite(run.steps()[run.steps().size() - 1].loss));

    const QString saved = folder_ + QStringLiteral("/repaired.policy.json");
    QVERIFY(!session_->document().save(saved, session_->provenance()));
    const app::PolicyFile read = app::readPolicyFile(saved);
    QVERIFY(read.policy && *read.policy == best.policy);
    QVERIFY(!read.policy->provenance.evidence.empty());
    session_->document().undoStack()->undo();
    QVERIFY(session_->document().policy() == failing);
  }

 private:
  /// Leaves a picture of the window for the guide, where the environment's BINADE_TEST_PICTURES names a folder.
  void picture(const QString& name) const {
    const QString folder = qEnvironmentVariable("BINADE_TEST_PICTURES");
    if (folder.isEmpty()) return;
    QApplication::processEvents();
    QVERIFY(window_->grab().save(folder + u'/' + name + QStringLiteral(".png")));
  }
  /// The event that the training diverged; -1: there is none yet.
  int divergence() const {
    const auto& events = session_->run().events();
    for (std::size_t i = 0; i < events.size(); ++i) {
      if (events[i].kind == wire::Event::Kind::kDiverged) return static_cast<int>(i);
    }
    return -1;
  }

  QString folder_;
  std::unique_ptr<QSettings> settings_;
  std::unique_ptr<app::Session> session_;
  std::unique_ptr<app::MainWindow> window_;
};

BINADE_SUITE(TuningJourney);

}  // namespace

#include "tst_tuning_journey.moc"
