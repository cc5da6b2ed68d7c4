// SPDX-License-Identifier: Apache-2.0
// Layouts with names, in any arrangement; settings that are garbage or of a newer version.
#include "app/docks/graph_dock.h"
#include "app/docks/scale_dock.h"
#include "app/docks/sites_dock.h"
#include "app/window/actions.h"
#include "app/window/banner.h"
#include "app/window/layout_menu.h"
#include "app/window/menu_bar.h"
#include "app/window/settings_version.h"
#include "tests/app/app_fixture.h"
#include "tests/support/suite.h"

#include <QApplication>
#include <QFile>
#include <QSettings>
#include <QTest>

namespace {

using namespace binade;
using app::Arrangement;
using test::Explorer;

QStringList textsOf(QMenu* menu) {
  Q_EMIT menu->aboutToShow();
  QStringList texts;
  for (const QAction* action : menu->actions()) {
    if (!action->isSeparator()) texts << app::plainText(action);
  }
  return texts;
}

QByteArray settingsText(const QString& name) {
  QFile file(name);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QMenu* deletingMenu(app::LayoutMenu* menu) {
  Q_EMIT menu->aboutToShow();
  for (QAction* action : menu->actions()) {
    if (action->menu() != nullptr) return action->menu();
  }
  return nullptr;
}

class NamedLayoutsOfWindows : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aLayoutIsSavedAndRestoredInAnotherArrangement() {
    Explorer explorer;
    explorer.showFed(10);
    app::MainWindow& window = explorer.window();
    QTRY_VERIFY(window.showsRun());
    QApplication::processEvents();
    app::LayoutMenu* menu = window.menus()->layoutMenu();
    QCOMPARE(textsOf(menu), QStringList({QStringLiteral("Save layout as"), QStringLiteral("Delete"),
                                         QStringLiteral("Restore default layout")}));
    QVERIFY(!deletingMenu(menu)->isEnabled());
    window.docks()->scale->hide();
    window.docks()->graph->show();
    QStringList offered{QStringLiteral("none yet")};
    menu->setAsk([&](const QStringList& names) {
      offered = names;
      return std::optional(QStringLiteral("  no / scale & graph "));
    });
    window.actions()->save_layout->trigger();
    QCOMPARE(offered, QStringList());
    const QString name = QStringLiteral("no / scale & graph");
    QCOMPARE(menu->named().names(), QStringList(name));
    window.setArrangement(Arrangement::kProfile);
    QVERIFY(!window.docks()->scale->isHidden());
    Q_EMIT menu->aboutToShow();
    QVERIFY(menu->actions()[2]->isEnabled());
    menu->actions()[2]->trigger();
    QVERIFY(window.arrangement() == Arrangement::kProfile);
    QVERIFY(window.docks()->scale->isHidden() && !window.docks()->graph->isHidden());
    // A second window, or the next start, has it too.
    app::Session session(test::fakeEngine(), &explorer.settings());
    const app::MainWindow again(&session, &explorer.settings());
    QCOMPARE(again.menus()->layoutMenu()->named().names(), QStringList(name));
    window.actions()->restore_layout->trigger();
    QVERIFY(!window.docks()->scale->isHidden());
    deletingMenu(menu)->actions().front()->trigger();
    QVERIFY(menu->named().names().isEmpty());
  }

  void aCancelledOrEmptyNameSavesNothing() {
    Explorer explorer;
    explorer.showFed(1);
    app::LayoutMenu* menu = explorer.window().menus()->layoutMenu();
    menu->setAsk([](const QStringList&) { return std::optional<QString>(); });
    menu->saveAs();
    menu->setAsk([](const QStringList&) { return std::optional(QStringLiteral(" \t ")); });
    menu->saveAs();
    QVERIFY(menu->named().names().isEmpty());
    QCOMPARE(app::NamedLayouts::cleanName(QString(500, u'x')).size(), app::NamedLayouts::kLongestName);
  }

  void withoutDocksNoLayoutIsSaved() {
    Explorer explorer;
    explorer.show();
    QVERIFY(!explorer.window().actions()->save_layout->isEnabled());
    QVERIFY(!app::whyDisabled(explorer.window().actions()->save_layout).isEmpty());
  }

  void aLayoutOfAnotherVersionGivesTheDefaultAndSaysSo() {
    Explorer explorer;
    explorer.showFed(10);
    app::MainWindow& window = explorer.window();
    explorer.settings().setValue(QStringLiteral("window/namedLayouts/old"), window.saveState(1));
    window.docks()->scale->hide();
    window.menus()->layoutMenu()->use(QStringLiteral("old"));
    QVERIFY(!window.docks()->scale->isHidden());
    QVERIFY2(window.banner()->message().contains(QStringLiteral("another version")),
             qPrintable(window.banner()->message()));
  }

  void garbageInTheSettingsGivesTheDefault_data() {
    QTest::addColumn<QVariant>("garbage");
    QTest::newRow("text") << QVariant(QStringLiteral("garbage"));
    QTest::newRow("bytes") << QVariant(QByteArray("\x00\x00\x00\xff\x00\x00\x00\x09garbage\xff\xff", 17));
    QTest::newRow("number") << QVariant(-1);
    QTest::newRow("list") << QVariant(QStringList{QStringLiteral("a"), QString()});
    QTest::newRow("empty") << QVariant();
  }

  void garbageInTheSettingsGivesTheDefault() {
    QFETCH(const QVariant, garbage);
    Explorer explorer;
    explorer.showFed(5);
    explorer.window().close();
    explorer.settings().setValue(QStringLiteral("window/namedLayouts/mine"), QByteArray());
    const QStringList keys = explorer.settings().allKeys();
    QVERIFY(keys.size() > 4);
    for (const QString& key : keys) explorer.settings().setValue(key, garbage);
    app::Session session(test::fakeEngine(), &explorer.settings());
    app::MainWindow window(&session, &explorer.settings());
    QVERIFY(window.arrangement() == Arrangement::kExplore);
    window.show();
    test::feedRun(session.run(), 5);
    QVERIFY(window.showsRun());
    QVERIFY(!window.docks()->scale->isHidden() && !window.docks()->sites->isHidden());
    for (const QString& name : window.menus()->layoutMenu()->named().names()) {
      window.menus()->layoutMenu()->use(name);
      QVERIFY(!window.docks()->scale->isHidden());
    }
    window.close();
  }

  void aFileOfGarbageIsNoSettings() {
    const QString name = test::temporaryFolder() + QStringLiteral("/garbage.ini");
    QFile file(name);
    QVERIFY(file.open(QIODevice::WriteOnly));
    for (int i = 0; i < 4096; ++i) file.putChar(static_cast<char>(i * 37 % 251));
    file.close();
    auto settings = app::usableSettings(std::make_unique<QSettings>(name, QSettings::IniFormat), {});
    QVERIFY(!app::areNewer(*settings));
    app::Session session(test::fakeEngine(), settings.get());
    app::MainWindow window(&session, settings.get());
    window.show();
    QVERIFY(window.arrangement() == Arrangement::kExplore);
  }

  void settingsOfANewerVersionStayAsTheyAre() {
    const QString name = test::temporaryFolder() + QStringLiteral("/newer.ini");
    const QString copy = test::temporaryFolder() + QStringLiteral("/copy.ini");
    {
      QSettings newer(name, QSettings::IniFormat);
      newer.setValue(QStringLiteral("settings/version"), app::kSettingsVersion + 1);
      newer.setValue(QStringLiteral("window/arrangement"), QStringLiteral("profile"));
      newer.setValue(QStringLiteral("other/key"), 7);
    }
    const QByteArray before = settingsText(name);
    QVERIFY(!before.isEmpty());
    {
      auto settings = app::usableSettings(std::make_unique<QSettings>(name, QSettings::IniFormat), copy);
      QVERIFY(app::areNewer(*settings));
      QCOMPARE(settings->value(QStringLiteral("other/key")).toInt(), 7);
      app::Session session(test::fakeEngine(), settings.get());
      app::MainWindow window(&session, settings.get());
      QVERIFY(window.arrangement() == Arrangement::kExplore);
      window.close();
    }
    QCOMPARE(settingsText(name), before);
  }

  void settingsOfThisVersionAreStampedAndUsed() {
    const QString name = test::temporaryFolder() + QStringLiteral("/own.ini");
    auto settings = app::usableSettings(std::make_unique<QSettings>(name, QSettings::IniFormat), {});
    QVERIFY(!app::areNewer(*settings));
    QCOMPARE(settings->fileName(), name);
    QCOMPARE(settings->value(QStringLiteral("settings/version")).toInt(), app::kSettingsVersion);
  }
};

BINADE_SUITE(NamedLayoutsOfWindows);

}  // namespace

#include "tst_named_layouts.moc"
