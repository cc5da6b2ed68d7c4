// SPDX-License-Identifier: Apache-2.0
#include "tests/record/run_file.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"
#include "tests/wire/samples.h"

#include <QElapsedTimer>
#include <QFile>
#include <QProcess>

using namespace binade;

namespace {

constexpr int kTensors = 20;  // as the victim does

struct Victim {
  QProcess process;

  explicit Victim(const QStringList& arguments) {
    process.start(QStringLiteral(BINADE_BIN_DIR "/record_victim"), arguments);
  }

  ~Victim() {
    process.kill();
    process.waitForFinished();
  }

  /// The number in the last line that has come.
  qint64 committed() {
    const auto lines = process.readAllStandardOutput().split('\n');
    return lines.size() > 1 ? lines[lines.size() - 2].toLongLong() : 0;
  }
};

}  // namespace

class Kill : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void whatWasCommittedIsThere_data();
  void whatWasCommittedIsThere();
  void aFileThatMayNotGrowIsReportedAndKeepsItsBeginning();
};

void Kill::whatWasCommittedIsThere_data() {
  QTest::addColumn<int>("delay");
  for (const int delay : {0, 1, 3, 7, 15, 30, 61, 97, 150, 240}) QTest::addRow("after %d ms", delay) << delay;
}

void Kill::whatWasCommittedIsThere() {
  QFETCH(int, delay);
  const QString path = test::temporaryFolder() + QStringLiteral("/killed.binade");
  qint64 committed = 0;
  {
    Victim victim({QStringLiteral("endless"), path});
    QVERIFY(victim.process.waitForReadyRead(20000));
    QElapsedTimer timer;
    timer.start();
    while (timer.elapsed() < delay) victim.process.waitForReadyRead(1);
    victim.process.kill();
    QVERIFY(victim.process.waitForFinished());
    committed = victim.committed();
  }

  const record::RunReader reader(path.toStdString());
  QVERIFY(!test::finishedOf(reader));
  QVERIFY(test::stepCount(path.toStdString()) >= committed);
  std::int64_t steps = 0;
  bool whole = true;
  reader.replay([&](record::RunRecord&& record) {
    if (const auto* started = std::get_if<wire::RunStarted>(&record))
      whole = whole && *started == test::sampleStarted();
    if (const auto* step = std::get_if<wire::StepRecord>(&record)) {
      whole = whole && *step == test::sampleStep(steps, kTensors);
      ++steps;
    }
    if (const auto* event = std::get_if<wire::Event>(&record)) {
      whole = whole && *event == test::sampleEvent(steps - 1);
    }
    return whole;
  });
  QVERIFY2(whole, qPrintable(QStringLiteral("something differs at step %1").arg(steps)));
  QCOMPARE(steps, test::stepCount(path.toStdString()));
}

void Kill::aFileThatMayNotGrowIsReportedAndKeepsItsBeginning() {
  const QString path = test::temporaryFolder() + QStringLiteral("/full.binade");
  Victim victim({QStringLiteral("limited"), path, QStringLiteral("600000")});
  QVERIFY(victim.process.waitForFinished(60000));
  QCOMPARE(victim.process.exitStatus(), QProcess::NormalExit);
  QCOMPARE(victim.process.exitCode(), 0);
  const QStringList lines = QString::fromUtf8(victim.process.readAllStandardOutput()).split(QLatin1Char('\n'));
  const qint64 committed = lines[0].section(QLatin1Char(' '), 0, 0).toLongLong();
  QCOMPARE(lines[0].section(QLatin1Char(' '), 1, 1), QStringLiteral("1"));  // told once
  QVERIFY2(lines[0].contains(QStringLiteral("full.binade: ")), qPrintable(lines[0]));
  QVERIFY2(lines[1].startsWith(QStringLiteral("closed: The disk is full")), qPrintable(lines[1]));
  QVERIFY(committed < 4000);

  const record::RunReader reader(path.toStdString());
  QVERIFY(test::stepCount(path.toStdString()) >= committed);
  std::int64_t next = 0;
  reader.replay([&](record::RunRecord&& record) {
    if (const auto* step = std::get_if<wire::StepRecord>(&record)) next += *step == test::sampleStep(next, kTensors);
    return true;
  });
  QCOMPARE(next, test::stepCount(path.toStdString()));
}

BINADE_SUITE(Kill);
#include "tst_kill.moc"
