// SPDX-License-Identifier: Apache-2.0
#include "tests/profiler/loading_place.h"
#include "tests/support/suite.h"

#include <QProcess>
#include <QProcessEnvironment>

using namespace Qt::StringLiterals;

namespace binade::test {

/// Libraries as they are opened: a process of its own for each, since none is ever closed. Stand-ins lie in folders, as
/// a driver and a CUPTI would.
class Loading : public Suite {
  Q_OBJECT

 private Q_SLOTS:
  void whatDoesNotLoadHasAStateAndANextStep_data();
  void whatDoesNotLoadHasAStateAndANextStep();
  void aBuildWithoutCuptiSaysSoAndHasNvml();
};

namespace {

enum Part { kDriver, kCupti, kNvml };

struct Row {
  const char* what;
  QStringList folders;  ///< of stand-ins that the loader finds
  QString cupti;        ///< the folder that BINADE_CUPTI names
  QStringList set;      ///< further variables
  Part part;
  const char* code;
  const char* words;
};

const QList<Row>& rows() {
  static const QList<Row> all{
      {"a stub driver",
       {u"driver"_s},
       u"whole"_s,
       {u"FAKE_CUINIT=34"_s},
       kDriver,
       "driver-init",
       "CUDA Toolkit's stub"},
      {"a stub driver, for CUPTI", {u"driver"_s}, u"whole"_s, {u"FAKE_CUINIT=34"_s}, kCupti, "driver-init", "stub"},
      {"driver and module differ", {u"driver"_s}, u"whole"_s, {u"FAKE_CUINIT=803"_s}, kDriver, "driver-init", "803"},
      {"no device", {u"driver"_s}, u"whole"_s, {u"FAKE_CUINIT=100"_s}, kDriver, "no-device", "sees no GPU"},
      {"hidden devices", {u"driver"_s}, u"whole"_s, {u"FAKE_DEVICES=0"_s}, kCupti, "no-device", "sees no GPU"},
      {"a driver that lacks functions", {u"empty_driver"_s}, u"whole"_s, {}, kDriver, "no-driver", "No NVIDIA driver"},
      {"CUPTI 12", {u"driver"_s}, u"major12"_s, {}, kCupti, "cupti-version", "needs CUPTI 13, and found CUPTI 12 in"},
      {"CUPTI that lacks functions", {u"driver"_s}, u"partial"_s, {}, kCupti, "no-cupti", "lacks cuptiGetResultString"},
      {"CUPTI without its host part",
       {u"driver"_s},
       u"alone"_s,
       {},
       kCupti,
       "no-cupti",
       "libnvperf_host.so is not beside"},
      {"no CUPTI where it was named", {u"driver"_s}, u"nowhere"_s, {}, kCupti, "no-cupti", "BINADE_CUPTI: "},
      {"CUPTI older than the driver",
       {u"driver"_s},
       u"whole"_s,
       {u"FAKE_CUPTI=15"_s},
       kCupti,
       "cupti-init",
       "do not match"},
      {"CUPTI whose calls all fail", {u"driver"_s}, u"whole"_s, {}, kCupti, "cupti-init", "CUptiResult 999"},
      {"NVML that does not start", {u"driver"_s, u"nvml"_s}, u"whole"_s, {u"FAKE_NVML=9"_s}, kNvml, "nvml-init", "9"},
      {"NVML before Hopper", {u"driver"_s, u"nvml"_s}, u"whole"_s, {u"FAKE_GPM=0"_s}, kNvml, "no-gpm", "Hopper"},
      {"NVML that lacks functions", {u"driver"_s, u"empty_nvml"_s}, u"whole"_s, {}, kNvml, "no-nvml", "was not found"},
      {"a driver", {u"driver"_s}, u"whole"_s, {}, kDriver, "available", "NVIDIA Pretend H100, driver for CUDA 13.0."},
      {"NVML", {u"driver"_s, u"nvml"_s}, u"whole"_s, {}, kNvml, "available", "by NVML"},
  };
  return all;
}

/// What a program says of driver, CUPTI and NVML, with the stand-ins in these folders: code, sentence, next step.
QList<QStringList> readiness(const QString& program, const QStringList& folders, const QString& cupti,
                             const QStringList& set) {
  const QString root = QStringLiteral(BINADE_LOADING);
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  QStringList paths;
  for (const QString& folder : folders) paths << root + u'/' + folder;
  environment.insert(u"LD_LIBRARY_PATH"_s, paths.join(u':'));
  environment.insert(u"BINADE_CUPTI"_s, root + u'/' + cupti + u"/libcupti.so.13"_s);
  for (const QString& each : set) environment.insert(each.section(u'=', 0, 0), each.section(u'=', 1));
  QProcess process;
  process.setProcessEnvironment(environment);
  process.start(root + u'/' + program, QStringList());
  if (!process.waitForFinished(60000) || process.exitStatus() != QProcess::NormalExit || process.exitCode() != 0) {
    qWarning("%s", process.readAllStandardError().constData());
    return {};
  }
  QList<QStringList> lines;
  for (const QString& line : QString::fromUtf8(process.readAllStandardOutput()).split(u'\n', Qt::SkipEmptyParts)) {
    lines << line.split(u'\t');
  }
  return lines;
}

}  // namespace

void Loading::whatDoesNotLoadHasAStateAndANextStep_data() {
  QTest::addColumn<int>("row");
  for (int i = 0; i < rows().size(); ++i) QTest::newRow(rows()[i].what) << i;
}

void Loading::whatDoesNotLoadHasAStateAndANextStep() {
  QFETCH(int, row);
  const Row& expected = rows()[row];
  const QList<QStringList> lines = readiness(u"readiness"_s, expected.folders, expected.cupti, expected.set);
  QCOMPARE(lines.size(), 3);
  const QStringList& told = lines[expected.part];
  QCOMPARE(told.size(), 3);
  QCOMPARE(told[0], QLatin1String(expected.code));
  QVERIFY2(told[1].contains(QLatin1String(expected.words)), qPrintable(told[1]));
  QVERIFY(told[1].endsWith(u'.'));
  QVERIFY(told[0] == u"available"_s || !told[2].isEmpty());
}

void Loading::aBuildWithoutCuptiSaysSoAndHasNvml() {
  const QString program = u"readiness_without_cupti"_s;
  const QList<QStringList> lines = readiness(program, {u"driver"_s, u"nvml"_s}, u"whole"_s, {});
  QCOMPARE(lines.size(), 3);
  QCOMPARE(lines[kDriver][0], u"available"_s);
  QCOMPARE(lines[kCupti][0], u"built-without-cupti"_s);
  QCOMPARE(lines[kCupti][1], u"This Binade was built without CUPTI."_s);
  QVERIFY(lines[kCupti][2].contains(u"./dev setup"_s));
  QCOMPARE(lines[kNvml][0], u"available"_s);
  // Without a driver it is the build still that is named: a driver alone would not help.
  const QList<QStringList> alone = readiness(program, {u"empty_driver"_s}, u"whole"_s, {});
  QCOMPARE(alone.value(kDriver).value(0), u"no-driver"_s);
  QCOMPARE(alone.value(kCupti).value(0), u"built-without-cupti"_s);
}

BINADE_SUITE(Loading);

}  // namespace binade::test

#include "tst_loading.moc"
