// SPDX-License-Identifier: Apache-2.0
#include "engine/policy/resolve.h"
#include "engine/policy/runs_alike.h"
#include "tests/policy/site_rule.h"
#include "tests/support/suite.h"

using namespace binade;
using policy::Base;
using policy::Decision;
using policy::Execution;
using policy::Policy;
using policy::Resolved;
using policy::SiteKey;
using policy::SiteRule;
using test::rule;
using Kind = policy::Decision::Kind;

namespace {

// A small network: what each index means is its name here.
enum Site { kConv, kNorm, kRelu, kAdd, kLinear, kSoftmax, kEinsum, kNormScalar, kCross, kRoot, kLoss };

const std::vector<SiteKey>& model() {
  static const std::vector<SiteKey> sites{
      {"layer1.conv", "_conv_forward", "aten::conv2d", "", 0},
      {"layer1.norm", "", "aten::batch_norm", "", 0},
      {"layer1", "", "aten::relu_", "", 0},
      {"layer1", "", "aten::add", "Tensor", 0},
      {"fc", "", "aten::linear", "", 0},
      {"head", "", "aten::softmax", "int", 0},
      {"head", "", "aten::einsum", "", 0},
      {"head", "", "aten::norm", "Scalar", 0},
      {"head", "", "aten::cross", "", 0},
      {"", "", "aten::mul", "Tensor", 0},
      {"loss", "", "aten::cross_entropy_loss", "", 0},
  };
  return sites;
}

constexpr policy::Capabilities kCpu{.native_bfloat16 = true, .native_float16 = false};
constexpr policy::Capabilities kGpu{.native_bfloat16 = true, .native_float16 = true};

Resolved resolved(const Policy& policy, const policy::Capabilities& capabilities = kCpu) {
  return policy::resolve(policy, model(), capabilities);
}

Policy starting(Base base, formats::Format low = formats::kFloat16) {
  Policy policy;
  policy.base = base;
  policy.low = low;
  return policy;
}

bool runsIn(const Decision& decision, const formats::Format& format) {
  return decision.kind == Kind::kFormat && decision.format == format && decision.backward == format;
}

}  // namespace

// Base, op changes and site rules become one decision a site.
class Resolve : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void cudaAmp();
  void cpuAmp();
  void everyKindOfBaseRule();
  void allFloat32CastsNothing();
  void oneLowerSiteMakesTheRestOfAllFloat32Follow();
  void allFloat32WithOnlyFloat32RulesStillLeaves();
  void apexO0CastsNothing();
  void apexO1UsesItsLists();
  void apexO2LowersAllButBatchNormAndLoss();
  void apexO3LowersAllButLoss();
  void anOpChangeWinsOverTheBase();
  void anOverloadWinsOverItsOp();
  void everyTreatment();
  void aSiteRuleWinsOverAnOpChange();
  void aLaterRuleWins();
  void aRuleForOneCallLeavesTheOthers();
  void aLaterRuleForTheSiteWinsOverOneForACall();
  void editingOneOpCall_data();
  void editingOneOpCall();
  void executionFollowsTheHardware_data();
  void executionFollowsTheHardware();
  void theCudnnRnnIsFloat16UpstreamOnly();
  void noSites();
  void tablesThatRunAlikeMayHaveOtherRules();
};

void Resolve::cudaAmp() {
  const Resolved table = resolved(starting(Base::kCudaAmp));
  QCOMPARE(table.sites.size(), model().size());
  QVERIFY(runsIn(table.sites[kConv], formats::kFloat16));
  QVERIFY(runsIn(table.sites[kLinear], formats::kFloat16));
  QVERIFY(table.sites[kNorm].kind == Kind::kFollow);
  QVERIFY(table.sites[kRelu].kind == Kind::kFollow);
  QVERIFY(table.sites[kAdd].kind == Kind::kFollow);
  QVERIFY(table.sites[kLoss].kind == Kind::kFollow);  // a composite: its parts are on the list
  for (const Decision& decision : table.sites) QCOMPARE(decision.rule, policy::kFromBase);
  QVERIFY(table.low == formats::kFloat16 && table.base == Base::kCudaAmp && table.calls.empty());
}

void Resolve::cpuAmp() {
  const Resolved table = resolved(starting(Base::kCpuAmp, formats::kBFloat16));
  QVERIFY(runsIn(table.sites[kConv], formats::kBFloat16));
  QVERIFY(runsIn(table.sites[kLoss], formats::kFloat32));
  QVERIFY(table.sites[kSoftmax].kind == Kind::kFollow);
  QVERIFY(table.sites[kEinsum].kind == Kind::kFollow);
}

void Resolve::everyKindOfBaseRule() {
  const Resolved table = resolved(starting(Base::kCudaAmp, formats::kBFloat16));
  QVERIFY(table.sites[kSoftmax].kind == Kind::kSetDtype);
  QVERIFY(table.sites[kNormScalar].kind == Kind::kAppendDtype);
  QVERIFY(table.sites[kCross].kind == Kind::kPromote);
  QVERIFY(table.sites[kCross].format == formats::kBFloat16);  // promotion starts from the low format
  const std::vector<SiteKey> banned{{"", "", "aten::binary_cross_entropy", "", 0}, {"", "", "aten::exp", "", 0}};
  const Resolved other = policy::resolve(starting(Base::kCudaAmp), banned, kCpu);
  QVERIFY(other.sites[0].kind == Kind::kBanned);
  QVERIFY(runsIn(other.sites[1], formats::kFloat32));
}

void Resolve::allFloat32CastsNothing() {
  const Resolved table = resolved(starting(Base::kAllFloat32));
  QVERIFY(table.sites == std::vector<Decision>(model().size()));
  QVERIFY(table.findings.empty());
}

void Resolve::oneLowerSiteMakesTheRestOfAllFloat32Follow() {
  Policy policy = starting(Base::kAllFloat32);
  policy.sites = {rule("layer1.conv", formats::kFloat16)};
  const Resolved table = resolved(policy);
  QVERIFY(runsIn(table.sites[kConv], formats::kFloat16));
  // fc gets a half and has float32 weights: without this it could not run.
  QVERIFY(table.sites[kLinear].kind == Kind::kFollow);
  // The same where only one call is lowered, or a whole op.
  policy.sites[0].call = 1;
  QVERIFY(resolved(policy).sites[kLinear].kind == Kind::kFollow);
  policy.sites.clear();
  policy.ops["aten::conv2d"] = policy::Treatment::kLow;
  QVERIFY(resolved(policy).sites[kLinear].kind == Kind::kFollow);
}

void Resolve::allFloat32WithOnlyFloat32RulesStillLeaves() {
  Policy policy = starting(Base::kAllFloat32);
  policy.sites = {rule("layer1.conv", formats::kFloat32)};
  const Resolved table = resolved(policy);
  QVERIFY(runsIn(table.sites[kConv], formats::kFloat32));
  QCOMPARE(table.sites[kConv].rule, 0);
  QVERIFY(table.sites[kLinear] == Decision{});
}

void Resolve::apexO0CastsNothing() {
  QVERIFY(resolved(starting(Base::kApexO0)).sites == std::vector<Decision>(model().size()));
}

void Resolve::apexO1UsesItsLists() {
  const Resolved table = resolved(starting(Base::kApexO1));
  QVERIFY(runsIn(table.sites[kConv], formats::kFloat16));
  QVERIFY(runsIn(table.sites[kSoftmax], formats::kFloat32));
  QVERIFY(runsIn(table.sites[kNormScalar], formats::kFloat32));
  QVERIFY(runsIn(table.sites[kLoss], formats::kFloat32));
  QVERIFY(table.sites[kAdd].kind == Kind::kPromote);
  QVERIFY(table.sites[kNorm].kind == Kind::kFollow);  // batch norm is on no list of O1
  QVERIFY(table.sites[kEinsum].kind == Kind::kFollow);
}

void Resolve::apexO2LowersAllButBatchNormAndLoss() {
  const Resolved table = resolved(starting(Base::kApexO2));
  QVERIFY(table.sites[kNorm].kind == Kind::kFollow);  // its weights are float32, its input is what comes
  QVERIFY(runsIn(table.sites[kLoss], formats::kFloat32));
  for (const Site site : {kConv, kAdd, kLinear, kSoftmax, kEinsum, kRoot}) {
    QVERIFY(runsIn(table.sites[site], formats::kFloat16));
  }
  QVERIFY(table.sites[kRelu].kind == Kind::kFollow);  // writes its argument
}

void Resolve::apexO3LowersAllButLoss() {
  const Resolved table = resolved(starting(Base::kApexO3));
  QVERIFY(runsIn(table.sites[kNorm], formats::kFloat16));
  QVERIFY(runsIn(table.sites[kSoftmax], formats::kFloat16));
  QVERIFY(runsIn(table.sites[kLoss], formats::kFloat32));
}

void Resolve::anOpChangeWinsOverTheBase() {
  Policy policy = starting(Base::kCudaAmp);
  policy.ops["aten::conv2d"] = formats::kFloat32;
  policy.ops["aten::batch_norm"] = policy::Treatment::kLow;
  const Resolved table = resolved(policy);
  QVERIFY(runsIn(table.sites[kConv], formats::kFloat32));
  QVERIFY(runsIn(table.sites[kNorm], formats::kFloat16));
  QCOMPARE(table.sites[kConv].rule, policy::kFromOpChange);
  QCOMPARE(table.sites[kLinear].rule, policy::kFromBase);
}

void Resolve::anOverloadWinsOverItsOp() {
  Policy policy = starting(Base::kCudaAmp);
  policy.ops["aten::add"] = formats::kFloat32;
  policy.ops["aten::add.Tensor"] = formats::kBFloat16;
  QVERIFY(runsIn(resolved(policy).sites[kAdd], formats::kBFloat16));
  policy.ops.erase("aten::add.Tensor");
  policy.ops["aten::add.Scalar"] = formats::kBFloat16;
  QVERIFY(runsIn(resolved(policy).sites[kAdd], formats::kFloat32));
  // The overload without a name, as PyTorch calls it in Python.
  policy.ops["aten::linear.default"] = formats::kFloat32;
  QVERIFY(runsIn(resolved(policy).sites[kLinear], formats::kFloat32));
}

void Resolve::everyTreatment() {
  const auto kind = [](policy::Treatment treatment) {
    Policy policy = starting(Base::kCudaAmp, formats::kBFloat16);
    policy.ops["aten::linear"] = treatment;
    return resolved(policy).sites[kLinear];
  };
  QVERIFY(runsIn(kind(policy::Treatment::kLow), formats::kBFloat16));
  QVERIFY(kind(policy::Treatment::kPromote).kind == Kind::kPromote);
  QVERIFY(kind(policy::Treatment::kPromote).format == formats::kBFloat16);
  QVERIFY(kind(policy::Treatment::kFollow).kind == Kind::kFollow);
  QVERIFY(kind(policy::Treatment::kBanned).kind == Kind::kBanned);
}

void Resolve::aSiteRuleWinsOverAnOpChange() {
  Policy policy = starting(Base::kCudaAmp);
  policy.ops["aten::linear"] = policy::Treatment::kBanned;
  policy.sites = {rule("fc", formats::kBFloat16)};
  const Resolved table = resolved(policy);
  QVERIFY(runsIn(table.sites[kLinear], formats::kBFloat16));
  QCOMPARE(table.sites[kLinear].rule, 0);
}

void Resolve::aLaterRuleWins() {
  Policy policy = starting(Base::kCudaAmp);
  policy.sites = {rule("fc/aten::linear#0", formats::kFloat32), rule("*", formats::kBFloat16)};
  Resolved table = resolved(policy);
  QVERIFY(runsIn(table.sites[kLinear], formats::kBFloat16));  // later, though less exact
  QCOMPARE(table.sites[kLinear].rule, 1);
  std::swap(policy.sites[0], policy.sites[1]);
  table = resolved(policy);
  QVERIFY(runsIn(table.sites[kLinear], formats::kFloat32));
  QVERIFY(runsIn(table.sites[kConv], formats::kBFloat16));
}

void Resolve::aRuleForOneCallLeavesTheOthers() {
  Policy policy = starting(Base::kCudaAmp);
  policy.sites = {rule("fc/aten::linear#0", formats::kFloat32)};
  policy.sites[0].call = 2;
  const Resolved table = resolved(policy);
  QVERIFY(runsIn(table.sites[kLinear], formats::kFloat16));
  QCOMPARE(table.calls.size(), std::size_t{1});
  QVERIFY(runsIn(table.calls.at({kLinear, 2}), formats::kFloat32));
  QCOMPARE(table.calls.at({kLinear, 2}).rule, 0);
}

void Resolve::aLaterRuleForTheSiteWinsOverOneForACall() {
  Policy policy = starting(Base::kCudaAmp);
  policy.sites = {rule("fc", formats::kFloat32), rule("head", formats::kFloat32), rule("fc", formats::kBFloat16)};
  policy.sites[0].call = 2;
  policy.sites[1].call = 1;
  Resolved table = resolved(policy);
  QVERIFY(!table.calls.contains({kLinear, 2}));
  QVERIFY(table.calls.contains({kSoftmax, 1}) && table.calls.contains({kEinsum, 1}));
  QVERIFY(runsIn(table.sites[kLinear], formats::kBFloat16));
  std::swap(policy.sites[0], policy.sites[2]);
  table = resolved(policy);
  QVERIFY(runsIn(table.calls.at({kLinear, 2}), formats::kFloat32));
}

void Resolve::editingOneOpCall_data() {
  QTest::addColumn<QString>("format");
  for (const char* base : {"cuda-amp", "all-float32", "apex-o1", "apex-o3"}) {
    for (const char* format : {"float32", "bfloat16", "float16"}) {
      QTest::addRow("%s in %s", format, base) << QString(format);
    }
  }
}

void Resolve::editingOneOpCall() {
  QFETCH(QString, format);
  const std::string base = QString::fromUtf8(QTest::currentDataTag()).section(QLatin1String(" in "), 1).toStdString();
  // The window sends a rule with the site's exact name, as text, and its undo takes the rule away again.
  for (std::size_t i = 0; i < model().size(); ++i) {
    Policy policy = starting(*policy::parse_base(base));
    const Resolved before = resolved(policy);
    policy.sites = {rule(model()[i].name().c_str(), *formats::parse(format.toStdString()))};
    const Resolved after = resolved(policy::parse_policy(policy::to_json(policy), "edit"));
    QVERIFY(runsIn(after.sites[i], *formats::parse(format.toStdString())));
    QCOMPARE(after.sites[i].rule, 0);
    for (std::size_t j = 0; j < model().size(); ++j) {
      if (j == i) continue;
      const bool woken = before.sites[j].kind == Kind::kLeave && after.sites[j].kind == Kind::kFollow;
      QVERIFY2(woken || after.sites[j] == before.sites[j], model()[j].name().c_str());
    }
    policy.sites.clear();
    QVERIFY(resolved(policy).sites == before.sites);
  }
}

void Resolve::executionFollowsTheHardware_data() {
  QTest::addColumn<QString>("format");
  QTest::addColumn<int>("policyExecution");
  QTest::addColumn<int>("ruleExecution");
  QTest::addColumn<int>("onCpu");
  QTest::addColumn<int>("onGpu");
  constexpr int kAuto = static_cast<int>(Execution::kAuto);
  constexpr int kNative = static_cast<int>(Execution::kNative);
  constexpr int kEmulated = static_cast<int>(Execution::kEmulated);
  QTest::newRow("float16, auto") << "float16" << kAuto << kAuto << kEmulated << kNative;
  QTest::newRow("bfloat16, auto") << "bfloat16" << kAuto << kAuto << kNative << kNative;
  QTest::newRow("float32, auto") << "float32" << kAuto << kAuto << kNative << kNative;
  QTest::newRow("float16, native by rule") << "float16" << kAuto << kNative << kNative << kNative;
  QTest::newRow("float16, native by policy") << "float16" << kNative << kAuto << kNative << kNative;
  QTest::newRow("float16, emulated by policy") << "float16" << kEmulated << kAuto << kEmulated << kEmulated;
  QTest::newRow("float16, the rule wins") << "float16" << kNative << kEmulated << kEmulated << kEmulated;
  QTest::newRow("bfloat16, emulated by rule") << "bfloat16" << kAuto << kEmulated << kEmulated << kEmulated;
  QTest::newRow("float32, nothing to emulate") << "float32" << kEmulated << kEmulated << kNative << kNative;
}

void Resolve::executionFollowsTheHardware() {
  QFETCH(QString, format);
  QFETCH(int, policyExecution);
  QFETCH(int, ruleExecution);
  QFETCH(int, onCpu);
  QFETCH(int, onGpu);
  Policy policy = starting(Base::kCudaAmp);
  policy.execution = static_cast<Execution>(policyExecution);
  policy.sites = {rule("fc", *formats::parse(format.toStdString()))};
  policy.sites[0].execution = static_cast<Execution>(ruleExecution);
  QCOMPARE(static_cast<int>(resolved(policy, kCpu).sites[kLinear].execution), onCpu);
  QCOMPARE(static_cast<int>(resolved(policy, kGpu).sites[kLinear].execution), onGpu);
  const Resolved table = resolved(policy);
  QCOMPARE(table.sites.size(), model().size());
  for (const Decision& decision : table.sites) QVERIFY(decision.execution != Execution::kAuto);
  // Hardware without bfloat16 emulates it.
  policy.sites[0] = rule("fc", formats::kBFloat16);
  policy.execution = Execution::kAuto;
  const Resolved old = resolved(policy, {.native_bfloat16 = false, .native_float16 = false});
  QVERIFY(old.sites[kLinear].execution == Execution::kEmulated);
}

void Resolve::theCudnnRnnIsFloat16UpstreamOnly() {
  const std::vector<SiteKey> rnn{{"lstm", "", "aten::_cudnn_rnn", "", 0}};
  Policy policy = starting(Base::kCudaAmp, formats::kBFloat16);
  QVERIFY(runsIn(policy::resolve(policy, rnn, kGpu).sites[0], formats::kBFloat16));
  policy.behaviour = policy::Behaviour::kPyTorch211;
  QVERIFY(runsIn(policy::resolve(policy, rnn, kGpu).sites[0], formats::kFloat16));
  policy.low = formats::kTFloat32;  // no dtype of a region of PyTorch
  QVERIFY(runsIn(policy::resolve(policy, rnn, kGpu).sites[0], formats::kTFloat32));
}

void Resolve::noSites() {
  Policy policy = starting(Base::kCudaAmp);
  policy.ops["aten::mm"] = formats::kFloat32;
  policy.sites = {rule("*", formats::kFloat32)};
  const Resolved table = policy::resolve(policy, {}, kCpu);
  QVERIFY(table.sites.empty() && table.calls.empty());
  QCOMPARE(table.findings.size(), std::size_t{1});  // that an op is none of a model's goes without saying
  QCOMPARE(table.findings[0].rule, 0);
}

void Resolve::tablesThatRunAlikeMayHaveOtherRules() {
  const Policy plain = starting(Base::kCudaAmp);
  Policy same = plain;
  same.sites = {rule("layer9", formats::kFloat32), rule("fc", formats::kFloat16)};  // as the list has it
  QVERIFY(policy::runs_alike(resolved(plain), resolved(same)));
  Policy other = plain;
  other.sites = {rule("fc", formats::kFloat32)};
  QVERIFY(!policy::runs_alike(resolved(plain), resolved(other)));
  Policy inside = plain;
  inside.ops["aten::mm"] = formats::kFloat32;  // none of the model's, but a composite op may call it
  QVERIFY(!policy::runs_alike(resolved(plain), resolved(inside)));
  Policy once = plain;
  once.sites = {rule("fc", formats::kFloat32)};
  once.sites[0].call = 1;
  QVERIFY(!policy::runs_alike(resolved(plain), resolved(once)));
  QVERIFY(policy::runs_alike(resolved(once), resolved(once)));
}

BINADE_SUITE(Resolve);
#include "tst_resolve.moc"
