// SPDX-License-Identifier: Apache-2.0
// Notes on steps: written from a chart, listed, kept in the run file, also of a run that is being recorded.
#include "app/docks/dock.h"
#include "app/docks/empty_state.h"
#include "app/docks/notes_dock.h"
#include "app/model/run_file_source.h"
#include "app/window/chart_settings.h"
#include "engine/record/run_writer.h"
#include "tests/app/app_fixture.h"
#include "tests/app/choose_file.h"
#include "tests/app/fake_run.h"
#include "tests/support/suite.h"
#include "views/plot/line_plot.h"

#include <QAction>
#include <QClipboard>
#include <QFile>
#include <QGuiApplication>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

#include <memory>

namespace {

using namespace binade;

/// A run file of ten steps, which is still being written.
struct RecordedRun {
  explicit RecordedRun(const QString& name) : file(test::temporaryFolder() + u'/' + name) {
    QFile::remove(file);
    writer = std::make_unique<record::RunWriter>(file.toStdString());
    wire::RunStarted started = fake.started();
    started.run_file = file.toStdString();
    writer->add(started);
    for (int i = 0; i < 10; ++i) add();
    writer->flush();
  }
  void add() { writer->add(fake.next()); }

  test::FakeRun fake;
  QString file;
  std::unique_ptr<record::RunWriter> writer;
};

std::vector<wire::Note> notesOf(const QString& file) {
  app::RunModel run;
  if (app::loadRunFile(file, run)) return {};
  return run.notes();
}

class NotesOnSteps : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aNoteFromAChartIsListedFlaggedAndSaved() {
    RecordedRun recorded(QStringLiteral("notes.binade"));
    app::RunModel run;
    QVERIFY(!app::loadRunFile(recorded.file, run));
    views::StepAxis axis;
    axis.extend(9);
    QStringList asked;
    {
      app::NotesDock dock(&run, &axis);
      dock.setAsk([&asked](std::int64_t step, const QString& text) {
        asked << QStringLiteral("%1: %2").arg(step).arg(text);
        return std::optional(QStringLiteral("  new data \n"));
      });
      QVERIFY(axis.takesNotes());
      QVERIFY(dock.empty()->isShownEmpty());
      axis.requestNote(7);
      QCOMPARE(asked, QStringList{QStringLiteral("7: ")});
      QVERIFY(!dock.empty()->isShownEmpty());
      QCOMPARE(dock.table()->model()->rowCount(), 1);
      QCOMPARE(dock.table()->model()->index(0, 1).data().toString(), QStringLiteral("new data"));
      QCOMPARE(axis.notes(), (std::vector<views::StepNote>{{7, QStringLiteral("new data")}}));
      axis.requestNote(7);
      QCOMPARE(asked.last(), QStringLiteral("7: new data"));
    }
    // The engine goes on writing, and the file has both.
    recorded.add();
    recorded.writer->close();
    const auto saved = notesOf(recorded.file);
    QCOMPARE(saved.size(), std::size_t{1});
    QCOMPARE(saved.front().step, std::int64_t{7});
    QCOMPARE(QString::fromStdString(saved.front().text), QStringLiteral("new data"));
    QVERIFY(saved.front().written > 1'600'000'000);
  }

  void aRemovedNoteIsGoneFromTheFileToo() {
    RecordedRun recorded(QStringLiteral("removed.binade"));
    recorded.writer->close();
    app::RunModel run;
    QVERIFY(!app::loadRunFile(recorded.file, run));
    views::StepAxis axis;
    axis.extend(9);
    {
      app::NotesDock dock(&run, &axis);
      dock.setAsk([](std::int64_t step, const QString&) { return std::optional(QString::number(step)); });
      dock.edit(5);
      dock.edit(2);
      QCOMPARE(dock.table()->model()->index(0, 1).data().toString(), QStringLiteral("2"));  // by step
      QVERIFY(!dock.removeButton()->isEnabled());
      dock.table()->selectRow(0);
      dock.removeButton()->click();
      QCOMPARE(axis.notes().size(), std::size_t{1});
    }
    const auto saved = notesOf(recorded.file);
    QCOMPARE(saved.size(), std::size_t{1});
    QCOMPARE(saved.front().step, std::int64_t{5});
  }

  void notesAreCopiedAndExportedAsCsv() {
    app::RunModel run;
    test::feedRun(run, 5);
    views::StepAxis axis;
    app::NotesDock dock(&run, &axis);
    run.addNote({2, "new data, \"v2\"\nshuffled", 86'400});
    run.addNote({4, "=1+1", 0});
    const QString wanted = QStringLiteral(
        "step,written,note\r\n2,1970-01-02T00:00:00Z,\"new data, "
        "\"\"v2\"\"\nshuffled\"\r\n4,1970-01-01T00:00:00Z,=1+1\r\n");
    const auto entry = [&dock](const QString& text) {
      for (QAction* action : dock.table()->actions())
        if (action->text() == text) return action;
      return static_cast<QAction*>(nullptr);
    };
    QVERIFY(entry(QStringLiteral("Copy all as CSV")) != nullptr);
    entry(QStringLiteral("Copy all as CSV"))->trigger();
    QCOMPARE(QGuiApplication::clipboard()->text(), wanted);
    const QString file = test::temporaryFolder() + QStringLiteral("/my-notes");
    test::chooseFile(file);
    entry(QStringLiteral("Export notes as CSV…"))->trigger();
    QFile written(file + QStringLiteral(".csv"));
    QVERIFY(written.open(QIODevice::ReadOnly));
    QCOMPARE(QString::fromUtf8(written.readAll()), wanted);
    const QSignalSpy problems(&dock, &app::NotesDock::problem);
    test::chooseFile(test::temporaryFolder() + QStringLiteral("/none/notes.csv"));
    dock.exportCsv();
    QCOMPARE(problems.count(), 1);
  }

  void aCancelledNoteChangesNothing() {
    app::RunModel run;
    test::feedRun(run, 5);
    views::StepAxis axis;
    app::NotesDock dock(&run, &axis);
    dock.setAsk([](std::int64_t, const QString&) { return std::optional<QString>(); });
    dock.edit(3);
    QVERIFY(run.notes().empty());
  }

  void aFileThatIsGoneIsReportedAndTheNoteStays() {
    RecordedRun recorded(QStringLiteral("gone.binade"));
    recorded.writer->close();
    app::RunModel run;
    QVERIFY(!app::loadRunFile(recorded.file, run));
    QVERIFY(QFile::remove(recorded.file));
    views::StepAxis axis;
    app::NotesDock dock(&run, &axis);
    dock.setAsk([](std::int64_t, const QString&) { return std::optional(QStringLiteral("kept")); });
    const QSignalSpy problems(&dock, &app::NotesDock::problem);
    dock.edit(1);
    QCOMPARE(problems.count(), 1);
    QCOMPARE(run.notes().size(), std::size_t{1});
  }

  void anotherRunHasNotesOfItsOwn() {
    app::RunModel run;
    test::feedRun(run, 5);
    views::StepAxis axis;
    app::NotesDock dock(&run, &axis);
    run.addNote({2, "first run", 0});
    QCOMPARE(axis.notes().size(), std::size_t{1});
    run.rewind(1);
    QCOMPARE(axis.notes().size(), std::size_t{1});
    run.clear();
    QVERIFY(axis.notes().empty());
    QVERIFY(dock.empty()->isShownEmpty());
  }

  void aChartRemembersItsAxis() {
    const QString file = test::temporaryFolder() + QStringLiteral("/charts.ini");
    QSettings settings(file, QSettings::IniFormat);
    {
      app::Dock dock(QStringLiteral("loss"), QStringLiteral("Loss"));
      auto* plot = new views::LinePlot(nullptr);
      dock.setWidget(plot);
      app::rememberCharts({&dock}, &settings);
      QCOMPARE(plot->axisKind(), views::ValueScale::Kind::kLinear);
      plot->setAxisKind(views::ValueScale::Kind::kSymlog);
    }
    app::Dock dock(QStringLiteral("loss"), QStringLiteral("Loss"));
    auto* plot = new views::LinePlot(nullptr);
    dock.setWidget(plot);
    app::rememberCharts({&dock}, &settings);
    QCOMPARE(plot->axisKind(), views::ValueScale::Kind::kSymlog);
  }
};

BINADE_SUITE(NotesOnSteps);

}  // namespace

#include "tst_notes.moc"
