// SPDX-License-Identifier: Apache-2.0
#include "engine/record/run_writer.h"
#include "tests/record/run_file.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"
#include "tests/wire/samples.h"

#include <sqlite3.h>
#include <sys/resource.h>

#include <QDir>
#include <QFile>
#include <QRegularExpression>

#include <csignal>
#include <thread>

using namespace binade;
using record::RunReader;
using record::RunWriter;

namespace {

template <class Call>
std::optional<Error> failureOf(Call call) {
  try {
    call();
  } catch (const Error& error) {
    return error;
  }
  return std::nullopt;
}

/// What any SQLite client sees: the rows of the first column.
QStringList ask(const std::string& path, const char* sql) {
  sqlite3* database = nullptr;
  QStringList rows;
  if (sqlite3_open_v2(path.c_str(), &database, SQLITE_OPEN_READONLY, nullptr) == SQLITE_OK) {
    const auto take = [](void* list, int, char** values, char**) {
      static_cast<QStringList*>(list)->append(QString::fromUtf8(values[0]));
      return 0;
    };
    sqlite3_exec(database, sql, take, &rows, nullptr);
  }
  sqlite3_close(database);
  return rows;
}

QString documentation() {
  QFile page(QStringLiteral(BINADE_SOURCE_DIR "/docs/run-file.md"));
  return page.open(QIODevice::ReadOnly) ? QString::fromUtf8(page.readAll()) : QString();
}

}  // namespace

class Writer : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aCleanEndLeavesOneFile();
  void anExistingFileIsNeverOverwritten();
  void aMissingFolderIsNamed();
  void aDiskThatFillsAtOnceLeavesNothing();
  void everyStepIsKeptWhereTheQueueIsTooSmall();
  void manyThreadsMayAdd();
  void recordsAfterTheEndAreDropped();
  void anySqliteClientReadsTheTables();
  void everyColumnIsInTheDocumentation();
  void everyFieldOfJsonIsInTheDocumentation();
};

void Writer::aCleanEndLeavesOneFile() {
  const QDir folder(test::temporaryFolder());
  {
    RunWriter writer(folder.filePath(QStringLiteral("a.binade")).toStdString());
    for (int step = 0; step < 50; ++step) writer.add(test::sampleStep(step, 20));
    writer.flush();
    QCOMPARE(writer.committed_steps(), std::int64_t{50});
  }
  QCOMPARE(folder.entryList(QDir::Files), QStringList{QStringLiteral("a.binade")});
  QFile file(folder.filePath(QStringLiteral("a.binade")));
  QVERIFY(file.open(QIODevice::ReadOnly));
  const QByteArray head = file.read(100);
  QCOMPARE(int{head[18]}, 1);  // no write-ahead log: readable where nothing can be written
  QCOMPARE(head.mid(68, 4), QByteArray("BNDE"));
}

void Writer::anExistingFileIsNeverOverwritten() {
  const QString path = test::temporaryFolder() + QStringLiteral("/mine.binade");
  QFile file(path);
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write("precious");
  file.close();
  const auto error = failureOf([&] { RunWriter writer(path.toStdString()); });
  QVERIFY(error && error->code == ErrorCode::kUsage);
  QVERIFY(QString::fromUtf8(error->what()).startsWith(path));
  QVERIFY(!error->hint.empty());
  QVERIFY(file.open(QIODevice::ReadOnly));
  QCOMPARE(file.readAll(), QByteArray("precious"));
}

void Writer::aMissingFolderIsNamed() {
  const std::string path = test::temporaryFolder().toStdString() + "/nowhere/a.binade";
  const auto error = failureOf([&] { RunWriter writer(path); });
  QVERIFY(error && error->code == ErrorCode::kBadFile);
  QCOMPARE(QString::fromUtf8(error->what()),
           QString::fromStdString(path + ": the run file cannot be created: No such file or directory"));
  QCOMPARE(error->hint, std::string("Create the folder first."));
}

void Writer::aDiskThatFillsAtOnceLeavesNothing() {
  const QDir folder(test::temporaryFolder());
  QVERIFY(folder.mkpath(QStringLiteral("full")));
  rlimit before{};
  QCOMPARE(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  // SQLite's state of the log alone takes 32 KiB.
  const std::string file = folder.filePath(QStringLiteral("full/r.binade")).toStdString();
  for (const rlim_t room : {2'000, 20'000, 30'000}) {
    const rlimit little{.rlim_cur = room, .rlim_max = before.rlim_max};
    QCOMPARE(::setrlimit(RLIMIT_FSIZE, &little), 0);
    const auto failure = failureOf([&] { const RunWriter writer(file); });
    ::setrlimit(RLIMIT_FSIZE, &before);
    QVERIFY(failure.has_value());
    QCOMPARE(QDir(folder.filePath(QStringLiteral("full"))).entryList(QDir::Files), QStringList());
  }
  std::signal(SIGXFSZ, handler);
}

void Writer::everyStepIsKeptWhereTheQueueIsTooSmall() {
  const std::string path = test::temporaryFolder().toStdString() + "/a.binade";
  RunWriter writer(path, {.most_pending_bytes = 1});
  for (int step = 0; step < 200; ++step) writer.add(test::sampleStep(step));
  writer.close();
  QCOMPARE(test::stepCount(path), std::int64_t{200});
}

void Writer::manyThreadsMayAdd() {
  const std::string path = test::temporaryFolder().toStdString() + "/a.binade";
  RunWriter writer(path, {.most_pending_bytes = 20000, .gather = std::chrono::milliseconds(1)});
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&writer, t] {
      for (int i = 0; i < 50; ++i) {
        writer.add(test::sampleStep(t * 50 + i + 1));
        if (i % 20 == 0) writer.flush();
      }
    });
  }
  for (auto& thread : threads) thread.join();
  writer.close();
  const RunReader reader(path);
  QCOMPARE(test::stepCount(path), std::int64_t{200});
  for (int step = 1; step <= 200; ++step) QVERIFY(reader.step(step).has_value());
}

void Writer::recordsAfterTheEndAreDropped() {
  const std::string path = test::temporaryFolder().toStdString() + "/a.binade";
  RunWriter writer(path);
  writer.add(test::sampleStep(0));
  writer.close();
  writer.add(test::sampleStep(1));
  writer.flush();
  writer.close();
  QCOMPARE(test::stepCount(path), std::int64_t{1});
}

void Writer::anySqliteClientReadsTheTables() {
  const std::string path = test::temporaryFolder().toStdString() + "/a.binade";
  {
    RunWriter writer(path);
    writer.add(test::sampleStarted());
    for (int step = 0; step < 6; ++step) writer.add(test::sampleStep(step));
    writer.add(test::sampleEvent(5));
  }
  QCOMPARE(ask(path, "PRAGMA user_version"), QStringList{QStringLiteral("1")});
  QCOMPARE(ask(path, "SELECT name FROM sites WHERE id = 2"),
           QStringList{QStringLiteral("layer2::helper/aten::conv2d#2")});
  QCOMPARE(ask(path, "SELECT count(*) FROM steps WHERE NOT stepped"), QStringList{QStringLiteral("2")});
  QCOMPARE(ask(path, "SELECT s.name FROM event_tensors e JOIN sites s ON s.id = e.site WHERE position = 0"),
           QStringList{QStringLiteral("layer3::helper/aten::conv2d#3")});
  QCOMPARE(ask(path, "SELECT config ->> '$.model' FROM run"), QStringList{QStringLiteral("sample:cnn")});
  QCOMPARE(ask(path, "SELECT policy ->> '$.low' FROM policies"), QStringList{QStringLiteral("bfloat16")});
  QCOMPARE(ask(path, "PRAGMA integrity_check"), QStringList{QStringLiteral("ok")});
  QCOMPARE(ask(path, "SELECT * FROM pragma_foreign_key_check"), QStringList());
}

// Each table has a heading of its own, and below it one row or several with all columns and their types.
void Writer::everyColumnIsInTheDocumentation() {
  const std::string path = test::temporaryFolder().toStdString() + "/a.binade";
  RunWriter(path).close();
  const QString page = documentation();
  const QStringList columns = ask(path,
                                  "SELECT t.name || '|' || c.name || '|' || c.type FROM sqlite_schema t, "
                                  "pragma_table_info(t.name) c WHERE t.type = 'table'");
  QVERIFY(columns.size() > 80);
  for (const QString& each : columns) {
    const QStringList part = each.split(QLatin1Char('|'));
    const QString section =
        page.section(QStringLiteral("\n### %1\n").arg(part[0]), 1, 1).section(QStringLiteral("\n## "), 0, 0);
    QVERIFY2(!section.isEmpty(), qPrintable(QStringLiteral("no heading for ") + part[0]));
    const QRegularExpression row(QStringLiteral("\n\\|[^|]*`%1`[^|]*\\| %2 \\|").arg(part[1], part[2]));
    QVERIFY2(row.match(section.section(QStringLiteral("\n### "), 0, 0)).hasMatch(), qPrintable(each));
  }
}

void Writer::everyFieldOfJsonIsInTheDocumentation() {
  const std::string path = test::temporaryFolder().toStdString() + "/a.binade";
  {
    RunWriter writer(path);
    writer.add(test::sampleStarted());
    for (int step = 0; step < 9; ++step) writer.add(test::sampleEvent(step));  // each kind of facts
    writer.add(test::sampleProfile(5));
    writer.add(test::sampleCasts(1, 5));
    writer.add(test::sampleComparison(5));
    writer.add(test::sampleQuantized(5));
    writer.add(test::sampleSilentReport(5));
    writer.add(test::sampleTrial(5));
  }
  const QString page = documentation();
  const QString shared = page.section(QStringLiteral("\n### Fixes\n"), 1, 1);
  const QString faults = page.section(QStringLiteral("\n### silent_reports.json\n"), 1, 1);  // up to the fixes
  for (const char* place :
       {"run.model", "events.diagnosis", "events.facts", "profiles.json", "profile_verdicts.json", "cast_ledgers.json",
        "comparisons.json", "quantized_steps.json", "silent_reports.json", "tries.json"}) {
    const QString name = QString::fromLatin1(place);
    const QString section =
        page.section(QStringLiteral("\n### %1\n").arg(name), 1, 1).section(QStringLiteral("\n### "), 0, 0);
    const QString sql = QStringLiteral(
                            "SELECT DISTINCT tree.key FROM %1, json_tree(%2) AS tree WHERE typeof(tree.key) = 'text' "
                            // A policy has a page of its own.
                            "AND tree.path NOT LIKE '$.before%' AND tree.path NOT LIKE '$.after%'")
                            .arg(name.section(QLatin1Char('.'), 0, 0), name);
    const QStringList fields = ask(path, qPrintable(sql));
    QVERIFY2(fields.size() > 5, place);
    const QString& nested = name == QStringLiteral("events.facts") ? faults : shared;
    for (const QString& field : fields) {
      QVERIFY2((section + nested).contains(QStringLiteral("`%1`").arg(field)),
               qPrintable(name + QLatin1Char(' ') + field));
    }
  }
}

BINADE_SUITE(Writer);
#include "tst_writer.moc"
