// SPDX-License-Identifier: Apache-2.0
#include "engine/lessons/blocks_of.h"
#include "engine/lessons/compute_figure.h"
#include "tests/support/suite.h"
#include "tests/views/shown_lesson.h"
#include "views/lessons/figure_slider.h"
#include "views/lessons/figure_view.h"
#include "views/look_at_number.h"
#include "views/theme.h"
#include "views/values/typography.h"

#include <QClipboard>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

namespace binade::views {

namespace {

lessons::Figure presetFigure(const char* name) {
  const lessons::FigureKind* kind = lessons::find_kind(name);
  return {"figure", kind, lessons::Parameters(*kind), "The caption of a figure.", 1};
}

/// Share of pixels that differ from the ground.
double inked(const QImage& image, const QColor& ground) {
  int count = 0;
  for (int y = 0; y < image.height(); ++y) {
    for (int x = 0; x < image.width(); ++x) count += image.pixelColor(x, y) != ground ? 1 : 0;
  }
  return static_cast<double>(count) / (image.width() * image.height());
}

/// A figure in a window.
struct ShownFigure {
  FigureView view;

  explicit ShownFigure(const char* kind, QSize size = {900, 700}) {
    view.setFigure(presetFigure(kind));
    view.resize(size);
    view.show();
    QTest::qWait(0);
  }
  QImage picture() { return view.canvas()->grab().toImage(); }
};

/// The cells under a grid of positions, row by row, as their tool tips name them.
std::vector<QStringList> rowsUnderThePointer(const FigureCanvas& canvas) {
  std::vector<QStringList> rows;
  const int height = std::max(canvas.height(), canvas.heightForWidth(canvas.width()));
  for (int y = 0; y < height; y += 4) {
    QStringList row;
    for (int x = 0; x < canvas.width(); x += 6) {
      const auto hit = canvas.hitAt(QPointF(x, y));
      if (hit && (row.isEmpty() || row.last() != hit->text)) row << hit->text;
    }
    if (!row.isEmpty() && (rows.empty() || rows.back() != row)) rows.push_back(row);
  }
  return rows;
}

QString toolTip(const lessons::Table& table, std::size_t row, std::size_t column) {
  return QStringLiteral("%1: %2").arg(typesetFigures(table.heads[column]), typesetNumber(table.rows[row][column]));
}

/// The pixels of a table cell, found by the name of its row, in the first column, and by the head of its column.
QRect cellOf(const FigureTable& table, QSize size, const QString& row, const QString& head) {
  QRect rows;
  QRect columns;
  for (int y = 0; y < size.height(); ++y) {
    for (int x = 0; x < size.width(); ++x) {
      const auto hit = table.hitAt(QPointF(x + 0.5, y + 0.5));
      if (hit && hit->text.endsWith(QStringLiteral(": ") + row)) rows |= QRect(x, y, 1, 1);
      if (hit && hit->text.startsWith(head + QLatin1Char(':'))) columns |= QRect(x, y, 1, 1);
    }
  }
  return {columns.left(), rows.top(), columns.width(), rows.height()};
}

int pixelsOf(const QImage& image, const QColor& color) {
  int count = 0;
  for (int y = 0; y < image.height(); ++y) {
    for (int x = 0; x < image.width(); ++x) count += image.pixelColor(x, y) == color ? 1 : 0;
  }
  return count;
}

QAction* entryOf(FigureCanvas& canvas, QPoint at, QContextMenuEvent::Reason reason, const char* name) {
  QContextMenuEvent event(reason, at, canvas.mapToGlobal(at));
  QApplication::sendEvent(&canvas, &event);
  // Menus that were used stay until their deletion: the last one counts.
  const auto found = canvas.findChildren<QAction*>(QLatin1String(name));
  return found.isEmpty() ? nullptr : found.last();
}

}  // namespace

class LessonFigures : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }
  void cleanup() { applyTheme(*qApp, Theme::kLight); }

  void everyKindIsDrawn_data() {
    QTest::addColumn<QString>("kind");
    QTest::addColumn<bool>("dark");
    QTest::addColumn<QSize>("size");
    for (const lessons::FigureKind& kind : lessons::figure_kinds()) {
      const QString name = QString::fromUtf8(kind.name.data(), static_cast<qsizetype>(kind.name.size()));
      for (const bool dark : {false, true}) {
        for (const QSize size : {QSize(480, 500), QSize(900, 700), QSize(1600, 1000)}) {
          const QString row =
              QStringLiteral("%1, %2, %3 px").arg(name, QLatin1String(dark ? "dark" : "light")).arg(size.width());
          QTest::newRow(qPrintable(row)) << name << dark << size;
        }
      }
    }
  }
  void everyKindIsDrawn() {
    QFETCH(const QString, kind);
    QFETCH(const bool, dark);
    QFETCH(const QSize, size);
    applyTheme(*qApp, dark ? Theme::kDark : Theme::kLight);
    ShownFigure shown(qPrintable(kind), size);
    QVERIFY(shown.view.showsFigure());
    QVERIFY2(shown.view.minimumSizeHint().width() <= 480,
             qPrintable(QString::number(shown.view.minimumSizeHint().width())));
    const QImage picture = shown.picture();
    const double part = inked(picture, colors().panel);
    QVERIFY2(part > 0.005, qPrintable(QString::number(part)));
    // The whole figure is inside: the last row of pixels, below the margin, is empty.
    const QRect foot(0, picture.height() - 4, picture.width(), 4);
    QCOMPARE(inked(picture.copy(foot), colors().panel), 0.0);
    QVERIFY(!shown.view.canvas()->accessibleName().isEmpty());
    const std::string& words = shown.view.figure().text;
    QVERIFY(shown.view.canvas()->accessibleDescription().contains(QString::fromStdString(words)));
  }

  void panelsDoNotOverlapAndFillTheirWidth() {
    for (const lessons::FigureKind& kind : lessons::figure_kinds()) {
      const lessons::FigureData data = lessons::compute(kind, lessons::Parameters(kind));
      const FigurePicture picture(data, QRectF(0, 0, 448, FigurePicture::leastHeight(data, 448)));
      double foot = 0;
      for (const FigurePanel& panel : picture.panels()) {
        QVERIFY2(panel.area().top() > foot, kind.name.data());
        QVERIFY2(panel.area().width() > 200 && panel.area().height() > 20, kind.name.data());
        foot = panel.area().bottom();
      }
    }
  }

  void panelsOfOneXAxisAreInLine() {
    const lessons::FigureKind& kind = *lessons::find_kind("scaler");
    const lessons::FigureData data = lessons::compute(kind, lessons::Parameters(kind));
    const FigurePicture picture(data, QRectF(0, 0, 448, 600));
    QCOMPARE(picture.panels().size(), std::size_t{2});
    QCOMPARE(picture.panels()[0].area().left(), picture.panels()[1].area().left());
    QCOMPARE(picture.panels()[0].area().right(), picture.panels()[1].area().right());
  }

  void neighbouringMarksShareALabel() {
    lessons::FigureData data;
    lessons::Panel scales;
    scales.x = {"step", lessons::AxisScale::kLinear, 0, 100};
    scales.series = {{.title = "scale", .points = {{0, 0}, {100, 1}}}};
    for (const double at : {1.0, 2.0, 3.0, 4.0, 60.0, 62.0, 90.0}) scales.marks.push_back({at, "skipped"});
    scales.marks.push_back({91.0, "grows"});  // no room beside the label before
    data.panels = {scales};
    const FigurePicture picture(data, QRectF(0, 0, 1200, 400));
    const auto labels = picture.panels().front().markLabels();
    QCOMPARE(labels.size(), std::size_t{3});
    for (std::size_t i = 1; i < labels.size(); ++i) {
      QVERIFY(labels[i].place.left() >= labels[i - 1].place.right() + 6);
    }
  }

  void theSliderMovesFactsPictureAndTable() {
    ShownFigure shown("scaled_tail");
    QSignalSpy moved(&shown.view, &FigureView::sliderChanged);
    const double before = shown.view.figure().fact("zero")->value;
    const QImage picture = shown.picture();
    QVERIFY(!shown.view.slider()->backButton()->isEnabled());
    shown.view.slider()->slider()->setValue(6);
    QCOMPARE(moved.count(), 1);
    QCOMPARE(moved.first().first().toDouble(), 6.0);
    const double after = shown.view.figure().fact("zero")->value;
    QVERIFY(before > 1);
    QVERIFY2(after < 0.1, qPrintable(QString::number(after)));
    QVERIFY(shown.picture() != picture);
    QVERIFY(!shown.view.canvas()->highlighted().empty());
    QVERIFY(shown.view.slider()->valueText().contains(QStringLiteral("64")));
    QVERIFY(shown.view.canvas()->accessibleDescription().contains(QString::fromStdString(shown.view.figure().text)));
    QTest::mouseClick(shown.view.slider()->backButton(), Qt::LeftButton);
    QCOMPARE(shown.view.figure().fact("zero")->value, before);
  }

  void theSliderMovesByKeyboard() {
    ShownFigure shown("mma");
    QSlider* slider = shown.view.slider()->slider();
    slider->setFocus();
    QTest::keyClick(slider, Qt::Key_Home);
    QCOMPARE(shown.view.figure().slider->value, 0.0);
    QTest::keyClick(slider, Qt::Key_Right);
    QCOMPARE(shown.view.figure().slider->value, 1.0);
    // One product was added to one element, with either accumulator.
    QCOMPARE(shown.view.canvas()->highlighted().size(), std::size_t{2});
    QTest::keyClick(slider, Qt::Key_End);
    QCOMPARE(shown.view.figure().slider->value, 64.0);
  }

  void aPresetBetweenTwoStepsReturnsExactly() {
    ShownFigure shown("update");
    const double preset = shown.view.figure().slider->value;
    QVERIFY(preset != std::round(preset));
    QTest::keyClick(shown.view.slider()->slider(), Qt::Key_Right);
    QVERIFY(shown.view.figure().slider->value != preset);
    QTest::mouseClick(shown.view.slider()->backButton(), Qt::LeftButton);
    QCOMPARE(shown.view.figure().slider->value, preset);
  }

  void dataOfTheOwnerAreShownAndTheFirstPositionIsThePreset() {
    const lessons::FigureKind& kind = *lessons::find_kind("chain");
    const lessons::Parameters presets(kind);
    FigureView view;
    view.setFigure(lessons::compute(kind, presets, 4));
    connect(&view, &FigureView::sliderChanged, &view,
            [&](double value) { view.setFigure(lessons::compute(kind, presets, value)); });
    view.slider()->slider()->setValue(20);
    QCOMPARE(view.figure().slider->value, 20.0);
    QVERIFY(!view.canvas()->highlighted().empty());
    view.slider()->backButton()->click();
    QCOMPARE(view.figure().slider->value, 4.0);
  }

  void figuresWithoutSliderShowNone() {
    ShownFigure shown("limits");
    QVERIFY(!shown.view.slider()->isVisible());
    shown.view.setFigure(presetFigure("ruler"));
    QVERIFY(shown.view.slider()->isVisible());
  }

  void withoutAFigureThereIsAnExplanation() {
    FigureView view;
    QVERIFY(!view.showsFigure());
    view.resize(480, 400);
    view.show();
    QVERIFY(inked(view.grab().toImage(), colors().panel) > 0.001);
    view.setFigure(presetFigure("ruler"));
    QVERIFY(view.showsFigure());
    view.setExplanation(QStringLiteral("No figure"), QStringLiteral("Why."));
    QVERIFY(!view.showsFigure());
    QVERIFY(!view.uncoverButton()->isVisible());
    view.setCover(QStringLiteral("A sum"), QStringLiteral("Make your prediction first."));
    QVERIFY(!view.showsFigure() && view.uncoverButton()->isVisible());
    QSignalSpy wanted(&view, &FigureView::uncoverRequested);
    QTest::mouseClick(view.uncoverButton(), Qt::LeftButton);
    QCOMPARE(wanted.count(), 1);
    view.setFigure(presetFigure("ruler"));
    QVERIFY(view.showsFigure() && !view.uncoverButton()->isVisible());
  }

  void numbersAreShownAndCopiedAsText() {
    ShownFigure shown("limits");
    auto* words = shown.view.findChild<QLabel*>(QStringLiteral("figureWords"));
    QVERIFY(!words->isVisible());
    QVERIFY(shown.view.numbersButton()->toolTip().contains(QStringLiteral("65520")));
    QTest::mouseClick(shown.view.numbersButton(), Qt::LeftButton);
    QVERIFY(words->isVisible());
    QVERIFY(words->text().contains(QStringLiteral("65520")));
    QTest::mouseClick(shown.view.findChild<QPushButton*>(QStringLiteral("figureCopy")), Qt::LeftButton);
    const QString copied = QGuiApplication::clipboard()->text();
    QVERIFY(copied.contains(QStringLiteral("65504")) && copied.contains(QLatin1Char('\t')));
  }

  void quotedFiguresNameTheirSource() {
    ShownFigure shown("quotes");
    bool found = false;
    for (const auto* label : shown.view.findChildren<QLabel*>()) {
      found = found || (label->isVisible() && label->text().contains(QStringLiteral("not measured")));
    }
    QVERIFY(found);
  }

  void aBarAPointAndACellAreNumbers() {
    ShownFigure shown("limits");
    FigureCanvas& canvas = *shown.view.canvas();
    std::set<double> seen;
    std::set<QString> formats;
    for (int y = 0; y < canvas.height(); y += 4) {
      for (int x = 0; x < canvas.width(); x += 4) {
        const auto hit = canvas.hitAt(QPointF(x, y));
        if (!hit || !hit->number) continue;
        seen.insert(hit->number->value);
        if (hit->number->format) formats.insert(QString::fromStdString(formats::name(*hit->number->format)));
      }
    }
    QVERIFY(seen.count(65504) == 1);  // bar and cell
    QVERIFY(seen.count(65520) == 1);  // cell
    QVERIFY(formats.count(QStringLiteral("float16")) == 1);
  }

  void theMenuLooksAtTheNumberUnderThePointer() {
    ShownFigure shown("chain");
    FigureCanvas& canvas = *shown.view.canvas();
    QSignalSpy requested(&shown.view, &FigureView::numberRequested);
    QPoint at;
    for (int x = 0; x < canvas.width() && at.isNull(); ++x) {
      const auto hit = canvas.hitAt(QPointF(x, canvas.panels().front().area().center().y()));
      if (hit && hit->number) at = QPoint(x, static_cast<int>(canvas.panels().front().area().center().y()));
    }
    QVERIFY(!at.isNull());
    QAction* look = entryOf(canvas, at, QContextMenuEvent::Mouse, kLookAtNumber);
    QVERIFY(look != nullptr && look->isEnabled());
    look->trigger();
    QCOMPARE(requested.count(), 1);
    // A gradient of a layer: a power of ten, as float16 holds it.
    QCOMPARE(requested.first().first().value<PickedNumber>(), *canvas.hitAt(at)->number);
    QAction* none = entryOf(canvas, {1, 1}, QContextMenuEvent::Mouse, kLookAtNumber);
    QVERIFY(!none->isEnabled());
    QAction* by_key = entryOf(canvas, {1, 1}, QContextMenuEvent::Keyboard, kLookAtNumber);
    QVERIFY(by_key->isEnabled());
  }

  void theMenuCopiesAndSaves() {
    ShownFigure shown("rounding");
    FigureCanvas& canvas = *shown.view.canvas();
    entryOf(canvas, {10, 10}, QContextMenuEvent::Mouse, "copyCsv")->trigger();
    const QStringList lines = QGuiApplication::clipboard()->text().split(QStringLiteral("\r\n"), Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), static_cast<qsizetype>(shown.view.figure().table.rows.size()) + 1);
    QCOMPARE(lines.first(), QStringLiteral("value,float16,bits,error"));
    QVERIFY(entryOf(canvas, {10, 10}, QContextMenuEvent::Mouse, "savePicture") != nullptr);
    const QString file = test::temporaryFolder() + QStringLiteral("/figure.png");
    QVERIFY(canvas.savePicture(file));
    const QImage saved(file);
    QVERIFY(!saved.isNull());
    QVERIFY(inked(saved, colors().panel) > 0.005);
    QVERIFY(!canvas.savePicture(test::temporaryFolder() + QStringLiteral("/none/figure.png")));
  }

  void everyLessonsTableIsShownAsItIsComputed_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<int>("width");
    for (const QString& file : lessonFiles()) {
      for (const int width : {480, 900}) QTest::addRow("%s, %d px", qPrintable(file), width) << file << width;
    }
  }
  void everyLessonsTableIsShownAsItIsComputed() {
    QFETCH(const QString, file);
    QFETCH(const int, width);
    const lessons::Lesson lesson = programLesson(file);
    FigureView view;
    view.resize(width, 700);
    view.show();
    for (const lessons::Figure* figure : lessons::blocks_of<lessons::Figure>(lesson)) {
      view.setFigure(*figure);
      QTest::qWait(0);
      const lessons::Table wanted = lessons::compute(*figure->kind, figure->parameters).table;
      const std::vector<QStringList> shown = rowsUnderThePointer(*view.canvas());
      QVERIFY2(shown.size() >= wanted.rows.size(), figure->name.c_str());
      for (std::size_t row = 0; row < wanted.rows.size(); ++row) {
        QStringList cells;
        for (std::size_t column = 0; column < wanted.heads.size(); ++column) cells << toolTip(wanted, row, column);
        QCOMPARE(shown[shown.size() - wanted.rows.size() + row], cells);
      }
    }
  }

  void theRowTheColumnAndTheNumbersOfAStepAreMarked() {
    const lessons::FigureKind& kind = *lessons::find_kind("mma");
    const lessons::FigureData data = lessons::compute(kind, lessons::Parameters(kind), 19);  // a23 times b31
    const QRectF place(0, 0, 448, FigureTable::height(data.table, 448));
    const FigureTable table(data.table, place);
    QImage image(place.size().toSize(), QImage::Format_RGB32);
    image.fill(colors().panel);
    QPainter painter(&image);
    table.paint(painter, {});
    painter.end();
    struct Cell {
      const char* row;
      const char* head;
      bool marked;
      bool strong;
    };
    constexpr Cell kCells[] = {
        {"A, 2", "column 3", true, true},           {"B, 3", "column 1", true, true},
        {"D float16, 2", "column 1", true, true},   {"A, 2", "column 1", true, false},
        {"B, 1", "column 1", true, false},          {"D float32, 2", "column 1", true, true},
        {"A, 1", "column 3", false, false},         {"B, 3", "column 2", false, false},
        {"D float32, 1", "column 1", false, false},
    };
    for (const Cell& each : kCells) {
      const QRect cell = cellOf(table, image.size(), QLatin1String(each.row), QLatin1String(each.head));
      const QImage picture = image.copy(cell);
      QVERIFY2(picture.width() > 30 && picture.height() > 12, each.row);
      QCOMPARE(pixelsOf(picture, colors().selectedRow) > cell.width() * cell.height() / 3, each.marked);
      QCOMPARE(pixelsOf(picture, colors().indigo) > cell.width(), each.strong);
    }
  }

  void captionsAreTheWordsOfTheirMarkdown() {
    lessons::Figure figure = presetFigure("sum");
    figure.caption = "The *running* total of 2^12 additions. See [lesson 2](https://example.org/2).";
    const QString words = QStringLiteral("The running total of 2¹² additions. See lesson 2.");
    FigureView view;
    view.setFigure(figure);
    const auto* caption = view.findChild<QLabel*>(QStringLiteral("figureCaption"));
    QVERIFY(caption->isVisibleTo(&view));
    QCOMPARE(caption->text(), words);
    // A figure that follows has its own; one whose data the owner computes has none until setCaption().
    view.setFigure(presetFigure("limits"));
    QCOMPARE(caption->text(), QStringLiteral("The caption of a figure."));
    view.setCaption(QString());
    QVERIFY(!caption->isVisibleTo(&view));
    // The page of the lesson has it too; but not that of data which the owner computes.
    view.setFigure(figure);
    view.setBesideLesson(true);
    QVERIFY(!caption->isVisibleTo(&view));
    QCOMPARE(view.caption(), QString(words).replace(QStringLiteral("2¹²"), QStringLiteral("2^12")));
    const lessons::FigureData data = view.figure();
    view.setFigure(data);
    view.setCaption(words);
    QVERIFY(caption->isVisibleTo(&view));
    view.setFigure(figure);
    QVERIFY(!caption->isVisibleTo(&view));
    view.setBesideLesson(false);
    QVERIFY(caption->isVisibleTo(&view));
    view.setExplanation(QStringLiteral("Covered"), QStringLiteral("Make your prediction first."));
    QVERIFY(!caption->isVisibleTo(&view));
  }

  void narrowTablesKeepNumbersWhole() {
    // The widest table: seven columns, with eight digits.
    const lessons::FigureKind& kind = *lessons::find_kind("limits");
    const lessons::FigureData data = lessons::compute(kind, lessons::Parameters(kind));
    const FigureTable table(data.table, QRectF(0, 0, 448, 400));
    std::set<QString> texts;
    for (int y = 0; y < static_cast<int>(table.height()); y += 2) {
      for (int x = 0; x < 448; x += 2) {
        if (const auto hit = table.hitAt(QPointF(x, y))) texts.insert(hit->text);
      }
    }
    std::set<QString> cells;
    for (const auto& row : data.table.rows) {
      for (std::size_t column = 0; column < row.size(); ++column) {
        cells.insert(
            QStringLiteral("%1: %2").arg(typesetFigures(data.table.heads[column]), typesetNumber(row[column])));
      }
    }
    QCOMPARE(texts, cells);
  }
};

BINADE_SUITE(LessonFigures);

}  // namespace binade::views

#include "tst_lesson_figures.moc"
