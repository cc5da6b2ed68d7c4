// SPDX-License-Identifier: Apache-2.0
#include "engine/policy/resolve.h"
#include "tests/support/suite.h"

using namespace binade;
using policy::Base;
using policy::Finding;
using policy::Policy;
using policy::SiteKey;
using policy::SitePlace;

namespace {

const std::vector<SiteKey> kModel{{"fc", "", "aten::linear", "", 0}, {"fc", "", "aten::linear", "", 1},
                                  {"", "", "aten::view", "", 0},     {"", "", "aten::relu", "", 0},
                                  {"", "", "aten::sum", "", 0},      {"", "", "aten::sum", "dim_IntList", 0}};
const std::vector<SitePlace> kPlaces{{.repeats = false}, {.repeats = false}, {.repeats = false, .view = true},
                                     {.repeats = false}, {.repeats = false}, {.repeats = false}};

QStringList told(const Policy& policy, const std::vector<SitePlace>& places = kPlaces) {
  const policy::Capabilities native{.native_bfloat16 = true, .native_float16 = true};
  QStringList lines;
  for (const Finding& finding : policy::resolve(policy, kModel, native, places).findings) {
    const bool note = finding.severity == Finding::Severity::kNote;
    lines.append(QLatin1String(note ? "note " : "warning ") + QString::fromStdString(finding.message));
  }
  return lines;
}

Policy over(Base base) {
  Policy policy;
  policy.base = base;
  policy.low = formats::kBFloat16;
  return policy;
}

policy::SiteRule float32(const char* match) {
  policy::SiteRule rule;
  rule.match = match;
  return rule;
}

}  // namespace

// Rules and op changes that change nothing in a model.
class UnusedFindings : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aCapturedModelIsNamedWithItsPrefix() {
    const std::vector<SiteKey> sites{{"model.up", "", "aten::linear", "", 0}, {"model", "", "aten::mul", "", 0}};
    for (const auto& [match, meant] :
         {std::pair("up", "model.up"), std::pair("up/aten::linear#0", "model.up/aten::linear#0"),
          std::pair("aten::mul#0", "model/aten::mul#0")}) {
      Policy policy = over(Base::kCpuAmp);
      policy.sites = {float32(match)};
      const policy::Resolved resolved = policy::resolve(policy, sites, {});
      QCOMPARE(QString::fromStdString(resolved.findings.at(0).message),
               QStringLiteral("sites[0] (%1) matches no op call of this model. Did you mean \"%2\"?")
                   .arg(QLatin1String(match), QLatin1String(meant)));
    }
  }

  void anOpChangeThatNoKernelRunsIsAWarning() {
    const std::vector<SiteKey> sites{{"norm", "", "aten::layer_norm", "", 0}, {"", "", "aten::gelu", "", 0}};
    std::vector<SitePlace> places(2);
    places[0].inside = true;
    Policy policy = over(Base::kCpuAmp);
    policy.ops["aten::glu"] = formats::kFloat32;
    const policy::Resolved resolved = policy::resolve(policy, sites, {}, places);
    QCOMPARE(resolved.findings.size(), std::size_t{1});
    QVERIFY(resolved.findings[0].severity == Finding::Severity::kWarning);
    QCOMPARE(QString::fromStdString(resolved.findings[0].message),
             QStringLiteral("ops[\"aten::glu\"]: this model has no op call of this op. Did you mean \"aten::gelu\"?"));
  }

  void anOpChangeForViewsDecidesNothing() {
    Policy policy = over(Base::kCpuAmp);
    policy.ops["aten::view"] = formats::kFloat16;
    QCOMPARE(told(policy), QStringList{QStringLiteral("warning ops[\"aten::view\"] has no effect: rules do not cast a "
                                                      "view or a cast of the model itself, such as aten::view#0.")});
  }

  void anOpChangeBelowSiteRulesDecidesNothing() {
    Policy policy = over(Base::kCudaAmp);
    policy.ops["aten::linear"] = formats::kFloat16;
    policy.sites = {float32("fc/aten::linear#0")};
    QCOMPARE(told(policy), QStringList{});
    policy.sites = {float32("fc")};
    QCOMPARE(told(policy),
             QStringList{QStringLiteral("warning ops[\"aten::linear\"] has no effect, because site rules decide all "
                                        "its 2 op calls: fc/aten::linear#0, fc/aten::linear#1.")});
    // Inside an op that is made of others no site rule takes it over.
    std::vector<SitePlace> places = kPlaces;
    places[3].inside = true;
    QCOMPARE(
        told(policy, places).value(0),
        QStringLiteral(
            "note ops[\"aten::linear\"] has no effect, because site rules decide all its 2 op calls: "
            "fc/aten::linear#0, fc/aten::linear#1. It applies only inside composite ops, if one of these calls it: "
            "aten::relu."));
  }

  void anOpChangeThatSaysWhatTheListSaysIsNoted() {
    Policy policy = over(Base::kCpuAmp);
    policy.ops["aten::linear"] = policy::Treatment::kLow;
    QCOMPARE(told(policy), QStringList{QStringLiteral("note ops[\"aten::linear\"] repeats the rule of cpu-amp.")});
    policy.ops["aten::relu"] = policy::Treatment::kFollow;
    QCOMPARE(
        told(policy),
        QStringList{QStringLiteral("note ops[\"aten::linear\"], ops[\"aten::relu\"] repeat the rule of cpu-amp.")});
    policy.ops["aten::relu"] = formats::kBFloat16;
    policy.ops["aten::linear"] = formats::kFloat32;
    QCOMPARE(told(policy), QStringList{});
    // An op that is made of others goes by the list inside; `follow` said of it switches that off.
    policy.ops = {{"aten::relu", policy::Treatment::kFollow}};
    std::vector<SitePlace> places = kPlaces;
    places[3].inside = true;
    QCOMPARE(told(policy, places), QStringList{});
  }

  void whatTakesAnOverloadOutOfAnotherChangeIsNeeded() {
    Policy policy = over(Base::kCpuAmp);
    policy.ops = {{"aten::sum", formats::kFloat32}, {"aten::sum.default", policy::Treatment::kFollow}};
    QCOMPARE(told(policy), QStringList{});
    policy.ops.erase("aten::sum");
    QCOMPARE(told(policy), QStringList{QStringLiteral("note ops[\"aten::sum.default\"] repeats the rule of cpu-amp.")});
  }
};

BINADE_SUITE(UnusedFindings);
#include "tst_unused_findings.moc"
