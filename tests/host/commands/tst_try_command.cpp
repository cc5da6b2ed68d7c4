// SPDX-License-Identifier: Apache-2.0
#include "engine/record/run_reader.h"
#include "engine/record/sqlite.h"
#include "engine/wire/enum_text.h"
#include "engine/words/trial_text.h"
#include "tests/host/run_engine.h"
#include "tests/record/run_file.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"

#include <sys/resource.h>

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonObject>
#include <QProcess>

#include <csignal>

using namespace binade;
using namespace Qt::StringLiterals;
using test::EngineResult;

namespace {

/// One for all runs; a run empties it.
const QString& checkpointFolder() {
  static const QString folder = test::temporaryFolder() + u"/kept"_s;
  return folder;
}

/// Trains and returns the run file. With `kept`, the newest checkpoint is that of the end.
QString recordedRun(bool kept, int steps = 6) {
  const QString file = test::temporaryFolder() + u"/run.binade"_s;
  QFile::remove(file);
  QDir(checkpointFolder()).removeRecursively();
  QJsonObject more{{u"steps"_s, steps}};
  if (kept) more[u"checkpoint"_s] = QJsonObject{{u"folder"_s, checkpointFolder()}, {u"every"_s, 4}};
  const EngineResult trained = test::engine({u"train"_s, test::runFile(more), u"--run-file"_s, file, u"--json"_s});
  return trained.code == 0 ? file : QString();
}

EngineResult tryPolicy(const QString& run, const QStringList& more) {
  return test::engine(QStringList{u"try"_s, run, u"--json"_s} + more);
}

QList<QJsonObject> eventsOf(const EngineResult& result, const QString& event) {
  QList<QJsonObject> found;
  for (const QJsonObject& line : result.lines()) {
    if (line[u"event"_s].toString() == event) found << line;
  }
  return found;
}

/// The Try that a command printed at its end.
QJsonObject triedBy(const EngineResult& result) {
  const QList<QJsonObject> lines = eventsOf(result, u"tried"_s);
  return lines.size() == 1 ? lines.first()[u"trial"_s].toObject() : QJsonObject();
}

QJsonArray lossesOf(const QJsonObject& trial, const QString& arm) {
  return trial[u"seeds"_s].toArray().first().toObject()[arm].toObject()[u"losses"_s].toArray();
}

std::vector<wire::Trial> triesIn(const QString& file) {
  return record::RunReader(file.toStdString()).trials();
}

/// Starts a Try that ends by a signal only.
void startLongTry(QProcess& process, const QString& file) {
  process.setProcessEnvironment(test::engineEnvironment());
  process.setChildProcessModifier([] { std::signal(SIGXFSZ, SIG_IGN); });  // as on a full disk, writing fails only
  process.start(QStringLiteral(BINADE_BIN_DIR "/binade-engine"),
                {u"try"_s, file, u"--policy"_s, u"all-float32"_s, u"--steps"_s, u"1000000"_s, u"--json"_s});
}

/// Sets the size beyond which the files of a process do not grow. Returns the limit before.
rlim_t limitFiles(const QProcess& process, rlim_t bytes) {
  const auto id = static_cast<pid_t>(process.processId());
  rlimit before{};
  if (::prlimit(id, RLIMIT_FSIZE, nullptr, &before) != 0) qFatal("no limit");
  const rlimit now{.rlim_cur = bytes, .rlim_max = before.rlim_max};
  if (::prlimit(id, RLIMIT_FSIZE, &now, nullptr) != 0) qFatal("the limit is refused");
  return before.rlim_cur;
}

/// Appends the output of a process to `output` until `text` is `count` times in its whole lines. A process that is
/// killed leaves the line that it was writing incomplete.
bool readUntil(QProcess& process, const char* text, int count, QByteArray& output) {
  while (output.first(output.lastIndexOf('\n') + 1).count(text) < count) {
    if (!process.waitForReadyRead(60000)) return false;
    output += process.readAllStandardOutput();
  }
  return true;
}

const QStringList kFloat32{u"--policy"_s, u"all-float32"_s, u"--steps"_s, u"5"_s};

}  // namespace

/// `binade-engine try`.
class TryCommand : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aTryStartsAtTheNewestCheckpointAndIsRecorded();
  void itChangesNothingElseOfTheRun();
  void peopleGetATableAndASentence();
  void theSameTryGivesTheSameLosses();
  void seedsTakeThePlaceOfOneAnother();
  void withoutCheckpointsItStartsAtTheStart();
  void aCheckpointThatIsGoneIsPassedOver();
  void aCheckpointIsARun();
  void aDescriptionIsNotRecorded();
  void theOldPolicyMayBeNamed();
  void aPolicyThatChangesNothingIsRefused();
  void aRuleThatMatchesNothingIsReportedAndNotNamed();
  void aFileThatCannotRecordIsRefusedAtOnce();
  void aRunDescriptionIsNoCheckpoint();
  void otherDataIsRefused();
  void wrongNumbersAreRefused();
  void aCancelledTryKeepsItsSteps();
  void aKilledTryKeepsTheStepsOfItsOnlySeed();
  void aDiskThatFillsUpDoesNotEndTheTry_data();
  void aDiskThatFillsUpDoesNotEndTheTry();
  void aRunInProgressTakesATry();
};

void TryCommand::aTryStartsAtTheNewestCheckpointAndIsRecorded() {
  const QString file = recordedRun(true);
  QVERIFY(!file.isEmpty());
  const EngineResult result = tryPolicy(file, kFloat32 + QStringList{u"--name"_s, u"no float16"_s});
  QVERIFY2(result.code == 0, qPrintable(result.err));
  const QJsonObject trial = triedBy(result);
  QCOMPARE(trial[u"name"_s].toString(), u"no float16"_s);
  QCOMPARE(trial[u"first_step"_s].toInt(), 6);
  QCOMPARE(trial[u"steps"_s].toInt(), 5);
  QVERIFY(trial[u"complete"_s].toBool());
  for (const char* arm : {"before", "after", "noise"}) QCOMPARE(lossesOf(trial, QLatin1String(arm)).size(), 5);
  QVERIFY(wire::from_word<wire::TrialVerdict>(trial[u"verdict"_s].toString().toStdString()).has_value());
  const QList<QJsonObject> progress = eventsOf(result, u"trying"_s);
  QVERIFY(!progress.isEmpty());
  QCOMPARE(progress.last()[u"of"_s].toInt(), 15);
  QCOMPARE(progress.last()[u"done"_s].toInt(), 15);
  QCOMPARE(eventsOf(result, u"learnt"_s).size(), 1);
  const std::vector<wire::Trial> tries = triesIn(file);
  QCOMPARE(tries.size(), std::size_t{1});
  QCOMPARE(tries[0].name, std::string("no float16"));
  QVERIFY(tries[0].complete);
  QCOMPARE(tries[0].after.base, policy::Base::kAllFloat32);
}

void TryCommand::itChangesNothingElseOfTheRun() {
  const QString file = recordedRun(true);
  const auto steps = test::recordsOf<wire::StepRecord>(record::RunReader(file.toStdString()));
  const QStringList kept = QDir(checkpointFolder()).entryList(QDir::Files);
  QVERIFY(!kept.isEmpty());
  QCOMPARE(tryPolicy(file, kFloat32).code, 0);
  const record::RunReader reader(file.toStdString());
  QVERIFY(test::recordsOf<wire::StepRecord>(reader) == steps);
  QVERIFY(test::finishedOf(reader).has_value());
  QCOMPARE(QDir(checkpointFolder()).entryList(QDir::Files), kept);
  QCOMPARE(tryPolicy(file, kFloat32 + QStringList{u"--no-record"_s}).code, 0);
  QCOMPARE(triesIn(file).size(), std::size_t{1});
}

void TryCommand::peopleGetATableAndASentence() {
  const QString file = recordedRun(true);
  const EngineResult result = test::engine(QStringList{u"try"_s, file, u"--name"_s, u"no float16"_s} + kFloat32);
  QVERIFY2(result.code == 0, qPrintable(result.err));
  QVERIFY2(result.out.contains(u"before"_s) && result.out.contains(u"after"_s) && result.out.contains(u"noise"_s),
           qPrintable(result.out));
  QVERIFY(result.out.contains(u"loss, mean of the steps"_s));
  QVERIFY(result.out.contains(u"\nno float16: "_s));
  QVERIFY(result.out.endsWith(u"Recorded in %1.\n"_s.arg(file)));
}

void TryCommand::theSameTryGivesTheSameLosses() {
  const QString file = recordedRun(true);
  const QJsonObject first = triedBy(tryPolicy(file, kFloat32));
  const QJsonObject second = triedBy(tryPolicy(file, kFloat32));
  QVERIFY(!first.isEmpty());
  for (const char* arm : {"before", "after", "noise"})
    QCOMPARE(lossesOf(first, QLatin1String(arm)), lossesOf(second, QLatin1String(arm)));
  QCOMPARE(first[u"verdict"_s], second[u"verdict"_s]);
  QCOMPARE(triesIn(file).size(), std::size_t{2});
}

void TryCommand::seedsTakeThePlaceOfOneAnother() {
  const QString file = recordedRun(true);
  const EngineResult result = tryPolicy(file, kFloat32 + QStringList{u"--seeds"_s, u"3"_s});
  QVERIFY2(result.code == 0, qPrintable(result.err));
  const QList<QJsonObject> learnt = eventsOf(result, u"learnt"_s);
  QCOMPARE(learnt.size(), 3);
  QVERIFY(!learnt[0][u"trial"_s].toObject()[u"complete"_s].toBool());
  QVERIFY(learnt[2][u"trial"_s].toObject()[u"complete"_s].toBool());
  const std::vector<wire::Trial> tries = triesIn(file);
  QCOMPARE(tries.size(), std::size_t{1});
  QCOMPARE(tries[0].seeds.size(), std::size_t{3});
  QVERIFY(tries[0].complete);
}

void TryCommand::withoutCheckpointsItStartsAtTheStart() {
  const QString file = recordedRun(false);
  const EngineResult result = tryPolicy(file, kFloat32);
  QVERIFY2(result.code == 0, qPrintable(result.err));
  QVERIFY2(result.err.contains(u"the run kept no checkpoint"_s), qPrintable(result.err));
  QCOMPARE(triedBy(result)[u"first_step"_s].toInt(), 0);
}

void TryCommand::aCheckpointThatIsGoneIsPassedOver() {
  const QString file = recordedRun(true);
  for (const QString& each : QDir(checkpointFolder()).entryList({u"step-00000006*"_s})) {
    QVERIFY(QFile::remove(checkpointFolder() + u'/' + each));
  }
  const EngineResult older = tryPolicy(file, kFloat32);
  QVERIFY2(older.code == 0, qPrintable(older.err));
  QCOMPARE(triedBy(older)[u"first_step"_s].toInt(), 4);
  QVERIFY(older.err.contains(u"no longer exists"_s));
  // A file of the same name that another run wrote is none of this one.
  const QString four = checkpointFolder() + u"/step-00000004.safetensors"_s;
  QVERIFY(QFile::remove(four));
  QFile other(four);
  QVERIFY(other.open(QIODevice::WriteOnly));
  other.write("not a checkpoint");
  other.close();
  const EngineResult start = tryPolicy(file, kFloat32);
  QVERIFY2(start.code == 0, qPrintable(start.err));
  QCOMPARE(triedBy(start)[u"first_step"_s].toInt(), 0);
  QVERIFY(start.err.contains(u"no checkpoint of the run exists"_s));
}

void TryCommand::aCheckpointIsARun() {
  QVERIFY(!recordedRun(true).isEmpty());
  const QString four = checkpointFolder() + u"/step-00000004.safetensors"_s;
  QVERIFY(QFile::exists(four));
  const EngineResult one = tryPolicy(four, kFloat32);
  QVERIFY2(one.code == 0, qPrintable(one.err));
  QCOMPARE(triedBy(one)[u"first_step"_s].toInt(), 4);
  const EngineResult newest = tryPolicy(checkpointFolder(), kFloat32);
  QVERIFY2(newest.code == 0, qPrintable(newest.err));
  QCOMPARE(triedBy(newest)[u"first_step"_s].toInt(), 6);
}

void TryCommand::aDescriptionIsNotRecorded() {
  const QString file = recordedRun(true);
  const EngineResult result = tryPolicy(test::runFile(), kFloat32);
  QVERIFY2(result.code == 0, qPrintable(result.err));
  QCOMPARE(triedBy(result)[u"first_step"_s].toInt(), 0);
  QVERIFY(triesIn(file).empty());
  QCOMPARE(tryPolicy(test::runFile(), kFloat32 + QStringList{u"--record"_s, file}).code, 0);
  QCOMPARE(triesIn(file).size(), std::size_t{1});
}

void TryCommand::theOldPolicyMayBeNamed() {
  const EngineResult result = tryPolicy(test::runFile(), kFloat32 + QStringList{u"--against"_s, u"cpu-amp"_s});
  QVERIFY2(result.code == 0, qPrintable(result.err));
  QCOMPARE(triedBy(result)[u"before"_s].toObject()[u"base"_s].toString(), u"cpu-amp"_s);
}

void TryCommand::aPolicyThatChangesNothingIsRefused() {
  const QString policy = test::written(
      u"nowhere.json"_s,
      R"({"binade_policy": 1, "base": "cuda-amp", "sites": [{"match": "nowhere", "format": "float32"}]})");
  const EngineResult result = tryPolicy(test::runFile(), {u"--policy"_s, policy, u"--against"_s, u"cuda-amp"_s});
  QCOMPARE(result.code, 1);
  QVERIFY2(result.err.contains(u"nowhere"_s), qPrintable(result.err));
  QVERIFY2(result.err.contains(u"nothing to try"_s), qPrintable(result.err));
  QVERIFY(eventsOf(result, u"trying"_s).isEmpty());
  QCOMPARE(eventsOf(result, u"error"_s).size(), 1);
}

// What was not tried is not in the name of what was.
void TryCommand::aRuleThatMatchesNothingIsReportedAndNotNamed() {
  const QString policy = test::written(u"half.json"_s, R"({"binade_policy": 1, "base": "all-float32",
      "sites": [{"match": "fc1", "format": "bfloat16"}, {"match": "nowhere", "format": "float16"}]})");
  const EngineResult result =
      tryPolicy(test::runFile(), {u"--policy"_s, policy, u"--against"_s, u"all-float32"_s, u"--steps"_s, u"3"_s});
  QVERIFY2(result.code == 0, qPrintable(result.err));
  QVERIFY2(result.err.startsWith(u"warning: policy: "_s) && result.err.contains(u"nowhere"_s), qPrintable(result.err));
  QCOMPARE(triedBy(result)[u"name"_s].toString(), u"fc1 in bfloat16"_s);
}

void TryCommand::aFileThatCannotRecordIsRefusedAtOnce() {
  const QString missing = test::temporaryFolder() + u"/missing.binade"_s;
  const EngineResult result = tryPolicy(test::runFile(), kFloat32 + QStringList{u"--record"_s, missing});
  QCOMPARE(result.code, 1);
  QVERIFY2(
      result.err.contains(u"Not started: the Try could not be recorded"_s) && result.err.contains(u"--no-record"_s),
      qPrintable(result.err));
  QVERIFY(eventsOf(result, u"trying"_s).isEmpty());
  QVERIFY(!QFile::exists(missing));
}

void TryCommand::aRunDescriptionIsNoCheckpoint() {
  const QString run = test::runFile();
  const EngineResult result = tryPolicy(run, kFloat32 + QStringList{u"--from"_s, run});
  QCOMPARE(result.code, 1);
  QVERIFY2(result.err.contains(u"run.json is a run description, not a checkpoint"_s), qPrintable(result.err));
}

void TryCommand::otherDataIsRefused() {
  QVERIFY(!recordedRun(true).isEmpty());
  const EngineResult result =
      tryPolicy(test::runFile({{u"seed"_s, 99}}), kFloat32 + QStringList{u"--from"_s, checkpointFolder()});
  QCOMPARE(result.code, 1);
  QVERIFY2(!eventsOf(result, u"error"_s).isEmpty(), qPrintable(result.err));
  QVERIFY2(result.out.contains(u"seed is 99"_s), qPrintable(result.out));
  QVERIFY(eventsOf(result, u"trying"_s).isEmpty());
}

void TryCommand::wrongNumbersAreRefused() {
  for (const char* option : {"--steps", "--seeds"}) {
    const EngineResult result =
        tryPolicy(test::runFile(), {u"--policy"_s, u"all-float32"_s, QString::fromLatin1(option), u"0"_s});
    QCOMPARE(result.code, 2);
    QVERIFY(result.err.contains(QLatin1String(option)));
  }
  const QString nowhere = test::temporaryFolder() + u"/nowhere.json"_s;
  QCOMPARE(tryPolicy(nowhere, kFloat32).code, 1);
  QCOMPARE(test::engine({u"try"_s, test::runFile()}).code, 2);  // without a policy
}

void TryCommand::aCancelledTryKeepsItsSteps() {
  const QString file = recordedRun(true);
  QProcess process;
  startLongTry(process, file);
  QByteArray output;
  QVERIFY(readUntil(process, "\"trying\"", 3, output));
  ::kill(static_cast<pid_t>(process.processId()), SIGINT);
  QVERIFY(process.waitForFinished(60000));
  QCOMPARE(process.exitCode(), 130);
  output += process.readAllStandardOutput();
  const EngineResult result{process.exitCode(), QString::fromUtf8(output), {}};
  QVERIFY(!triedBy(result).isEmpty());
  QVERIFY(!triedBy(result)[u"complete"_s].toBool());
  const std::vector<wire::Trial> tries = triesIn(file);
  QCOMPARE(tries.size(), std::size_t{1});
  QVERIFY(!tries[0].complete);
  QVERIFY(!tries[0].seeds.at(0).before.losses.empty());
}

void TryCommand::aKilledTryKeepsTheStepsOfItsOnlySeed() {
  const QString file = recordedRun(true);
  QProcess process;
  startLongTry(process, file);
  QByteArray output;
  QVERIFY(readUntil(process, "\"partial\"", 2, output));
  ::kill(static_cast<pid_t>(process.processId()), SIGKILL);
  QVERIFY(process.waitForFinished(60000));
  output += process.readAllStandardOutput();
  const QList<QJsonObject> parts = eventsOf({-1, QString::fromUtf8(output), {}}, u"partial"_s);
  QVERIFY(parts.size() >= 2);
  const QJsonArray reported = lossesOf(parts[1][u"trial"_s].toObject(), u"before"_s);
  QVERIFY(reported.size() > lossesOf(parts[0][u"trial"_s].toObject(), u"before"_s).size());
  const std::vector<wire::Trial> tries = triesIn(file);
  QCOMPARE(tries.size(), std::size_t{1});  // each state took the place of the one before
  QVERIFY(!tries[0].complete);
  QCOMPARE(tries[0].after.base, policy::Base::kAllFloat32);
  QCOMPARE(tries[0].seeds.size(), std::size_t{1});
  const std::vector<double>& losses = tries[0].seeds[0].before.losses;
  QVERIFY(std::ssize(losses) >= reported.size());
  for (qsizetype i = 0; i < reported.size(); ++i) QCOMPARE(losses[static_cast<std::size_t>(i)], reported[i].toDouble());
  const std::vector<std::string> facts = words::facts_of(tries[0]);
  QVERIFY(!facts.empty());
  QVERIFY2(facts.front().starts_with("It was ended early, after "), facts.front().c_str());
  // The file takes another Try.
  QCOMPARE(tryPolicy(file, kFloat32).code, 0);
  QCOMPARE(triesIn(file).size(), std::size_t{2});
}

void TryCommand::aDiskThatFillsUpDoesNotEndTheTry_data() {
  QTest::addColumn<bool>("freed");
  QTest::newRow("it stays full") << false;
  QTest::newRow("space is freed") << true;
}

void TryCommand::aDiskThatFillsUpDoesNotEndTheTry() {
  QFETCH(bool, freed);
  const QString file = recordedRun(true);
  const auto steps = test::recordsOf<wire::StepRecord>(record::RunReader(file.toStdString()));
  QProcess process;
  startLongTry(process, file);
  QByteArray output;
  QVERIFY(readUntil(process, "\"partial\"", 1, output));  // it is recorded by then
  const rlim_t before = limitFiles(process, 1024);
  QByteArray log;
  while (!log.contains("could not be recorded") && process.waitForReadyRead(60000)) {
    output += process.readAllStandardOutput();
    log += process.readAllStandardError();
  }
  QVERIFY2(log.contains(file.toUtf8()), log.constData());
  if (freed) limitFiles(process, before);
  ::kill(static_cast<pid_t>(process.processId()), SIGINT);
  QVERIFY(process.waitForFinished(60000));
  const EngineResult result{process.exitCode(), QString::fromUtf8(output + process.readAllStandardOutput()),
                            QString::fromUtf8(log + process.readAllStandardError())};
  const qsizetype learnt = lossesOf(triedBy(result), u"before"_s).size();
  QVERIFY(learnt > 0);  // it is printed in either case
  const QList<QJsonObject> errors = eventsOf(result, u"error"_s);
  const std::vector<wire::Trial> tries = triesIn(file);
  QCOMPARE(tries.size(), std::size_t{1});
  QVERIFY(!tries[0].complete);
  const auto recorded = static_cast<qsizetype>(tries[0].seeds.at(0).before.losses.size());
  if (freed) {
    QCOMPARE(result.code, 130);
    QVERIFY(errors.isEmpty());
    QCOMPARE(recorded, learnt);
  } else {
    QCOMPARE(result.code, 1);
    QCOMPARE(errors.size(), 1);
    const QString message = errors.first()[u"message"_s].toString();
    QVERIFY2(message.contains(u"not recorded in full"_s) && message.contains(file), qPrintable(message));
    QVERIFY2(errors.first()[u"hint"_s].toString().contains(u"disk is full"_s), qPrintable(result.out.right(2000)));
    QVERIFY(recorded > 0 && recorded < learnt);  // the state before
  }
  // The file is whole, and takes another Try.
  QVERIFY(test::recordsOf<wire::StepRecord>(record::RunReader(file.toStdString())) == steps);
  QCOMPARE(record::Database(file.toStdString(), record::Database::Mode::kReadOnly).value("PRAGMA integrity_check"),
           std::string("ok"));
  QCOMPARE(tryPolicy(file, kFloat32).code, 0);
  QCOMPARE(triesIn(file).size(), std::size_t{2});
}

void TryCommand::aRunInProgressTakesATry() {
  const QString file = test::temporaryFolder() + u"/live.binade"_s;
  QFile::remove(file);
  QProcess training;
  training.setProcessEnvironment(test::engineEnvironment());
  training.start(QStringLiteral(BINADE_BIN_DIR "/binade-engine"),
                 {u"train"_s, test::runFile({{u"steps"_s, 1000000}}), u"--run-file"_s, file, u"--json"_s});
  QByteArray output;
  while (output.count("\"step\"") < 3 && training.waitForReadyRead(60000)) output += training.readAllStandardOutput();
  const EngineResult result = tryPolicy(file, kFloat32);
  // It goes on after the Try was added.
  output = training.readAllStandardOutput();
  output.clear();
  while (output.count("\"step\"") < 3 && training.waitForReadyRead(60000)) output += training.readAllStandardOutput();
  ::kill(static_cast<pid_t>(training.processId()), SIGINT);
  QVERIFY(training.waitForFinished(60000));
  QVERIFY2(result.code == 0, qPrintable(result.err));
  QVERIFY(!training.readAllStandardError().contains("record"));
  const record::RunReader reader(file.toStdString());
  QVERIFY(test::finishedOf(reader).has_value());
  QCOMPARE(reader.trials().size(), std::size_t{1});
  std::int64_t next = 0;
  for (const wire::StepRecord& step : test::recordsOf<wire::StepRecord>(reader)) QCOMPARE(step.step, next++);
}

BINADE_SUITE(TryCommand);
#include "tst_try_command.moc"
