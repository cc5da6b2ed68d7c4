// SPDX-License-Identifier: Apache-2.0
#include "engine/policy/differences.h"
#include "tests/policy/site_rule.h"
#include "tests/support/suite.h"

using namespace binade;
using policy::Base;
using policy::Policy;
using policy::SiteRule;
using test::rule;

namespace {

/// `place: first | second`
QStringList told(const Policy& first, const Policy& second) {
  QStringList lines;
  for (const policy::Difference& each : policy::differences(first, second)) {
    lines.append(QString::fromStdString(each.place + ": " + each.first + " | " + each.second));
  }
  return lines;
}

Policy with_rules(std::initializer_list<const char*> matches) {
  Policy policy;
  for (const char* match : matches) policy.sites.push_back(rule(match, formats::kFloat32));
  return policy;
}

}  // namespace

// What two policies say differently.
class PolicyDifferences : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void equalPoliciesHaveNone();
  void everyFieldIsCompared();
  void opChangesAreComparedByKey();
  void aChangedRuleIsTheSameRule();
  void aRuleMoreOrLessMovesNoOther();
  void aRuleInAnotherPlaceIsMoved();
  void rulesForSingleCallsAreRulesOfTheirOwn();
  void thousandsOfRulesAreComparedAtOnce();
};

void PolicyDifferences::equalPoliciesHaveNone() {
  const Policy policy = with_rules({"a", "b"});
  QCOMPARE(told(policy, policy), QStringList());
  QCOMPARE(told({}, {}), QStringList());
}

void PolicyDifferences::everyFieldIsCompared() {
  Policy other;
  other.name = "tuned";
  other.behaviour = policy::Behaviour::kPyTorch211;
  other.base = Base::kCpuAmp;
  other.low = formats::kBFloat16;
  other.execution = policy::Execution::kEmulated;
  QCOMPARE(told({}, other),
           (QStringList{QStringLiteral("name:  | tuned"), QStringLiteral("behaviour: fixed | pytorch-2.11"),
                        QStringLiteral("base: cuda-amp | cpu-amp"), QStringLiteral("low: float16 | bfloat16"),
                        QStringLiteral("execution: auto | emulated")}));
}

void PolicyDifferences::opChangesAreComparedByKey() {
  Policy first;
  first.ops = {{"aten::gelu", formats::kFloat32}, {"aten::mm", policy::Treatment::kLow}};
  Policy second;
  second.ops = {{"aten::gelu", policy::Treatment::kFollow}, {"aten::add.Tensor", formats::kFloat16}};
  QCOMPARE(told(first, second), (QStringList{QStringLiteral("ops[\"aten::add.Tensor\"]:  | float16"),
                                             QStringLiteral("ops[\"aten::gelu\"]: float32 | follow"),
                                             QStringLiteral("ops[\"aten::mm\"]: low | ")}));
}

void PolicyDifferences::aChangedRuleIsTheSameRule() {
  const Policy first = with_rules({"a", "b"});
  Policy second = first;
  second.sites[1].format = formats::kFloat8E4M3fn;
  second.sites[1].backward = formats::kBFloat16;
  second.sites[1].overflow = formats::Overflow::kSaturate;
  second.sites[1].why = "a trial";
  QCOMPARE(told(first, second),
           QStringList{QStringLiteral(
               "sites: b: [1] float32 | [1] float8_e4m3fn, gradients bfloat16, saturating  -- a trial")});
}

void PolicyDifferences::aRuleMoreOrLessMovesNoOther() {
  const Policy four = with_rules({"a", "b", "c", "d"});
  QCOMPARE(told(four, with_rules({"a", "c", "d"})), QStringList{QStringLiteral("sites: b: [1] float32 | ")});
  QCOMPARE(told(with_rules({"a", "c", "d"}), four), QStringList{QStringLiteral("sites: b:  | [1] float32")});
  QCOMPARE(told(with_rules({}), with_rules({"a"})), QStringList{QStringLiteral("sites: a:  | [0] float32")});
}

void PolicyDifferences::aRuleInAnotherPlaceIsMoved() {
  // A later rule wins, so that the order is a part of what a policy says.
  QCOMPARE(told(with_rules({"a", "b", "c"}), with_rules({"b", "c", "a"})),
           QStringList{QStringLiteral("sites: a: [0] float32 | [2] float32, moved")});
  // One rule twice: each has one counterpart.
  QCOMPARE(told(with_rules({"a", "b", "a"}), with_rules({"a", "b"})),
           QStringList{QStringLiteral("sites: a: [2] float32 | ")});
}

void PolicyDifferences::rulesForSingleCallsAreRulesOfTheirOwn() {
  Policy first = with_rules({"a"});
  Policy second = with_rules({"a", "a"});
  second.sites[1].call = 2;
  QCOMPARE(told(first, second), QStringList{QStringLiteral("sites: a, call 2:  | [1] float32")});
}

void PolicyDifferences::thousandsOfRulesAreComparedAtOnce() {
  Policy first;
  for (int i = 0; i < 3000; ++i) first.sites.push_back(rule(("m" + std::to_string(i)).c_str(), formats::kFloat32));
  Policy second = first;
  second.sites.erase(second.sites.begin() + 1500);
  std::swap(second.sites[10], second.sites[2000]);
  // Two change places, and what stands between them keeps its own: 1 less, 2 moved.
  QCOMPARE(told(first, second).size(), 3);
}

BINADE_SUITE(PolicyDifferences);
#include "tst_differences.moc"
