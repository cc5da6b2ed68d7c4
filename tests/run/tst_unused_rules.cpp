// SPDX-License-Identifier: Apache-2.0
#include "tests/run/small_run.h"
#include "tests/support/suite.h"

using namespace binade;
using test::Listening;
using test::runToEnd;

namespace {

/// Counts with whole numbers beside a layer of floating-point ones.
wire::RunConfig counting() {
  wire::RunConfig config = test::smallRun(2);
  config.model = test::saveModel(test::temporaryFolder().toStdString(),
                                 "def forward(self, x: Tensor) -> Tensor:\n"
                                 "    n = torch.mul((x > 0).sum(), 2)\n"
                                 "    y = torch.mul(x, 2.0)\n"
                                 "    z = torch.linear(y, self.weight, self.bias)\n"
                                 "    if int(n) < 0:\n"
                                 "        z = torch.tanh(z)\n"
                                 "    return z\n");
  config.data.inputs = {"float32[16,8]"};
  config.data.classes = 4;
  return config;
}

policy::SiteRule bfloat16(const char* match) {
  policy::SiteRule rule;
  rule.match = match;
  rule.format = formats::kBFloat16;
  return rule;
}

QStringList said(const wire::RunConfig& config) {
  Listening heard;
  runToEnd(config, heard);
  QStringList lines;
  for (const std::string& line : heard.log) {
    const bool of_unused =
        line.find("has no effect") != std::string::npos || line.find("no op call") != std::string::npos;
    if (of_unused) lines.append(QString::fromStdString(line));
  }
  return lines;
}

}  // namespace

// What of a policy finds only whole numbers and truth values, which nothing casts, is told after the first step.
class TestUnusedRules : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aRuleThatFindsNothingToCastIsTold() {
    wire::RunConfig config = counting();
    config.policy.sites = {bfloat16("aten::mul#0")};
    QCOMPARE(said(config), QStringList{QStringLiteral("policy: sites[0] (aten::mul#0) has no effect: no argument of "
                                                      "aten::mul#0 is of a floating-point format that is cast.")});
    config.policy.sites[0].call = 0;
    QCOMPARE(said(config).size(), 1);
  }

  void anOpChangeIsToldWhereAllItsOpCallsAreSo() {
    wire::RunConfig config = counting();
    config.policy.ops["aten::sum"] = formats::kBFloat16;
    QCOMPARE(said(config), QStringList{QStringLiteral("policy: ops[\"aten::sum\"] has no effect: no argument of "
                                                      "aten::sum#0 is of a floating-point format that is cast.")});
    config.policy.ops = {{"aten::mul", formats::kBFloat16}};  // the second mul has something
    QCOMPARE(said(config), QStringList{});
  }

  void aRuleWhoseOpCallsAllStandInABranchNotTakenIsTold() {
    wire::RunConfig config = counting();
    config.policy.sites = {bfloat16("aten::tanh#0")};
    QCOMPARE(said(config), QStringList{QStringLiteral("policy: sites[0] (aten::tanh#0): no op call that it decides ran "
                                                      "in the first step: aten::tanh#0.")});
    config.policy.sites = {bfloat16("loss/aten::cross_entropy_loss#0")};  // of the form that cuda-amp does not take
    QCOMPARE(said(config).size(), 1);
  }

  void whatDoesAsItSaysIsNotSpokenOf() {
    wire::RunConfig config = counting();
    config.policy.sites = {bfloat16("aten::mul#1"), bfloat16("aten::linear#0")};
    QCOMPARE(said(config), QStringList{});
    config.policy.sites = {bfloat16("*")};  // among them one that does not run
    QCOMPARE(said(config), QStringList{});
    config.policy.sites.clear();
    config.policy.ops["aten::tanh"] = formats::kBFloat16;  // may hold inside an op made of others
    QCOMPARE(said(config), QStringList{});
  }
};

BINADE_SUITE(TestUnusedRules);
#include "tst_unused_rules.moc"
