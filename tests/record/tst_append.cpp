// SPDX-License-Identifier: Apache-2.0
// Tries that are added to a run file of another process, or of a run that has ended.
#include "engine/record/append.h"
#include "engine/record/run_writer.h"
#include "tests/record/run_file.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"
#include "tests/wire/samples.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QProcess>

#include <csignal>
#include <functional>
#include <memory>
#include <optional>
#include <thread>

using namespace binade;
using record::RunReader;
using record::RunWriter;

namespace {

std::string fresh(const QString& name) {
  const QString path = test::temporaryFolder() + u'/' + name;
  QFile::remove(path);
  return path.toStdString();
}

/// A finished run of three steps.
std::string finishedRun(const QString& name) {
  const std::string path = fresh(name);
  RunWriter writer(path);
  writer.add(test::sampleStarted());
  for (int step = 0; step < 3; ++step) writer.add(test::sampleStep(step));
  writer.add(wire::Finished{wire::Outcome::kCompleted, 3, "", ""});
  writer.close();
  return path;
}

wire::Trial trialNamed(const std::string& name) {
  wire::Trial trial = test::sampleTrial(2);
  trial.name = name;
  return trial;
}

QStringList namesOf(const std::string& path) {
  QStringList names;
  const RunReader reader(path);
  for (const wire::Trial& trial : reader.trials()) names << QString::fromStdString(trial.name);
  return names;
}

/// Positions of all records, ascending. The first policy has that of its run.
std::vector<std::int64_t> positionsOf(const std::string& path) {
  std::string sql;
  for (const char* table : record::kRecordTables)
    sql += (sql.empty() ? "SELECT seq FROM " : " UNION SELECT seq FROM ") + std::string(table);
  const record::Database file(path, record::Database::Mode::kReadOnly);
  record::Statement row(file, sql + " ORDER BY seq");
  std::vector<std::int64_t> all;
  while (row.next()) all.push_back(row.integer(0));
  return all;
}

std::string integrityOf(const std::string& path) {
  return record::Database(path, record::Database::Mode::kReadOnly).value("PRAGMA integrity_check");
}

std::optional<Error> refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error;
  }
  return std::nullopt;
}

/// Starts a process that records a run for ever; returns after it has committed a step.
bool recordsForEver(QProcess& process, const std::string& path) {
  process.start(QStringLiteral(BINADE_BIN_DIR "/record_victim"),
                {QStringLiteral("endless"), QString::fromStdString(path)});
  while (process.waitForReadyRead(20000)) {
    for (const QByteArray& steps : process.readAllStandardOutput().split('\n')) {
      if (steps.toLongLong() > 0) return true;
    }
  }
  return false;
}

}  // namespace

class Append : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aTryFollowsTheEndOfItsRun();
  void itLeavesOneFile();
  void aNewerStateTakesTheOldOnesPlace();
  void twoWritersShareThePositions();
  void anotherProcessGoesOnRecording();
  void processesMayAddAtTheSameTime();
  void aKilledRunTakesATry();
  void aKillWhileAddingLeavesAWholeFile_data();
  void aKillWhileAddingLeavesAWholeFile();
  void aReaderThatFollowsSeesIt();
  void aFileThatIsNoRunFileIsRefused();
  void anotherVersionIsRefused();
  void notesAreAddedAlsoWhileTheRunIsRecorded();
  void aRunThatHasNotBegunIsRefused();
  void aReadOnlyFileIsRefused();
  void aFullDiskChangesNothing();
};

void Append::aTryFollowsTheEndOfItsRun() {
  const std::string path = finishedRun(QStringLiteral("finished.binade"));
  const std::vector<std::int64_t> before = positionsOf(path);
  record::check_appendable(path);
  QCOMPARE(record::append(path, trialNamed("first")), before.back() + 1);
  QCOMPARE(record::append(path, trialNamed("second")), before.back() + 2);
  const RunReader reader(path);
  QVERIFY(reader.trials() == (std::vector{trialNamed("first"), trialNamed("second")}));
  QCOMPARE(test::finishedOf(reader)->steps, std::int64_t{3});
  QCOMPARE(positionsOf(path).size(), before.size() + 2);
}

void Append::itLeavesOneFile() {
  const std::string path = finishedRun(QStringLiteral("alone.binade"));
  record::append(path, trialNamed("only"));
  QFile file(QString::fromStdString(path));
  const QDir folder = QFileInfo(file).dir();
  QCOMPARE(folder.entryList({QStringLiteral("alone*")}, QDir::Files), QStringList{QStringLiteral("alone.binade")});
  QVERIFY(file.open(QIODevice::ReadOnly));
  QCOMPARE(int{file.read(100)[18]}, 1);  // no write-ahead log
}

void Append::aNewerStateTakesTheOldOnesPlace() {
  const std::string path = finishedRun(QStringLiteral("replaced.binade"));
  const std::int64_t other = record::append(path, trialNamed("other"));
  const std::int64_t first = record::append(path, trialNamed("one seed"));
  const std::int64_t second = record::append(path, trialNamed("two seeds"), first);
  QCOMPARE(second, first + 1);  // a reader that follows meets it
  QCOMPARE(namesOf(path), QStringList({QStringLiteral("other"), QStringLiteral("two seeds")}));
  QVERIFY(other < first);
}

// In one process, so that a thread checker sees both. The file is not opened by others meanwhile: closing it would take
// away SQLite's locks.
void Append::twoWritersShareThePositions() {
  const std::string path = fresh(QStringLiteral("shared.binade"));
  RunWriter writer(path, {.gather = std::chrono::milliseconds(1)});
  writer.add(test::sampleStarted());
  writer.flush();
  std::thread other([&path] {
    for (int i = 0; i < 20; ++i) record::append(path, trialNamed(std::to_string(i)));
  });
  for (int step = 0; step < 200; ++step) {
    writer.add(test::sampleStep(step));
    if (step % 10 == 9) writer.flush();
  }
  other.join();
  writer.add(wire::Finished{wire::Outcome::kCompleted, 200, "", ""});
  writer.close();
  QCOMPARE(namesOf(path).size(), 20);
  const std::vector<std::int64_t> positions = positionsOf(path);
  QCOMPARE(positions.size(), std::size_t{222});
  for (std::size_t i = 0; i < positions.size(); ++i) QCOMPARE(positions[i], static_cast<std::int64_t>(i + 1));
  const RunReader reader(path);
  for (int step = 0; step < 200; ++step) QVERIFY(reader.step(step) == test::sampleStep(step));
}

void Append::anotherProcessGoesOnRecording() {
  const std::string path = fresh(QStringLiteral("live.binade"));
  QProcess victim;
  QVERIFY(recordsForEver(victim, path));
  for (int i = 0; i < 5; ++i) {
    record::append(path, trialNamed(std::to_string(i)));
    QVERIFY(victim.waitForReadyRead(20000));
    victim.readAllStandardOutput();
  }
  // It writes after the last Try too.
  QVERIFY(victim.waitForReadyRead(20000));
  victim.kill();
  QVERIFY(victim.waitForFinished());
  QCOMPARE(namesOf(path).size(), 5);
  const std::vector<std::int64_t> positions = positionsOf(path);
  for (std::size_t i = 0; i < positions.size(); ++i) QCOMPARE(positions[i], static_cast<std::int64_t>(i + 1));
  const RunReader reader(path);
  std::int64_t next = 0;
  for (const wire::StepRecord& step : test::recordsOf<wire::StepRecord>(reader)) QCOMPARE(step.step, next++);
  QVERIFY(next > 0);
  QCOMPARE(integrityOf(path), std::string("ok"));
}

void Append::processesMayAddAtTheSameTime() {
  const std::string path = finishedRun(QStringLiteral("crowded.binade"));
  std::vector<std::unique_ptr<QProcess>> others;
  for (int i = 0; i < 4; ++i) {
    others.push_back(std::make_unique<QProcess>());
    others.back()->start(QStringLiteral(BINADE_BIN_DIR "/record_victim"),
                         {QStringLiteral("append"), QString::fromStdString(path), QStringLiteral("10")});
  }
  for (const auto& other : others) {
    QVERIFY(other->waitForFinished(60000));
    QVERIFY2(other->exitCode() == 0, other->readAllStandardOutput().constData());
  }
  QCOMPARE(namesOf(path).size(), 40);
  const std::vector<std::int64_t> positions = positionsOf(path);
  for (std::size_t i = 0; i < positions.size(); ++i) QCOMPARE(positions[i], static_cast<std::int64_t>(i + 1));
  QCOMPARE(integrityOf(path), std::string("ok"));
}

void Append::aKilledRunTakesATry() {
  const std::string path = fresh(QStringLiteral("killed.binade"));
  QProcess victim;
  QVERIFY(recordsForEver(victim, path));
  victim.kill();
  QVERIFY(victim.waitForFinished());
  const std::vector<std::int64_t> before = positionsOf(path);
  QVERIFY(before.size() > 1);
  record::append(path, trialNamed("afterwards"));
  QCOMPARE(positionsOf(path).size(), before.size() + 1);
  QCOMPARE(namesOf(path), QStringList{QStringLiteral("afterwards")});
}

void Append::aKillWhileAddingLeavesAWholeFile_data() {
  QTest::addColumn<int>("delay");
  for (const int delay : {0, 1, 2, 5, 11, 23, 40}) QTest::addRow("after %d ms", delay) << delay;
}

void Append::aKillWhileAddingLeavesAWholeFile() {
  QFETCH(int, delay);
  const std::string path = finishedRun(QStringLiteral("adding.binade"));
  QProcess victim;
  victim.start(QStringLiteral(BINADE_BIN_DIR "/record_victim"),
               {QStringLiteral("append"), QString::fromStdString(path), QStringLiteral("1000000")});
  QVERIFY(victim.waitForReadyRead(20000));
  QElapsedTimer timer;
  timer.start();
  while (timer.elapsed() < delay) victim.waitForReadyRead(1);
  victim.kill();
  QVERIFY(victim.waitForFinished());
  const qsizetype told = victim.readAllStandardOutput().count('\n');
  QVERIFY(told > 0);
  const qsizetype there = namesOf(path).size();  // reading does not change the file
  QVERIFY2(there >= told, qPrintable(QStringLiteral("%1 of %2").arg(there).arg(told)));
  QCOMPARE(test::stepCount(path), std::int64_t{3});
  record::append(path, trialNamed("afterwards"));
  QCOMPARE(namesOf(path).size(), there + 1);
  QCOMPARE(integrityOf(path), std::string("ok"));
}

void Append::aReaderThatFollowsSeesIt() {
  const std::string path = finishedRun(QStringLiteral("followed.binade"));
  const RunReader reader(path);
  const std::int64_t end = reader.replay([](record::RunRecord&&) { return true; });
  record::append(path, trialNamed("new"));
  QStringList names;
  reader.replay(
      [&](record::RunRecord&& record) {
        names << QString::fromStdString(std::get<wire::Trial>(record).name);
        return true;
      },
      end);
  QCOMPARE(names, QStringList{QStringLiteral("new")});
}

void Append::aFileThatIsNoRunFileIsRefused() {
  const QString path = test::temporaryFolder() + QStringLiteral("/notes.binade");
  QFile file(path);
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write(QByteArray(5000, 'x'));
  file.close();
  const auto text = refusal([&] { record::append(path.toStdString(), trialNamed("none")); });
  QVERIFY(text && text->code == ErrorCode::kBadFile);
  QCOMPARE(QString::fromUtf8(text->what()), path + QStringLiteral(" is not a run file of Binade"));
  QVERIFY(file.open(QIODevice::ReadOnly));
  QCOMPARE(file.readAll(), QByteArray(5000, 'x'));

  const std::string missing = test::temporaryFolder().toStdString() + "/nowhere.binade";
  const auto none = refusal([&] { record::check_appendable(missing); });
  QVERIFY(none && none->code == ErrorCode::kBadFile);
  QVERIFY(!QFile::exists(QString::fromStdString(missing)));
  QVERIFY(refusal([&] { record::append(test::temporaryFolder().toStdString(), trialNamed("none")); }).has_value());
}

void Append::anotherVersionIsRefused() {
  const std::string path = finishedRun(QStringLiteral("later.binade"));
  record::Database(path, record::Database::Mode::kReadWrite).run("PRAGMA user_version = 99");
  const auto error = refusal([&] { record::append(path, trialNamed("none")); });
  QVERIFY(error && QString::fromUtf8(error->what()).contains(QStringLiteral("run file of version 99")));
}

void Append::notesAreAddedAlsoWhileTheRunIsRecorded() {
  const std::string path = fresh(QStringLiteral("notes.binade"));
  RunWriter writer(path);
  writer.add(test::sampleStarted());
  writer.add(test::sampleStep(0));
  writer.flush();
  const wire::Note first{0, "starts well", 1'700'000'000};
  const wire::Note second{0, "", 1'700'000'001};
  record::append(path, first);
  writer.add(test::sampleStep(1));
  writer.flush();
  record::append(path, second);
  writer.close();
  std::vector<wire::Note> found;
  const RunReader reader(path);
  reader.replay([&](record::RunRecord&& each) {
    if (const auto* note = std::get_if<wire::Note>(&each)) found.push_back(*note);
    return true;
  });
  QVERIFY(found == (std::vector{first, second}));
}

void Append::aRunThatHasNotBegunIsRefused() {
  const std::string path = fresh(QStringLiteral("idle.binade"));
  RunWriter writer(path);
  const auto error = refusal([&] { record::append(path, trialNamed("none")); });
  QVERIFY(error && QString::fromUtf8(error->what()).contains(QStringLiteral("has not begun")));
  writer.add(test::sampleStarted());
  writer.flush();
  record::append(path, trialNamed("now"));
  writer.add(test::sampleStep(0));
  writer.close();
  QCOMPARE(positionsOf(path), (std::vector<std::int64_t>{1, 2, 3}));
}

void Append::aReadOnlyFileIsRefused() {
  if (::geteuid() == 0) QSKIP("root may write every file");
  const std::string path = finishedRun(QStringLiteral("readonly.binade"));
  QCOMPARE(::chmod(path.c_str(), 0444), 0);
  const auto error = refusal([&] { record::append(path, trialNamed("none")); });
  ::chmod(path.c_str(), 0644);
  QVERIFY(error && error->code == ErrorCode::kBadFile && !error->hint.empty());
  QVERIFY(QString::fromUtf8(error->what()).startsWith(QString::fromStdString(path)));
  QVERIFY(namesOf(path).isEmpty());
}

void Append::aFullDiskChangesNothing() {
  const std::string path = finishedRun(QStringLiteral("full.binade"));
  record::append(path, trialNamed("before"));
  wire::Trial large = trialNamed("large");
  large.steps = 200'000;
  large.seeds[0].before.losses.assign(200'000, 0.1);
  rlimit before{};
  QCOMPARE(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit little{.rlim_cur = 500'000, .rlim_max = before.rlim_max};
  QCOMPARE(::setrlimit(RLIMIT_FSIZE, &little), 0);
  const auto failure = refusal([&] { record::append(path, large); });
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  QVERIFY(failure.has_value());
  QVERIFY2(failure->hint.starts_with("The disk is full"), failure->hint.c_str());
  QCOMPARE(namesOf(path), QStringList{QStringLiteral("before")});
  QCOMPARE(test::stepCount(path), std::int64_t{3});
  record::append(path, large);
  QCOMPARE(namesOf(path).size(), 2);
}

BINADE_SUITE(Append);
#include "tst_append.moc"
