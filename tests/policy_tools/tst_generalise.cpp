// SPDX-License-Identifier: Apache-2.0
#include "engine/policy_tools/effect.h"
#include "engine/policy_tools/generalise.h"
#include "tests/policy_tools/made_up.h"
#include "tests/support/suite.h"

#include <algorithm>

using namespace binade;
using policy::Policy;
using policy_tools::equal_tables;
using policy_tools::generalise;
using policy_tools::Generalised;
using policy_tools::ModelCalls;
using test::rule_for;

namespace {

/// Two blocks of a network with residual connections, and a head.
ModelCalls blocks() {
  ModelCalls model;
  for (const char* layer : {"layer1.", "layer2."}) {
    for (const char* module : {"conv1", "conv2"}) test::add_call(model, std::string(layer) + module, "aten::conv2d");
    test::add_call(model, std::string(layer) + "act", "aten::gelu");
  }
  test::add_call(model, "head", "aten::linear");
  return model;
}

Policy bfloat16_at(std::initializer_list<const char*> matches) {
  Policy policy;
  for (const char* match : matches) policy.sites.push_back(rule_for(match, formats::kBFloat16));
  return policy;
}

QStringList statements_of(const Policy& policy) {
  QStringList lines;
  for (const auto& [op, change] : policy.ops) {
    lines.append(QStringLiteral("ops: ") + QString::fromStdString(op + " " + policy::to_text(change)));
  }
  for (const policy::SiteRule& rule : policy.sites) lines.append(QString::fromStdString(rule.match));
  return lines;
}

}  // namespace

// Patterns in place of single op calls.
class PolicyGeneralise : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void anIndexBecomesAStar();
  void aModuleBecomesItsPath();
  void allCallsOfAnOpBecomeAnOpChange();
  void aPatternThatChangesAnotherCallIsRefused();
  void aLaterRuleStillWins();
  void theLossIsLeftAlone();
  void reasonsAreKept();
  void rulesForSingleCallsStaySuch();
  void onePatternAloneReplacesNothing();
  void randomPoliciesKeepTheirTables();
};

void PolicyGeneralise::anIndexBecomesAStar() {
  const Policy policy = bfloat16_at({"layer1.conv1/aten::conv2d#0", "layer2.conv1/aten::conv2d#0"});
  const Generalised result = generalise(policy, blocks());
  QCOMPARE(statements_of(result.policy), QStringList(QStringLiteral("layer*.conv1")));
  QCOMPARE(result.patterns.size(), std::size_t{1});
  QCOMPARE(result.patterns[0].op_calls, std::size_t{2});
  QVERIFY(
      (result.patterns[0].replaced == std::vector<std::string>{"sites[0] (layer1.conv1/aten::conv2d#0): bfloat16",
                                                               "sites[1] (layer2.conv1/aten::conv2d#0): bfloat16"}));
}

void PolicyGeneralise::aModuleBecomesItsPath() {
  const Policy policy =
      bfloat16_at({"layer1.conv1/aten::conv2d#0", "layer1.conv2/aten::conv2d#0", "layer1.act/aten::gelu#0"});
  QCOMPARE(statements_of(generalise(policy, blocks()).policy), QStringList(QStringLiteral("layer1")));
}

void PolicyGeneralise::allCallsOfAnOpBecomeAnOpChange() {
  Policy policy = bfloat16_at({"layer1.conv1/aten::conv2d#0", "layer1.conv2/aten::conv2d#0",
                               "layer2.conv1/aten::conv2d#0", "layer2.conv2/aten::conv2d#0"});
  QCOMPARE(statements_of(generalise(policy, blocks()).policy),
           QStringList(QStringLiteral("ops: aten::conv2d bfloat16")));
  // A composite op may run convolutions inside, which no rule of this policy reaches.
  ModelCalls composite = blocks();
  composite.places.back().inside = true;
  composite.keys.back().op = "aten::kron";
  const Policy patterns = generalise(policy, composite).policy;
  QVERIFY(patterns.ops.empty());
  QCOMPARE(patterns.sites.size(), std::size_t{1});
}

void PolicyGeneralise::aPatternThatChangesAnotherCallIsRefused() {
  ModelCalls model = blocks();
  test::add_call(model, "layer3.conv1", "aten::conv2d");  // float16, by the list
  const Policy policy = bfloat16_at({"layer1.conv1/aten::conv2d#0", "layer2.conv1/aten::conv2d#0"});
  QVERIFY(generalise(policy, model).policy == policy);
}

void PolicyGeneralise::aLaterRuleStillWins() {
  Policy policy = bfloat16_at({"layer1.conv1/aten::conv2d#0", "layer2.conv1/aten::conv2d#0"});
  policy.sites.insert(policy.sites.begin(), rule_for("layer1", formats::kFloat32));
  policy.sites.push_back(rule_for("head", formats::kFloat32));
  const Generalised result = generalise(policy, blocks());
  QCOMPARE(statements_of(result.policy),
           (QStringList{QStringLiteral("layer1"), QStringLiteral("layer*.conv1"), QStringLiteral("head")}));
  QVERIFY(equal_tables(policy, result.policy, blocks()));
}

void PolicyGeneralise::theLossIsLeftAlone() {
  const ModelCalls model = test::model_of({{"a", "aten::mean"}, {"b", "aten::mean"}});
  const Policy policy = bfloat16_at({"a/aten::mean#0", "b/aten::mean#0"});
  // A mean may be a part of the loss, where neither rule applies.
  QVERIFY(generalise(policy, model).policy == policy);
}

void PolicyGeneralise::reasonsAreKept() {
  Policy policy = bfloat16_at({"layer1.conv1/aten::conv2d#0", "layer2.conv1/aten::conv2d#0"});
  policy.sites[0].why = "overflows";
  policy.sites[1].why = "as in the other layer";
  QCOMPARE(generalise(policy, blocks()).policy.sites[0].why, std::string("overflows; as in the other layer"));
}

void PolicyGeneralise::rulesForSingleCallsStaySuch() {
  Policy policy = bfloat16_at({"layer1.conv1/aten::conv2d#0", "layer2.conv1/aten::conv2d#0"});
  for (policy::SiteRule& rule : policy.sites) rule.call = 3;
  const Policy result = generalise(policy, blocks()).policy;
  QCOMPARE(statements_of(result), QStringList(QStringLiteral("layer*.conv1")));
  QVERIFY(result.sites[0].call == 3);
  policy.sites[1].call = 4;
  QVERIFY(generalise(policy, blocks()).policy == policy);
}

void PolicyGeneralise::onePatternAloneReplacesNothing() {
  const Policy policy = bfloat16_at({"layer1.conv1/aten::conv2d#0"});
  QVERIFY(generalise(policy, blocks()).policy == policy);
}

void PolicyGeneralise::randomPoliciesKeepTheirTables() {
  std::mt19937 random(19);
  std::size_t patterns = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const ModelCalls model = test::random_model(random);
    const Policy policy = test::random_policy(model, random);
    const Generalised result = generalise(policy, model);
    const std::string text = std::to_string(trial) + "\n" + to_json(policy) + to_json(result.policy);
    QVERIFY2(equal_tables(policy, result.policy, with_loss(model, policy)), text.c_str());
    QVERIFY2(test::size_of(result.policy) + result.patterns.size() <= test::size_of(policy), text.c_str());
    QVERIFY2(generalise(result.policy, model).policy == result.policy, text.c_str());
    patterns += result.patterns.size();
  }
  QVERIFY(patterns > 20);
}

BINADE_SUITE(PolicyGeneralise);
#include "tst_generalise.moc"
