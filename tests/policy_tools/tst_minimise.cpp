// SPDX-License-Identifier: Apache-2.0
#include "engine/policy_tools/effect.h"
#include "engine/policy_tools/minimise.h"
#include "tests/policy_tools/made_up.h"
#include "tests/support/suite.h"

using namespace binade;
using policy::Policy;
using policy_tools::equal_tables;
using policy_tools::minimise;
using policy_tools::Minimised;
using policy_tools::ModelCalls;
using test::rule_for;
using test::size_of;

namespace {

ModelCalls two_layers() {
  return test::model_of({{"conv1", "aten::conv2d"}, {"norm", "aten::layer_norm"}, {"fc", "aten::linear"}});
}

QStringList reasons(const Minimised& result) {
  QStringList lines;
  for (const policy_tools::Dropped& each : result.dropped) {
    lines.append(QString::fromStdString(each.what + " -- " + each.why));
  }
  return lines;
}

}  // namespace

// Fewer rules with the same table.
class PolicyMinimise : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void eachRuleThatGoesHasItsReason();
  void aRuleForASingleCallGoesWhereItSaysNothingNew();
  void aRuleThatRestatesTheListStaysWhereRulesProtectArguments();
  void rulesForTheLossStay();
  void opChangesForALossStay();
  void anOpChangeStaysWhereACompositeOpMayUseIt();
  void theOnlyEditStaysUnderPyTorchsBehaviour();
  void randomPoliciesKeepTheirTables();
};

void PolicyMinimise::eachRuleThatGoesHasItsReason() {
  Policy policy;  // cuda-amp: conv2d and linear in float16, layer_norm in float32
  policy.sites = {rule_for("gone", formats::kFloat32),
                  rule_for("fc", formats::kBFloat16),
                  rule_for("norm/aten::layer_norm#0", formats::kFloat32),
                  rule_for("conv1", formats::kFloat32),
                  rule_for("fc/aten::linear#0", formats::kFloat32),
                  rule_for("*/aten::linear#*", formats::kFloat32)};
  const Minimised result = minimise(policy, two_layers());
  QCOMPARE(reasons(result),
           (QStringList{QStringLiteral("sites[0] (gone): float32 -- it matches no op call of the model"),
                        QStringLiteral("sites[4] (fc/aten::linear#0): float32 -- later rules decide all its op calls: "
                                       "sites[5]"),
                        QStringLiteral("sites[1] (fc): bfloat16 -- later rules decide all its op calls: sites[5]"),
                        QStringLiteral("sites[2] (norm/aten::layer_norm#0): float32 -- without it the same applies, "
                                       "from the base list cuda-amp")}));
  QCOMPARE(result.policy.sites.size(), std::size_t{2});
  QVERIFY(equal_tables(policy, result.policy, two_layers()));
}

void PolicyMinimise::aRuleForASingleCallGoesWhereItSaysNothingNew() {
  Policy policy;
  policy.sites = {rule_for("fc", formats::kFloat32), rule_for("fc/aten::linear#0", formats::kFloat32),
                  rule_for("fc/aten::linear#0", formats::kBFloat16)};
  policy.sites[1].call = 1;
  policy.sites[2].call = 2;
  const Minimised result = minimise(policy, two_layers());
  QCOMPARE(result.policy.sites.size(), std::size_t{2});
  QVERIFY(result.policy.sites[1].call == 2);
}

void PolicyMinimise::aRuleThatRestatesTheListStaysWhereRulesProtectArguments() {
  Policy policy;
  policy.sites = {rule_for("fc", formats::kFloat16)};
  ModelCalls model = two_layers();
  QVERIFY(minimise(policy, model).policy.sites.empty());
  model.guarded.back() = true;
  QCOMPARE(minimise(policy, model).policy.sites.size(), std::size_t{1});
  model.guarded.clear();  // unknown
  QCOMPARE(minimise(policy, model).policy.sites.size(), std::size_t{1});
}

void PolicyMinimise::rulesForTheLossStay() {
  Policy policy;
  policy.sites = {rule_for("loss/aten::my_loss#3", formats::kBFloat16), rule_for("loss*", formats::kFloat32),
                  rule_for("loss.extra.part", formats::kFloat32)};
  const Policy result = minimise(policy, two_layers()).policy;
  QCOMPARE(result.sites.size(), std::size_t{2});  // the second rule overrides the first
  QCOMPARE(result.sites[0].match, std::string("loss*"));
  // Nothing but the loss has a mean here.
  policy.sites = {rule_for("*/aten::mean#*", formats::kBFloat16)};
  QCOMPARE(minimise(policy, two_layers()).policy.sites.size(), std::size_t{1});
}

void PolicyMinimise::opChangesForALossStay() {
  for (const char* key : {"aten::cosine_embedding_loss", "aten::log_softmax.int", "aten::mse_loss.default"}) {
    Policy policy;
    policy.ops[key] = formats::kBFloat16;
    QVERIFY2(minimise(policy, two_layers()).policy.ops.size() == 1, key);
  }
}

void PolicyMinimise::anOpChangeStaysWhereACompositeOpMayUseIt() {
  Policy policy;
  policy.ops["aten::linear"] = formats::kFloat16;  // as the list
  ModelCalls model = two_layers();
  QVERIFY(minimise(policy, model).policy.ops.empty());
  test::add_call(model, "rnn", "aten::gru");
  model.places.back().inside = true;
  QCOMPARE(minimise(policy, model).policy.ops.size(), std::size_t{1});
}

void PolicyMinimise::theOnlyEditStaysUnderPyTorchsBehaviour() {
  Policy policy;
  policy.sites = {rule_for("fc", formats::kFloat16)};
  policy.behaviour = policy::Behaviour::kPyTorch211;  // whose promotions depend on whether there is any edit
  QCOMPARE(minimise(policy, two_layers()).policy.sites.size(), std::size_t{1});
}

void PolicyMinimise::randomPoliciesKeepTheirTables() {
  std::mt19937 random(20261126);
  std::size_t went = 0;
  std::size_t patterns = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const ModelCalls model = test::random_model(random);
    const Policy policy = test::random_policy(model, random);
    const Minimised result = minimise(policy, model);
    const ModelCalls all = with_loss(model, policy);
    const std::string text = std::to_string(trial) + "\n" + to_json(policy) + to_json(result.policy);
    QVERIFY2(equal_tables(policy, result.policy, all), text.c_str());
    QVERIFY2(size_of(result.policy) <= size_of(policy), text.c_str());
    QVERIFY2(minimise(result.policy, model).policy == result.policy, text.c_str());
    for (std::size_t i = 0; i < result.policy.sites.size(); ++i) {
      if (policy::speaks_of_loss(result.policy.sites[i])) continue;
      Policy fewer = result.policy;
      fewer.sites.erase(fewer.sites.begin() + static_cast<std::ptrdiff_t>(i));
      QVERIFY2(!equal_tables(fewer, result.policy, all), text.c_str());
    }
    for (const auto& [key, change] : result.policy.ops) {
      Policy fewer = result.policy;
      fewer.ops.erase(key);
      QVERIFY2(!equal_tables(fewer, result.policy, all), text.c_str());
    }
    went += size_of(policy) - size_of(result.policy);
    patterns += result.patterns.size();
  }
  QVERIFY(went > 400);
  QVERIFY(patterns > 0);
}

BINADE_SUITE(PolicyMinimise);
#include "tst_minimise.moc"
