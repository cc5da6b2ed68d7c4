// SPDX-License-Identifier: Apache-2.0
#include "app/model/run_file_source.h"
#include "app/window/banner.h"
#include "tests/app/app_fixture.h"
#include "tests/app/row_mutator.h"
#include "tests/app/wait_opened.h"
#include "tests/support/suite.h"

#include <sqlite3.h>

#include <QAbstractItemModel>
#include <QFile>
#include <QTest>

#include <optional>

namespace {

using namespace binade;

/// A whole run file, changed by these statements.
QString changedFile(const char* sql) {
  const QString path = test::temporaryFolder() + QStringLiteral("/odd.binade");
  const QByteArray whole = test::wholeRunFile();
  QFile file(path);
  if (!file.open(QIODevice::WriteOnly | QIODevice::Truncate) || file.write(whole) != whole.size()) qFatal("no file");
  file.close();
  sqlite3* database = nullptr;
  sqlite3_open(path.toUtf8().constData(), &database);
  sqlite3_exec(database, "PRAGMA ignore_check_constraints = 1", nullptr, nullptr, nullptr);
  const int code = sqlite3_exec(database, sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) qFatal("%s: %s", sql, sqlite3_errmsg(database));
  sqlite3_close(database);
  return path;
}

/// Everything that a table holds is asked for, shown or not.
void readAll(const QAbstractItemModel& model) {
  for (int row = 0; row < std::min(model.rowCount(), 200); ++row) {
    for (int column = 0; column < model.columnCount(); ++column) {
      const QModelIndex index = model.index(row, column);
      for (const int role : {Qt::DisplayRole, Qt::ToolTipRole, Qt::DecorationRole}) static_cast<void>(index.data(role));
    }
  }
}

/// Opens one changed file after the other in one window; each is shown, drawn and asked about.
class Window {
 public:
  Window() {
    explorer_.window().resize(1400, 900);
    explorer_.window().show();
  }

  void open(const QString& path) {
    explorer_.window().openFiles({path});
    test::waitOpened(explorer_.session());
    QApplication::processEvents();
  }

  /// All that the run has to show, in one of the arrangements.
  void look(unsigned which) {
    app::Session& session = explorer_.session();
    explorer_.window().setArrangement(static_cast<app::Arrangement>(which % 4));
    const int events = static_cast<int>(session.run().events().size());
    for (int event = 0; event < std::min(events, 3); ++event) session.selectEvent(event);
    const auto& steps = session.run().steps();
    if (!steps.empty()) session.selection().setStep(steps[which % steps.size()].step);
    if (!session.run().sites().empty()) {
      session.selection().setSites({static_cast<int>(which % session.run().sites().size())});
    }
    if (!session.run().tensors().empty()) session.selection().setTensor(session.run().tensors().rbegin()->first);
    for (const QAbstractItemModel* model : explorer_.window().findChildren<QAbstractItemModel*>()) readAll(*model);
    QApplication::processEvents();
    explorer_.window().grab();
  }

  test::Explorer& explorer() { return explorer_; }

 private:
  test::Explorer explorer_;
};

/// Seeds first, first + step, ...: every one is loaded, each `looks`th drawn too.
void sweep(unsigned first, unsigned count, unsigned looks) {
  const QString path = test::temporaryFolder() + QStringLiteral("/mutated.binade");
  Window window;
  int shown = 0;
  for (unsigned seed = first; seed < first + count; ++seed) {
    const std::string changes = test::RowMutator(seed).write(path);
    // Told before, so that a crash leaves its seed behind.
    if (qEnvironmentVariableIsSet("BINADE_TEST_TELL")) std::fprintf(stderr, "seed %u\n%s", seed, changes.c_str());
    if (seed % looks == 0) {
      window.open(path);
      window.look(seed);
      shown += static_cast<int>(window.explorer().window().showsRun());
      continue;
    }
    app::RunModel run;
    record::Damage damage;
    const std::optional<app::Problem> problem = app::loadRunFile(path, run, &damage);
    if (problem) QVERIFY2(problem->message.contains(QStringLiteral("mutated.binade")), qPrintable(problem->message));
    for (const std::string& line : damage.lines()) {
      QVERIFY2(line.find("table ") != std::string::npos, line.c_str());
    }
    shown += static_cast<int>(!run.isEmpty());
  }
  QVERIFY2(shown > static_cast<int>(count) / 2, qPrintable(QStringLiteral("%1 of %2 shown").arg(shown).arg(count)));
}

class OddRunFiles : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aWholeFileHasNoDamage() {
    app::RunModel run;
    record::Damage damage;
    QVERIFY(!app::loadRunFile(changedFile("SELECT 1"), run, &damage));
    QVERIFY2(damage.empty(), damage.empty() ? "" : damage.lines().front().c_str());
    QCOMPARE(run.steps().size(), std::size_t{60});
    QVERIFY(!run.events().empty() && !run.casts().empty() && run.comparison() && run.silent());
  }

  void whatDoesNotFitIsNamedAndTheRestIsShown_data() {
    QTest::addColumn<QByteArray>("sql");
    QTest::addColumn<QString>("place");
    QTest::addColumn<int>("steps");
    const auto row = [](const char* sql, const char* place, int steps = 60) {
      QTest::newRow(sql) << QByteArray(sql) << QString::fromUtf8(place) << steps;
    };
    row("UPDATE sites SET id = id * 1000000000", "table sites, row 2, column id: 1000000000 is not a place");
    row("UPDATE sites SET id = -5 WHERE id = 3", "table sites, row 1, column id: -5 is not a place");
    row("DELETE FROM sites WHERE id = 3", "table sites: there is no op call 3");
    row("UPDATE sites SET ordinal = 'many' WHERE id = 3", "table sites, row 4, column ordinal is not a whole number");
    row("UPDATE tensors SET site = 99 WHERE id = 2", "table tensors, row 3 of position 2, column site is 99");
    row("UPDATE decisions SET site = site + 50 WHERE site = 12", "column site: 62 is not the next op call");
    row("UPDATE decisions SET rule = 1000 WHERE site = 4", "table decisions, row 5 of position 1, column rule is 1000");
    row("UPDATE steps SET step = -7 WHERE step = 30", "table steps", 59);
    row("UPDATE steps SET step = 9223372036854775807 WHERE step = 30", "column step is 9223372036854775807", 59);
    row("UPDATE steps SET scale = NULL WHERE step = 30", "column scale is not a loss scale", 59);
    row("UPDATE steps SET loss = CAST(x'ff' AS TEXT) WHERE step = 30", "column loss is not a number", 59);
    row("UPDATE stats SET packed = substr(packed, 1, 9)", "table stats, position 2, column packed: ");
    row("UPDATE events SET kind = 'odd'", "\"odd\" is unknown");
    row("UPDATE events SET diagnosis = replace(diagnosis, '\"site\":', '\"site\":77')", "diagnosis.");
    row("UPDATE cast_ledgers SET json = json_set(json, '$.lines[0].seconds', 'Infinity')", "json: lines[0].seconds ");
    row("UPDATE cast_ledgers SET json = json_remove(json, '$.steps')", "column json: steps is missing");
    row("UPDATE comparisons SET json = json_set(json, '$.sites[0].becomes_at', 4000)", "sites[0].becomes_at is 4000");
    row("UPDATE profile_sites SET site = 70 WHERE site = 4",
        "table profile_kernels, row 7 of position 53, column site: 4 is not an op call of this profile");
    row("UPDATE profiles SET json = json_remove(json, '$.outside')", "column json: outside is missing");
    row("UPDATE silent_reports SET json = replace(json, '\"site\":', '\"site\":8')", "table silent_reports, position ");
    row("UPDATE run SET model = '{}'", "table run, position 1, column model: file is missing");
    row("UPDATE checkpoints SET saved = 9223372036854775807", "column saved is 9223372036854775807");
    row("UPDATE log SET text = CAST(x'fffe' AS TEXT)", "table log, position");
    row("UPDATE sites SET own_block = 2 WHERE id = 3", "column own_block: 2, and the model has 0 autocast blocks");
    row("UPDATE log SET seq = -1", "table log, column seq: -1 is not a position");
    row("DROP TABLE events", "table events does not exist");
    row("DROP TABLE steps", "table steps does not exist", 0);
    row("ALTER TABLE sites DROP COLUMN op", "table sites has no column op");
    row("UPDATE run SET config = '{}'", "table run, position 1, column config: ");
    row("UPDATE policies SET policy = '[]' WHERE revision = 0", "table policies, position 1, column policy: ");
  }
  void whatDoesNotFitIsNamedAndTheRestIsShown() {
    QFETCH(QByteArray, sql);
    QFETCH(QString, place);
    QFETCH(int, steps);
    Window window;
    window.open(changedFile(sql.constData()));
    window.look(1);
    const QString told = window.explorer().window().banner()->message();
    QVERIFY2(told.contains(QStringLiteral("odd.binade")) && told.contains(place), qPrintable(told));
    QVERIFY(window.explorer().window().showsRun());
    QCOMPARE(static_cast<int>(window.explorer().session().run().steps().size()), steps);
  }

  void someChangedFilesAreShownOrRefused() { sweep(0, 150, 15); }
};

/// All of them, in parts: one that fails can be run alone.
class OddRunFilesAll : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void tenThousandChangedFilesAreShownOrRefused_data() {
    QTest::addColumn<unsigned>("first");
    for (unsigned first = 0; first < 10000; first += kPart) QTest::addRow("from seed %u", first) << first;
  }
  void tenThousandChangedFilesAreShownOrRefused() {
    QFETCH(const unsigned, first);
    sweep(first, kPart, 10);
  }

 private:
  static constexpr unsigned kPart = 100;
};

BINADE_SUITE(OddRunFiles);
BINADE_SUITE(OddRunFilesAll);

}  // namespace

#include "tst_odd_runs.moc"
