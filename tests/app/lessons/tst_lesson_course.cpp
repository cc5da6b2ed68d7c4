// SPDX-License-Identifier: Apache-2.0
// The list of lessons: built in and opened, their problems with lines, and the progress in them.
#include "app/lessons/lesson_course.h"
#include "app/lessons/lesson_html.h"
#include "app/lessons/sample_training.h"
#include "engine/lessons/blocks_of.h"
#include "tests/app/lessons/lesson_text.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"
#include "tests/support/warnings.h"

#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QSettings>
#include <QTest>

#include <memory>

namespace {

using namespace binade;

class LessonCourses : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void init() {
    test::failOnWarnings();
    settings_ =
        std::make_unique<QSettings>(test::temporaryFolder() + QStringLiteral("/settings.ini"), QSettings::IniFormat);
  }

  void allBuiltInLessonsAreWithoutProblemsAndInOrder() {
    app::LessonCourse course(settings_.get());
    QCOMPARE(course.builtInCount(), std::size_t{11});
    for (const app::LessonEntry& entry : course.entries()) {
      for (const lessons::Problem& problem : entry.problems()) qWarning("%s", problem.text().c_str());
      QVERIFY2(entry.lesson() != nullptr, qPrintable(entry.file));
      QVERIFY(!entry.lesson()->summary.empty());
    }
    QCOMPARE(course.entries()[4].key, QStringLiteral("05-gradients-that-vanish"));
    QCOMPARE(course.find(QStringLiteral("5")), std::optional<std::size_t>(4));
    for (const char* none : {"0", "12", "-1"}) QVERIFY(!course.find(QLatin1String(none)));
  }

  // The resource lists its files; one that is forgotten would be missing in the program.
  void everyLessonOfTheTreeIsBuiltIn() {
    app::LessonCourse course(settings_.get());
    const QDir folder(QStringLiteral(BINADE_SOURCE_DIR "/resources/lessons"));
    QCOMPARE(static_cast<std::size_t>(folder.entryList({QStringLiteral("*.md")}).size()), course.builtInCount());
  }

  void anOpenedFileComesLastAndIsReadAgain() {
    app::LessonCourse course(settings_.get());
    const QString file = test::writeLesson(test::shortLesson());
    QCOMPARE(course.open(file), std::size_t{11});
    QCOMPARE(course.entries()[11].title(), QStringLiteral("A sum in float16"));
    QVERIFY(!course.entries()[11].built_in);
    QVERIFY(QFile::remove(file));
    QFile changed(file);
    QVERIFY(changed.open(QIODevice::WriteOnly));
    changed.write(test::shortLesson().replace("A sum in float16", "Another title"));
    changed.close();
    QCOMPARE(course.open(file), std::size_t{11});
    QCOMPARE(course.entries()[11].title(), QStringLiteral("Another title"));
    QCOMPARE(course.builtInCount(), std::size_t{11});
  }

  void problemsHaveTheirLine_data() {
    QTest::addColumn<QByteArray>("from");
    QTest::addColumn<QByteArray>("to");
    QTest::addColumn<QString>("says");
    QTest::newRow("unknown figure") << QByteArray("kind: sum") << QByteArray("kind: sun") << QStringLiteral("sun");
    QTest::newRow("unknown fact") << QByteArray("{s.changed}") << QByteArray("{s.chaned}") << QStringLiteral("chaned");
    QTest::newRow("unknown sample") << QByteArray("sample: mlp") << QByteArray("sample: mpl") << QStringLiteral("mpl");
  }

  void problemsHaveTheirLine() {
    QFETCH(const QByteArray, from);
    QFETCH(const QByteArray, to);
    QFETCH(const QString, says);
    const QByteArray text = test::lessonWithRun();
    QVERIFY(text.contains(from));
    const app::LessonEntry right = app::readLessonFile(test::writeLesson(text));
    for (const lessons::Problem& problem : right.problems()) qWarning("%s", problem.text().c_str());
    QVERIFY(right.lesson() != nullptr);
    const app::LessonEntry wrong = app::readLessonFile(test::writeLesson(QByteArray(text).replace(from, to)));
    QVERIFY(wrong.lesson() == nullptr);
    QCOMPARE(wrong.problems().size(), std::size_t{1});
    const lessons::Problem problem = wrong.problems().front();
    const QByteArray before = text.left(text.indexOf(from));
    // The samples' problem names the line of its block.
    const int own = static_cast<int>(before.count('\n')) + 1;
    const int block = static_cast<int>(before.left(before.lastIndexOf("```")).count('\n')) + 1;
    QVERIFY2(static_cast<int>(problem.line) == own || static_cast<int>(problem.line) == block, problem.text().c_str());
    QVERIFY2(QString::fromStdString(problem.message).contains(says), problem.text().c_str());
    QVERIFY(!problem.hint.empty());
  }

  void aFileThatCannotBeReadHasAReason_data() {
    QTest::addColumn<QString>("kind");
    for (const char* kind : {"missing", "folder", "large", "binary", "empty"})
      QTest::newRow(kind) << QString::fromLatin1(kind);
  }

  void aFileThatCannotBeReadHasAReason() {
    QFETCH(const QString, kind);
    const QString file = test::temporaryFolder() + QStringLiteral("/lesson.md");
    QFile out(file);
    if (kind == QStringLiteral("folder")) {
      QVERIFY(QDir().mkpath(file));
    } else if (kind != QStringLiteral("missing")) {
      QVERIFY(out.open(QIODevice::WriteOnly));
      if (kind == QStringLiteral("large")) out.write(QByteArray(2 << 20, 'a'));
      if (kind == QStringLiteral("binary")) out.write(QByteArray("PK\x03\x04\0\0\xff\xfe\x80 # \n\n``` ", 16));
      out.close();
    }
    const app::LessonEntry entry = app::readLessonFile(file);
    QVERIFY(entry.lesson() == nullptr);
    QVERIFY(!entry.problems().empty());
    QVERIFY(!entry.problems().front().message.empty() && !entry.problems().front().hint.empty());
    QCOMPARE(entry.title(), QStringLiteral("lesson.md"));
  }

  void progressIsKeptAndCanBeReset() {
    const QString key = QStringLiteral("/srv/course/lesson.md");
    const lessons::LessonWork work{.predictions = {0, std::nullopt, 3}, .answers = {"2^-11", "", "inf"}, .opened = 2};
    {
      app::LessonProgress progress(settings_.get());
      QVERIFY(progress.work(key) == lessons::LessonWork{});
      progress.setWork(key, work);
      progress.setRan(key, 1);
      progress.setCurrent(key);
    }
    app::LessonProgress again(settings_.get());
    lessons::LessonWork with_run = work;
    with_run.ran = {false, true};
    QVERIFY(again.work(key) == with_run);
    QVERIFY(again.work(QStringLiteral("/srv/course")) == lessons::LessonWork{});
    QCOMPARE(again.current(), key);
    again.resetAll();
    QVERIFY(again.work(key) == lessons::LessonWork{});
    QCOMPARE(again.current(), key);
  }

  void aLessonIsDoneWithAllPredictionsAndRightAnswers() {
    app::LessonCourse course(settings_.get());
    const QString file = test::writeLesson(test::lessonWithRun());
    const app::LessonEntry entry = course.entries()[course.open(file)];
    app::LessonProgress& progress = course.progress();
    QVERIFY(!progress.isDone(entry.key, *entry.lesson()));
    // A wrong prediction is a prediction; a wrong answer is none.
    progress.setWork(entry.key, {.predictions = {0}, .answers = {"1"}});
    QVERIFY(!progress.isDone(entry.key, *entry.lesson()) && !progress.isAnswered(entry.key, *entry.lesson(), 0));
    progress.setWork(entry.key, {.predictions = {0}, .answers = {"2048"}});
    QVERIFY(progress.isDone(entry.key, *entry.lesson()) && progress.isAnswered(entry.key, *entry.lesson(), 0));
    progress.setWork(entry.key, {.predictions = {std::nullopt}, .answers = {"2048"}});
    QVERIFY(!progress.isDone(entry.key, *entry.lesson()));
    QCOMPARE(course.doneCount(), std::size_t{0});  // of the built-in ones
  }

  void anExportedLessonIsOneFileWithHiddenAnswers() {
    app::LessonCourse course(settings_.get());
    for (const app::LessonEntry& entry : course.entries()) {
      int drawn = 0;
      const QString html = app::lessonHtml(*entry.lesson(), [&](const lessons::Figure&) {
        ++drawn;
        return QImage(8, 8, QImage::Format_RGB32);
      });
      const auto figures = static_cast<int>(lessons::blocks_of<lessons::Figure>(*entry.lesson()).size());
      QCOMPARE(drawn, figures);
      QCOMPARE(static_cast<int>(html.count(QStringLiteral("src=\"data:image/png;base64,"))), figures);
      QVERIFY(html.contains(entry.title().toHtmlEscaped()));
      // Nothing is loaded from elsewhere.
      static const QRegularExpression elsewhere(QStringLiteral("(src=\"(?!data:)|<link|<script)"));
      QVERIFY2(!html.contains(elsewhere), qPrintable(entry.title()));
      // What is outside of <details> does not say which option is right, nor the feedback on an answer.
      static const QRegularExpression hidden(QStringLiteral("<details>.*?</details>"),
                                             QRegularExpression::DotMatchesEverythingOption);
      QString shown = html;
      shown.remove(hidden);
      QVERIFY(!shown.contains(QStringLiteral("✓")));
      for (const lessons::Exercise* each : lessons::blocks_of<lessons::Exercise>(*entry.lesson())) {
        const QString right = QString::fromStdString(each->right).toHtmlEscaped();
        QVERIFY2(right.size() < 20 || !shown.contains(right), qPrintable(right));
      }
    }
  }

  void anExportedLessonLinksToTheWebOnly() {
    const QByteArray text = test::shortLesson().replace(
        "Adding small numbers to a large one.",
        "See [web](https://example.org/a), [file](file:///etc/passwd), [script](javascript:alert) and [other](b.md).");
    const app::LessonEntry entry = app::readLessonFile(test::writeLesson(text));
    QVERIFY(entry.lesson() != nullptr);
    const QString html =
        app::lessonHtml(*entry.lesson(), [](const lessons::Figure&) { return QImage(8, 8, QImage::Format_RGB32); });
    QCOMPARE(html.count(QStringLiteral("href=")), 1);
    QVERIFY(html.contains(QStringLiteral("href=\"https://example.org/a\"")));
    for (const char* kept : {"file", "script", "other"}) QVERIFY2(html.contains(QLatin1String(kept)), kept);
  }

  void noHtmlOfALessonFileIsTakenOver() {
    const QByteArray text = test::shortLesson().replace("Adding small numbers to a large one.",
                                                        "Adding <script>alert(1)</script> **small** numbers.");
    const app::LessonEntry entry = app::readLessonFile(test::writeLesson(text));
    QVERIFY(entry.lesson() != nullptr);
    const QString html =
        app::lessonHtml(*entry.lesson(), [](const lessons::Figure&) { return QImage(8, 8, QImage::Format_RGB32); });
    QVERIFY(!html.contains(QStringLiteral("<script")));
    QVERIFY(html.contains(QStringLiteral("font-weight")));
    QVERIFY(!html.contains(QStringLiteral("margin-top")));
  }

 private:
  std::unique_ptr<QSettings> settings_;
};

BINADE_SUITE(LessonCourses);

}  // namespace

#include "tst_lesson_course.moc"
