// SPDX-License-Identifier: Apache-2.0
#include "app/docks/dock.h"
#include "app/window/actions.h"
#include "app/window/command_palette.h"
#include "app/window/fuzzy_match.h"
#include "tests/app/app_fixture.h"
#include "tests/support/suite.h"

#include <QLineEdit>
#include <QTest>
#include <QTreeWidget>

namespace {

using namespace binade;
using app::CommandPalette;
using app::fuzzyScore;
using test::Explorer;

CommandPalette* openPalette(Explorer& explorer) {
  if (!QTest::qWaitForWindowActive(&explorer.window())) return nullptr;
  QTest::keyClick(&explorer.window(), Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
  return explorer.window().findChild<CommandPalette*>();
}

QTreeWidgetItem* rowOf(CommandPalette* palette, const QString& text) {
  for (int row = 0; row < palette->list()->topLevelItemCount(); ++row) {
    if (palette->list()->topLevelItem(row)->text(0) == text) return palette->list()->topLevelItem(row);
  }
  return nullptr;
}

class CommandPalettes : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void lettersMatchInTheirOrderAndWordStartsCountMore() {
    const QString text = QStringLiteral("Save run description");
    QVERIFY(fuzzyScore(QStringLiteral("srd"), text) && fuzzyScore(QStringLiteral("SAVE"), text));
    QVERIFY(!fuzzyScore(QStringLiteral("sx"), text) && !fuzzyScore(QStringLiteral("nurs"), text));
    QVERIFY(*fuzzyScore(QStringLiteral("pau"), QStringLiteral("Pause")) >
            fuzzyScore(QStringLiteral("pau"), QStringLiteral("Open a recent file with units")).value_or(0));
    QVERIFY(fuzzyScore(QStringLiteral("desc save"), text));  // parts in any order
    QCOMPARE(fuzzyScore(QString(), text), std::optional(0));
    // A long text of equal letters takes no longer than another.
    QVERIFY(fuzzyScore(QString(30, u'a'), QString(400, u'a')));
  }

  void everyCommandIsThereWithItsKey() {
    Explorer explorer;
    explorer.window().show();
    CommandPalette* palette = openPalette(explorer);
    QVERIFY(palette != nullptr);
    for (const QAction* action : explorer.window().actions()->all()) {
      if (action == explorer.window().actions()->palette) continue;
      const QTreeWidgetItem* row = rowOf(palette, app::plainText(action));
      QVERIFY2(row != nullptr, qPrintable(action->objectName()));
      QCOMPARE(row->flags().testFlag(Qt::ItemIsEnabled), action->isEnabled());
      QCOMPARE(row->text(1),
               action->isEnabled() ? action->shortcut().toString(QKeySequence::NativeText) : app::whyDisabled(action));
    }
    QCOMPARE(rowOf(palette, QStringLiteral("Pause"))->text(1), QStringLiteral("No run is in progress."));
  }

  void returnRunsTheBestMatch() {
    Explorer explorer;
    explorer.showFed(20);
    CommandPalette* palette = openPalette(explorer);
    QVERIFY(palette != nullptr);
    QTest::keyClicks(palette->line(), QStringLiteral("diagn"));
    QVERIFY(palette->list()->currentItem() != nullptr);
    QCOMPARE(palette->list()->currentItem()->text(0), QStringLiteral("Diagnose"));
    QTest::keyClick(palette->line(), Qt::Key_Return);
    QTRY_VERIFY(explorer.window().arrangement() == app::Arrangement::kDiagnose);
  }

  void anOpCallIsATarget() {
    Explorer explorer;
    explorer.showFed(20);
    CommandPalette* palette = openPalette(explorer);
    QVERIFY(palette != nullptr);
    QTest::keyClicks(palette->line(), QStringLiteral("op call fc2 linear"));
    QTest::keyClick(palette->line(), Qt::Key_Return);
    QTRY_COMPARE(explorer.session().selection().sites().size(), std::size_t{1});
    const int site = explorer.session().selection().sites().front();
    QVERIFY(explorer.session().run().sites()[static_cast<std::size_t>(site)].key.name().find("fc2") !=
            std::string::npos);
  }

  void whatIsNotPossibleIsNotRun() {
    bool ran = false;
    CommandPalette palette({{QStringLiteral("Stop"), {}, QStringLiteral("No run."), false, [&ran] { ran = true; }}});
    palette.setAttribute(Qt::WA_DeleteOnClose, false);
    palette.show();
    QCOMPARE(palette.list()->topLevelItem(0)->text(1), QStringLiteral("No run."));
    QTest::keyClick(palette.line(), Qt::Key_Return);
    QTest::qWait(20);
    QVERIFY(!ran && palette.isVisible());
  }
};

BINADE_SUITE(CommandPalettes);

}  // namespace

#include "tst_command_palette.moc"
