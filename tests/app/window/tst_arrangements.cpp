// SPDX-License-Identifier: Apache-2.0
// Explore, Tune, Diagnose, Profile, Learn: which docks stand where, by key, and what stays when one comes back.
#include "app/docks/cast_ledger_dock.h"
#include "app/docks/dock.h"
#include "app/docks/figure_dock.h"
#include "app/docks/graph_dock.h"
#include "app/docks/history_dock.h"
#include "app/docks/inspector_dock.h"
#include "app/docks/lesson_dock.h"
#include "app/docks/profile_dock.h"
#include "app/docks/questions_dock.h"
#include "app/docks/scale_dock.h"
#include "app/docks/sites_dock.h"
#include "app/docks/try_dock.h"
#include "app/window/actions.h"
#include "app/window/run_bar.h"
#include "tests/app/app_fixture.h"
#include "tests/app/in_german.h"
#include "tests/support/suite.h"

#include <QActionGroup>
#include <QScreen>
#include <QSettings>
#include <QTableView>
#include <QTest>

#include <memory>

namespace {

using namespace binade;
using app::Arrangement;
using test::Explorer;

QStringList shownDocks(app::MainWindow& window) {
  QStringList shown;
  for (app::Dock* dock : window.docks()->all()) {
    if (!dock->isHidden()) shown << dock->objectName();
  }
  shown.sort();
  return shown;
}

class Arrangements : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aFreshWindowFitsTheScreenWithItsFrame() {
    const Explorer explorer;
    QSettings settings(explorer.folder() + QStringLiteral("/fresh.ini"), QSettings::IniFormat);
    app::Session session(test::fakeEngine(), &settings);
    const app::MainWindow window(&session, &settings);
    const QSize screen = window.screen()->availableSize();
    QVERIFY(window.width() <= screen.width() - 8 && window.height() <= screen.height() - 32);
  }

  void eachIsReachedByItsKeyAndShowsItsDocks() {
    Explorer explorer;
    QVERIFY(explorer.playAndPause(10));
    app::MainWindow& window = explorer.window();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    QVERIFY(window.arrangement() == Arrangement::kExplore);
    QVERIFY(window.docks()->questions->isHidden());
    QTest::keyClick(&window, Qt::Key_3, Qt::ControlModifier | Qt::AltModifier);
    QVERIFY(window.arrangement() == Arrangement::kDiagnose);
    for (app::Dock* dock :
         {static_cast<app::Dock*>(window.docks()->questions), static_cast<app::Dock*>(window.docks()->inspector),
          static_cast<app::Dock*>(window.docks()->scale)}) {
      QVERIFY2(!dock->isHidden(), qPrintable(dock->objectName()));
    }
    QVERIFY(window.docks()->profile->isHidden());
    QTest::keyClick(&window, Qt::Key_4, Qt::ControlModifier | Qt::AltModifier);
    QVERIFY(window.arrangement() == Arrangement::kProfile);
    QVERIFY(!window.docks()->profile->isHidden());
    QVERIFY(window.docks()->questions->isHidden());
    QTest::keyClick(&window, Qt::Key_5, Qt::ControlModifier | Qt::AltModifier);
    QVERIFY(window.arrangement() == Arrangement::kLearn);
    QVERIFY(!window.docks()->lesson->isHidden() && !window.docks()->figure->isHidden());
    QVERIFY(window.docks()->profile->isHidden());
    QTest::keyClick(&window, Qt::Key_2, Qt::ControlModifier | Qt::AltModifier);
    QVERIFY(window.arrangement() == Arrangement::kTune);
    for (app::Dock* dock :
         {static_cast<app::Dock*>(window.docks()->graph), static_cast<app::Dock*>(window.docks()->sites),
          static_cast<app::Dock*>(window.docks()->cast_ledger), static_cast<app::Dock*>(window.docks()->tries),
          static_cast<app::Dock*>(window.docks()->history)}) {
      QVERIFY2(!dock->isHidden(), qPrintable(dock->objectName()));
    }
    QTest::keyClick(&window, Qt::Key_1, Qt::ControlModifier | Qt::AltModifier);
    QVERIFY(window.arrangement() == Arrangement::kExplore);
    QVERIFY(window.actions()->arrangements->checkedAction()->objectName() == QStringLiteral("explore"));
  }

  // Space would pause the training there.
  void theFocusOfAHiddenDockDoesNotGoToTheToolBar() {
    Explorer explorer;
    explorer.showFed(30);
    app::MainWindow& window = explorer.window();
    window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    int taken = 0;
    for (const Arrangement which :
         {Arrangement::kTune, Arrangement::kDiagnose, Arrangement::kProfile, Arrangement::kLearn}) {
      window.setArrangement(Arrangement::kExplore);
      QTableView* table = window.docks()->sites->table();
      table->setFocus();
      QVERIFY(table->hasFocus());
      window.setArrangement(which);
      const QWidget* focused = window.focusWidget();
      QVERIFY(focused == nullptr || !window.findChild<app::RunBar*>()->isAncestorOf(focused));
      taken += focused == nullptr ? 1 : 0;
    }
    QVERIFY(taken > 0);
  }

  void aLayoutStaysAsThePersonLeftIt() {
    Explorer explorer;
    QVERIFY(explorer.playAndPause(10));
    app::MainWindow& window = explorer.window();
    window.setArrangement(Arrangement::kDiagnose);
    const QStringList before = shownDocks(window);
    window.docks()->scale->hide();
    window.setArrangement(Arrangement::kExplore);
    QVERIFY(!window.docks()->scale->isHidden());
    window.setArrangement(Arrangement::kDiagnose);
    QVERIFY(window.docks()->scale->isHidden());
    window.restoreDefaultLayout();
    QCOMPARE(shownDocks(window), before);
  }

  void everyDockCanBeShownInEveryArrangement() {
    Explorer explorer;
    QVERIFY(explorer.playAndPause(10));
    app::MainWindow& window = explorer.window();
    for (const Arrangement each : app::kArrangements) {
      window.setArrangement(each);
      for (app::Dock* dock : window.docks()->all()) {
        const QByteArray name = (app::arrangementName(each) + u' ' + dock->objectName()).toUtf8();
        QVERIFY2(window.dockWidgetArea(dock) != Qt::NoDockWidgetArea, name.constData());
        dock->show();
        QVERIFY2(!dock->isHidden(), name.constData());
      }
    }
  }

  // Beside the others it would need height or width of its own, and the window would grow.
  void aDockThatIsShownLaterIsATab() {
    Explorer explorer;
    explorer.showFed(10);
    app::MainWindow& window = explorer.window();
    for (const Arrangement each : app::kArrangements) {
      window.setArrangement(each);
      for (app::Dock* dock : window.docks()->all()) {
        if (!dock->isHidden() || dock == window.docks()->questions) continue;
        const QByteArray name = (app::arrangementName(each) + u' ' + dock->objectName()).toUtf8();
        dock->show();
        QVERIFY2(!window.tabifiedDockWidgets(dock).isEmpty(), name.constData());
        dock->hide();
      }
    }
  }

  void withEveryDockAWindowFitsASmallScreen_data() {
    QTest::addColumn<Arrangement>("which");
    QTest::addColumn<bool>("german");
    for (const Arrangement each : app::kArrangements) {
      const QString name = app::arrangementName(each);
      QTest::newRow(qPrintable(name)) << each << false;
      QTest::newRow(qPrintable(name + QStringLiteral(", German"))) << each << true;
    }
  }
  void withEveryDockAWindowFitsASmallScreen() {
    QFETCH(const Arrangement, which);
    QFETCH(const bool, german);
    const auto texts = german ? std::make_unique<test::InGerman>() : nullptr;
    if (texts && !texts->isShown()) QSKIP("lrelease was missing when this was built");
    Explorer explorer;
    explorer.showFed(30);
    app::MainWindow& window = explorer.window();
    window.resize(1280, 800);
    window.setArrangement(which);
    for (app::Dock* dock : window.docks()->all()) {
      dock->show();
      QTest::qWait(10);  // docks and tabs are laid out by timers
    }
    QString size = QStringLiteral("%1 x %2").arg(window.width()).arg(window.height());
    for (const app::Dock* dock : window.docks()->all()) {
      const QSize least = dock->minimumSizeHint();
      if (least.width() > 400) size += QStringLiteral(", %1 %2").arg(dock->objectName()).arg(least.width());
    }
    QVERIFY2(window.width() <= 1280 && window.height() <= 800, qPrintable(size));
  }

  void theArrangementIsRememberedOverStarts() {
    Explorer explorer;
    QVERIFY(explorer.playAndPause(10));
    explorer.window().setArrangement(Arrangement::kProfile);
    explorer.window().close();
    app::Session session(test::fakeEngine(), &explorer.settings());
    app::MainWindow again(&session, &explorer.settings());
    QVERIFY(again.arrangement() == Arrangement::kProfile);
  }
};

BINADE_SUITE(Arrangements);

}  // namespace

#include "tst_arrangements.moc"
