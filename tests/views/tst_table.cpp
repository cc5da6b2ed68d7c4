// SPDX-License-Identifier: Apache-2.0
#include "tests/support/suite.h"
#include "views/filter_line.h"
#include "views/table/bar_key.h"
#include "views/table/delegates.h"
#include "views/theme.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QHeaderView>
#include <QImage>
#include <QPainter>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <QTableView>

#include <cmath>

namespace binade::views {

class TableCells : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { applyTheme(*qApp, Theme::kLight); }

  void squaresTellHowAFormatIsComputed_data() {
    QTest::addColumn<int>("execution");
    QTest::addColumn<QColor>("corner");
    QTest::addColumn<QColor>("inside");
    const QColor orange = formatColor(formats::kFloat16);
    const QColor white = colors(Theme::kLight).panel;
    QTest::newRow("native: filled") << static_cast<int>(CellExecution::kNative) << orange << orange;
    QTest::newRow("emulated: outlined") << static_cast<int>(CellExecution::kEmulated) << orange << white;
  }

  void squaresTellHowAFormatIsComputed() {
    QFETCH(int, execution);
    QImage image(16, 16, QImage::Format_RGB32);
    image.fill(colors().panel);
    QPainter painter(&image);
    drawFormatSquare(painter, {3, 3, 10, 10}, QStringLiteral("float16"), static_cast<CellExecution>(execution));
    painter.end();
    QTEST(image.pixelColor(3, 3), "corner");
    QTEST(image.pixelColor(5, 10), "inside");
    // The dot.
    if (execution == static_cast<int>(CellExecution::kEmulated)) {
      QCOMPARE(image.pixelColor(7, 7), formatColor(formats::kFloat16));
    }
  }

  void aTextThatDoesNotFitGivesWayToItsBriefForm() {
    QStandardItemModel model(1, 1);
    const QModelIndex index = model.index(0, 0);
    model.setData(index, QStringLiteral("fc1/aten::linear#0 in bfloat16"), Qt::DisplayRole);
    QCOMPARE(CellDelegate::shownText(index, 20), index.data().toString());  // it has none
    model.setData(index, QStringLiteral("fc1 in bfloat16"), BriefRole);
    QCOMPARE(CellDelegate::shownText(index, 400), index.data().toString());
    QCOMPARE(CellDelegate::shownText(index, 130), QStringLiteral("fc1 in bfloat16"));
  }

  void aFollowingFormatIsPaler() {
    QImage image(10, 10, QImage::Format_RGB32);
    image.fill(colors().panel);
    QPainter painter(&image);
    drawFormatSquare(painter, {0, 0, 10, 10}, QStringLiteral("float16"), CellExecution::kFollows);
    painter.end();
    const QColor found = image.pixelColor(5, 5);
    QVERIFY(found.lightness() > formatColor(formats::kFloat16).lightness());
    QVERIFY(found != colors().panel);
  }

  void theHeadroomBarIsAsLongAsItsShare() {
    QStandardItemModel model(3, 1);
    model.setData(model.index(0, 0), 8.0, HeadroomRole);
    model.setData(model.index(1, 0), 0.5, HeadroomRole);
    model.setData(model.index(2, 0), std::nan(""), HeadroomRole);
    const QImage whole = paint(model, 0);
    const QImage tight = paint(model, 1);
    const QImage unknown = paint(model, 2);
    // Bar: from 8 to width - 8 - 48 - 8; half of it is filled at 8 of 16 doublings.
    const int length = 200 - 8 - 8 - 48 - 8;
    QCOMPARE(whole.pixelColor(8 + length / 2 - 3, 12), colors().headroom);
    QCOMPARE(whole.pixelColor(8 + length / 2 + 3, 12), colors().headroomGround);
    QCOMPARE(tight.pixelColor(9, 12), colors().crimson);
    QCOMPARE(unknown.pixelColor(9, 12), colors().panel);
  }

  void theKeyOfABarHasTheColoursOfItsParts() {
    BarKey key(QStringLiteral("forward"), QStringLiteral("backward"));
    key.resize(key.sizeHint());
    const QImage image = key.grab().toImage();
    const int middle = key.height() / 2;
    QCOMPARE(image.pixelColor(5, middle), colors().text);
    int second = 10;
    while (second < image.width() && image.pixelColor(second, middle) != colors().headroom) ++second;
    QVERIFY(second + 9 < image.width());
    QCOMPARE(image.pixelColor(second + 9, middle), colors().headroom);
  }

  void theComboWritesItsChoiceOnce() {
    QTableView table;
    QStandardItemModel model(2, 1);
    model.setData(model.index(0, 0), QStringLiteral("float16"), FormatRole);
    styleTable(&table);
    table.setModel(&model);
    auto* delegate = new FormatDelegate(&table);
    delegate->setFormats({QStringLiteral("float32"), QStringLiteral("float16"), QStringLiteral("float8_e5m2")},
                         {QStringLiteral("float8_e5m2")});
    table.setItemDelegateForColumn(0, delegate);
    table.resize(400, 200);
    table.show();
    QVERIFY(QTest::qWaitForWindowExposed(&table));
    table.edit(model.index(0, 0));
    auto* combo = table.findChild<QComboBox*>();
    QVERIFY(combo);
    QCOMPARE(combo->currentData().toString(), QStringLiteral("float16"));
    QCOMPARE(combo->itemText(2), QStringLiteral("float8_e5m2, emulated"));
    QTRY_VERIFY(combo->view()->isVisible());
    QSignalSpy writes(&model, &QAbstractItemModel::dataChanged);
    QTest::keyClick(combo->view(), Qt::Key_Up);
    QTest::keyClick(combo->view(), Qt::Key_Return);
    QTRY_COMPARE(model.index(0, 0).data(FormatRole).toString(), QStringLiteral("float32"));
    QCOMPARE(writes.count(), 1);
    // The entry below the list gives the format back to the base list.
    table.edit(model.index(0, 0));
    combo = table.findChild<QComboBox*>();
    QCOMPARE(combo->itemData(combo->count() - 1).toString(), QString());
  }

  void aStyledTableHasRowsOf24Pixels() {
    QTableView table;
    QStandardItemModel model(3, 2);
    styleTable(&table);
    table.setModel(&model);
    QCOMPARE(table.rowHeight(0), 24);
    QCOMPARE(table.selectionBehavior(), QAbstractItemView::SelectRows);
    QVERIFY(table.verticalHeader()->isHidden());
  }

  void everyDelegatePaintsEveryThemeAndState() {
    QStandardItemModel model(1, 1);
    const QModelIndex index = model.index(0, 0);
    model.setData(index, QStringLiteral("encoder.layers.11.attention.self.query/aten::linear#0"), CallRole);
    model.setData(index, QStringLiteral("text 2¹⁹"));
    model.setData(index, 3.0, HeadroomRole);
    model.setData(index, true, CensoredRole);
    CellDelegate cell;
    CallDelegate call;
    FormatDelegate format;
    HeadroomDelegate headroom;
    VerdictDelegate verdict;
    for (const Theme theme : {Theme::kLight, Theme::kDark}) {
      applyTheme(*qApp, theme);
      for (int shape = 0; shape <= static_cast<int>(VerdictShape::kSkipped); ++shape) {
        model.setData(index, shape, VerdictRole);
        for (const CellDelegate* delegate :
             {&cell, static_cast<CellDelegate*>(&call), static_cast<CellDelegate*>(&format),
              static_cast<CellDelegate*>(&headroom), static_cast<CellDelegate*>(&verdict)}) {
          for (const QStyle::State state : {QStyle::State_None, QStyle::State_Selected}) {
            QImage image(160, 24, QImage::Format_RGB32);
            QPainter painter(&image);
            QStyleOptionViewItem option;
            option.rect = image.rect();
            option.state = state;
            delegate->paint(&painter, option, index);
            painter.end();
            const bool selected = state == QStyle::State_Selected;
            QCOMPARE(image.pixelColor(4, 1), selected ? colors().selectedRow : colors().panel);
            int ink = 0;
            for (int x = 8; x < 152; ++x) ink += image.pixelColor(x, 12) != image.pixelColor(4, 1);
            QVERIFY(ink > 3);
            QVERIFY(delegate->sizeHint(option, index).height() == 24);
          }
        }
      }
    }
    applyTheme(*qApp, Theme::kLight);
  }

  void theFilterWaitsForTheLastKey() {
    FilterLine filter(QStringLiteral("Filter:  op:conv"));
    filter.show();
    QSignalSpy spy(&filter, &FilterLine::filterChanged);
    QTest::keyClicks(&filter, QStringLiteral("op:conv"));
    QCOMPARE(spy.count(), 0);
    QTRY_COMPARE(spy.count(), 1);
    QCOMPARE(spy.last().first().toString(), QStringLiteral("op:conv"));
    QTest::keyClick(&filter, Qt::Key_Escape);
    QCOMPARE(spy.last().first().toString(), QString());
  }

 private:
  static QImage paint(const QStandardItemModel& model, int row) {
    QImage image(200, 24, QImage::Format_RGB32);
    QPainter painter(&image);
    QStyleOptionViewItem option;
    option.rect = image.rect();
    HeadroomDelegate().paint(&painter, option, model.index(row, 0));
    return image;
  }
};

BINADE_SUITE(TableCells);

}  // namespace binade::views

#include "tst_table.moc"
