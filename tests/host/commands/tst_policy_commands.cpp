// SPDX-License-Identifier: Apache-2.0
#include "engine/train/device.h"
#include "tests/host/run_engine.h"
#include "tests/support/suite.h"

#include <QHash>
#include <QJsonArray>
#include <QRegularExpression>

#include <algorithm>

using namespace binade;
using test::engine;
using test::EngineResult;
using test::modelFile;
using test::written;

// policy check, show and diff.
class TestPolicyCommands : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void wrongUsageSaysWhatIsMeant_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* name, const QStringList& arguments, const char* says) {
      QTest::newRow(name) << arguments << QString::fromUtf8(says);
    };
    const QString policy = QStringLiteral("policy");
    row("policy alone", {policy}, "  diff  ");
    const QString tuned = written(QStringLiteral("tuned.json"), R"({"binade_policy":1})");
    row("a model where a policy belongs", {policy, QStringLiteral("check"), modelFile("scripted.pt"), tuned},
        "scripted.pt is a model, but this argument takes a policy\n  Give the policy first: binade-engine policy check "
        "POLICY [MODEL]");
    row("a sample where a policy belongs", {policy, QStringLiteral("show"), QStringLiteral("sample:cnn"), tuned},
        "Give the policy first: binade-engine policy show POLICY [MODEL]");
    row("diff with a model second", {policy, QStringLiteral("diff"), tuned, modelFile("scripted.pt"), tuned},
        "Give the policy first: binade-engine policy diff BASE MINE THEIRS [MODEL]");
  }
  void wrongUsageSaysWhatIsMeant() {
    QFETCH(QStringList, arguments);
    QFETCH(QString, says);
    const EngineResult result = engine(arguments);
    QVERIFY2(result.err.contains(says), qPrintable(result.err));
    QCOMPARE(result.code, 2);
  }

  void aPolicyRuleThatMatchesNothingIsReported() {
    const QString policy = written(
        QStringLiteral("p.json"),
        R"({"binade_policy":1,"base":"cuda-amp","ops":{"aten::gelu":"float32"},"sites":[{"match":"layer9","format":"float32"}]})");
    const EngineResult result =
        engine({QStringLiteral("policy"), QStringLiteral("check"), policy, QStringLiteral("sample:cnn")});
    QCOMPARE(result.code, 0);
    QVERIFY2(result.out.contains(QLatin1String("layer9")) && result.out.contains(QLatin1String("aten::gelu")),
             qPrintable(result.out));
  }

  void showExplainsEveryOpCall() {
    const QString policy =
        written(QStringLiteral("explained.json"),
                R"({"binade_policy":1,"sites":[{"match":"conv1","format":"float32","why":"it overflowed"}]})");
    const QStringList show{QStringLiteral("policy"), QStringLiteral("show"), policy, QStringLiteral("sample:cnn")};
    const EngineResult plain = engine(show);
    const EngineResult explained = engine(show + QStringList{QStringLiteral("--explain")});
    QCOMPARE(explained.code, 0);
    QVERIFY(!plain.out.contains(QLatin1String("Overruled:")));
    QVERIFY2(explained.out.contains(QLatin1String("sets float32. Its reason: it overflowed.")),
             qPrintable(explained.out));
    QVERIFY(explained.out.contains(QLatin1String("Overruled: The base list cuda-amp runs aten::conv2d")));
    // Without a model there is no op call to explain.
    QCOMPARE(engine({QStringLiteral("policy"), QStringLiteral("show"), policy, QStringLiteral("--explain")}).code, 2);
  }

  void strictnessIsAboutWarnings() {
    const auto check = [](const char* rules, bool strict) {
      const QByteArray text = QByteArray(R"({"binade_policy":1,"base":"all-float32","sites":[)") + rules + "]}";
      QStringList arguments{QStringLiteral("policy"), QStringLiteral("check"), written(QStringLiteral("p.json"), text),
                            QStringLiteral("sample:cnn")};
      if (strict) arguments << QStringLiteral("--strict");
      return engine(arguments);
    };
    const char* const never = R"({"match":"fc1","call":7,"format":"float32"})";
    QCOMPARE(check(never, false).code, 0);
    const EngineResult strict = check(never, true);
    QCOMPARE(strict.code, 1);
    QVERIFY2(strict.out.contains(QLatin1String("call 7 never occurs at fc1/aten::linear#0")), qPrintable(strict.out));
    // The loss comes with a run: a rule for it is no mistake, and cannot be checked here.
    const EngineResult loss = check(R"({"match":"loss","format":"float32"})", true);
    QCOMPARE(loss.code, 0);
    QVERIFY2(loss.out.contains(QLatin1String("note: sites[0] (loss) refers to the loss")), qPrintable(loss.out));
  }

  void policyShowTellsWhatRunsInWhatAndWhoDecided() {
    const QString policy =
        written(QStringLiteral("p.json"), R"({"binade_policy":1,"name":"tuned","base":"cuda-amp","execution":"emulated",
      "ops":{"aten::relu":"float32"},
      "sites":[{"match":"fc1","format":"float8_e4m3fn","backward":"bfloat16","overflow":"infinity","why":"a trial"},
               {"match":"fc2","call":0,"format":"float32"}]})");
    const QStringList show{QStringLiteral("policy"), QStringLiteral("show"), policy};
    const EngineResult alone = engine(show);
    QCOMPARE(alone.code, 0);
    for (const char* said : {"tuned: behaviour fixed, base cuda-amp", "low float16", "aten::relu ", "-- a trial",
                             "fc2, call 0", "gradients bfloat16, overflowing to infinity"}) {
      QVERIFY2(alone.out.contains(QLatin1String(said)), said);
    }
    const EngineResult table = engine(QStringList(show) << QStringLiteral("sample:cnn"));
    QVERIFY(table.out.startsWith(alone.out));
    const auto row = [&table](const char* site) {
      for (const QString& line : table.out.split(QLatin1Char('\n'))) {
        if (line.startsWith(QLatin1String(site) + QLatin1Char(' '))) return line.simplified();
      }
      return QString();
    };
    QCOMPARE(row("conv1/aten::conv2d#0"), QStringLiteral("conv1/aten::conv2d#0 float16 (emulated) cuda-amp"));
    QCOMPARE(row("fc1/aten::linear#0"),
             QStringLiteral("fc1/aten::linear#0 float8_e4m3fn, gradients bfloat16, overflowing to infinity (emulated) "
                            "sites[0]"));
    QCOMPARE(row("  only call 0"), QStringLiteral("only call 0 float32 sites[1]"));
    QVERIFY2(table.out.contains(QLatin1String("ops[\"aten::relu\"]")), qPrintable(table.out));
    QVERIFY2(table.out.simplified().contains(QLatin1String("(emulated) computes in float32 and rounds")),
             qPrintable(table.out));
    const QList<QJsonObject> lines =
        engine(QStringList(show) << QStringLiteral("sample:cnn") << QStringLiteral("--json")).lines();
    QCOMPARE(lines[0].value(QLatin1String("event")).toString(), QStringLiteral("policy"));
    int calls = 0;
    for (const QJsonObject& line : lines) {
      if (line.value(QLatin1String("site")).toString() == QLatin1String("fc1/aten::linear#0")) {
        QCOMPARE(line.value(QLatin1String("backward")).toString(), QStringLiteral("bfloat16"));
        QCOMPARE(line.value(QLatin1String("why")).toString(), QStringLiteral("a trial"));
      }
      calls += static_cast<int>(line.value(QLatin1String("calls")).toArray().size());
    }
    QCOMPARE(calls, 1);
  }

  /// Long names of formats push no column out of line.
  void theColumnsOfPolicyShowLineUp() {
    const QString policy = written(
        QStringLiteral("p.json"),
        R"({"binade_policy":1,"sites":[{"match":"fc1","format":"e5m10","backward":"e8m7","overflow":"saturate"}]})");
    const QStringList lines =
        engine({QStringLiteral("policy"), QStringLiteral("show"), policy, QStringLiteral("sample:cnn")})
            .out.split(QLatin1Char('\n'));
    const QRegularExpression head(QStringLiteral("^op call +runs in +decided by$"));
    const auto first = lines.indexOf(head);
    QVERIFY2(first > 0, qPrintable(lines.join(QLatin1Char('\n'))));
    const auto column = lines[first].indexOf(QLatin1String("decided by"));
    int rows = 0;
    for (auto line = first + 1; !lines[line].isEmpty(); ++line, ++rows) {
      const QString by =
          lines[line].contains(QLatin1String("fc1/")) ? QStringLiteral("sites[0]") : QStringLiteral("cuda-amp");
      QCOMPARE(lines[line].mid(column), by);
      QCOMPARE(lines[line][column - 1], QLatin1Char(' '));
    }
    QCOMPARE(rows, 14);
  }

  void aBaseListMisspeltIsTold() {
    const EngineResult shown = engine({QStringLiteral("policy"), QStringLiteral("show"), QStringLiteral("cpu_amp")});
    QCOMPARE(shown.code, 1);
    QVERIFY2(shown.err.contains(QLatin1String("cpu_amp does not exist")) &&
                 shown.err.contains(
                     QLatin1String("Did you mean \"cpu-amp\"? A policy is a policy file, the name of a base list: ")),
             qPrintable(shown.err));
    QVERIFY2(shown.err.contains(QLatin1String(" A relative path starts at the working folder, /")),
             qPrintable(shown.err));
  }

  /// An op made of others follows its list inside, whichever command shows it.
  void policyDiffHasTheWordsOfPolicyShow() {
    const EngineResult diff = engine({QStringLiteral("policy"), QStringLiteral("diff"), QStringLiteral("cuda-amp"),
                                      QStringLiteral("cpu-amp"), QStringLiteral("sample:transformer")});
    const QStringList lines = diff.out.split(QLatin1Char('\n')).filter(QStringLiteral("aten::layer_norm#0"));
    QVERIFY2(!lines.isEmpty(), qPrintable(diff.out));
    for (const QString& line : lines) {
      QVERIFY2(line.simplified().contains(QLatin1String("float32 inside cuda-amp; cpu-amp")), qPrintable(line));
    }
  }

  void aBaseListIsAPolicyByItsName() {
    const EngineResult shown = engine({QStringLiteral("policy"), QStringLiteral("show"), QStringLiteral("cpu-amp")});
    QCOMPARE(shown.code, 0);
    QVERIFY2(shown.out.contains(QLatin1String("base cpu-amp, low bfloat16")), qPrintable(shown.out));
  }

  void policyDiffTellsWhatIsSaidAndWhatRunsOtherwise() {
    const QString tuned = written(QStringLiteral("tuned.json"),
                                  R"({"binade_policy":1,"base":"cuda-amp","ops":{"aten::relu":"low"},
            "sites":[{"match":"fc1","format":"float32","why":"overflows"},{"match":"fc2","call":0,"format":"float32"}]})");
    const QStringList diff{QStringLiteral("policy"), QStringLiteral("diff"), QStringLiteral("cuda-amp"), tuned};
    const EngineResult text = engine(QStringList(diff) << QStringLiteral("sample:cnn"));
    QCOMPARE(text.code, 0);
    const QStringList lines = text.out.split(QLatin1Char('\n'));
    const auto has = [&lines](const char* wanted) {
      return std::any_of(lines.begin(), lines.end(),
                         [wanted](const QString& line) { return line.simplified() == QLatin1String(wanted); });
    };
    for (const char* line :
         {"ops[\"aten::relu\"] - low", "sites: fc1 - [0] float32 -- overflows", "sites: fc2, call 0 - [1] float32",
          "fc1/aten::linear#0 float16 (emulated) float32 cuda-amp; sites[0]",
          "fc2/aten::linear#0, call 0 float16 (emulated) float32 cuda-amp; sites[1]",
          "4 of 14 op calls of sample:cnn run differently, and in 1 more a single call."}) {
      QVERIFY2(has(line), qPrintable(QLatin1String(line) + QStringLiteral(" is not in\n") + text.out));
    }
    QCOMPARE(engine(QStringList(diff) << QStringLiteral("--strict")).code, 1);
    const EngineResult same = engine({QStringLiteral("policy"), QStringLiteral("diff"), tuned, tuned,
                                      QStringLiteral("sample:cnn"), QStringLiteral("--strict")});
    QCOMPARE(same.code, 0);
    QVERIFY2(same.out.contains(QLatin1String(
                 "are equivalent.\n\nAll 14 op calls of sample:cnn run identically under both policies.")),
             qPrintable(same.out));

    const QList<QJsonObject> json =
        engine(QStringList(diff) << QStringLiteral("sample:cnn") << QStringLiteral("--json")).lines();
    QHash<QString, int> events;
    for (const QJsonObject& line : json) ++events[line.value(QLatin1String("event")).toString()];
    QCOMPARE(events,
             (QHash<QString, int>{
                 {QStringLiteral("difference"), 3}, {QStringLiteral("site"), 5}, {QStringLiteral("compared"), 1}}));
    QCOMPARE(json.last().value(QLatin1String("otherwise")).toInt(), 5);
    QCOMPARE(json[0].value(QLatin1String("place")).toString(), QStringLiteral("ops[\"aten::relu\"]"));
  }

  /// An op change acts inside an LSTM too, and so does another low format.
  void policyDiffComparesTheInsideOfCompositeOps() {
    const QString base = written(
        QStringLiteral("inside_base.json"),
        R"({"binade_policy":1,"base":"cpu-amp","sites":[{"match":"*/aten::linear\u00230","format":"bfloat16"}]})");
    const QString changed = written(QStringLiteral("inside_changed.json"),
                                    R"({"binade_policy":1,"base":"cpu-amp","ops":{"aten::linear":"float32"},
            "sites":[{"match":"*/aten::linear\u00230","format":"bfloat16"}]})");
    const QStringList diff{QStringLiteral("policy"),      QStringLiteral("diff"),    base, changed,
                           QStringLiteral("sample:lstm"), QStringLiteral("--strict")};
    const EngineResult text = engine(diff);
    QCOMPARE(text.code, 1);
    const QStringList rows = text.out.split(QLatin1Char('\n')).filter(QStringLiteral("rnn/aten::lstm#0"));
    QCOMPARE(rows.size(), 1);
    const bool native = train::capabilities(c10::kCPU).native_bfloat16;
    QCOMPARE(rows[0].simplified(),
             QStringLiteral("rnn/aten::lstm#0 inside: aten::linear %1 inside: aten::linear float32 cpu-amp; "
                            "ops[\"aten::linear\"]")
                 .arg(native ? QStringLiteral("bfloat16") : QStringLiteral("bfloat16 (emulated)")));
    const QList<QJsonObject> json = engine(QStringList(diff) << QStringLiteral("--json")).lines();
    const QJsonObject inside = json[1].value(QLatin1String("inside")).toArray().first().toObject();
    QCOMPARE(inside.value(QLatin1String("op")).toString(), QStringLiteral("aten::linear"));
    QCOMPARE(inside.value(QLatin1String("second")).toString(), QStringLiteral("float32"));

    const QString half =
        written(QStringLiteral("inside_half.json"), R"({"binade_policy":1,"base":"cpu-amp","low":"float16"})");
    const EngineResult low = engine({QStringLiteral("policy"), QStringLiteral("diff"), QStringLiteral("cpu-amp"), half,
                                     QStringLiteral("sample:lstm")});
    QVERIFY2(low.out.contains(QLatin1String("rnn/aten::lstm")), qPrintable(low.out));
  }
};

BINADE_SUITE(TestPolicyCommands);
#include "tst_policy_commands.moc"
