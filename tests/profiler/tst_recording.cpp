// SPDX-License-Identifier: Apache-2.0
#include "profiler/attribution.h"
#include "profiler/device_curve.h"
#include "tests/profiler/recording.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"

#include <QDir>

#include <cmath>
#include <fstream>
#include <sstream>

using namespace binade::profiler;

namespace binade::test {

/// What was measured once can be shown again.
class Recordings : public Suite {
  Q_OBJECT

 private Q_SLOTS:
  void whatIsWrittenIsReadAgain();
  void aDamagedFileNamesItsLine_data();
  void aDamagedFileNamesItsLine();
  void aRecordingPlaysAndSaysThatItIsOne();
  void whatHardwareGaveGivesFiguresAgain();
};

namespace {

Recording small() {
  Recording recording;
  recording.chip = "GH100";
  recording.metric = "tensor";
  recording.note = "made by hand";
  recording.names = {"nvjet_hsh_256x128", "void reduce<float, 4>"};
  for (std::uint64_t i = 0; i < 4; ++i) {
    Sample& sample = recording.samples.emplace_back();
    sample.start = 1'000'000 + i * 50'000;
    sample.end = sample.start + 50'000;
    sample.values[Channel::kTensor] = 12.5F * static_cast<float>(i);
    sample.values[Channel::kClock] = 1.755e9F;
  }
  recording.kernels = {
      {.start = 1'000'000, .end = 1'100'000, .op = op_key(3, Phase::kBackward), .name = 1, .stream = 7}};
  return recording;
}

}  // namespace

void Recordings::whatIsWrittenIsReadAgain() {
  std::stringstream file;
  write(file, small());
  std::string problem;
  const auto read_back = read(file, problem);
  QVERIFY2(read_back.has_value(), problem.c_str());
  QCOMPARE(read_back->chip, std::string("GH100"));
  QCOMPARE(read_back->names, small().names);
  QCOMPARE(read_back->samples.size(), std::size_t{4});
  QCOMPARE(read_back->samples[3].values[Channel::kTensor], 37.5F);
  QVERIFY(std::isnan(read_back->samples[3].values[Channel::kDmma]));
  QCOMPARE(site_of(read_back->kernels[0].op), 3);
  QVERIFY(phase_of(read_back->kernels[0].op) == Phase::kBackward);
}

void Recordings::aDamagedFileNamesItsLine_data() {
  QTest::addColumn<QByteArray>("text");
  QTest::addColumn<QByteArray>("line");
  QTest::newRow("empty") << QByteArray() << QByteArray("line 1");
  QTest::newRow("another version") << QByteArray("binade-recording 2\n") << QByteArray("line 1");
  QTest::newRow("a sample too short") << QByteArray("binade-recording 1\ns 1 2 3\n") << QByteArray("line 2");
  QTest::newRow("ends before it begins") << QByteArray("binade-recording 1\ns 2 1 - - - - - -\n")
                                         << QByteArray("line 2");
  QTest::newRow("no number") << QByteArray("binade-recording 1\ns 1 2 x - - - - -\n") << QByteArray("line 2");
  QTest::newRow("infinite") << QByteArray("binade-recording 1\ns 1 2 inf - - - - -\n") << QByteArray("line 2");
  QTest::newRow("a name out of order") << QByteArray("binade-recording 1\nchip A\nname 1 x\n") << QByteArray("line 3");
  QTest::newRow("a kernel without its name") << QByteArray("binade-recording 1\nk 1 2 5 0 7\n") << QByteArray("line 2");
}

void Recordings::aDamagedFileNamesItsLine() {
  QFETCH(QByteArray, text);
  QFETCH(QByteArray, line);
  std::istringstream file(text.toStdString());
  std::string problem;
  QVERIFY(!read(file, problem).has_value());
  QVERIFY2(problem.find(line.toStdString()) == 0, problem.c_str());
}

void Recordings::aRecordingPlaysAndSaysThatItIsOne() {
  DeviceCurve curve(make_recorded_samples(small()), {});
  QVERIFY(curve.state().source == Source::kRecorded);
  QTRY_VERIFY(!curve.status().ok());  // over after 0.2 ms
  QVERIFY(curve.status().sentence.find("recording is over") != std::string::npos);
  curve.stop();
  double covered = 0;
  for (const Bin& bin : curve.take_bins()) covered += bin.covered * static_cast<double>(bin.width);
  QCOMPARE(qRound64(covered), qint64{200'000});
}

void Recordings::whatHardwareGaveGivesFiguresAgain() {
  const QDir folder(QStringLiteral(BINADE_TEST_DATA "/recordings"));
  const QStringList files = folder.entryList({QStringLiteral("*.recording")});
  QVERIFY(!files.isEmpty());
  for (const QString& file : files) {
    std::ifstream in(folder.filePath(file).toStdString());
    std::string problem;
    const auto recording = read(in, problem);
    QVERIFY2(recording.has_value(), problem.c_str());
    // bench_gpu recorded products in bfloat16 as op call 0 and in float32 as op call 1.
    double percent[2] = {-1, -1};
    for (const OpShare& share : attribute(recording->kernels, recording->samples).ops) {
      if (share.op != kOutsideOps && site_of(share.op) < 2) percent[site_of(share.op)] = share.percent;
    }
    QVERIFY2(percent[0] > 85, qPrintable(QString::number(percent[0])));  // ncu: 90
    QVERIFY2(percent[1] >= 0 && percent[1] < 1, qPrintable(file));
  }
}

BINADE_SUITE(Recordings);

}  // namespace binade::test

#include "tst_recording.moc"
