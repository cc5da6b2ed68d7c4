// SPDX-License-Identifier: Apache-2.0
#include "tests/run/small_run.h"
#include "tests/support/suite.h"

using namespace binade;
using test::Listening;
using test::runToEnd;

namespace {

/// A layer behind a loop, of three rounds by default; the rule asks for one call of `match`.
wire::RunConfig looping(const char* match, int call, const char* loop = "for i in range(3)") {
  wire::RunConfig config = test::smallRun(2);
  config.model = test::saveModel(test::temporaryFolder().toStdString(),
                                 std::string("def forward(self, x: Tensor) -> Tensor:\n"
                                             "    y = x\n"
                                             "    ")
                                     .append(loop)
                                     .append(":\n"
                                             "        y = torch.tanh(y)\n"
                                             "    return torch.linear(y, self.weight, self.bias)\n"));
  config.data.inputs = {"float32[16,8]"};
  config.data.classes = 4;
  policy::SiteRule rule;
  rule.match = match;
  rule.call = call;
  rule.format = formats::kFloat32;
  config.policy.sites = {rule};
  return config;
}

QStringList saidOfRules(const Listening& heard) {
  QStringList said;
  for (const std::string& line : heard.log) {
    if (line.starts_with("policy: sites[0]")) said.append(QString::fromStdString(line));
  }
  return said;
}

}  // namespace

// A rule for one call of an op call is told of where that call does not come.
class TestCallRules : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aCallBeyondTheLoopIsToldAfterTheFirstStepAndAtTheEnd() {
    Listening heard;
    runToEnd(looping("aten::tanh#0", 7), heard);
    QCOMPARE(saidOfRules(heard),
             (QStringList{QStringLiteral("policy: sites[0] (aten::tanh#0): call 7 did not run in step 0: "
                                         "aten::tanh#0 ran as calls 0 to 2 of the forward."),
                          QStringLiteral("policy: sites[0] (aten::tanh#0): call 7 did not run in steps 0 to 1: "
                                         "aten::tanh#0 ran as calls 0 to 2 of a forward at most.")}));
  }

  void anOpCallThatNeverRanIsSaidNotToHave() {
    Listening heard;
    runToEnd(looping("aten::tanh#0", 1, "while bool(y.abs().sum() > 1e9)"), heard);
    QCOMPARE(saidOfRules(heard),
             (QStringList{QStringLiteral("policy: sites[0] (aten::tanh#0): call 1 did not run in step 0: "
                                         "aten::tanh#0 did not run in the forward."),
                          QStringLiteral("policy: sites[0] (aten::tanh#0): call 1 did not run in steps 0 to 1: "
                                         "aten::tanh#0 did not run in any forward.")}));
  }

  void aCallThatComesIsNotSpokenOf() {
    Listening heard;
    runToEnd(looping("aten::tanh#0", 2), heard);
    QCOMPARE(heard.finished.front().outcome, wire::Outcome::kCompleted);
    QVERIFY(saidOfRules(heard).isEmpty());
  }

  void outsideALoopItIsToldBeforehand() {
    Listening heard;
    runToEnd(looping("aten::linear#0", 1), heard);
    QCOMPARE(
        saidOfRules(heard),
        QStringList{QStringLiteral("policy: sites[0] (aten::linear#0): call 1 never occurs at aten::linear#0, which is "
                                   "not in a loop: forward runs it once, as call 0. The rule has no effect.")});
  }
};

BINADE_SUITE(TestCallRules);
#include "tst_call_rules.moc"
