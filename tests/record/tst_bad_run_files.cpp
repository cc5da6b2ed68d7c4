// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/error.h"
#include "engine/record/append.h"
#include "engine/record/run_writer.h"
#include "engine/record/stats_blob.h"
#include "tests/record/run_file.h"
#include "tests/support/suite.h"
#include "tests/wire/samples.h"

#include <sqlite3.h>

#include <QDir>
#include <QFile>

#include <random>

using namespace binade;
using record::RunReader;

namespace {

/// Everything a reader can do to a file; the message of the Error, empty where there was none.
QString readingFails(const QString& path) {
  try {
    const RunReader reader(path.toStdString());
    reader.started();
    reader.step(3);
    reader.events();
    reader.replay([](record::RunRecord&&) { return true; });
    test::environmentOf(path.toStdString());
  } catch (const Error& error) {
    return QString::fromUtf8(error.what());
  }
  return {};
}

QString newFile(const QByteArray& content) {
  const QString path = test::temporaryFolder() + QStringLiteral("/some.binade");
  QFile file(path);
  if (file.open(QIODevice::WriteOnly)) file.write(content);
  return path;
}

QByteArray goodFile() {
  static const QByteArray bytes = [] {
    const QString path = test::temporaryFolder() + QStringLiteral("/good.binade");
    record::RunWriter writer(path.toStdString());
    writer.add(test::sampleStartedOnRanks());
    for (int step = 0; step < 60; ++step) writer.add(test::sampleStepOfRanks(step, 10));
    writer.add(test::sampleEvent(59));
    writer.add(wire::Finished{});
    writer.close();
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }();
  return bytes;
}

void change(const QString& path, const char* sql) {
  sqlite3* database = nullptr;
  sqlite3_open(path.toUtf8().constData(), &database);
  QCOMPARE(sqlite3_exec(database, sql, nullptr, nullptr, nullptr), SQLITE_OK);
  sqlite3_close(database);
}

}  // namespace

class BadRunFiles : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aViewInPlaceOfATableIsRefused();
  void aTriggerDoesNotRun();
  void aGoodFileIsRead() { QCOMPARE(readingFails(newFile(goodFile())), QString()); }
  void whatIsNoRunFileIsNamed();
  void theHintDoesNotAskForTheEndingThatTheFileHas();
  void anotherProgramsDatabaseIsNamed();
  void anotherVersionIsRefused();
  void everyTruncationIsAnError();
  void aTruncatedFileIsNamedWithTheNextStep();
  void aChangedRowIsAnError_data();
  void aChangedRowIsAnError();
  void seededDamageGivesErrorsOnly();
  void damagedStatisticsGiveErrorsOnly();
  void readingChangesNothing();
};

void BadRunFiles::whatIsNoRunFileIsNamed() {
  const auto expect = [](const QString& path, const char* message) {
    QCOMPARE(readingFails(path), path + QString::fromUtf8(message));
  };
  expect(test::temporaryFolder() + QStringLiteral("/none.binade"), " does not exist");
  expect(test::temporaryFolder(), " is not a file");
  expect(newFile({}), ": the file is empty, because the run ended before anything was recorded");
  expect(newFile("PK\x03\x04 this is a model"), " is not a run file of Binade");
  expect(newFile("SQLite format"), " is not a run file of Binade");
}

void BadRunFiles::theHintDoesNotAskForTheEndingThatTheFileHas() {
  const auto hintOf = [](const QString& path) {
    QFile file(path);
    if (file.open(QIODevice::WriteOnly)) file.write("this is nothing that Binade knows");
    file.close();
    try {
      const RunReader reader(path.toStdString());
    } catch (const Error& error) {
      return QString::fromStdString(error.hint);
    }
    return QString();
  };
  QCOMPARE(hintOf(test::temporaryFolder() + QStringLiteral("/junk.binade")),
           QStringLiteral("The file is damaged, or another program wrote it. Open another run file."));
  QCOMPARE(hintOf(test::temporaryFolder() + QStringLiteral("/junk.db")),
           QStringLiteral("Open a file with the ending .binade."));
}

void BadRunFiles::anotherProgramsDatabaseIsNamed() {
  const QString path = test::temporaryFolder() + QStringLiteral("/other.db");
  change(path, "CREATE TABLE steps (a, b)");
  QCOMPARE(readingFails(path), path + QStringLiteral(" is an SQLite database, but not a run file of Binade"));
}

void BadRunFiles::anotherVersionIsRefused() {
  for (const char* version : {"0", "2", "10", "-1"}) {
    const QString path = newFile(goodFile());
    change(path, "INSERT OR REPLACE INTO environment VALUES ('version', '7.0.1')");
    change(path, qPrintable(QStringLiteral("PRAGMA user_version = ") + QLatin1String(version)));
    QCOMPARE(readingFails(path),
             path + QStringLiteral(" is a Binade run file of version %1, but this program supports version 1")
                        .arg(QLatin1String(version)));
    try {
      const RunReader reader(path.toStdString());
    } catch (const Error& error) {
      const bool newer = QByteArray(version).toInt() > 1;
      QVERIFY(error.hint.starts_with(newer ? "It needs Binade 7.0.1 or newer."
                                           : "Open it with the version of Binade that wrote it"));
    }
  }
}

void BadRunFiles::everyTruncationIsAnError() {
  const QByteArray whole = goodFile();
  QVERIFY(whole.size() > 20 * 4096);
  for (qsizetype size = 1; size < whole.size(); size += 4096 + 17) {
    const QString message = readingFails(newFile(whole.left(size)));
    QVERIFY2(!message.isEmpty(), qPrintable(QStringLiteral("%1 bytes were read as if whole").arg(size)));
    QVERIFY2(message.contains(QStringLiteral("some.binade")), qPrintable(message));
  }
}

void BadRunFiles::aTruncatedFileIsNamedWithTheNextStep() {
  const QByteArray whole = goodFile();
  const QString path = newFile(whole.left(whole.size() / 2));
  QCOMPARE(readingFails(path),
           path + QStringLiteral(" is damaged: SQLite reports \"database disk image is malformed\""));
  try {
    const RunReader reader(path.toStdString());
    QFAIL("a truncated file was opened");
  } catch (const Error& error) {
    QCOMPARE(QString::fromStdString(error.hint),
             QStringLiteral("The file was truncated or changed. Use a complete copy, or record the run again."));
  }
}

void BadRunFiles::aChangedRowIsAnError_data() {
  QTest::addColumn<QByteArray>("sql");
  QTest::addColumn<QString>("message");
  const auto row = [](const char* sql, const char* message) {
    QTest::newRow(sql) << QByteArray(sql) << QString::fromUtf8(message);
  };
  row("UPDATE run SET config = '{}'", "configuration: binade_run is missing");
  row("UPDATE policies SET policy = '[]'", "policy");
  row("UPDATE tensors SET kind = 'sideways' WHERE id = 1", "\"sideways\" is unknown");
  row("UPDATE tensors SET format = 'float99' WHERE id = 1", "\"float99\" is not a number format");
  row("UPDATE events SET kind = ''", "\"\" is unknown");
  row("UPDATE finished SET outcome = 7", "\"7\" is unknown");
  row("UPDATE decisions SET execution = 'fast' WHERE site = 0", "\"fast\" is unknown");
  row("UPDATE run SET model = replace(model, '[8,3,3,3]', '3')", "parameters[0].shape must be a list, not a number");
  row("UPDATE run SET model = replace(model, '[8,3,3,3]', '[-8]')", "parameters[0].shape is -8");
  row("UPDATE run SET model = 'net'", "column model is not JSON");
  row("UPDATE run SET model = replace(model, '\"first\":1', '\"first\":9')",
      "flow.blocks[0].first is 9, and the model has 4 op calls");
  row("UPDATE run SET model = replace(model, '\"kind\":\"loop\"', '\"kind\":\"while\"')", "\"while\"");
  row("UPDATE sites SET own_block = 2 WHERE id = 1", "2, and the model has 2 autocast blocks");
  row("UPDATE events SET diagnosis = '[]'", "column diagnosis: the value must be an object, not a list");
  row("UPDATE events SET facts = '[]'", "column facts: the value must be an object, not a list");
  row("UPDATE stats SET tensors = 11", "a different number of tensors");
  row("UPDATE stats SET size = size + 1", "shorter than stated");
  row("UPDATE stats SET size = 1 << 60", "impossible sizes");
  row("UPDATE stats SET size = -1", "impossible sizes");
  row("UPDATE stats SET packed = 'abc'", "The statistics of a step are damaged");
  row("UPDATE stats SET packed = NULL", "");  // refused by the table itself
  row("UPDATE ranks SET rank = 2 WHERE rank = 1", "table ranks, row 2, column rank: 2 is not the next rank");
  row("UPDATE step_ranks SET rows = '[1.5]' WHERE rank = 1", "column rows is not a list of whole numbers");
  row("UPDATE step_ranks SET rows = '{}' WHERE rank = 1", "column rows is not a list of whole numbers");
  row("UPDATE step_ranks SET seconds = 'long'", "column seconds is not a number");
  row("UPDATE events SET rank = 'first'", "column rank is not a whole number");
  row("DROP TABLE step_ranks", "no such table: step_ranks");
  row("DROP TABLE events", "no such table: events");
  row("DELETE FROM policies", "position 1 is not in its table");
}

void BadRunFiles::aChangedRowIsAnError() {
  QFETCH(QByteArray, sql);
  QFETCH(QString, message);
  const QString path = newFile(goodFile());
  sqlite3* database = nullptr;
  sqlite3_open(path.toUtf8().constData(), &database);
  const int code = sqlite3_exec(database, sql.constData(), nullptr, nullptr, nullptr);
  sqlite3_close(database);
  QCOMPARE(code == SQLITE_OK, !message.isEmpty());
  if (message.isEmpty()) return;
  const QString failure = readingFails(path);
  QVERIFY2(failure.contains(message), qPrintable(failure));
}

void BadRunFiles::seededDamageGivesErrorsOnly() {
  std::mt19937 random(99);
  const QByteArray whole = goodFile();
  int refused = 0;
  for (int round = 0; round < 300; ++round) {
    QByteArray bytes = whole;
    for (auto edits = 1 + random() % 6; edits > 0; --edits) {
      const auto at = static_cast<qsizetype>(random() % static_cast<std::size_t>(bytes.size()));
      bytes[at] = static_cast<char>(random());
    }
    refused += !readingFails(newFile(bytes)).isEmpty();
  }
  QVERIFY(refused > 0);
}

void BadRunFiles::damagedStatisticsGiveErrorsOnly() {
  std::mt19937 random(5);
  const auto blob = record::pack_observations(test::sampleStep(2, 10).observations);
  QVERIFY(record::unpack_observations(blob.packed, blob.size, 10) == test::sampleStep(2, 10).observations);
  for (int round = 0; round < 3000; ++round) {
    std::string bytes = blob.packed;
    bytes[random() % bytes.size()] = static_cast<char>(random());
    if (round % 3 == 0) bytes.resize(random() % bytes.size());
    try {
      record::unpack_observations(bytes, blob.size, 10);
    } catch (const Error&) {
    }
  }
}

void BadRunFiles::readingChangesNothing() {
  const QString path = newFile(goodFile());
  QCOMPARE(readingFails(path), QString());
  QFile file(path);
  QVERIFY(file.open(QIODevice::ReadOnly));
  QVERIFY(file.readAll() == goodFile());
  QCOMPARE(QFileInfo(path).dir().entryList(QDir::Files), QStringList{QStringLiteral("some.binade")});
}

// A recursive view would have rows without end.
void BadRunFiles::aViewInPlaceOfATableIsRefused() {
  const QString path = newFile(goodFile());
  change(path,
         "DROP TABLE steps; CREATE VIEW steps AS WITH RECURSIVE n(step) AS (SELECT 0 UNION ALL SELECT step + 1 FROM n) "
         "SELECT step AS seq, step FROM n");
  const QString message = readingFails(path);
  QVERIFY2(message.contains(path) && message.contains(QStringLiteral("not written by Binade")), qPrintable(message));
}

void BadRunFiles::aTriggerDoesNotRun() {
  const QString path = newFile(goodFile());
  change(path, "CREATE TRIGGER hostile AFTER INSERT ON notes BEGIN DELETE FROM steps; END");
  record::append(path.toStdString(), wire::Note{});
  QVERIFY(RunReader(path.toStdString()).step(3).has_value());
}

BINADE_SUITE(BadRunFiles);
#include "tst_bad_run_files.moc"
