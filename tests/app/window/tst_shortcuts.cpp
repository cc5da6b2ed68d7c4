// SPDX-License-Identifier: Apache-2.0
#include "app/docks/dock.h"
#include "app/docks/reason_popover.h"
#include "app/docks/sites_dock.h"
#include "app/window/actions.h"
#include "app/window/start_page.h"
#include "tests/app/app_fixture.h"
#include "tests/app/in_german.h"
#include "tests/support/suite.h"

#include <QLabel>
#include <QMap>
#include <QMenuBar>
#include <QPushButton>
#include <QStatusBar>
#include <QTableView>
#include <QTableWidget>
#include <QTest>
#include <QToolButton>
#include <QWhatsThis>

#include <algorithm>
#include <memory>

namespace {

using namespace binade;

QList<QAction*> allActions(app::MainWindow& window) {
  QList<QAction*> actions = window.actions()->all();
  for (app::Dock* dock : window.docks()->all()) actions << dock->toggleViewAction();
  return actions << window.startPage()->doors();
}

class Shortcuts : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void noTwoActionsShareAKey() {
    test::Explorer explorer;
    QMap<QString, QString> owners;
    for (const QAction* action : allActions(explorer.window())) {
      const QString key = action->shortcut().toString();
      if (key.isEmpty()) continue;
      QVERIFY2(!owners.contains(key), qPrintable(key + QStringLiteral(": ") + owners.value(key) +
                                                 QStringLiteral(" and ") + action->objectName()));
      owners.insert(key, action->objectName());
    }
    QVERIFY(owners.size() > 20);
    QVERIFY(owners.size() > 5);
  }

  void everyCommandStandsInAMenuWithAName() {
    test::Explorer explorer;
    QList<QAction*> in_menus;
    QList<QMenu*> menus = explorer.window().menuBar()->findChildren<QMenu*>();
    for (const QAction* top : explorer.window().menuBar()->actions()) {
      if (top->menu() != nullptr) menus << top->menu();
    }
    for (const QMenu* menu : menus) in_menus << menu->actions();
    QVERIFY(!explorer.window().actions()->all().isEmpty());
    for (QAction* action : explorer.window().actions()->all()) {
      QVERIFY2(in_menus.contains(action), qPrintable(action->objectName()));
      QVERIFY(!action->text().isEmpty());
    }
  }

  void everyRefusedKeyStatesItsReasonInTheStatusBar() {
    test::Explorer explorer;
    app::MainWindow& window = explorer.window();
    window.show();
    window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    QList<QAction*> actions = window.actions()->all();
    for (app::Dock* dock : window.docks()->all()) actions << dock->toggleViewAction();
    int refused = 0;
    for (const QAction* action : actions) {
      if (action->isEnabled() || action->shortcut().isEmpty()) continue;
      window.statusBar()->clearMessage();
      QTest::keySequence(&window, action->shortcut());
      const QString said = window.statusBar()->currentMessage();
      QVERIFY2(!app::whyDisabled(action).isEmpty(), qPrintable(action->objectName()));
      QVERIFY2(said.contains(app::plainText(action)) && said.endsWith(app::whyDisabled(action)),
               qPrintable(action->objectName() + QStringLiteral(": ") + said));
      ++refused;
    }
    QVERIFY2(refused > 15, qPrintable(QString::number(refused)));
    // Once it is possible, the key does its work and the reason is gone.
    explorer.showFed(20);
    QTRY_VERIFY(window.actions()->fit->isEnabled());
    window.statusBar()->clearMessage();
    QTest::keySequence(&window, window.actions()->fit->shortcut());
    QVERIFY(window.statusBar()->currentMessage().isEmpty());
  }

  void noStateIsDrawnOverAMessage() {
    test::Explorer explorer;
    explorer.showFed(20);
    QStatusBar* bar = explorer.window().statusBar();
    const auto shown = [&] {
      int count = 0;
      for (const QLabel* label : bar->findChildren<QLabel*>()) {
        const bool state = label->accessibleName() == QStringLiteral("State of the run") ||
                           label->accessibleName() == QStringLiteral("Execution of formats");
        count += state && label->isVisible() ? 1 : 0;
      }
      return count;
    };
    QTRY_COMPARE(shown(), 2);
    bar->showMessage(QStringLiteral("Something is not possible now."));
    Q_EMIT explorer.session().run().frame();  // the run goes on
    QCOMPARE(shown(), 0);
    bar->clearMessage();
    QCOMPARE(shown(), 2);
  }

  void everyMenuOpensByItsKeyInEveryArrangement_data() {
    QTest::addColumn<bool>("german");
    QTest::newRow("English") << false;
    QTest::newRow("German") << true;
  }

  // A label with the same key, even in a tab behind another, takes it from the menu.
  void everyMenuOpensByItsKeyInEveryArrangement() {
    QFETCH(const bool, german);
    const auto texts = german ? std::make_unique<test::InGerman>() : nullptr;
    if (texts && !texts->isShown()) QSKIP("lrelease was missing when this was built");
    test::Explorer explorer;
    explorer.showFed(20);
    app::MainWindow& window = explorer.window();
    window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    int opened = 0;
    int menus = 0;
    for (const app::Arrangement arrangement :
         {app::Arrangement::kExplore, app::Arrangement::kTune, app::Arrangement::kDiagnose, app::Arrangement::kProfile,
          app::Arrangement::kLearn}) {
      window.setArrangement(arrangement);
      for (QAction* top : window.menuBar()->actions()) {
        const QString text = top->text();
        const qsizetype at = text.indexOf(QLatin1Char('&'));
        ++menus;
        QVERIFY2(at >= 0, qPrintable(text));
        QTest::keyClick(&window, text.at(at + 1).toLower().toLatin1(), Qt::AltModifier);
        QTRY_VERIFY2(top->menu()->isVisible(), qPrintable(text));
        top->menu()->close();
        ++opened;
      }
    }
    QCOMPARE(opened, menus);
    QVERIFY(menus >= 30);
  }

  void toolTipsNameTheKey() {
    test::Explorer explorer;
    QCOMPARE(explorer.window().actions()->pause->toolTip(), QStringLiteral("Pause (F6)"));
  }

  void thePageOfShortcutsHasThemAll() {
    test::Explorer explorer;
    explorer.window().show();
    explorer.window().actions()->shortcuts->trigger();
    const auto* table = explorer.window().findChild<QTableWidget*>();
    QVERIFY(table != nullptr);
    QStringList keys;
    for (int row = 0; row < table->rowCount(); ++row) keys << table->item(row, 1)->text();
    QVERIFY(keys.size() > 5);
    for (const QAction* action : allActions(explorer.window())) {
      if (!action->shortcut().isEmpty())
        QVERIFY2(keys.contains(action->shortcut().toString(QKeySequence::NativeText)), qPrintable(action->text()));
    }
  }

  void whatsThisExplainsTheMainControls() {
    test::Explorer explorer;
    explorer.showFed(20);
    app::MainWindow& window = explorer.window();
    window.setArrangement(app::Arrangement::kDiagnose);  // makes every dock that is made when it is shown
    int explained = 0;
    for (const QWidget* each : window.findChildren<QWidget*>()) {
      if (each->whatsThis().isEmpty() || each->accessibleName().isEmpty()) continue;
      QVERIFY2(each->whatsThis().size() >= each->toolTip().size(), qPrintable(each->accessibleName()));
      ++explained;
    }
    for (const char* name : {"Set the format of the selected op calls", "Try a format for the selected op calls",
                             "Colour of the graph", "Current loss scale"}) {
      const auto widgets = window.findChildren<QWidget*>();
      const bool found = std::any_of(widgets.begin(), widgets.end(), [name](const QWidget* each) {
        return each->accessibleName() == QLatin1String(name) && !each->whatsThis().isEmpty();
      });
      QVERIFY2(found, name);
    }
    QVERIFY(explained >= 4);
    QVERIFY(!QWhatsThis::inWhatsThisMode());
    window.actions()->whats_this->trigger();
    QVERIFY(QWhatsThis::inWhatsThisMode());
    QWhatsThis::leaveWhatsThisMode();
  }

  // Both have the key Shift+F1.
  void inTheOpCallsTheKeyAsksForTheReasonsOfAFormat() {
    test::Explorer explorer;
    explorer.showFed(20);
    app::MainWindow& window = explorer.window();
    window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    app::DockSet::raise(window.docks()->sites);
    QTableView* table = window.docks()->sites->table();
    table->setFocus();
    table->setCurrentIndex(table->model()->index(0, 0));
    QTest::keyClick(table, Qt::Key_F1, Qt::ShiftModifier);
    QVERIFY(!QWhatsThis::inWhatsThisMode());
    QTRY_VERIFY(window.findChild<app::ReasonPopover*>() != nullptr);
    window.findChild<app::ReasonPopover*>()->close();
    window.docks()->sites->filterLine()->setFocus();
    QTest::keyClick(window.docks()->sites->filterLine(), Qt::Key_F1, Qt::ShiftModifier);
    QVERIFY(QWhatsThis::inWhatsThisMode());
    QWhatsThis::leaveWhatsThisMode();
  }

  void everyButtonHasAnAccessibleNameOrText() {
    test::Explorer explorer;
    explorer.window().show();
    int checked = 0;
    for (const QAbstractButton* button : explorer.window().findChildren<QAbstractButton*>()) {
      // Qt's own: the tab bars' scroll buttons, the header's corner.
      if (button->objectName().startsWith(QStringLiteral("Scroll")) ||
          button->objectName().startsWith(QStringLiteral("qt_")) || button->inherits("QTableCornerButton") ||
          button->inherits("QLineEditIconButton")) {
        continue;
      }
      ++checked;
      QVERIFY2(!button->accessibleName().isEmpty() || !button->text().isEmpty(),
               qPrintable(QStringLiteral("%1 %2 in %3")
                              .arg(QLatin1String(button->metaObject()->className()), button->objectName(),
                                   button->parent()->objectName())));
    }
    QVERIFY(checked > 10);
    QVERIFY(!explorer.window().docks()->all().isEmpty());
    for (const app::Dock* dock : explorer.window().docks()->all()) QVERIFY(!dock->accessibleName().isEmpty());
  }
};

BINADE_SUITE(Shortcuts);

}  // namespace

#include "tst_shortcuts.moc"
