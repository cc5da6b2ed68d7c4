// SPDX-License-Identifier: Apache-2.0
#include "tests/support/places.h"
#include "tests/support/suite.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QProcessEnvironment>

using namespace Qt::StringLiterals;

namespace binade::test {

/// Tests gpu.py with stand-ins for bench_gpu and ncu: its comparisons, failures, and reports of what cannot be
/// measured.
class GpuScript : public Suite {
  Q_OBJECT

 private Q_SLOTS:
  void withoutAGpuEveryMeasurementHasAStateAndTheCodeIs77();
  void liveFiguresAreHeldAgainstNcus_data();
  void liveFiguresAreHeldAgainstNcus();
  void opCallsAreHeldAgainstNcusKernelsOfTheSameStep();
  void anotherStepThanTheRecordedOneIsNotCompared();
  void withoutNcuTheLiveFiguresStandAlone();
  void theRunnerTellsNotMeasuredFromFailed();
  void whatCrashesOrHangsCostsTheOthersNothing_data();
  void whatCrashesOrHangsCostsTheOthersNothing();
  void whereTheLookCrashesWhatNeedsNoCountersIsMade();
  void nothingIsBegunWhenTimeIsUp();
};

namespace {

struct Outcome {
  int code = -1;
  QList<QJsonObject> lines;

  QJsonObject of(const QString& bench, const QString& what = {}) const {
    for (const QJsonObject& line : lines) {
      if (line[u"bench"_s] == bench && (what.isEmpty() || line[u"case"_s] == what)) return line;
    }
    return {};
  }
};

void program(const QString& file, const QString& text) {
  QFile out(file);
  QVERIFY(out.open(QIODevice::WriteOnly));
  out.write(u"#!/bin/sh\n"_s.append(text).toUtf8());
  out.close();
  QVERIFY(out.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
}

/// A machine made of scripts.
struct Place {
  QString root = temporaryFolder();
  QString bin = root + u"/bin"_s;
  QString tools = root + u"/tools"_s;
  QList<std::pair<QString, QString>> set;  ///< environment variables

  Place() {
    QDir().mkpath(bin);
    QDir().mkpath(tools);
  }

  /// Writes a bench_gpu that prints the lines of the requested measurement, the states, or the result of `watch`.
  /// `ends`: commands that end a measurement.
  void bench_gpu(const QStringList& lines, const QString& ends) const {
    QFile out(bin + u"/lines"_s);
    QVERIFY(out.open(QIODevice::WriteOnly));
    out.write(lines.join(u'\n').append(u'\n').toUtf8());
    out.close();
    program(bin + u"/bench_gpu"_s,
            u"case $1 in work) exit 0;; watch) echo '{\"counters\": \"available\", \"samples\": 9}'; exit 0;; esac\n"
            "lines=$(dirname \"$0\")/lines\n"
            "if [ \"$3\" = states ]; then grep -e gpu.probe -e '\"state\"' \"$lines\"; exit 0; fi\n"
            "grep \"gpu[.]$3\\\"\" \"$lines\"\n%1\n"_s.arg(ends));
  }
  void bench_gpu(const QStringList& lines, int code) const { bench_gpu(lines, u"exit %1"_s.arg(code)); }

  /// Writes an ncu that always prints these CSV rows.
  void ncu(const QString& rows) const {
    program(
        tools + u"/ncu"_s,
        u"cat <<'END'\nsome words\n\"ID\",\"Kernel Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n%1\nEND\n"_s
            .arg(rows));
  }

  Outcome run(const QStringList& command) const {
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(u"NCU"_s, tools + u"/ncu"_s);  // never the machine's own ncu
    for (const auto& [name, value] : set) environment.insert(name, value);
    process.setProcessEnvironment(environment);
    process.start(u"python3"_s, command);
    Outcome outcome;
    if (!process.waitForFinished(30000)) return outcome;
    outcome.code = process.exitCode();
    for (const QByteArray& line : process.readAllStandardOutput().split('\n')) {
      if (!line.isEmpty()) outcome.lines << QJsonDocument::fromJson(line).object();
    }
    return outcome;
  }
  Outcome measure() const { return run({QStringLiteral(BINADE_SOURCE_DIR "/tests/bench/gpu.py"), bin}); }
};

QString row(int id, const char* kernel, const char* percent, const char* nanoseconds) {
  return u"\"%1\",\"%2\",\"sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed\",\"%\",\"%3\"\n"
         "\"%1\",\"%2\",\"gpu__time_duration.sum\",\"ns\",\"%4\"\n"_s.arg(id)
             .arg(QLatin1String(kernel), QLatin1String(percent), QLatin1String(nanoseconds));
}

const QString kProbe = u"{\"bench\": \"gpu.probe\", \"case\": \"Pretend\", \"makes\": [\"agree\", \"sites\"]}"_s;
const QString kLive = u"{\"bench\": \"gpu.agree\", \"case\": \"bfloat16-4096\", \"live_percent\": 71.5}"_s;
const QString kSite = u"{\"bench\": \"gpu.sites\", \"case\": \"resnet conv forward\", \"live_percent\": 60}"_s;

}  // namespace

void GpuScript::withoutAGpuEveryMeasurementHasAStateAndTheCodeIs77() {
  const Place place;
  place.bench_gpu(
      {u"{\"bench\": \"gpu.probe\", \"case\": \"no device\", \"cuda\": \"no-driver\", \"state\": \"no-driver\", "
       "\"reason\": \"No NVIDIA driver on this computer.\", \"makes\": []}"_s,
       u"{\"bench\": \"gpu.agree\", \"case\": \"x\", \"state\": \"no-driver\", \"reason\": \"None.\"}"_s},
      77);
  const Outcome outcome = place.measure();
  QCOMPARE(outcome.code, 77);
  const QJsonObject beside = outcome.of(u"gpu.beside"_s);
  QCOMPARE(beside[u"state"_s].toString(), u"no-driver"_s);
  QCOMPARE(beside[u"reason"_s].toString(), u"No NVIDIA driver on this computer."_s);
  for (const QJsonObject& line : outcome.lines) QVERIFY(!line.contains(u"value"_s));
}

void GpuScript::liveFiguresAreHeldAgainstNcus_data() {
  QTest::addColumn<QByteArray>("theirs");
  QTest::addColumn<bool>("agrees");
  QTest::newRow("one point apart") << QByteArray("72.5") << true;
  QTest::newRow("nine points apart") << QByteArray("80.5") << false;
}

void GpuScript::liveFiguresAreHeldAgainstNcus() {
  QFETCH(QByteArray, theirs);
  QFETCH(bool, agrees);
  const Place place;
  place.bench_gpu({kProbe, kLive}, 0);
  place.ncu(row(0, "nvjet", theirs.constData(), "200,000"));
  const Outcome outcome = place.measure();
  const QJsonObject line = outcome.of(u"gpu.agree_ncu"_s);
  QCOMPARE(line[u"live"_s].toDouble(), 71.5);
  QCOMPARE(line[u"ncu"_s].toDouble(), theirs.toDouble());
  QCOMPARE(line[u"pass"_s].toBool(), agrees);
  QCOMPARE(outcome.code == 1, !agrees);
}

void GpuScript::opCallsAreHeldAgainstNcusKernelsOfTheSameStep() {
  const Place place;
  place.bench_gpu({kProbe, kSite}, 0);
  QDir().mkpath(place.root + u"/recordings"_s);
  QFile order(place.root + u"/recordings/step-resnet.json"_s);
  QVERIFY(order.open(QIODevice::WriteOnly));
  order.write(R"json([{"call": "conv forward", "op": 12, "kernel": "void cudnn::convert<float>(int)"},
                  {"call": "conv forward", "op": 12, "kernel": "sm90_xmma_fprop"},
                  {"call": "outside", "op": 0, "kernel": "adam(float*)"}])json");
  order.close();
  // The convolution runs for three quarters of the time at 64 %, the conversion for the rest at 0: 48 % in all.
  place.ncu(row(0, "convert", "0", "20,000") + row(1, "sm90_xmma_fprop", "64", "60,000") +
            row(2, "adam", "0", "9,000"));
  const Outcome outcome = place.measure();
  const QJsonObject line = outcome.of(u"gpu.sites_ncu"_s);
  QCOMPARE(line[u"case"_s].toString(), u"resnet conv forward"_s);
  QCOMPARE(line[u"ncu"_s].toDouble(), 48.0);
  QCOMPARE(line[u"value"_s].toDouble(), 12.0);
  QCOMPARE(line[u"pass"_s].toBool(true), false);
  QCOMPARE(outcome.code, 1);
}

void GpuScript::anotherStepThanTheRecordedOneIsNotCompared() {
  const Place place;
  place.bench_gpu({kProbe, kSite}, 0);
  QDir().mkpath(place.root + u"/recordings"_s);
  QFile order(place.root + u"/recordings/step-resnet.json"_s);
  QVERIFY(order.open(QIODevice::WriteOnly));
  order.write(R"json([{"call": "conv forward", "op": 12, "kernel": "sm90_xmma_fprop"}])json");
  order.close();
  place.ncu(row(0, "sm90_xmma_dgrad", "64", "60,000"));
  const Outcome outcome = place.measure();
  const QJsonObject line = outcome.of(u"gpu.sites_ncu"_s);
  QCOMPARE(line[u"state"_s].toString(), u"another-step"_s);
  QVERIFY(!line.contains(u"value"_s));
  QCOMPARE(outcome.code, 1);
}

void GpuScript::withoutNcuTheLiveFiguresStandAlone() {
  const Place place;
  place.bench_gpu({kProbe, kLive}, 0);
  const Outcome outcome = place.measure();
  QCOMPARE(outcome.of(u"gpu.agree_ncu"_s)[u"state"_s].toString(), u"no-ncu"_s);
  QCOMPARE(outcome.of(u"gpu.agree"_s)[u"live_percent"_s].toDouble(), 71.5);
  QCOMPARE(outcome.of(u"gpu.beside"_s, u"sampling while another process works"_s)[u"samples"_s].toInt(), 9);
  QCOMPARE(outcome.code, 77);
}

void GpuScript::theRunnerTellsNotMeasuredFromFailed() {
  const Place place;
  place.bench_gpu(
      {u"{\"bench\": \"gpu.probe\", \"case\": \"none\", \"state\": \"no-driver\", \"reason\": \"None.\", \"makes\": []}"_s},
      77);
  const QStringList runner{QStringLiteral(BINADE_SOURCE_DIR "/tests/bench/run.py"), u"--bin"_s, place.bin};
  const Outcome none = place.run(QStringList(runner) << u"gpu"_s);
  QCOMPARE(none.code, 77);
  QVERIFY(none.of(u"gpu"_s).isEmpty());  // exit code 77 must not count as a failure
  place.bench_gpu({kProbe, kLive}, 1);
  const Outcome broken = place.run(QStringList(runner) << u"gpu"_s);
  QCOMPARE(broken.code, 1);
  QCOMPARE(broken.of(u"gpu.agree"_s, u"agree"_s)[u"pass"_s].toBool(true), false);
}

void GpuScript::whatCrashesOrHangsCostsTheOthersNothing_data() {
  QTest::addColumn<QString>("ends");
  QTest::addColumn<QString>("reason");
  QTest::newRow("crash") << u"if [ $3 = agree ]; then kill -SEGV $$; fi"_s << u"It ended by SIGSEGV."_s;
  QTest::newRow("hang") << u"if [ $3 = agree ]; then exec sleep 60; fi"_s
                        << u"It took more than 1 seconds and was ended."_s;
}

void GpuScript::whatCrashesOrHangsCostsTheOthersNothing() {
  QFETCH(QString, ends);
  QFETCH(QString, reason);
  Place place;
  place.bench_gpu({kProbe, kLive, kSite}, ends);
  place.set = {{u"BINADE_GPU_LIMIT"_s, u"1"_s}};
  const Outcome outcome = place.measure();
  QCOMPARE(outcome.of(u"gpu.agree"_s, u"agree"_s)[u"reason"_s].toString(), reason);
  QCOMPARE(outcome.of(u"gpu.agree"_s)[u"live_percent"_s].toDouble(), 71.5);  // lines printed before the end are kept
  QCOMPARE(outcome.of(u"gpu.sites"_s)[u"live_percent"_s].toDouble(), 60.0);
  QCOMPARE(outcome.code, 1);
  QFile kept(place.root + u"/recordings/gpu.jsonl"_s);
  QVERIFY(kept.open(QIODevice::ReadOnly));
  QCOMPARE(kept.readAll().count('\n'), outcome.lines.size());
}

void GpuScript::whereTheLookCrashesWhatNeedsNoCountersIsMade() {
  const Place place;
  program(place.bin + u"/bench_gpu"_s,
          u"case $3 in states) kill -SEGV $$;; esac\necho \"{\\\"bench\\\": \\\"gpu.$3\\\", \\\"value\\\": 1}\""_s);
  const Outcome outcome = place.measure();
  QCOMPARE(outcome.of(u"gpu.probe"_s)[u"reason"_s].toString(), u"It ended by SIGSEGV."_s);
  for (const QString& each : {u"gpu.libtorch"_s, u"gpu.autocast"_s, u"gpu.observe"_s}) {
    QCOMPARE(outcome.of(each)[u"value"_s].toInt(), 1);
  }
  QVERIFY(outcome.of(u"gpu.agree"_s).isEmpty());
}

void GpuScript::nothingIsBegunWhenTimeIsUp() {
  Place place;
  place.bench_gpu({kProbe, kLive}, 0);
  place.set = {{u"BINADE_GPU_SECONDS"_s, u"0"_s}};
  const Outcome outcome = place.measure();
  QCOMPARE(outcome.of(u"gpu.agree"_s)[u"state"_s].toString(), u"no-time"_s);
  QCOMPARE(outcome.code, 77);
}

BINADE_SUITE(GpuScript);

}  // namespace binade::test

#include "tst_gpu_script.moc"
