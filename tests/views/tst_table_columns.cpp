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

constexpr int kName = 0;
constexpr int kFigure = 1;
constexpr int kNote = 2;
constexpr int kMore = 3;

// A table with a name that stretches, a figure, a note that shrinks, and a column of least importance.
struct Table {
  QStandardItemModel model{3, 4};
  QTableView view;
  views::TableColumns* columns;

  Table() {
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

class TableColumns : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { views::applyTheme(*qApp, views::Theme::kLight); }

  void theStretchingColumnGetsTheSpareRoom() {
    Table table;
    table.show(900);
    QCOMPARE(table.view.columnWidth(kName), 500);
    QCOMPARE(table.view.columnWidth(kFigure), 100);
    QCOMPARE(table.view.columnWidth(kNote), 200);
    QCOMPARE(table.whole(), 900);
  }

  void theLeastImportantColumnsHideFirst() {
    Table table;
    table.show(500);  // columns shrink before any hides
    QCOMPARE(table.hidden(), (QList<bool>{false, false, false, false}));
    QVERIFY(table.view.columnWidth(kNote) < 200);
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
    Table table;
    table.show(300);
    QVERIFY(table.view.isColumnHidden(kMore));
    table.columns->choose(kMore, true);
    QVERIFY(!table.view.isColumnHidden(kMore));
    QVERIFY(table.view.isColumnHidden(kNote));
    table.columns->choose(kFigure, false);
    QVERIFY(table.view.isColumnHidden(kFigure));
    table.columns->choose(kName, false);  // a row without its name means nothing
    QVERIFY(!table.view.isColumnHidden(kName));
    table.columns->restore();
    QVERIFY(table.view.isColumnHidden(kMore));
    QVERIFY(!table.view.isColumnHidden(kFigure));
  }

  void aColumnThatSaysTheSameInEveryRowHidesUnlessChosen() {
    Table table;
    table.show(900);
    table.columns->setConstant(kMore, true);
    QVERIFY(table.view.isColumnHidden(kMore));
    table.columns->choose(kMore, true);
    QVERIFY(!table.view.isColumnHidden(kMore));
    table.columns->setAvailable(kMore, false);
    QVERIFY(table.view.isColumnHidden(kMore));
  }

  void theMenuListsColumnsAndWhyTheyHide() {
    Table table;
    table.show(280);
    table.columns->setConstant(kNote, true);
    QMenu menu;
    table.columns->fillMenu(&menu);
    QStringList texts;
    for (const QAction* action : menu.actions()) texts << action->text();
    QCOMPARE(texts.mid(0, 4),
             (QStringList{QStringLiteral("Name"), QStringLiteral("Figure"),
                          QStringLiteral("Note (the same in every row)"), QStringLiteral("More (no room)")}));
    QVERIFY(!menu.actions()[kName]->isEnabled());
    QVERIFY(menu.actions()[kFigure]->isChecked() && !menu.actions()[kMore]->isChecked());
    menu.actions()[kMore]->trigger();
    QVERIFY(!table.view.isColumnHidden(kMore));
  }

  void choiceOrderAndWidthsAreRemembered() {
    QSettings settings(test::temporaryFolder() + QStringLiteral("/columns.ini"), QSettings::IniFormat);
    const QString group = QStringLiteral("table/columns");
    {
      Table table;
      table.show(900);
      table.columns->choose(kMore, false);
      table.columns->setWidth(kFigure, 140);
      table.view.horizontalHeader()->moveSection(2, 1);
      table.columns->write(settings, group);
    }
    Table table;
    table.columns->read(settings, group);
    table.show(900);
    QVERIFY(table.view.isColumnHidden(kMore));
    QCOMPARE(table.view.columnWidth(kFigure), 140);
    QCOMPARE(table.view.horizontalHeader()->logicalIndex(1), kNote);
    table.columns->restore();
    QCOMPARE(table.view.horizontalHeader()->logicalIndex(1), kFigure);
    QCOMPARE(table.view.columnWidth(kFigure), 100);
  }

  void settingsOfAnotherVersionAreTakenAsFarAsTheyAreUnderstood() {
    QSettings settings(test::temporaryFolder() + QStringLiteral("/odd.ini"), QSettings::IniFormat);
    const QString group = QStringLiteral("table/columns");
    settings.setValue(group + QStringLiteral("/hidden"), QStringList{QStringLiteral("gone"), QStringLiteral("more")});
    settings.setValue(group + QStringLiteral("/order"), QStringLiteral("note"));
    settings.setValue(group + QStringLiteral("/widths"), QVariantMap{{QStringLiteral("figure"), -3},
                                                                     {QStringLiteral("note"), 1 << 30},
                                                                     {QStringLiteral("name"), QStringLiteral("wide")}});
    Table table;
    table.columns->read(settings, group);
    table.show(900);
    QVERIFY(table.view.isColumnHidden(kMore));
    QCOMPARE(table.view.columnWidth(kFigure), 100);
    QVERIFY(table.view.columnWidth(kNote) <= 4000);
    QCOMPARE(table.view.horizontalHeader()->logicalIndex(0), kNote);
  }

  void aDraggedEdgeIsTheUsersWidth() {
    Table table;
    table.show(900);
    QHeaderView* header = table.view.horizontalHeader();
    const int edge = header->sectionViewportPosition(kNote);  // the right edge of *Figure*
    const QPoint at(edge - 1, header->height() / 2);
    const auto send = [header](QEvent::Type type, QPoint where, Qt::MouseButton button, Qt::MouseButtons buttons) {
      QMouseEvent event(type, where, header->viewport()->mapToGlobal(where), button, buttons, Qt::NoModifier);
      QApplication::sendEvent(header->viewport(), &event);
    };
    send(QEvent::MouseButtonPress, at, Qt::LeftButton, Qt::LeftButton);
    send(QEvent::MouseMove, at + QPoint(40, 0), Qt::NoButton, Qt::LeftButton);
    send(QEvent::MouseButtonRelease, at + QPoint(40, 0), Qt::LeftButton, Qt::NoButton);
    const int dragged = table.view.columnWidth(kFigure);
    QVERIFY(dragged > 100);
    table.show(1000);
    QCOMPARE(table.view.columnWidth(kFigure), dragged);
  }
};

BINADE_SUITE(TableColumns);

}  // namespace

#include "tst_table_columns.moc"
