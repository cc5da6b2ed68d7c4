// SPDX-License-Identifier: Apache-2.0
// What a run observes is chosen while it goes on: level, interval, steps between, op calls; each choice changes that
// one thing.
#include "app/window/observe_dialog.h"
#include "app/window/observe_menu.h"
#include "app/window/status_line.h"
#include "tests/app/app_fixture.h"
#include "tests/support/suite.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>

namespace {

using namespace binade;
using test::Explorer;

wire::ObserveConfig fullConfig() {
  wire::ObserveConfig observe;
  observe.level = "range";
  observe.every = 7;
  observe.between = "off";
  observe.sites = "layer1.*";
  return observe;
}

std::vector<policy::SiteKey> keys() {
  return {
      {"conv1", "", "aten::conv2d", "", 0}, {"layer1.0", "", "aten::add_", "", 0}, {"fc", "", "aten::linear", "", 0}};
}

class Observing : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void whatIsObservedIsChosenInTheMenuDuringARun() {
    Explorer explorer;
    explorer.show();
    auto* menu = explorer.window().findChild<app::ObserveMenu*>();
    QVERIFY(menu != nullptr);
    QVERIFY(!menu->menuAction()->isEnabled());
    const auto action = [&](const char* name) { return menu->findChild<QAction*>(QLatin1String(name)); };
    QVERIFY(explorer.playAndPause(5));
    QVERIFY(menu->menuAction()->isEnabled());
    QVERIFY(action("observe.histogram")->isChecked());
    QVERIFY(action("observe.every1")->isChecked());
    action("observe.every32")->trigger();
    QTRY_COMPARE(explorer.session().run().config().observe.every, 32);
    QVERIFY(action("observe.every32")->isChecked());
    QVERIFY(!action("observe.every1")->isChecked());
    action("observe.finite")->trigger();
    QTRY_COMPARE(explorer.session().run().config().observe.level, std::string("finite"));
    QVERIFY(action("observe.every4")->isEnabled());
    QVERIFY(!action("observe.between")->isEnabled());  // they are finite checks already
    const QList<QJsonObject> asked = explorer.requests(QStringLiteral("observe.set"));
    QCOMPARE(asked.size(), 2);
    QCOMPARE(asked.front()[QLatin1String("level")].toString(), QStringLiteral("histogram"));
    QCOMPARE(asked.front()[QLatin1String("every")].toInt(), 32);
    QCOMPARE(asked.back()[QLatin1String("level")].toString(), QStringLiteral("finite"));
    QCOMPARE(asked.back()[QLatin1String("every")].toInt(), 32);
    explorer.session().stop();
    QTRY_VERIFY(!menu->menuAction()->isEnabled());
  }

  void aRefusedObservationIsNotLeftChecked() {
    Explorer explorer({QStringLiteral("--refuse"), QStringLiteral("observe.set")});
    QVERIFY(explorer.playAndPause(5));
    auto* menu = explorer.window().findChild<app::ObserveMenu*>();
    QSignalSpy problems(&explorer.session(), &app::Session::problem);
    menu->findChild<QAction*>(QStringLiteral("observe.off"))->trigger();
    QTRY_COMPARE(problems.count(), 1);
    Q_EMIT menu->aboutToShow();
    QVERIFY(menu->findChild<QAction*>(QStringLiteral("observe.histogram"))->isChecked());
  }

  void aChoiceChangesThatOneThing() {
    app::ObserveMenu menu;
    menu.setActive(true);
    menu.setObserve(fullConfig());
    std::vector<wire::ObserveConfig> asked;
    connect(&menu, &app::ObserveMenu::observeRequested, this,
            [&](const wire::ObserveConfig& observe) { asked.push_back(observe); });
    const auto action = [&](const char* name) { return menu.findChild<QAction*>(QLatin1String(name)); };
    menu.setSelectedSite(QStringLiteral("fc/aten::linear#0"));
    for (const char* name :
         {"observe.what-if", "observe.every32", "observe.between", "observe.selected", "observe.all"})
      action(name)->trigger();
    QCOMPARE(static_cast<int>(asked.size()), 5);
    wire::ObserveConfig wanted = fullConfig();
    wanted.level = "what-if";
    QVERIFY(asked[0] == wanted);
    wanted = fullConfig();
    wanted.every = 32;
    QVERIFY(asked[1] == wanted);
    wanted = fullConfig();
    wanted.between = "finite";
    QVERIFY(asked[2] == wanted);
    wanted = fullConfig();
    wanted.sites = "fc/aten::linear#0";
    QVERIFY(asked[3] == wanted);
    wanted = fullConfig();
    wanted.sites.clear();
    QVERIFY(asked[4] == wanted);
  }

  void argumentsAndParametersAreSwitchedOnWithTheLevelTheyNeed() {
    app::ObserveMenu menu;
    menu.setActive(true);
    menu.setObserve(fullConfig());
    std::vector<wire::ObserveConfig> asked;
    connect(&menu, &app::ObserveMenu::observeRequested, this,
            [&](const wire::ObserveConfig& observe) { asked.push_back(observe); });
    const auto action = [&](const char* name) { return menu.findChild<QAction*>(QLatin1String(name)); };
    QVERIFY(!action("observe.inputs")->isChecked());
    action("observe.inputs")->trigger();
    wire::ObserveConfig wanted = fullConfig();
    wanted.inputs = true;
    QVERIFY(asked.back() == wanted);  // from Range on it is counted where their values lie
    wire::ObserveConfig finite = fullConfig();
    finite.level = "finite";
    menu.setObserve(finite);
    action("observe.inputs")->trigger();
    QVERIFY(asked.back() == wanted);
    wanted.level = "what-if";
    menu.setObserve(wanted);
    // Parameters are watched from the beginning: they can be left out.
    QVERIFY(action("observe.inputs")->isChecked() && action("observe.parameters")->isChecked());
    action("observe.parameters")->trigger();
    wanted.parameters = false;
    QVERIFY(asked.back() == wanted);
    menu.setObserve(wanted);
    action("observe.parameters")->trigger();
    wanted.parameters = true;
    QVERIFY(asked.back() == wanted);
    menu.setObserve(wanted);
    action("observe.inputs")->trigger();
    wanted.inputs = false;
    QVERIFY(asked.back() == wanted);
  }

  void theMenuShowsWhatTheRunDoes() {
    app::ObserveMenu menu;
    menu.setActive(true);
    menu.setObserve(fullConfig());
    const auto action = [&](const char* name) { return menu.findChild<QAction*>(QLatin1String(name)); };
    QVERIFY(action("observe.range")->isChecked());
    QVERIFY(!action("observe.every4")->isChecked() && !action("observe.every32")->isChecked());
    QVERIFY(!action("observe.between")->isChecked());
    QVERIFY(!action("observe.all")->isChecked());
    QVERIFY(action("observe.selected")->isChecked());
    QCOMPARE(action("observe.selected")->text(), QStringLiteral("Only layer1.*"));
    wire::ObserveConfig off = fullConfig();
    off.level = "off";
    menu.setObserve(off);
    QVERIFY(!action("observe.every4")->isEnabled() && !action("observe.all")->isEnabled());
  }

  void theDialogTakesAnyIntervalAndAnyOpCalls() {
    app::ObserveDialog dialog(fullConfig(), keys());
    QVERIFY(dialog.observe() == fullConfig());
    QCOMPARE(dialog.found()->text(), QStringLiteral("1 of 3 op calls"));
    QVERIFY(dialog.ok()->isEnabled());
    dialog.sites()->setText(QStringLiteral("nothing.*"));
    QVERIFY(!dialog.ok()->isEnabled());
    dialog.sites()->setText(QStringLiteral("*/aten::conv2d#*"));
    QVERIFY(dialog.ok()->isEnabled());
    dialog.every()->setValue(50);
    dialog.between()->setChecked(true);
    dialog.level()->setCurrentIndex(dialog.level()->findData(QStringLiteral("off")));
    QVERIFY(!dialog.inputs()->isEnabled() && !dialog.parameters()->isEnabled());
    dialog.level()->setCurrentIndex(dialog.level()->findData(QStringLiteral("finite")));
    QVERIFY(dialog.inputs()->isEnabled() && dialog.parameters()->isEnabled());
    dialog.level()->setCurrentIndex(dialog.level()->findData(QStringLiteral("histogram")));
    dialog.inputs()->setChecked(true);
    wire::ObserveConfig wanted = fullConfig();
    wanted.level = "histogram";
    wanted.every = 50;
    wanted.inputs = true;
    wanted.between = "finite";
    wanted.sites = "*/aten::conv2d#*";
    QVERIFY(dialog.observe() == wanted);
    dialog.every()->setValue(1);
    QVERIFY(!dialog.between()->isEnabled());
    dialog.sites()->clear();
    QCOMPARE(dialog.found()->text(), QStringLiteral("All 3 op calls"));
    Explorer::picture(&dialog, QStringLiteral("observe-dialog"));
  }

  void theDialogAsksTheEngine() {
    Explorer explorer;
    QVERIFY(explorer.playAndPause(5));
    auto* menu = explorer.window().findChild<app::ObserveMenu*>();
    explorer.session().selection().setSites({11});
    QCOMPARE(menu->findChild<QAction*>(QStringLiteral("observe.selected"))->text(),
             QStringLiteral("Only fc2/aten::linear#0"));
    menu->findChild<QAction*>(QStringLiteral("observe.more"))->trigger();
    auto* dialog = explorer.window().findChild<app::ObserveDialog*>();
    QVERIFY(dialog != nullptr);
    dialog->every()->setValue(9);
    dialog->sites()->setText(QStringLiteral("layer1.*"));
    QTest::mouseClick(dialog->ok(), Qt::LeftButton);
    QTRY_COMPARE(explorer.requests(QStringLiteral("observe.set")).size(), 1);
    const QJsonObject asked = explorer.requests(QStringLiteral("observe.set")).front();
    QCOMPARE(asked[QLatin1String("every")].toInt(), 9);
    QCOMPARE(asked[QLatin1String("sites")].toString(), QStringLiteral("layer1.*"));
    QTRY_COMPARE(explorer.session().run().config().observe.sites, std::string("layer1.*"));
  }
};

BINADE_SUITE(Observing);

}  // namespace

#include "tst_observing.moc"
