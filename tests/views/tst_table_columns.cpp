// SPDX-License-Identifier: Apache-2.0
// The columns of a table: chosen, ordered and resized by the user, hidden where room is short.
#include "tests/support/places.h"
#include "tests/support/suite.h"
#include "views/table/delegates.h"
#include "views/table/table_columns.h"
#include "views/theme.h"

#include <QApplication>
#include <QHeaderView>
#include <QMenu>
#include <QMouseEvent>
#include <QSettings>
#include <QStandardItemModel>
#include <QTableView>
#include <QTest>

namespace {

using namespace binade;
using views::ColumnPlan;

constexpr int kNameColumn = 0;
constexpr int kFigureColumn = 1;
constexpr int kNoteColumn = 2;
constexpr int kMoreColumn = 3;

// A table with a name that stretches, a figure, a note that shrinks, and a column of least importance.
struct PlannedTable {
  QStandardItemModel model{3, 4};
  QTableView view;
  views::TableColumns* columns;

  PlannedTable() {
    model.setHorizontalHeaderLabels(
        {QStringLiteral("Name"), QStringLiteral("Figure"), QStringLiteral("Note"), QStringLiteral("More")});
    view.setModel(&model);
    views::styleTable(&view);
    columns = new views::TableColumns(&view, {{QStringLiteral("name"), 200, 100, 0, true, true},
                                              {QStringLiteral("figure"), 100, 0, 1},
                                              {QStringLiteral("note"), 200, 100, 2},
                                              {QStringLiteral("more"), 100, 0, 3}});
  }
  void show(int width) {
    view.resize(width, 200);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    QTRY_COMPARE(view.viewport()->width(), width);
  }
  QList<bool> hidden() const {
    QList<bool> all;
    for (int column = 0; column < 4; ++column) all << view.isColumnHidden(column);
    return all;
  }
  int whole() const {
    int sum = 0;
    for (int column = 0; column < 4; ++column) sum += view.columnWidth(column);
    return sum;
  }
};

class ColumnsOfTables : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { views::applyTheme(*qApp, views::Theme::kLight); }

  void theStretchingColumnGetsTheSpareRoom() {
    PlannedTable table;
    table.show(900);
    QCOMPARE(table.view.columnWidth(kNameColumn), 500);
    QCOMPARE(table.view.columnWidth(kFigureColumn), 100);
    QCOMPARE(table.view.columnWidth(kNoteColumn), 200);
    QCOMPARE(table.whole(), 900);
  }

  void theLeastImportantColumnsHideFirst() {
    PlannedTable table;
    table.show(500);  // columns shrink before any hides
    QCOMPARE(table.hidden(), (QList<bool>{false, false, false, false}));
    QVERIFY(table.view.columnWidth(kNoteColumn) < 200);
    QVERIFY(table.whole() <= 500);
    table.show(380);
    QCOMPARE(table.hidden(), (QList<bool>{false, false, false, true}));
    table.show(250);
    QCOMPARE(table.hidden(), (QList<bool>{false, false, true, true}));
    table.show(150);  // the name always stays
    QCOMPARE(table.hidden(), (QList<bool>{false, true, true, true}));
    table.show(900);
    QCOMPARE(table.hidden(), (QList<bool>{false, false, false, false}));
  }

  void whatTheUserChoseNeverHides() {
    PlannedTable table;
    table.show(300);
    QVERIFY(table.view.isColumnHidden(kMoreColumn));
    table.columns->choose(kMoreColumn, true);
    QVERIFY(!table.view.isColumnHidden(kMoreColumn));
    QVERIFY(table.view.isColumnHidden(kNoteColumn));
    table.columns->choose(kFigureColumn, false);
    QVERIFY(table.view.isColumnHidden(kFigureColumn));
    table.columns->choose(kNameColumn, false);  // a row without its name means nothing
    QVERIFY(!table.view.isColumnHidden(kNameColumn));
    table.columns->restore();
    QVERIFY(table.view.isColumnHidden(kMoreColumn));
    QVERIFY(!table.view.isColumnHidden(kFigureColumn));
  }

  void aColumnThatSaysTheSameInEveryRowHidesUnlessChosen() {
    PlannedTable table;
    table.show(900);
    table.columns->setConstant(kMoreColumn, true);
    QVERIFY(table.view.isColumnHidden(kMoreColumn));
    table.columns->choose(kMoreColumn, true);
    QVERIFY(!table.view.isColumnHidden(kMoreColumn));
    table.columns->setAvailable(kMoreColumn, false);
    QVERIFY(table.view.isColumnHidden(kMoreColumn));
  }

  void theMenuListsColumnsAndWhyTheyHide() {
    PlannedTable table;
    table.show(280);
    table.columns->setConstant(kNoteColumn, true);
    QMenu menu;
    table.columns->fillMenu(&menu);
    QStringList texts;
    for (const QAction* action : menu.actions()) texts << action->text();
    QCOMPARE(texts.mid(0, 4),
             (QStringList{QStringLiteral("Name"), QStringLiteral("Figure"),
                          QStringLiteral("Note (the same in every row)"), QStringLiteral("More (no room)")}));
    QVERIFY(!menu.actions()[kNameColumn]->isEnabled());
    QVERIFY(menu.actions()[kFigureColumn]->isChecked() && !menu.actions()[kMoreColumn]->isChecked());
    menu.actions()[kMoreColumn]->trigger();
    QVERIFY(!table.view.isColumnHidden(kMoreColumn));
  }

  void choiceOrderAndWidthsAreRemembered() {
    QSettings settings(test::temporaryFolder() + QStringLiteral("/columns.ini"), QSettings::IniFormat);
    const QString group = QStringLiteral("table/columns");
    {
      PlannedTable table;
      table.show(900);
      table.columns->choose(kMoreColumn, false);
      table.columns->setWidth(kFigureColumn, 140);
      table.view.horizontalHeader()->moveSection(2, 1);
      table.columns->write(settings, group);
    }
    PlannedTable table;
    table.columns->read(settings, group);
    table.show(900);
    QVERIFY(table.view.isColumnHidden(kMoreColumn));
    QCOMPARE(table.view.columnWidth(kFigureColumn), 140);
    QCOMPARE(table.view.horizontalHeader()->logicalIndex(1), kNoteColumn);
    table.columns->restore();
    QCOMPARE(table.view.horizontalHeader()->logicalIndex(1), kFigureColumn);
    QCOMPARE(table.view.columnWidth(kFigureColumn), 100);
  }

  void settingsOfAnotherVersionAreTakenAsFarAsTheyAreUnderstood() {
    QSettings settings(test::temporaryFolder() + QStringLiteral("/odd.ini"), QSettings::IniFormat);
    const QString group = QStringLiteral("table/columns");
    settings.setValue(group + QStringLiteral("/hidden"), QStringList{QStringLiteral("gone"), QStringLiteral("more")});
    settings.setValue(group + QStringLiteral("/order"), QStringLiteral("note"));
    settings.setValue(group + QStringLiteral("/widths"), QVariantMap{{QStringLiteral("figure"), -3},
                                                                     {QStringLiteral("note"), 1 << 30},
                                                                     {QStringLiteral("name"), QStringLiteral("wide")}});
    PlannedTable table;
    table.columns->read(settings, group);
    table.show(900);
    QVERIFY(table.view.isColumnHidden(kMoreColumn));
    QCOMPARE(table.view.columnWidth(kFigureColumn), 100);
    QVERIFY(table.view.columnWidth(kNoteColumn) <= 4000);
    QCOMPARE(table.view.horizontalHeader()->logicalIndex(0), kNoteColumn);
  }

  void aDraggedEdgeIsTheUsersWidth() {
    PlannedTable table;
    table.show(900);
    QHeaderView* header = table.view.horizontalHeader();
    const int edge = header->sectionViewportPosition(kNoteColumn);  // the right edge of *Figure*
    const QPoint at(edge - 1, header->height() / 2);
    const auto send = [header](QEvent::Type type, QPoint where, Qt::MouseButton button, Qt::MouseButtons buttons) {
      QMouseEvent event(type, where, header->viewport()->mapToGlobal(where), button, buttons, Qt::NoModifier);
      QApplication::sendEvent(header->viewport(), &event);
    };
    send(QEvent::MouseButtonPress, at, Qt::LeftButton, Qt::LeftButton);
    send(QEvent::MouseMove, at + QPoint(40, 0), Qt::NoButton, Qt::LeftButton);
    send(QEvent::MouseButtonRelease, at + QPoint(40, 0), Qt::LeftButton, Qt::NoButton);
    const int dragged = table.view.columnWidth(kFigureColumn);
    QVERIFY(dragged > 100);
    table.show(1000);
    QCOMPARE(table.view.columnWidth(kFigureColumn), dragged);
  }
};

BINADE_SUITE(ColumnsOfTables);

}  // namespace

#include "tst_table_columns.moc"
