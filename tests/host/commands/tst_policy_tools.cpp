// SPDX-License-Identifier: Apache-2.0
#include "engine/policy/policy.h"
#include "tests/host/run_engine.h"
#include "tests/support/suite.h"

#include <QFile>

using namespace binade;
using test::engine;
using test::EngineResult;
using test::written;

namespace {

policy::Policy read(const QString& file) {
  QFile in(file);
  return in.open(QIODevice::ReadOnly) ? policy::parse_policy(in.readAll().toStdString(), "policy") : policy::Policy{};
}

QString fresh(const char* name) {
  const QString file = test::temporaryFolder() + u'/' + QLatin1String(name);
  QFile::remove(file);
  return file;
}

QStringList words(std::initializer_list<const char*> texts) {
  QStringList list;
  for (const char* text : texts) list << QString::fromUtf8(text);
  return list;
}

}  // namespace

// policy merge, minimise, generalise, and diff of three. JSON texts have \u0023 for a number sign, which moc takes for
// a directive.
class TestPolicyTools : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void minimiseWritesFewerRulesAndTheirReasons() {
    const QString tuned = written(QStringLiteral("long.json"), R"({"binade_policy":1,"name":"tuned","sites":[
      {"match":"fc1/aten::linear\u00230","format":"bfloat16"},{"match":"fc1","format":"float32"},
      {"match":"gone","format":"float32"}],
      "provenance":{"run":"cnn.binade","step":900,"evidence":["fc1 overflowed."]}})");
    const QString out = fresh("short.policy.json");
    const QStringList command = words({"policy", "minimise"}) << tuned << QStringLiteral("sample:cnn");
    const EngineResult result = engine(QStringList(command) << QStringLiteral("--out") << out);
    QCOMPARE(result.code, 0);
    QVERIFY2(result.out.contains(QLatin1String("left out sites[2] (gone): float32")), qPrintable(result.out));
    QVERIFY2(result.out.contains(QLatin1String("from 3 to 1 rules and op changes. All 14 op calls of sample:cnn run as "
                                               "before.")),
             qPrintable(result.out));
    const policy::Policy policy = read(out);
    QCOMPARE(policy.name, std::string("tuned"));
    QCOMPARE(policy.sites.size(), std::size_t{1});
    QCOMPARE(policy.provenance.run, std::string("cnn.binade"));
    QVERIFY((policy.provenance.from == std::vector<std::string>{"long.json"}));
    QVERIFY(policy.provenance.op_calls == 14);
    QCOMPARE(policy.provenance.evidence.size(), std::size_t{2});
    // The file is not overwritten.
    QCOMPARE(engine(QStringList(command) << QStringLiteral("--out") << out).code, 2);
    // The same treatment of every op call.
    const EngineResult same =
        engine(words({"policy", "diff"}) << tuned << out << QStringLiteral("sample:cnn") << QStringLiteral("--strict"));
    QCOMPARE(same.code, 0);
    const QList<QJsonObject> json =
        engine(QStringList(command) << QStringLiteral("--json") << QStringLiteral("--out") << fresh("json.policy.json"))
            .lines();
    QCOMPARE(json.size(), 3);
    QCOMPARE(json[0].value(QLatin1String("event")).toString(), QStringLiteral("dropped"));
    QCOMPARE(json.last().value(QLatin1String("event")).toString(), QStringLiteral("minimised"));
    QCOMPARE(json.last().value(QLatin1String("rules")).toInt(), 1);
    const EngineResult shown = engine(words({"policy", "show"}) << out);
    QVERIFY2(shown.out.contains(QLatin1String("provenance\n")) && shown.out.contains(QLatin1String("fc1 overflowed.")),
             qPrintable(shown.out));
  }

  void generaliseWritesAPattern() {
    const QString single = written(QStringLiteral("single.json"), R"({"binade_policy":1,"sites":[
      {"match":"fc1/aten::linear\u00230","format":"bfloat16"},{"match":"fc2/aten::linear\u00230","format":"bfloat16"}]})");
    const QString out = fresh("pattern.policy.json");
    const QList<QJsonObject> json =
        engine(words({"policy", "generalise"})
               << single << QStringLiteral("sample:cnn") << QStringLiteral("--json") << QStringLiteral("--out") << out)
            .lines();
    QCOMPARE(json.size(), 2);
    QCOMPARE(json[0].value(QLatin1String("event")).toString(), QStringLiteral("pattern"));
    QCOMPARE(json[0].value(QLatin1String("op_calls")).toInt(), 2);
    const policy::Policy policy = read(out);
    QCOMPARE(policy.sites.size() + policy.ops.size(), std::size_t{1});
  }

  void mergeAppliesBothSidesOrListsConflicts() {
    const QString base =
        written(QStringLiteral("base.json"), R"({"binade_policy":1,"sites":[{"match":"fc1","format":"float32"}]})");
    const QString mine =
        written(QStringLiteral("mine.json"), R"({"binade_policy":1,"sites":[{"match":"fc1","format":"bfloat16"}]})");
    const QString theirs = written(QStringLiteral("theirs.json"),
                                   R"({"binade_policy":1,"ops":{"aten::relu":"low"},"sites":[
      {"match":"fc1","format":"float32"},{"match":"fc2","format":"float32"}]})");
    const QString out = fresh("merged.policy.json");
    const QStringList merge = words({"policy", "merge"}) << base << mine;
    const QStringList to = words({"sample:cnn", "--out"}) << out;
    const EngineResult both = engine(QStringList(merge) << theirs << to);
    QVERIFY2(both.code == 0, qPrintable(both.out + both.err));
    const policy::Policy merged = read(out);
    QCOMPARE(merged.sites.size(), std::size_t{2});
    QVERIFY(merged.sites[0].format == formats::kBFloat16);
    QCOMPARE(merged.ops.size(), std::size_t{1});
    QVERIFY((merged.provenance.from == std::vector<std::string>{"base.json", "mine.json", "theirs.json"}));

    QFile::remove(out);
    const QString other =
        written(QStringLiteral("other.json"), R"({"binade_policy":1,"sites":[{"match":"fc1","format":"tfloat32"}]})");
    const EngineResult conflict = engine(QStringList(merge) << other << to);
    QCOMPARE(conflict.code, 1);
    QVERIFY(!QFile::exists(out));
    QVERIFY2(conflict.out.simplified().contains(QLatin1String("sites: fc1 float32 bfloat16 tfloat32 open")),
             qPrintable(conflict.out));
    QCOMPARE(engine(QStringList(merge) << other << to << words({"--prefer", "theirs"})).code, 0);
    QVERIFY(read(out).sites[0].format == formats::kTFloat32);
  }

  void diffOfThreeNamesTheSide() {
    const QString mine =
        written(QStringLiteral("mine.json"),
                R"({"binade_policy":1,"low":"bfloat16","sites":[{"match":"fc1","format":"float32"}]})");
    const QString theirs =
        written(QStringLiteral("theirs.json"), R"({"binade_policy":1,"sites":[{"match":"fc1","format":"tfloat32"}]})");
    const EngineResult result =
        engine(words({"policy", "diff", "cuda-amp"}) << mine << theirs << QStringLiteral("sample:cnn"));
    QVERIFY2(result.code == 0, qPrintable(result.err));
    QVERIFY2(result.out.simplified().contains(QLatin1String("low float16 bfloat16 float16 mine")),
             qPrintable(result.out));
    QVERIFY2(result.out.contains(QLatin1String("2 differences, 1 in conflict.")), qPrintable(result.out));
    const QList<QJsonObject> json =
        engine(words({"policy", "diff", "cuda-amp"}) << mine << theirs << QStringLiteral("--json")).lines();
    QCOMPARE(json.last().value(QLatin1String("conflicts")).toInt(), 1);
    // A model still may be the third argument.
    QCOMPARE(engine(words({"policy", "diff", "cuda-amp", "cpu-amp", "sample:cnn", "--strict"})).code, 1);
  }
};

BINADE_SUITE(TestPolicyTools);
#include "tst_policy_tools.moc"
