// SPDX-License-Identifier: Apache-2.0
// What gives way where there is little room: labels, lines of widgets, columns, the chain, captions, the history, the
// table of formats.
#include "tests/support/suite.h"
#include "views/beside_or_below.h"
#include "views/chain_view.h"
#include "views/elided_combo.h"
#include "views/elided_label.h"
#include "views/flow_layout.h"
#include "views/gradient_view.h"
#include "views/height_scroll.h"
#include "views/plot/format_shares.h"
#include "views/plot/line_plot.h"
#include "views/table/copy_rows.h"
#include "views/table/delegates.h"
#include "views/table/timeline.h"
#include "views/theme.h"
#include "views/values/numbers.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QScrollBar>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <QTableView>
#include <QTest>
#include <QToolButton>

namespace {

using namespace binade;

// Words, words, a figure, and words or a figure: 400, 200, 100 and the rest.
class Table {
 public:
  explicit Table(bool figureLast = false) : model(2, 4) {
    model.setHorizontalHeaderLabels(
        {QStringLiteral("Call"), QStringLiteral("Format"), QStringLiteral("Lost"), QStringLiteral("Verdict")});
    for (const int column : figureLast ? QList<int>{2, 3} : QList<int>{2})
      model.setHeaderData(column, Qt::Horizontal, static_cast<int>(Qt::AlignRight), Qt::TextAlignmentRole);
    for (int row = 0; row < 2; ++row) {
      for (int column = 0; column < 4; ++column)
        model.setItem(row, column, new QStandardItem(QStringLiteral("%1 %2").arg(row).arg(column)));
    }
    view.setModel(&model);
    views::styleTable(&view);
    view.sortByColumn(0, Qt::AscendingOrder);
    views::setColumnWidths(&view, {400, 200, 100, 160});
  }
  void show(int width) {
    view.resize(width, 200);
    view.show();
    QApplication::processEvents();
  }
  QStandardItemModel model;
  QTableView view;
};

class NarrowPlaces : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { views::applyTheme(*qApp, views::Theme::kLight); }

  void twoWidgetsAreBesideEachOtherOnlyWhereThereIsRoom() {
    auto* first = new QWidget;
    auto* second = new QWidget;
    for (QWidget* each : {first, second}) each->setMinimumSize(100, 40);
    views::BesideOrBelow both(first, second, 300);
    both.resize(250, 200);
    both.show();
    QTRY_VERIFY(second->y() > 0);
    QVERIFY(!both.isBeside());
    QCOMPARE(second->x(), first->x());
    both.resize(400, 200);
    QTRY_COMPARE(second->x(), 200);
    QVERIFY(both.isBeside());
    QCOMPARE(second->height(), 200);
    QCOMPARE(both.minimumSizeHint().width(), 100);  // it can become narrow again
    both.setShares(1, 3);
    QTRY_COMPARE(second->x(), 100);
    both.resize(250, 200);
    QTRY_COMPARE(second->x(), 0);
    both.resize(400, 200);
    QTRY_COMPARE(second->x(), 100);
  }

  void aComboBoxSaysThatItsTextIsCut() {
    views::ElidedComboBox box(Qt::ElideMiddle);
    const QString call = QStringLiteral("layer1.0.conv1/aten::conv2d#0");
    box.addItem(call);
    box.resize(400, 26);
    QCOMPARE(box.shownText(), call);
    box.resize(120, 26);
    QVERIFY2(box.shownText().contains(u'…'), qPrintable(box.shownText()));
    QVERIFY(box.shownText().startsWith(QStringLiteral("la")) && box.shownText().endsWith(QStringLiteral("#0")));
    QCOMPARE(box.toolTip(), call);
    QCOMPARE(box.currentText(), call);
  }

  void aLabelGivesWayAndKeepsItsWordsForTheToolTip() {
    views::ElidedLabel label(QStringLiteral("float16 on CPU: same rounding, speed not measured"));
    label.resize(label.sizeHint());
    QVERIFY(!label.isElided());
    QVERIFY(label.minimumSizeHint().width() < label.sizeHint().width() / 3);
    label.resize(80, label.height());
    QVERIFY(label.isElided());
    QCOMPARE(label.text(), QStringLiteral("float16 on CPU: same rounding, speed not measured"));
    label.actions().constFirst()->trigger();
    QCOMPARE(QApplication::clipboard()->text(), label.text());
  }

  void aLineOfWidgetsGoesOnInTheNextLine() {
    QWidget place;
    auto* flow = new views::FlowLayout(&place, 10, 4);
    flow->setContentsMargins(0, 0, 0, 0);
    QList<QWidget*> parts;
    for (int i = 0; i < 3; ++i) {
      parts << new QWidget;
      parts.last()->setFixedSize(100, 20);
      flow->addWidget(parts.last());
    }
    QCOMPARE(flow->heightForWidth(320), 20);
    QCOMPARE(flow->heightForWidth(319), 44);
    QCOMPARE(flow->heightForWidth(100), 68);
    QCOMPARE(flow->minimumSize().width(), 100);
    place.resize(215, 44);
    place.show();
    QCOMPARE(parts[1]->pos(), QPoint(110, 0));
    QCOMPARE(parts[2]->pos(), QPoint(0, 24));
    parts[1]->hide();  // what is hidden takes no room
    QTRY_COMPARE(parts[2]->pos(), QPoint(110, 0));
  }

  void columnsOfWordsGiveWayAndFiguresDoNot() {
    Table table;
    table.show(1000);
    QCOMPARE(table.view.columnWidth(0), 400);
    QCOMPARE(table.view.columnWidth(1), 200);
    table.show(600);
    QVERIFY(table.view.columnWidth(0) < 400);
    QVERIFY(table.view.columnWidth(0) >= 200);
    QVERIFY(table.view.columnWidth(1) >= 100);
    QCOMPARE(table.view.columnWidth(2), 100);
    int whole = 0;
    QStringList widths;
    for (int column = 0; column < 4; ++column) {
      whole += table.view.columnWidth(column);
      widths << QString::number(table.view.columnWidth(column));
    }
    QVERIFY2(whole <= table.view.viewport()->width(), qPrintable(widths.join(u' ')));
    table.show(1000);
    QCOMPARE(table.view.columnWidth(0), 400);
    // Another column's room is given back.
    table.show(700);
    const int before = table.view.columnWidth(0);
    table.view.setColumnHidden(1, true);
    QTRY_VERIFY(table.view.columnWidth(0) > before);
  }

  void roomThatIsLeftGoesToWordsAndNotToFigures() {
    Table words;
    words.show(1300);
    QCOMPARE(words.view.columnWidth(0), 400);  // the last column takes it
    Table figures(true);
    figures.show(1300);
    QVERIFY(figures.view.columnWidth(0) > 500);
    QVERIFY(figures.view.columnWidth(1) > 250);
    QCOMPARE(figures.view.columnWidth(2), 100);
    QVERIFY2(figures.view.columnWidth(3) < 200, qPrintable(QString::number(figures.view.columnWidth(3))));
    int whole = 0;
    for (int column = 0; column < 4; ++column) whole += figures.view.columnWidth(column);
    QCOMPARE(whole, figures.view.viewport()->width());
    figures.show(860);
    QCOMPARE(figures.view.columnWidth(0), 400);
  }

  void ctrlCCopiesTheChosenRowsWithTheirTitles() {
    Table table;
    table.show(800);
    table.view.setFocus();
    table.view.selectRow(1);
    table.view.setColumnHidden(2, true);
    table.model.item(1, 3)->setText(QStringLiteral("two\nlines\tand a tab"));
    QTest::keyClick(&table.view, Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(QApplication::clipboard()->text(),
             QStringLiteral("Call\tFormat\tVerdict\n1 0\t1 1\ttwo lines and a tab\n"));
    table.view.clearSelection();
    QCOMPARE(views::rowsAsText(table.view).count(u'\n'), 3);  // nothing chosen: all of them
    QCOMPARE(views::copyAction(&table.view), views::copyAction(&table.view));
  }

  void theChainCutsNoValue_data() {
    QTest::addColumn<int>("width");
    for (const int width : {480, 560, 820, 1600}) QTest::addRow("%d", width) << width;
  }

  void theChainCutsNoValue() {
    QFETCH(const int, width);
    views::ChainView chain;
    const auto row = [](const char* call, const char* what, const char* value, const char* format, const char* note) {
      views::ChainRow made;
      made.call = QString::fromUtf8(call);
      made.what = QString::fromUtf8(what);
      made.value = QString::fromUtf8(value);
      made.format = QString::fromUtf8(format);
      made.note = QString::fromUtf8(note);
      made.shape = views::VerdictShape::kCarriedOn;
      return made;
    };
    chain.setRows({row("encoder.layers.11.attention.self.query/aten::linear#0", "gradient of weight",
                       "16,777,216 not finite", "bfloat16", "First cause"),
                   row("fc2.weight", "gradient", "≤ 1.234 × 10⁻⁵", "float16", ""),
                   row("scaler", "step skipped", "", "", "scale 2¹⁸ → 2¹⁷")});
    chain.resize(width, chain.sizeHint().height());
    QVERIFY(chain.valuesFit());
    QVERIFY(!chain.grab().isNull());
  }

  void aNarrowChainHasTheTensorBelowItsCall() {
    views::ChainView chain;
    views::ChainRow cause;
    cause.call = QStringLiteral("fc2/aten::linear#0");
    cause.what = QStringLiteral("gradient of its output");
    cause.value = QStringLiteral("108,343");
    cause.format = QStringLiteral("float16");
    cause.note = QStringLiteral("First cause, 1 of 640 values");
    cause.cause = true;
    chain.setRows({cause, cause});
    chain.resize(900, chain.sizeHint().height());
    chain.show();
    const double low = chain.lineRect(0).height();
    QCOMPARE(chain.sizeHint().height(), static_cast<int>(2 * low) + 2);
    chain.resize(520, chain.sizeHint().height());
    const double high = chain.lineRect(0).height();
    QVERIFY(high > low);
    QCOMPARE(chain.sizeHint().height(), static_cast<int>(2 * high) + 2);
    QVERIFY(chain.valuesFit());
    QTest::mouseMove(&chain, chain.lineRect(1).center().toPoint());
    QVERIFY(chain.toolTip().contains(cause.what));
    chain.resize(900, chain.sizeHint().height());
    QCOMPARE(chain.lineRect(0).height(), low);
  }

  void aCaptionThatIsTooLongTakesASecondLine() {
    views::StepAxis axis;
    views::LinePlot plot(&axis);
    const int line = plot.addSeries({QStringLiteral("loss"), {}, 1, {}, {}});
    for (int step = 0; step < 100; ++step) plot.append(line, step, 1.0 / (1 + step));
    plot.setCaption(
        QStringLiteral("Shortened for teaching: starts at 2²⁴, grows every 200 steps. PyTorch: 65,536 and "
                       "2,000."));
    plot.resize(900, 260);
    const double wide = plot.plotArea().bottom();
    plot.resize(420, 260);
    const double narrow = plot.plotArea().bottom();
    QVERIFY(narrow < wide);
    // Both lines have words, the second fewer.
    const QImage image = plot.grab().toImage();
    const double ratio = image.devicePixelRatio();
    const auto inked = [&](double top, double bottom) {
      int right = 0;
      const QColor ground = views::colors().panel;
      for (int y = static_cast<int>(top * ratio); y < static_cast<int>(bottom * ratio); ++y) {
        for (int x = 0; x < image.width(); ++x) {
          if (image.pixelColor(x, y) != ground) right = std::max(right, x);
        }
      }
      return right;
    };
    const int first = inked(narrow + 28, narrow + 40);
    const int second = inked(narrow + 43, 260);
    QVERIFY2(second > 60 * ratio && second < first, qPrintable(QStringLiteral("%1 %2").arg(first).arg(second)));
    plot.setCaption(QStringLiteral("Short."));
    QCOMPARE(plot.plotArea().bottom(), wide);
  }

  void anEntryOfTheHistoryShowsWhatItDidBeforeItsFormat() {
    QStandardItemModel model(1, 1);
    const QModelIndex index = model.index(0, 0);
    model.setData(index, QStringLiteral("Try"), views::HeadRole);
    model.setData(index, QStringLiteral("bfloat16"), views::FormatRole);
    model.setData(index, QStringLiteral("inside the noise · 40 steps"), views::FootRole);
    const auto picture = [&](int width) {
      QTableView view;
      view.setModel(&model);
      view.setItemDelegateForColumn(0, new views::TimelineDelegate(&view));
      view.horizontalHeader()->setVisible(false);
      view.verticalHeader()->setVisible(false);
      view.setColumnWidth(0, width);
      view.setRowHeight(0, views::TimelineDelegate::kHigh);
      view.resize(width + 4, views::TimelineDelegate::kHigh + 4);
      const QImage image = view.viewport()->grab().toImage();
      constexpr int kBehindSquare = 66;  // whose colour is that of the format
      const int from = static_cast<int>(kBehindSquare * image.devicePixelRatio());
      return image.copy(from, 0, image.width() - from, image.height());
    };
    const QImage narrow = picture(215);
    const QImage wide = picture(400);
    model.setData(index, QString(), views::FormatRole);
    QVERIFY(picture(400) != wide);
    model.setData(index, QStringLiteral("bfloat16 with a longer name"), views::FormatRole);
    QVERIFY(picture(215) == narrow);  // the name was left out
    QVERIFY(picture(400) != wide);
  }

  void aCellKeepsTheEndThatMatters() {
    QStandardItemModel model(1, 1);
    QTableView table;
    table.setModel(&model);
    views::styleTable(&table);
    table.horizontalHeader()->setStretchLastSection(false);
    table.setColumnWidth(0, 130);
    table.resize(200, 80);
    const auto picture = [&](const QString& format) {
      model.setData(model.index(0, 0), QStringLiteral("layer1.0.conv1/aten::conv2d#0 in ") + format);
      return table.viewport()->grab().toImage();
    };
    QVERIFY(picture(QStringLiteral("float32")) == picture(QStringLiteral("bfloat16")));  // the end is cut off
    model.setData(model.index(0, 0), true, views::KeepEndRole);
    QVERIFY(picture(QStringLiteral("float32")) != picture(QStringLiteral("bfloat16")));
  }

  void anEntryOfTheHistoryWithALongTitleHasTwoLines() {
    const QString title = QStringLiteral("Try: layer1.0.conv1/aten::conv2d#0 in bfloat16");
    QStandardItemModel model(2, 1);
    model.setData(model.index(0, 0), title, views::HeadRole);
    model.setData(model.index(0, 0), QStringLiteral("bfloat16"), views::FormatRole);
    model.setData(model.index(0, 0), QStringLiteral("step 5"), views::FootRole);
    model.setData(model.index(1, 0), QStringLiteral("base list cuda-amp"), views::HeadRole);
    QTableView table;
    table.setModel(&model);
    table.verticalHeader()->hide();
    views::showTimeline(&table);
    table.resize(700, 300);
    table.show();
    QApplication::processEvents();
    QCOMPARE(table.rowHeight(0), views::TimelineDelegate::kHigh);
    table.resize(230, 300);
    QApplication::processEvents();
    const int high = table.rowHeight(0);
    QVERIFY(high > views::TimelineDelegate::kHigh);
    QCOMPARE(table.rowHeight(1), views::TimelineDelegate::kHigh);
    // The second line is painted: another end of the title changes the picture below the first line.
    const auto picture = [&table] { return table.viewport()->grab(QRect(0, 28, table.viewport()->width(), 16)); };
    const QImage before = picture().toImage();
    model.setData(model.index(0, 0), title.left(title.size() - 3), views::HeadRole);
    QCOMPARE(table.rowHeight(0), high);
    QVERIFY(picture().toImage() != before);
    // So does a foot that is too long, and a short title gives the height back.
    model.setData(model.index(0, 0), QStringLiteral("inside the noise · 40 steps from step 1,234"), views::FootRole);
    QVERIFY(table.rowHeight(0) > high);
    model.setData(model.index(0, 0), QStringLiteral("conv1"), views::HeadRole);
    QCOMPARE(table.rowHeight(0), high);
  }

  void aScrolledWidgetNeedsLessHeightThanItsContent() {
    auto* content = new QWidget;
    content->setMinimumSize(120, 200);
    views::HeightScroll whole(content, 10000);
    QCOMPARE(whole.minimumSizeHint(), QSize(120, 200));
    auto* table = new QWidget;
    table->setMinimumSize(120, 200);
    views::HeightScroll low(table, 72);
    QCOMPARE(low.minimumSizeHint().height(), 72);
    QVERIFY(low.minimumSizeHint().width() > 120);  // with its scroll bar
    low.resize(200, 100);
    low.show();
    QApplication::processEvents();
    QCOMPARE(table->height(), 200);
    QVERIFY(low.verticalScrollBar()->isVisible());
    low.resize(200, 240);
    QApplication::processEvents();
    QVERIFY(!low.verticalScrollBar()->isVisible());
    QCOMPARE(table->height(), 240);
  }

  void theGradientsNeedLessHeightThanTheirTableOfFormats() {
    views::StepAxis axis;
    views::GradientView view(&axis);
    formats::TensorStats stats;
    stats.count = 64;
    view.showStats(stats, 0, 0);
    view.resize(480, 600);
    view.show();
    QApplication::processEvents();
    QCOMPARE(view.shares()->height(), view.shares()->sizeHint().height());  // with room, it is whole
    const int least = view.minimumSizeHint().height();
    view.resize(480, least);
    QApplication::processEvents();
    QVERIFY(view.shares()->visibleRegion().boundingRect().height() < view.shares()->height());
  }

  void theTableOfFormatsTakesMore() {
    views::FormatShares shares;
    const auto named = shares.formats().size();
    shares.addFormat(*formats::parse("e5m6"));
    shares.addFormat(*formats::parse("e5m6"));
    shares.addFormat(formats::kFloat16);
    QCOMPARE(shares.formats().size(), named + 1);
    shares.setHeldIn(formats::parse("e6m9"));
    QCOMPARE(shares.formats().size(), named + 2);
    shares.setHeldIn(formats::kFloat16);  // has a row already
    QCOMPARE(shares.formats().size(), named + 1);
    formats::TensorStats stats;
    stats.count = 8;
    stats.binades[static_cast<std::size_t>(20 - formats::kFirstBinade)] = 2;
    stats.binades[static_cast<std::size_t>(0 - formats::kFirstBinade)] = 6;
    stats.largest = 1.5F * 1048576.0F;
    stats.smallest = 1;
    stats.sum_of_squares = 1e12;
    shares.setStats(stats);
    QCOMPARE(shares.shares(0)->overflow, 0.25);
    const QString text = shares.asText();
    QVERIFY2(text.startsWith(QStringLiteral("Format\tBecomes 0\tSubnormal\tNormal\tOverflow\nfloat16\t")),
             qPrintable(text));
    QVERIFY(text.contains(QStringLiteral("\ne5m6\t")));
    const QSignalSpy asked(&shares, &views::FormatShares::formatRequested);
    shares.findChild<QToolButton*>()->click();
    QCOMPARE(asked.size(), 1);
    for (const char* more : {"e4m2", "e4m4", "e3m2", "e2m3"}) shares.addFormat(*formats::parse(more));
    QCOMPARE(shares.formats().size(), named + views::FormatShares::kMostAdded);
    shares.removeFormat(*formats::parse("e2m3"));
    QCOMPARE(shares.formats().size(), named + views::FormatShares::kMostAdded - 1);
    QVERIFY(shares.minimumSizeHint().width() <= 470);
  }
};

BINADE_SUITE(NarrowPlaces);

}  // namespace

#include "tst_narrow_places.moc"
