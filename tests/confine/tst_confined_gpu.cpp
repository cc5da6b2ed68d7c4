// SPDX-License-Identifier: Apache-2.0
// A confined process uses NVIDIA's driver: the driver's start needs what models may not have.
#include "engine/confine/confined_process.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"

#include <QFile>
#include <QProcess>

namespace binade {

class ConfinedOnGpu : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase();
  void aTrainingRunsAsWithoutConfinement();
  void itsTensorCoresAreMeasured();

 private:
  /// Whether a command ends with exit code 0. What it printed is in `text_`.
  bool run(const QStringList& arguments);

  QString folder_ = test::temporaryFolder();
  QByteArray text_;
};

bool ConfinedOnGpu::run(const QStringList& arguments) {
  QProcess process;
  process.setWorkingDirectory(folder_);
  process.setProcessChannelMode(QProcess::MergedChannels);
  process.start(QStringLiteral(BINADE_BIN_DIR "/binade-engine"), arguments);
  if (!process.waitForFinished(100'000)) process.kill();
  text_ = process.readAll();
  return process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0;
}

void ConfinedOnGpu::initTestCase() {
  if (!QFile::exists(QStringLiteral("/dev/nvidiactl"))) QSKIP("this machine has no device of NVIDIA's driver");
  if (const std::string why = confine::why_unavailable(); !why.empty()) QSKIP(why.c_str());
  QFile file(folder_ + QStringLiteral("/net.run.json"));
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write(R"({"binade_run": 1, "name": "net", "model": "sample:mlp", "device": "cuda", "steps": 8})");
}

void ConfinedOnGpu::aTrainingRunsAsWithoutConfinement() {
  const QStringList train{QStringLiteral("train"), QStringLiteral("net.run.json"), QStringLiteral("--run-file"),
                          QStringLiteral("none")};
  QVERIFY2(run(train), text_.constData());
  const auto losses = [this] {
    QByteArrayList lines;
    for (const QByteArray& line : text_.split('\n')) {
      if (line.startsWith("step ")) lines.append(line);
    }
    return lines;
  };
  const QByteArrayList free = losses();
  QVERIFY(!free.isEmpty());
  QVERIFY2(run(train + QStringList{QStringLiteral("--confined")}), text_.constData());
  QCOMPARE(losses(), free);
}

void ConfinedOnGpu::itsTensorCoresAreMeasured() {
  const QStringList train{QStringLiteral("train"),    QStringLiteral("net.run.json"), QStringLiteral("--profile"),
                          QStringLiteral("counters"), QStringLiteral("--run-file"),   QStringLiteral("none")};
  QVERIFY2(run(train), text_.constData());
  const bool measured = !text_.contains("Tensor cores were not measured");
  QVERIFY2(run(train + QStringList{QStringLiteral("--confined")}), text_.constData());
  QVERIFY2(!text_.contains("Tensor cores were not measured") == measured, text_.constData());
}

BINADE_SUITE(ConfinedOnGpu);

}  // namespace binade

#include "tst_confined_gpu.moc"
