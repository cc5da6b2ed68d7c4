// SPDX-License-Identifier: Apache-2.0
#include "engine/host/process/probe.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>

using namespace binade;

namespace {

QJsonObject json(const host::Probe& probe) {
  return QJsonDocument::fromJson(QByteArray::fromStdString(host::to_json(probe))).object();
}

}  // namespace

class TestProbe : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void theCommandTellsWhatWorksHereAndThatTheListsAreLibTorchs() {
    QProcess process;
    process.start(QStringLiteral(BINADE_BIN_DIR "/binade-engine"),
                  {QStringLiteral("probe"), QStringLiteral("--json"), QStringLiteral("--inner-calls")});
    QVERIFY(process.waitForFinished(60000));
    QCOMPARE(process.exitCode(), 0);
    const QJsonObject told = QJsonDocument::fromJson(process.readAllStandardOutput()).object();
    QCOMPARE(told[QStringLiteral("event")].toString(), QStringLiteral("probe"));
    QVERIFY(told[QStringLiteral("libtorch")].toString().startsWith(QStringLiteral("2.11")));
    QCOMPARE(told[QStringLiteral("drift")].toBool(true), false);
    const QJsonArray lists = told[QStringLiteral("lists")].toArray();
    QCOMPARE(lists.size(), 2);
    QCOMPARE(lists[0].toObject()[QStringLiteral("rows")].toInt(), 126);
    QCOMPARE(lists[1].toObject()[QStringLiteral("rows")].toInt(), 129);
    const QJsonObject inside = told[QStringLiteral("inner_calls")].toObject();
    QVERIFY(inside[QStringLiteral("ops")].toInt() > 1200);
    QVERIFY(inside[QStringLiteral("calling")].toInt() > 80);
    QCOMPARE(inside[QStringLiteral("differences")].toArray(), QJsonArray());
    QVERIFY(inside[QStringLiteral("refused")].toArray().size() < 20);  // what this processor has no kernel for
    const QJsonArray devices = told[QStringLiteral("devices")].toArray();
    QCOMPARE(devices[0].toObject()[QStringLiteral("usable")].toBool(), true);
    const QJsonObject cuda = devices[1].toObject();
    // A device that is not usable says why.
    QVERIFY(cuda[QStringLiteral("usable")].toBool() || !cuda[QStringLiteral("reason")].toString().isEmpty());
  }

  void tensorCoreUseHasAStateAndASentence() {
    QProcess process;
    process.start(QStringLiteral(BINADE_BIN_DIR "/binade-engine"), {QStringLiteral("probe"), QStringLiteral("--json")});
    QVERIFY(process.waitForFinished(60000));
    QCOMPARE(process.exitCode(), 0);
    const QByteArray line = process.readAllStandardOutput();
    QCOMPARE(line.count('\n'), 1);
    const QJsonObject told = QJsonDocument::fromJson(line).object();
    QVERIFY(told[QStringLiteral("inner_calls")].isNull());  // only --inner-calls asks
    for (const char* part : {"cuda", "cupti", "nvml", "autocast"}) {
      const QJsonObject state = told[QLatin1String(part)].toObject();
      QVERIFY2(!state[QStringLiteral("state")].toString().isEmpty(), part);
      QVERIFY2(state[QStringLiteral("sentence")].toString().endsWith(u'.'), part);
    }
    const bool driver = told[QStringLiteral("cuda")].toObject()[QStringLiteral("state")] == QStringLiteral("available");
    if (!driver)
      QVERIFY(told[QStringLiteral("cupti")].toObject()[QStringLiteral("state")] != QStringLiteral("available"));
    // A build without CUPTI would pass every test that it no longer has.
    QVERIFY(told[QStringLiteral("cupti")].toObject()[QStringLiteral("state")] != QStringLiteral("built-without-cupti"));
  }

  void aReasonIsSaidOnceAndWhatIsThereByName() {
    host::Probe probe = host::probe("no driver in this test");
    profiler::Readiness& ready = probe.tensor_cores;
    ready = {};
    ready.cuda = ready.cupti = profiler::status(profiler::Code::kNoDriver);
    ready.nvml = profiler::status(profiler::Code::kNoNvml);
    QString text = QString::fromStdString(host::to_text(probe));
    QCOMPARE(text.count(QStringLiteral("no-driver. No NVIDIA driver on this computer.")), 2);
    QCOMPARE(text.count(QStringLiteral("Install NVIDIA's driver")), 1);
    QVERIFY(!text.contains(QStringLiteral("quoted peak")));

    ready.cuda = ready.cupti = ready.nvml = profiler::status(profiler::Code::kAvailable);
    ready.chip = "GH100";
    ready.metric = "sm__pipe_tensor_cycles_active_realtime.avg.pct_of_peak_sustained_elapsed";
    ready.library = "lib/libcupti.so.13";
    text = QString::fromStdString(host::to_text(probe));
    QVERIFY(text.contains(QString::fromStdString(ready.metric + ", by lib/libcupti.so.13")));
    QVERIFY2(text.contains(QStringLiteral("989.4 TFLOP/s in float16 on tensor cores, 66.9 in float32")),
             qPrintable(text));
    const QJsonObject told = json(probe)[QStringLiteral("cupti")].toObject();
    QCOMPARE(told[QStringLiteral("quoted_peak")].toObject()[QStringLiteral("float16_tflops")].toDouble(), 989.4);
    ready.chip = "XY100";  // of which nothing is quoted here
    QVERIFY(!json(probe)[QStringLiteral("cupti")].toObject().contains(QStringLiteral("quoted_peak")));
  }

  void aRowThatLibTorchDoesNotCastIsDrift() {
    host::Probe probe = host::probe("no driver in this test");
    QVERIFY(!probe.drifts());
    QCOMPARE(json(probe)[QStringLiteral("devices")].toArray()[1].toObject()[QStringLiteral("reason")].toString(),
             QStringLiteral("no driver in this test"));
    probe.lists[1].not_registered.push_back("aten::planted");
    QVERIFY(probe.drifts());
    QCOMPARE(json(probe)[QStringLiteral("drift")].toBool(), true);
    const QString text = QString::fromStdString(host::to_text(probe));
    QVERIFY(text.contains(QStringLiteral("MISMATCH")));
    QVERIFY(text.contains(QStringLiteral("cast by our list only: aten::planted")));
  }

  void anOpThatCallsOthersThanTheTableSaysIsDrift() {
    host::Probe probe = host::probe("no driver in this test");
    QVERIFY(json(probe)[QStringLiteral("inner_calls")].isNull());  // not asked
    probe.inner_calls = autocast::InnerCallAudit{.ops = 7, .calling = 1, .differences = {}, .refused = {}};
    QVERIFY(!probe.drifts());
    QVERIFY(QString::fromStdString(host::to_text(probe)).contains(QStringLiteral("the same: 7 ops called, 1 of them")));
    probe.inner_calls->differences.push_back({"aten::planted", "bmm", ""});
    QVERIFY(probe.drifts());
    const QString text = QString::fromStdString(host::to_text(probe));
    QVERIFY2(text.contains(QStringLiteral("aten::planted calls no listed op; the table says bmm")), qPrintable(text));
    const QJsonArray differences =
        json(probe)[QStringLiteral("inner_calls")].toObject()[QStringLiteral("differences")].toArray();
    QCOMPARE(differences[0].toObject()[QStringLiteral("op")].toString(), QStringLiteral("aten::planted"));
    QCOMPARE(differences[0].toObject()[QStringLiteral("table")].toString(), QStringLiteral("bmm"));
    QCOMPARE(differences[0].toObject()[QStringLiteral("library")].toString(), QString());

    probe.inner_calls.reset();
    probe.inner_calls_failed = "Asking LibTorch ended the process with Aborted.";
    QVERIFY(!probe.drifts());  // what was not asked is not known
    QCOMPARE(json(probe)[QStringLiteral("drift")].toBool(true), false);
    QCOMPARE(json(probe)[QStringLiteral("inner_calls")].toObject()[QStringLiteral("failed")].toString(),
             QString::fromStdString(probe.inner_calls_failed));
    QVERIFY(QString::fromStdString(host::to_text(probe))
                .contains(QStringLiteral("not known. Asking LibTorch ended the process with Aborted.")));
  }
};

BINADE_SUITE(TestProbe);
#include "tst_probe.moc"
