// SPDX-License-Identifier: Apache-2.0
// A single figure as an HTML file: from the context menu of the dock to the bytes on disk.
#include "app/docks/figure_dock.h"
#include "app/docks/lesson_dock.h"
#include "app/lessons/figure_html.h"
#include "app/lessons/run_losses.h"
#include "app/window/banner.h"
#include "app/window/html_file.h"
#include "app/window/lesson_flow.h"
#include "tests/app/app_fixture.h"
#include "tests/app/choose_file.h"
#include "tests/app/lessons/lesson_text.h"
#include "tests/support/suite.h"
#include "views/lessons/figure_slider.h"
#include "views/lessons/figure_view.h"
#include "views/lessons/lesson_page.h"

#include <QAction>
#include <QApplication>
#include <QContextMenuEvent>
#include <QDir>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QRegularExpression>
#include <QSlider>
#include <QTest>
#include <QTimer>

namespace {

using namespace binade;
using test::chooseFile;
using test::Explorer;

QByteArray contentOf(const QString& file) {
  QFile in(file);
  return in.open(QIODevice::ReadOnly) ? in.readAll() : QByteArray();
}

bool writeText(const QString& file, const QByteArray& text) {
  QFile out(file);
  return out.open(QIODevice::WriteOnly) && out.write(text) == text.size();
}

/// The entry of the context menu at a figure.
QAction* exportEntry(views::FigureView* view) {
  views::FigureCanvas* canvas = view->canvas();
  const QPoint at(10, 10);
  QContextMenuEvent event(QContextMenuEvent::Mouse, at, canvas->mapToGlobal(at));
  QApplication::sendEvent(canvas, &event);
  const auto found = canvas->findChildren<QAction*>(QStringLiteral("exportHtml"));
  return found.isEmpty() ? nullptr : found.last();
}

/// The picture within a page.
QImage pictureOf(const QString& html) {
  static const QRegularExpression data(QStringLiteral("src=\"data:image/png;base64,([^\"]*)\""));
  return QImage::fromData(QByteArray::fromBase64(data.match(html).captured(1).toLatin1()), "PNG");
}

class LessonExports : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aPageHasPictureCaptionNumbersAndTheLesson() {
    lessons::FigureData data;
    data.title = "Sums & errors";
    data.text = "The sum is 32768 <half>.";
    data.table = {{"accumulator", "sum"}, {{"float16", "32768"}, {"float32", "65536"}}};
    data.facts = {{"changed", 2048, "2048"}};
    data.source = "A talk, 2019";
    QImage picture(12, 7, QImage::Format_RGB32);
    picture.fill(Qt::red);
    const QString html = app::figureHtml(data, picture, QStringLiteral("Running <sums>."), QStringLiteral("Lesson 3"));
    QVERIFY(html.startsWith(QStringLiteral("<!DOCTYPE html>")) && html.endsWith(QStringLiteral("</html>\n")));
    for (const char* part : {"<h1>Sums &amp; errors</h1>", "The sum is 32768 &lt;half&gt;.", "<th>accumulator</th>",
                             "<td>65536</td>", "<td>changed</td><td>2048</td>", "A talk, 2019", "Lesson 3",
                             "<figcaption>Running &lt;sums&gt;.</figcaption>"}) {
      QVERIFY2(html.contains(QLatin1String(part)), part);
    }
    QCOMPARE(pictureOf(html).convertToFormat(QImage::Format_RGB32), picture);
    static const QRegularExpression elsewhere(QStringLiteral("(src=\"(?!data:)|href=|<link|<script)"));
    QVERIFY(!html.contains(elsewhere));
  }

  void whatAFigureLacksIsLeftOut() {
    lessons::FigureData data;
    data.title = "Title";
    const QString html = app::figureHtml(data, QImage(8, 8, QImage::Format_RGB32), {}, {});
    for (const char* part : {"<table", "<figcaption", "<details", "Quoted"}) {
      QVERIFY2(!html.contains(QLatin1String(part)), part);
    }
  }

  void theShownFigureIsExportedFromItsMenuOrTheReasonIsShown() {
    Explorer explorer;
    explorer.show();
    explorer.window().openLesson(QStringLiteral("1"));
    QTest::qWait(0);
    app::DockSet* docks = explorer.window().docks();
    docks->lesson->page()->skipButton(1)->click();
    views::FigureView* view = docks->figure->view();
    QVERIFY(view->showsFigure() && view->figure().slider);
    // At the present position of the slider.
    QSlider* slider = view->slider()->slider();
    slider->setValue(slider->maximum());
    const std::string text = view->figure().text;
    const QString file = test::temporaryFolder() + QStringLiteral("/range");
    chooseFile(file);
    QAction* entry = exportEntry(view);
    QVERIFY(entry != nullptr);
    entry->trigger();
    QVERIFY(!QFile::exists(file));
    const QString html = QString::fromUtf8(contentOf(file + QStringLiteral(".html")));
    QVERIFY(html.contains(QString::fromStdString(text).toHtmlEscaped()));
    QVERIFY(html.contains(view->caption().toHtmlEscaped()) && !view->caption().isEmpty());
    QVERIFY(html.contains(explorer.window().lessons()->title().toHtmlEscaped()));
    QVERIFY(pictureOf(html).width() >= 900);
    QVERIFY(explorer.window().banner()->isVisible());
    QCOMPARE(
        explorer.window().banner()->message(),
        QStringLiteral("The figure was written to %1.").arg(QDir::toNativeSeparators(file + QStringLiteral(".html"))));
    chooseFile(test::temporaryFolder() + QStringLiteral("/none/range.html"));
    explorer.window().lessons()->exportFigure();
    QVERIFY2(explorer.window().banner()->message().contains(QStringLiteral("range.html")),
             qPrintable(explorer.window().banner()->message()));
  }

  void aWrittenLessonIsConfirmedWithItsName() {
    Explorer explorer;
    explorer.show();
    explorer.window().openLesson(QStringLiteral("1"));
    const QString file = test::temporaryFolder() + QStringLiteral("/one.html");
    chooseFile(file);
    explorer.window().lessons()->exportHtml();
    QVERIFY(QFile::exists(file));
    QVERIFY(explorer.window().banner()->isVisible());
    QCOMPARE(explorer.window().banner()->message(),
             QStringLiteral("The lesson was written to %1.").arg(QDir::toNativeSeparators(file)));
  }

  // Beside the list of lessons, too: the figure stays in its dock.
  void aFigureOfAnExperimentIsExportedWithItsLesson() {
    Explorer explorer;
    explorer.show();
    explorer.window().openLesson(QStringLiteral("8"));
    const QString lesson = explorer.window().lessons()->title();
    app::DockSet* docks = explorer.window().docks();
    const app::TrainingLosses narrow{.training = {"cuda-amp", policy::Base::kCudaAmp, {}},
                                     .losses = {{0, 2.0}, {1, 1.5}}};
    const app::TrainingLosses wide{.training = {"float32", policy::Base::kAllFloat32, {}},
                                   .losses = {{0, 2.0}, {1, 1.0}}};
    docks->figure->showData(app::lossFigure({narrow, wide}, 2), QStringLiteral("Both trainings."));
    docks->lesson->showList();
    const QString file = test::temporaryFolder() + QStringLiteral("/run.html");
    chooseFile(file);
    explorer.window().lessons()->exportFigure();
    const QString html = QString::fromUtf8(contentOf(file));
    QVERIFY(html.contains(QStringLiteral("<figcaption>Both trainings.</figcaption>")));
    QVERIFY(html.contains(QStringLiteral("<td>1.75</td>")));
    QVERIFY(html.contains(lesson.toHtmlEscaped()) && !lesson.isEmpty());
    QVERIFY(!pictureOf(html).isNull());
  }

  void nothingIsAskedWithoutAFigure() {
    Explorer explorer;
    explorer.show();
    explorer.window().openLesson(QStringLiteral("1"));  // its figure is covered
    QVERIFY(!explorer.window().docks()->figure->view()->showsFigure());
    bool asked = false;
    QTimer::singleShot(0, &explorer.window(), [&] {
      asked = QApplication::activeModalWidget() != nullptr;
      if (asked) QApplication::activeModalWidget()->close();
    });
    explorer.window().lessons()->exportFigure();
    QTest::qWait(0);
    QVERIFY(!asked);
  }

  void aFileThatTheEndingWouldReplaceIsAskedAbout() {
    const QString folder = test::temporaryFolder();
    const QString file = folder + QStringLiteral("/kept");
    const QString ended = file + QStringLiteral(".html");
    QVERIFY(writeText(ended, "before"));
    chooseFile(file, QMessageBox::No);
    QCOMPARE(app::askForHtmlFile(nullptr, QStringLiteral("Export"), QStringLiteral("x.html")), QString());
    chooseFile(file, QMessageBox::Yes);
    QCOMPARE(app::askForHtmlFile(nullptr, QStringLiteral("Export"), QStringLiteral("x.html")), ended);
    chooseFile(folder + QStringLiteral("/sums.v2"));
    QCOMPARE(app::askForHtmlFile(nullptr, QStringLiteral("Export"), QStringLiteral("x.html")),
             folder + QStringLiteral("/sums.v2.html"));
  }

  void aFailureNamesTheFileAndKeepsWhatWasThere() {
    const QString folder = test::temporaryFolder();
    const auto failed = app::writeHtmlFile(folder + QStringLiteral("/none/page.html"), QStringLiteral("<p>"));
    QVERIFY(failed && failed->message.contains(QStringLiteral("page.html")) && !failed->hint.isEmpty());
    const QString file = folder + QStringLiteral("/page.html");
    QVERIFY(writeText(file, "before"));
    QVERIFY(!app::writeHtmlFile(file, QStringLiteral("µ")));
    QCOMPARE(contentOf(file), QByteArray("\xc2\xb5"));
    QCOMPARE(QDir(folder).entryList({QStringLiteral("page*")}, QDir::Files).size(), 1);  // no temporary file is left
  }
};

BINADE_SUITE(LessonExports);

}  // namespace

#include "tst_lesson_export.moc"
