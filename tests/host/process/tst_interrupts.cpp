// SPDX-License-Identifier: Apache-2.0
#include "tests/host/printing_model.h"
#include "tests/host/run_engine.h"
#include "tests/record/run_file.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonObject>
#include <QProcess>

#include <csignal>

using namespace binade;
using test::engineEnvironment;
using test::runFile;

class TestInterrupts : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void anInterruptEndsCleanlyWithAReadableRunFile() {
    const QString file = test::temporaryFolder() + QStringLiteral("/run.binade");
    QProcess process;
    process.setProcessEnvironment(engineEnvironment());
    process.start(QStringLiteral(BINADE_BIN_DIR "/binade-engine"),
                  {QStringLiteral("train"), runFile({{QStringLiteral("steps"), 1000000}}), QStringLiteral("--json"),
                   QStringLiteral("--run-file"), file});
    QByteArray output;
    while (output.count("\"step\"") < 3 && process.waitForReadyRead(60000)) output += process.readAllStandardOutput();
    ::kill(static_cast<pid_t>(process.processId()), SIGINT);
    QVERIFY(process.waitForFinished(60000));
    QCOMPARE(process.exitCode(), 130);
    output += process.readAllStandardOutput();
    QVERIFY(output.contains("\"cancelled\""));
    QVERIFY(!QFile::exists(file + QStringLiteral("-wal")));
    const record::RunReader reader(file.toStdString());
    QVERIFY(test::finishedOf(reader).has_value());
  }

  void aSignalEndsASetUpThatNeverComesToAnEnd_data() {
    QTest::addColumn<bool>("in_ops");
    QTest::newRow("op after op") << true;
    QTest::newRow("without an op") << false;
  }
  void aSignalEndsASetUpThatNeverComesToAnEnd() {
    QFETCH(const bool, in_ops);
    const QString model = test::temporaryFolder() + QStringLiteral("/endless.pt");
    test::writeEndlessModel(model.toStdString(), in_ops);
    const QJsonObject data{{QStringLiteral("inputs"), QJsonArray{QStringLiteral("float32[8,8]")}}};
    QProcess process;
    process.setProcessEnvironment(engineEnvironment());
    process.start(QStringLiteral(BINADE_BIN_DIR "/binade-engine"),
                  {QStringLiteral("train"), runFile({{QStringLiteral("model"), model}, {QStringLiteral("data"), data}}),
                   QStringLiteral("--run-file"), QStringLiteral("none")});
    process.setReadChannel(QProcess::StandardError);
    QByteArray told;
    while (!told.contains("THE MODEL SPEAKS") && process.waitForReadyRead(60000)) {
      told += process.readAllStandardError();
    }
    QVERIFY2(told.contains("THE MODEL SPEAKS"), "what a model prints is told at once, in a pipe too");
    ::kill(static_cast<pid_t>(process.processId()), SIGTERM);
    QVERIFY(process.waitForFinished(60000));
    QCOMPARE(process.exitCode(), 130);
    told += process.readAllStandardError();
    QVERIFY2(told.contains("Ending within two seconds") && !told.contains("again to end now"), told);
    QVERIFY2(told.contains("Cancelled during setup of the run"), told);
  }
};

BINADE_SUITE(TestInterrupts);
#include "tst_interrupts.moc"
