// SPDX-License-Identifier: Apache-2.0
#include "engine/policy/resolve.h"
#include "tests/policy/site_rule.h"
#include "tests/support/suite.h"

#include <algorithm>

using namespace binade;
using policy::Base;
using policy::Decision;
using policy::Finding;
using policy::Policy;
using policy::Resolved;
using policy::SiteKey;
using policy::SiteRule;
using test::rule;

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
  void aNameWithoutItsMethodIsToldInFull();
  void opChangesThatMatchNothing_data();
  void opChangesThatMatchNothing();
  void manyOpChangesThatMatchNothingAreToldOnce();
  void logicalFormatsSayHowTheyRun_data();
  void logicalFormatsSayHowTheyRun();
  void aLowFormatWithoutADtypeIsKept();
  void nativeThatCannotBeHadSaysWhyAndWhere_data();
  void nativeThatCannotBeHadSaysWhyAndWhere();
  void aWholePolicyAskedNativeIsToldOfItsLowFormat();
  void contradictingRulesAreNamed();
  void aRuleThatLaterRulesTakeOverIsNamed();
  void aRuleThatLaterOnesTakeAPartOfSaysWhichAndWhere();
  void aCallThatNeverComesIsNamed();
  void aPolicyOfAnotherModelSaysWhatIsMissingAndNew();
  void emulationIsSaid();
  void emulationNamesEveryPlaceThatAsksForIt();
  void rulesOfOneMatchThatMatchNothingAreToldOnce();
  void aRuleForTheOtherKindOfRunIsNoWarning();
  void anOpChangeThatHoldsInsideAnotherOpIsNoWarning();
  void aRuleForAViewDecidesNothing();
  void slowNativeFloat16IsSaid();
  void bannedSites();
  void anOpBannedAtManySitesIsToldOnce();
  void apexLevels_data();
  void apexLevels();
  void aRuleThatDoesAsItSaysIsQuiet();
};

void ResolveFindings::rulesThatMatchNothing_data() {
  QTest::addColumn<QString>("match");
  QTest::addColumn<QString>("message");
  const QString nothing = QStringLiteral("warning 0 sites[0] (%1) matches no op call of this model.");
  const auto row = [&](const char* match, const char* more) {
    QTest::newRow(match) << QString(match) << nothing.arg(QLatin1String(match)) + QLatin1String(more);
  };
  row("fc/aten::linera#0", " Did you mean \"fc/aten::linear#0\"?");
  row("layer1.cnv", " Did you mean \"layer1.conv\"?");
  row("layr1", " Did you mean \"layer1\"?");
  row("decoder.attention", "");
  row("decoder.*/aten::mm#*", " `*` matches any characters; a module path matches all op calls in it.");
  row("layr1.con*",
      " Did you mean \"layer1.conv\"? `*` matches any characters; a module path matches all op calls in it.");
  row("*linear*", " A rule without a slash names modules; op calls are `*/*linear*#*`.");
  row("aten::linear*", " A rule without a slash names modules; op calls are `*/aten::linear*#*`.");
}

void ResolveFindings::rulesThatMatchNothing() {
  QFETCH(QString, match);
  QFETCH(QString, message);
  Policy policy = quiet();
  policy.sites = {rule(match.toUtf8().constData(), formats::kFloat16)};
  QCOMPARE(told(policy), QStringList{message});
}

void ResolveFindings::aNameWithoutItsMethodIsToldInFull() {
  const std::vector<SiteKey> sites{{"conv", "_conv_forward", "aten::conv2d", "", 0},
                                   {"convs", "", "aten::conv2d", "", 0}};  // an edit away, and not what is meant
  Policy policy = quiet();
  policy.sites = {rule("conv/aten::conv2d#0", formats::kFloat32)};
  const Resolved resolved = policy::resolve(policy, sites, {});
  QCOMPARE(resolved.findings.size(), std::size_t{1});
  QCOMPARE(QString::fromStdString(resolved.findings[0].message),
           QStringLiteral("sites[0] (conv/aten::conv2d#0) matches no op call of this model. A rule needs the full "
                          "name: `conv::_conv_forward/aten::conv2d#0`."));
}

void ResolveFindings::opChangesThatMatchNothing_data() {
  QTest::addColumn<QString>("key");
  QTest::addColumn<QString>("message");
  const QString nothing = QStringLiteral("warning -2 ops[\"%1\"]: this model has no op call of this op.");
  const auto row = [&](const char* key, const char* more) {
    QTest::newRow(key) << QString(key) << nothing.arg(QLatin1String(key)) + QLatin1String(more);
  };
  row("aten::relu", " Did you mean \"aten::relu_\"?");
  row("aten::gelu", "");  // and not relu_, which looks alike and is another op
  row("aten::conv3d", "");
  row("my_ops::attn", "");
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

void ResolveFindings::manyOpChangesThatMatchNothingAreToldOnce() {
  Policy policy = quiet();
  for (char c = 'a'; c <= 'k'; ++c) policy.ops["other::" + std::string(1, c)] = formats::kFloat32;
  policy.ops["aten::conv2d"] = formats::kBFloat16;
  QCOMPARE(told(policy),
           QStringList{QStringLiteral("note -2 11 of the policy's 12 op changes are for ops that this model "
                                      "does not call: other::a, other::b, other::c and 8 more.")});
}

void ResolveFindings::logicalFormatsSayHowTheyRun_data() {
  QTest::addColumn<QString>("format");
  QTest::addColumn<QString>("gradients");
  QTest::newRow("tfloat32") << "tfloat32"
                            << "tfloat32";
  QTest::newRow("float8_e4m3fn") << "float8_e4m3fn"
                                 << "float8_e5m2";
  QTest::newRow("float8_e5m2") << "float8_e5m2"
                               << "float8_e5m2";
  QTest::newRow("e6m9") << "e6m9"
                        << "e6m9";
}

void ResolveFindings::logicalFormatsSayHowTheyRun() {
  QFETCH(QString, format);
  QFETCH(QString, gradients);
  Policy policy = quiet();
  policy.sites = {rule("fc", *formats::parse(format.toStdString()))};
  const Resolved table = policy::resolve(policy, kModel, {});
  QVERIFY(table.sites[3].format == policy.sites[0].format);
  QVERIFY(table.sites[3].execution == policy::Execution::kEmulated);
  QCOMPARE(QString::fromStdString(formats::name(table.sites[3].backward)), gradients);
  const QString what = format == gradients ? format : format + QStringLiteral(", gradients ") + gradients;
  QCOMPARE(told(policy),
           QStringList{
               QStringLiteral("note 0 emulated: %1 (sites[0]: fc/aten::linear#0, fc/aten::linear#1). Values are stored "
                              "in float32 and rounded after every op. Their times do not indicate native speed.")
                   .arg(what)});
}

void ResolveFindings::aLowFormatWithoutADtypeIsKept() {
  Policy policy;
  policy.base = Base::kCpuAmp;
  policy.low = formats::kFloat8E4M3fn;
  const Resolved table = policy::resolve(policy, kModel, {});
  QVERIFY(table.low == formats::kFloat8E4M3fn);
  QVERIFY(table.sites[0].format == formats::kFloat8E4M3fn);
  QVERIFY(table.sites[0].backward == formats::kFloat8E5M2);
  QVERIFY(table.sites[0].overflow == formats::Overflow::kSaturate);
  QVERIFY(table.sites[0].execution == policy::Execution::kEmulated);
}

void ResolveFindings::nativeThatCannotBeHadSaysWhyAndWhere_data() {
  QTest::addColumn<QString>("format");
  QTest::addColumn<QString>("backward");
  QTest::addColumn<bool>("saturates");
  QTest::addColumn<QString>("why");
  QTest::newRow("float8") << "float8_e5m2"
                          << "" << false << "no device computes in float8_e5m2 through LibTorch";
  QTest::newRow("tfloat32 without tensor cores") << "tfloat32"
                                                 << "" << false << "this device has no native tfloat32";
  QTest::newRow("gradients of their own")
      << "float16"
      << "bfloat16" << false << "a native op has the gradients' format of its values";
  QTest::newRow("saturation") << "bfloat16"
                              << "" << true << "native bfloat16 does not saturate";
}

void ResolveFindings::nativeThatCannotBeHadSaysWhyAndWhere() {
  QFETCH(QString, format);
  QFETCH(QString, backward);
  QFETCH(bool, saturates);
  QFETCH(QString, why);
  Policy policy = quiet();
  policy.sites = {rule("fc", *formats::parse(format.toStdString()))};
  policy.sites[0].execution = policy::Execution::kNative;
  policy.sites[0].backward = formats::parse(backward.toStdString());
  if (saturates) policy.sites[0].overflow = formats::Overflow::kSaturate;
  QVERIFY(policy::resolve(policy, kModel, {}).sites[4].execution == policy::Execution::kEmulated);
  const QString expected = QStringLiteral(
                               "warning 0 sites[0] (fc): %1; 2 op calls run emulated instead: "
                               "fc/aten::linear#0, fc/aten::linear#1.")
                               .arg(why);
  QCOMPARE(told(policy).value(0), expected);
  // Where hardware runs it, it runs.
  const policy::Capabilities gpu{.native_bfloat16 = true, .native_float16 = true, .native_tfloat32 = true};
  const Decision decision = policy::resolve(policy, kModel, gpu).sites[3];
  QCOMPARE(decision.execution == policy::Execution::kNative, format == u"tfloat32");
}

void ResolveFindings::aWholePolicyAskedNativeIsToldOfItsLowFormat() {
  Policy policy;
  policy.base = Base::kCpuAmp;
  policy.low = formats::kFloat8E4M3fn;
  policy.execution = policy::Execution::kNative;
  policy.ops["aten::add"] = formats::kFloat8E5M2;
  const QStringList lines = told(policy);
  QCOMPARE(lines.value(0), QStringLiteral("warning -2 ops[\"aten::add\"]: no device computes in float8_e5m2 through "
                                          "LibTorch; 1 op call runs emulated instead: layer1/aten::add#0."));
  QCOMPARE(lines.value(1),
           QStringLiteral("warning -1 low: no device computes in float8_e4m3fn through LibTorch; 3 op calls run "
                          "emulated instead: layer1.conv/aten::conv2d#0, fc/aten::linear#0, fc/aten::linear#1."));
}

void ResolveFindings::contradictingRulesAreNamed() {
  Policy policy = quiet();
  policy.sites = {rule("fc", formats::kBFloat16), rule("layer1", formats::kFloat32), rule("fc", formats::kFloat32)};
  QCOMPARE(told(policy),
           QStringList{QStringLiteral("warning 2 sites[2] (fc) sets float32 where sites[0] sets bfloat16; the later "
                                      "rule takes precedence, first at fc/aten::linear#0.")});
  QVERIFY(policy::resolve(policy, kModel, {}).sites[3].format == formats::kFloat32);
  policy.sites[2] = policy.sites[0];
  QCOMPARE(told(policy),
           QStringList{QStringLiteral("note 2 sites[2] (fc) is equivalent to sites[0]; remove one of them.")});
  policy.sites[2].call = 1;  // another call: both have their say
  policy.sites[2].format = formats::kFloat32;
  QVERIFY(told(policy).isEmpty());
}

void ResolveFindings::aRuleThatLaterRulesTakeOverIsNamed() {
  Policy policy = quiet();
  policy.sites = {rule("fc", formats::kBFloat16), rule("fc/aten::linear#0", formats::kFloat32),
                  rule("fc/aten::linear#1", formats::kFloat32)};
  QCOMPARE(told(policy), QStringList{QStringLiteral(
                             "warning 0 sites[0] (fc) has no effect, because the later rules sites[1], sites[2] "
                             "take precedence for all its 2 op calls: fc/aten::linear#0, fc/aten::linear#1.")});
}

void ResolveFindings::aRuleThatLaterOnesTakeAPartOfSaysWhichAndWhere() {
  Policy policy = quiet();
  policy.sites = {rule("fc", formats::kBFloat16), rule("*/aten::linear#0", formats::kFloat32)};
  QCOMPARE(told(policy), QStringList{QStringLiteral("note 0 sites[0] (fc) sets bfloat16, but the later rule sites[1] "
                                                    "differs at 1 of its 2 op calls and wins: fc/aten::linear#0.")});
  policy.sites[1].format = formats::kBFloat16;  // both say the same
  QVERIFY(told(policy).isEmpty());
  policy.sites[1] = rule("*/aten::linear#0", formats::kFloat32);
  policy.sites[1].call = 0;  // an exception for one call leaves the op call to the other rule
  QVERIFY(told(policy).isEmpty());
  policy.sites = {policy.sites[1], policy.sites[0]};  // but not where the rule for all calls comes later
  QCOMPARE(told(policy),
           QStringList{QStringLiteral("warning 0 sites[0] (*/aten::linear#0) has no effect, because the later rule "
                                      "sites[1] takes precedence for its op call: fc/aten::linear#0.")});
}

void ResolveFindings::aCallThatNeverComesIsNamed() {
  const auto told = [](const Policy& policy, bool second_linear_loops) {
    std::vector<policy::SitePlace> places(kModel.size(), {.block = nullptr, .repeats = false});
    places[4].repeats = second_linear_loops;
    QStringList lines;
    for (const Finding& finding : policy::resolve(policy, kModel, {}, places).findings) {
      lines.append(QLatin1String(finding.severity == Finding::Severity::kNote ? "note " : "warning ") +
                   QString::fromStdString(finding.message));
    }
    return lines;
  };
  Policy policy = quiet();
  policy.sites = {rule("fc/aten::linear#0", formats::kFloat32)};
  policy.sites[0].call = 7;
  QCOMPARE(
      told(policy, false),
      QStringList{QStringLiteral("warning sites[0] (fc/aten::linear#0): call 7 never occurs at fc/aten::linear#0, "
                                 "which is not in a loop: forward runs it once, as call 0. The rule has no effect.")});
  policy.sites[0].call = 0;
  QVERIFY(told(policy, false).isEmpty());
  policy.sites[0] = rule("fc", formats::kFloat32);
  policy.sites[0].call = 2;
  QCOMPARE(told(policy, true),
           QStringList{QStringLiteral("note sites[0] (fc): call 2 never occurs at 1 of its 2 op calls, "
                                      "fc/aten::linear#0, which is not in a loop: forward runs it once, as call 0.")});
  QVERIFY(::told(policy).isEmpty());  // where nothing is known of loops, nothing is said
}

void ResolveFindings::aPolicyOfAnotherModelSaysWhatIsMissingAndNew() {
  Policy policy = quiet();
  policy.sites = {rule("encoder.fc1/aten::linear#0", formats::kBFloat16),
                  rule("encoder.fc2/aten::linear#0", formats::kBFloat16), rule("layer1", formats::kFloat32)};
  const QStringList lines = told(policy);
  QCOMPARE(lines.size(), 3);
  QVERIFY(lines[0].startsWith(QStringLiteral("warning 0 sites[0] (encoder.fc1/aten::linear#0) matches no op call")));
  QCOMPARE(lines[2], QStringLiteral(
                         "warning -1 the policy seems to be for another model: 2 of its 3 site rules match nothing. "
                         "Missing here: encoder.fc1/aten::linear#0, encoder.fc2/aten::linear#0. Present here, with the "
                         "same ops: fc/aten::linear#0, fc/aten::linear#1. No rule refers to 1 op call of other ops."));
  policy.sites.push_back(rule("fc", formats::kFloat32));  // half of them match: a policy with two mistakes
  QCOMPARE(told(policy).size(), 2);
}

void ResolveFindings::emulationIsSaid() {
  Policy policy = quiet();
  policy.sites = {rule("fc", formats::kFloat16)};
  QCOMPARE(told(policy),
           QStringList{QStringLiteral(
               "note 0 emulated: float16 (sites[0]). Values are stored in this format; matrix and convolution ops "
               "compute in float32 and round. Their times do not indicate native speed.")});
  QVERIFY(told(policy, {.native_bfloat16 = true, .native_float16 = true}).isEmpty());
}

void ResolveFindings::emulationNamesEveryPlaceThatAsksForIt() {
  Policy policy = quiet();
  policy.sites = {rule("layer1.conv", formats::kTFloat32), rule("fc/aten::linear#0", formats::kFloat32),
                  rule("fc/aten::linear#1", formats::kTFloat32)};
  policy.sites[1].overflow = formats::Overflow::kSaturate;
  policy.sites[2].call = 3;
  QCOMPARE(told(policy),
           QStringList{QStringLiteral(
               "note -1 emulated: tfloat32 (sites[0]: layer1.conv/aten::conv2d#0; sites[2]: fc/aten::linear#1, call "
               "3); float32, saturating (sites[1]: fc/aten::linear#0). Values are stored in float32 and rounded after "
               "every op. Their times do not indicate native speed.")});
}

void ResolveFindings::rulesOfOneMatchThatMatchNothingAreToldOnce() {
  Policy policy = quiet();
  for (int call = 0; call < 3; ++call) {
    policy.sites.push_back(rule("fd/aten::linear#0", formats::kFloat32));
    policy.sites.back().call = call;
  }
  QCOMPARE(told(policy), QStringList{QStringLiteral("warning 0 sites[0], sites[1] and sites[2] (fd/aten::linear#0) "
                                                    "match no op call of this model. Did you mean "
                                                    "\"fc/aten::linear#0\"?")});
}

/// A policy for any run has two rules for a loss: a run has one loss, or several.
void ResolveFindings::aRuleForTheOtherKindOfRunIsNoWarning() {
  Policy policy = quiet();
  policy.sites = {rule("loss/aten::log_softmax#*", formats::kFloat16),
                  rule("loss.*/aten::log_softmax#*", formats::kFloat16)};
  const auto found = [&policy](const std::vector<SiteKey>& sites) {
    QStringList all;
    for (const Finding& finding : policy::resolve(policy, sites, {}).findings) {
      all << QString::fromStdString(finding.message);
    }
    return all.filter(QStringLiteral("no op call"));
  };
  QCOMPARE(found({{"loss", "", "aten::log_softmax", "int", 0}}), QStringList());
  QCOMPARE(found({{"loss.0", "", "aten::log_softmax", "int", 0}}), QStringList());
  const QStringList none = found({{"fc", "", "aten::linear", "", 0}});
  QCOMPARE(none.size(), 1);
  QVERIFY2(none[0].startsWith(QStringLiteral("sites[0] (loss/aten::log_softmax#*) matches no op call")),
           qPrintable(none[0]));
}

void ResolveFindings::anOpChangeThatHoldsInsideAnotherOpIsNoWarning() {
  const std::vector<SiteKey> sites{{"cell", "", "aten::gru", "input", 0}, {"", "", "aten::view", "", 0}};
  const std::vector<policy::SitePlace> places{{.repeats = false, .inside = true}, {.repeats = false, .view = true}};
  Policy policy;
  policy.base = Base::kCpuAmp;  // under CUDA's list the layer is one op of cuDNN
  policy.low = formats::kBFloat16;
  policy.ops["aten::sigmoid"] = formats::kFloat32;
  const auto findings = policy::resolve(policy, sites, {}, places).findings;
  QCOMPARE(findings.size(), std::size_t{1});
  QVERIFY(findings[0].severity == Finding::Severity::kNote);
  QCOMPARE(QString::fromStdString(findings[0].message),
           QStringLiteral("ops[\"aten::sigmoid\"]: this model has no op call of this op. It applies only inside "
                          "composite ops, if one of these calls it: aten::gru."));
  QVERIFY(policy::resolve(policy, {}, {}).findings.empty());  // a region has no model to compare with
  policy.ops = {{"aten::gelu", formats::kFloat32}};           // a GRU calls none
  const auto warnings = policy::resolve(policy, sites, {}, places).findings;
  QCOMPARE(warnings.size(), std::size_t{1});
  QVERIFY(warnings[0].severity == Finding::Severity::kWarning);
}

void ResolveFindings::aRuleForAViewDecidesNothing() {
  const std::vector<SiteKey> sites{{"", "", "aten::to", "dtype", 0}, {"", "", "aten::mul", "Tensor", 0}};
  const std::vector<policy::SitePlace> places{{.repeats = false, .view = true}, {.repeats = false}};
  Policy policy = quiet();
  policy.sites = {rule("aten::to#0", formats::kFloat32)};
  const auto findings = policy::resolve(policy, sites, {}, places).findings;
  QCOMPARE(findings.size(), std::size_t{1});
  QVERIFY(findings[0].severity == Finding::Severity::kWarning);
  QCOMPARE(QString::fromStdString(findings[0].message),
           QStringLiteral("sites[0] (aten::to#0) has no effect: rules do not cast a view or a cast of the model "
                          "itself, such as aten::to#0."));
  policy.sites = {rule("*", formats::kFloat32)};  // what it matches beside views it decides
  QVERIFY(policy::resolve(policy, sites, {}, places).findings.empty());
}

void ResolveFindings::slowNativeFloat16IsSaid() {
  Policy policy = quiet();
  policy.sites = {rule("layer1.conv", formats::kFloat16)};
  policy.sites[0].execution = policy::Execution::kNative;
  QCOMPARE(told(policy), QStringList{QStringLiteral("note -1 float16 runs native at 1 op call, as requested; this "
                                                    "device has no fast float16, so native execution is slow.")});
}

void ResolveFindings::bannedSites() {
  Policy policy;
  policy.base = Base::kCudaAmp;
  const policy::Capabilities gpu{.native_bfloat16 = true, .native_float16 = true};
  QCOMPARE(
      told(policy, gpu),
      QStringList{QStringLiteral(
          "warning -1 loss/aten::binary_cross_entropy#0 refuses to run: cuda-amp bans it, because its gradients exceed "
          "the range of float16. Use binary_cross_entropy_with_logits in the model, or set it to float32.")});
  policy.sites = {rule("loss", formats::kFloat32)};
  QVERIFY(told(policy, gpu).isEmpty());
  policy.sites.clear();
  policy.base = Base::kAllFloat32;
  policy.ops["aten::relu_"] = policy::Treatment::kBanned;
  QCOMPARE(told(policy),
           QStringList{QStringLiteral("warning -2 layer1/aten::relu_#0 refuses to run: the policy's \"ops\" ban it.")});
}

void ResolveFindings::anOpBannedAtManySitesIsToldOnce() {
  Policy policy = quiet();
  policy.ops["aten::linear"] = policy::Treatment::kBanned;
  policy.ops["aten::relu_"] = policy::Treatment::kBanned;
  QCOMPARE(told(policy),
           (QStringList{QStringLiteral("warning -2 layer1/aten::relu_#0 refuses to run: the policy's \"ops\" ban it."),
                        QStringLiteral("warning -2 aten::linear at 2 op calls (fc/aten::linear#0, fc/aten::linear#1) "
                                       "refuses to run: the policy's \"ops\" ban it.")}));
}

void ResolveFindings::apexLevels_data() {
  QTest::addColumn<int>("base");
  QTest::addColumn<bool>("half");
  QTest::addColumn<bool>("told");
  for (const Base base : {Base::kApexO0, Base::kApexO1, Base::kApexO2, Base::kApexO3}) {
    for (const bool half : {true, false}) {
      const bool casts_model = base == Base::kApexO2 || base == Base::kApexO3;
      QTest::addRow("%s %s", policy::name(base).c_str(), half ? "float16" : "bfloat16")
          << static_cast<int>(base) << half << (casts_model && !half);
    }
  }
}

void ResolveFindings::apexLevels() {
  QFETCH(int, base);
  QFETCH(bool, half);
  QFETCH(bool, told);
  Policy policy;
  policy.base = static_cast<Base>(base);
  policy.low = half ? formats::kFloat16 : formats::kBFloat16;
  const QStringList lines = ::told(policy);
  const auto about = [](const QString& line) { return line.contains("Apex keeps weights in float16 only"); };
  QCOMPARE(std::count_if(lines.begin(), lines.end(), about), told ? 1 : 0);
}

void ResolveFindings::aRuleThatDoesAsItSaysIsQuiet() {
  Policy policy = quiet();
  policy.sites = {rule("fc/aten::linear#1", formats::kBFloat16), rule("layer1", formats::kFloat32)};
  policy.ops["aten::binary_cross_entropy"] = formats::kFloat32;
  QVERIFY(told(policy).isEmpty());
}

BINADE_SUITE(ResolveFindings);
#include "tst_resolve_findings.moc"
