// SPDX-License-Identifier: Apache-2.0
#include "engine/policy/resolve.h"
#include "tests/support/suite.h"

#include <algorithm>

using namespace binade;
using policy::Base;
using policy::Finding;
using policy::Policy;
using policy::Resolved;
using policy::SiteKey;
using policy::SiteRule;

namespace {

const std::vector<SiteKey> kModel{
    {"layer1.conv", "", "aten::conv2d", "", 0}, {"layer1", "", "aten::relu_", "", 0},
    {"layer1", "", "aten::add", "Tensor", 0},   {"fc", "", "aten::linear", "", 0},
    {"fc", "", "aten::linear", "", 1},          {"loss", "", "aten::binary_cross_entropy", "", 0},
};

Policy quiet() {  // a policy of which nothing is to be said
  Policy policy;
  policy.base = Base::kAllFloat32;
  return policy;
}

SiteRule rule(const char* match, formats::Format format) {
  SiteRule rule;
  rule.match = match;
  rule.format = format;
  return rule;
}

QStringList told(const Policy& policy, policy::Capabilities capabilities = {}) {
  QStringList lines;
  for (const Finding& finding : policy::resolve(policy, kModel, capabilities).findings) {
    const bool note = finding.severity == Finding::Severity::kNote;
    lines.append(QStringLiteral("%1 %2 %3")
                     .arg(QLatin1String(note ? "note" : "warning"))
                     .arg(finding.rule)
                     .arg(QString::fromStdString(finding.message)));
  }
  return lines;
}

}  // namespace

// What a person is told about a policy that cannot be done as asked.
class ResolveFindings : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void rulesThatMatchNothing_data();
  void rulesThatMatchNothing();
  void opChangesThatMatchNothing_data();
  void opChangesThatMatchNothing();
  void formatsThatAreNotExecuted_data();
  void formatsThatAreNotExecuted();
  void aLowFormatThatIsNotExecuted();
  void anOpChangeThatIsNotExecuted();
  void gradientsOfTheirOwnFormat();
  void saturation();
  void emulationIsSaid();
  void slowNativeFloat16IsSaid();
  void bannedSites();
  void apexLevels_data();
  void apexLevels();
  void aRuleThatDoesAsItSaysIsQuiet();
};

void ResolveFindings::rulesThatMatchNothing_data() {
  QTest::addColumn<QString>("match");
  QTest::addColumn<QString>("message");
  const QString nothing = QStringLiteral("warning 0 sites[0] (%1): matches no op call of this model.");
  const auto row = [&](const char* match, const char* more) {
    QTest::newRow(match) << QString(match) << nothing.arg(QLatin1String(match)) + QLatin1String(more);
  };
  row("fc/aten::linera#0", " Did you mean `fc/aten::linear#0`?");
  row("layer1.cnv", " Did you mean `layer1.conv`?");
  row("layr1", " Did you mean `layer1`?");
  row("decoder.attention", "");
  row("decoder.*/aten::mm#*", " `*` stands for any characters, a bare module path for all inside it.");
}

void ResolveFindings::rulesThatMatchNothing() {
  QFETCH(QString, match);
  QFETCH(QString, message);
  Policy policy = quiet();
  policy.sites = {rule(match.toUtf8().constData(), formats::kFloat16)};
  QCOMPARE(told(policy), QStringList{message});
}

void ResolveFindings::opChangesThatMatchNothing_data() {
  QTest::addColumn<QString>("key");
  QTest::addColumn<QString>("message");
  const QString nothing = QStringLiteral("warning -2 ops[\"%1\"]: no op call of this model is one.");
  const auto row = [&](const char* key, const char* more) {
    QTest::newRow(key) << QString(key) << nothing.arg(QLatin1String(key)) + QLatin1String(more);
  };
  row("aten::relu", " Did you mean `aten::relu_`?");
  row("aten::conv3d", " Did you mean `aten::conv2d`?");
  row("aten::add.Scalar", " It has `aten::add.Tensor`.");
  row("aten::linear.out", " It has `aten::linear.default`.");
  row("my_ops::attention_kernel", "");
}

void ResolveFindings::opChangesThatMatchNothing() {
  QFETCH(QString, key);
  QFETCH(QString, message);
  Policy policy = quiet();
  policy.ops[key.toStdString()] = formats::kFloat32;
  QCOMPARE(told(policy), QStringList{message});
}

void ResolveFindings::formatsThatAreNotExecuted_data() {
  QTest::addColumn<QString>("format");
  for (const char* format : {"tfloat32", "float8_e4m3fn", "float8_e5m2", "e4m3", "e6m9"}) {
    QTest::newRow(format) << QString(format);
  }
}

void ResolveFindings::formatsThatAreNotExecuted() {
  QFETCH(QString, format);
  Policy policy = quiet();
  policy.sites = {rule("fc", *formats::parse(format.toStdString())), rule("fc/aten::linear#1", formats::kFloat8E5M2)};
  const Resolved table = policy::resolve(policy, kModel, {});
  QVERIFY(table.sites[3].kind == policy::Decision::Kind::kFormat && table.sites[3].format == formats::kFloat32);
  QCOMPARE(table.sites[3].rule, 0);
  QVERIFY(table.sites[3].execution == policy::Execution::kNative);
  QCOMPARE(told(policy),
           (QStringList{QStringLiteral("warning 0 sites[0] (fc): %1 is not executed by this release; 2 op calls run in "
                                       "float32 instead.")
                            .arg(format),
                        QStringLiteral("warning 1 sites[1] (fc/aten::linear#1): float8_e5m2 is not executed by this "
                                       "release; 1 op call runs in float32 instead.")}));
}

void ResolveFindings::aLowFormatThatIsNotExecuted() {
  Policy policy;
  policy.base = Base::kCpuAmp;
  policy.low = formats::kTFloat32;
  const Resolved table = policy::resolve(policy, kModel, {});
  QVERIFY(table.low == formats::kFloat32);
  QVERIFY(table.sites[0].format == formats::kFloat32);
  QCOMPARE(told(policy),
           QStringList{QStringLiteral("warning -1 low: tfloat32 is not executed by this release; 3 op calls "
                                      "run in float32 instead.")});
}

void ResolveFindings::anOpChangeThatIsNotExecuted() {
  Policy policy = quiet();
  policy.ops["aten::linear"] = formats::kFloat8E4M3fn;
  QCOMPARE(told(policy),
           QStringList{QStringLiteral("warning -2 ops[\"aten::linear\"]: float8_e4m3fn is not executed by "
                                      "this release; 2 op calls run in float32 instead.")});
}

void ResolveFindings::gradientsOfTheirOwnFormat() {
  Policy policy = quiet();
  policy.sites = {rule("layer1.conv", formats::kFloat32)};
  policy.sites[0].backward = formats::kFloat32;
  QVERIFY(told(policy).isEmpty());
  policy.sites[0].backward = formats::kBFloat16;
  QCOMPARE(told(policy),
           QStringList{QStringLiteral("warning 0 sites[0] (layer1.conv): gradients cannot have a format of "
                                      "their own in this release; they take float32 with the op.")});
  QVERIFY(policy::resolve(policy, kModel, {}).sites[0].backward == formats::kFloat32);
}

void ResolveFindings::saturation() {
  Policy policy = quiet();
  policy.sites = {rule("layer1.conv", formats::kFloat32)};
  policy.sites[0].overflow = formats::Overflow::kSaturate;
  QCOMPARE(told(policy),
           QStringList{QStringLiteral("warning 0 sites[0] (layer1.conv): float32 does not saturate in this "
                                      "release; an overflow becomes infinity.")});
  QVERIFY(policy::resolve(policy, kModel, {}).sites[0].overflow == formats::Overflow::kInfinity);
}

void ResolveFindings::emulationIsSaid() {
  Policy policy = quiet();
  policy.sites = {rule("fc", formats::kFloat16)};
  QCOMPARE(told(policy), QStringList{QStringLiteral("note -1 float16 runs emulated: values are stored in it, "
                                                    "matrix and convolution ops compute in float32 and round. Their "
                                                    "times say nothing about native speed.")});
  QVERIFY(told(policy, {.native_bfloat16 = true, .native_float16 = true}).isEmpty());
}

void ResolveFindings::slowNativeFloat16IsSaid() {
  Policy policy = quiet();
  policy.sites = {rule("layer1.conv", formats::kFloat16)};
  policy.sites[0].execution = policy::Execution::kNative;
  QCOMPARE(told(policy),
           QStringList{QStringLiteral("note -1 float16 runs native at 1 op call, as asked; this device has "
                                      "no fast float16, so that is slow.")});
}

void ResolveFindings::bannedSites() {
  Policy policy;
  policy.base = Base::kCudaAmp;
  const policy::Capabilities gpu{.native_bfloat16 = true, .native_float16 = true};
  QCOMPARE(told(policy, gpu), QStringList{QStringLiteral(
                                  "warning -1 loss/aten::binary_cross_entropy#0 will refuse to run: cuda-amp bans it, "
                                  "because its gradients leave float16's range. Use "
                                  "binary_cross_entropy_with_logits in the model, or set it to float32.")});
  policy.sites = {rule("loss", formats::kFloat32)};
  QVERIFY(told(policy, gpu).isEmpty());
  policy.sites.clear();
  policy.base = Base::kAllFloat32;
  policy.ops["aten::relu_"] = policy::Treatment::kBanned;
  QCOMPARE(
      told(policy),
      QStringList{QStringLiteral("warning -2 layer1/aten::relu_#0 will refuse to run: the policy's \"ops\" ban it.")});
}

void ResolveFindings::apexLevels_data() {
  QTest::addColumn<int>("base");
  QTest::addColumn<QString>("says");
  QTest::newRow("O0") << static_cast<int>(Base::kApexO0) << "loss scale of 1";
  QTest::newRow("O1") << static_cast<int>(Base::kApexO1) << "in-place";
  QTest::newRow("O2") << static_cast<int>(Base::kApexO2) << "master weights";
  QTest::newRow("O3") << static_cast<int>(Base::kApexO3) << "optimizer state in float16";
}

void ResolveFindings::apexLevels() {
  QFETCH(int, base);
  QFETCH(QString, says);
  Policy policy;
  policy.base = static_cast<Base>(base);
  const QStringList lines = told(policy);
  const auto about = [&](const QString& line) {
    return line.contains(says) && line.contains(QString::fromStdString(policy::name(policy.base)));
  };
  QCOMPARE(std::count_if(lines.begin(), lines.end(), about), 1);
}

void ResolveFindings::aRuleThatDoesAsItSaysIsQuiet() {
  Policy policy = quiet();
  policy.sites = {rule("fc/aten::linear#1", formats::kBFloat16), rule("layer1", formats::kFloat32)};
  policy.ops["aten::conv2d"] = formats::kBFloat16;
  QVERIFY(told(policy).isEmpty());
}

BINADE_SUITE(ResolveFindings);
#include "tst_resolve_findings.moc"
