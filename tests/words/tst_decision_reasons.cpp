// SPDX-License-Identifier: Apache-2.0
// Why an op call has its format: the layer that decided, and those that it overrules.
#include "engine/policy/decide.h"
#include "engine/words/decision_reasons.h"
#include "tests/support/suite.h"

#include <algorithm>

using namespace binade;

namespace {

policy::SiteRule ruleWith(const char* match, const formats::Format& format, const char* why = "") {
  policy::SiteRule made;
  made.match = match;
  made.format = format;
  made.why = why;
  return made;
}

policy::SiteKey convSite() {
  return {"layer1.0.conv1", "", "aten::conv2d", "", 0};
}

std::vector<std::string> reasonsOf(const policy::Policy& policy, const policy::SiteKey& site,
                                   const words::CallTraits& traits = {}) {
  const std::vector<policy::SiteKey> sites{site};
  return words::decision_reasons(policy, site, policy::resolve(policy, sites, {}).sites.front(), traits);
}

}  // namespace

class DecisionReasons : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void theBaseListIsNamedWithWhatItSays() {
    policy::Policy policy;
    QCOMPARE(reasonsOf(policy, convSite()).front(),
             std::string("The base list cuda-amp runs aten::conv2d in the low format, float16."));
    policy.low = formats::kBFloat16;
    QCOMPARE(reasonsOf(policy, convSite()).front(),
             std::string("The base list cuda-amp runs aten::conv2d in the low format, bfloat16."));
    const policy::SiteKey relu{"relu", "", "aten::relu", "", 0};
    QCOMPARE(reasonsOf(policy, relu).front(),
             std::string("The base list cuda-amp does not name aten::relu: it computes in the format of its arguments, "
                         "in the widest one if they differ."));
    const policy::SiteKey softmax{"", "", "aten::softmax", "int", 0};
    QCOMPARE(reasonsOf(policy, softmax).front(),
             std::string("The base list cuda-amp lets aten::softmax return float32 unless the model sets a dtype."));
  }

  void aRecurrentLayerHasTheRuleOfCudnn() {
    const policy::SiteKey lstm{"rnn", "", "aten::lstm", "input", 0};
    words::CallTraits traits;
    traits.inside = true;
    QCOMPARE(reasonsOf({}, lstm, traits).front(),
             std::string("The base list cuda-amp runs aten::lstm by its rule for aten::_cudnn_rnn, in float16."));
  }

  void aRuleIsNamedWithItsReasonAndWhatItOverrules() {
    policy::Policy policy;
    policy.ops["aten::conv2d"] = formats::kBFloat16;
    policy.sites = {ruleWith("layer1", formats::kFloat16), ruleWith("fc", formats::kFloat16),
                    ruleWith("layer1.0.conv1/aten::conv2d#0", formats::kFloat32, "its result overflows")};
    const std::vector<std::string> reasons = reasonsOf(policy, convSite());
    QCOMPARE(reasons.size(), std::size_t{4});
    QCOMPARE(reasons[0], std::string("sites[2] (layer1.0.conv1/aten::conv2d#0) of the policy sets float32. Its reason: "
                                     "its result overflows."));
    QCOMPARE(reasons[1], std::string("Overruled: sites[0] (layer1) of the policy sets float16."));
    QVERIFY(reasons[2].starts_with("Overruled: ops[\"aten::conv2d\"] of the policy sets bfloat16"));
    QVERIFY(reasons[3].starts_with("Overruled: The base list cuda-amp runs aten::conv2d in the low format"));
  }

  void aChangeOfTheOpIsNamed() {
    policy::Policy policy;
    policy.ops["aten::conv2d"] = formats::kFloat32;
    const std::vector<std::string> reasons = reasonsOf(policy, convSite());
    QVERIFY(reasons.front().starts_with("ops[\"aten::conv2d\"] of the policy sets float32"));
    QVERIFY(reasons.back().starts_with("Overruled: The base list"));
  }

  void theOpsNatureAndEmulationAreReasons() {
    policy::Policy policy;
    policy.sites = {ruleWith("layer1", formats::kFloat8E4M3fn)};
    words::CallTraits traits;
    traits.in_place = true;
    const std::vector<std::string> reasons = reasonsOf(policy, convSite(), traits);
    const auto has = [&](const char* text) {
      return std::any_of(reasons.begin(), reasons.end(),
                         [text](const std::string& each) { return each.find(text) != std::string::npos; });
    };
    QVERIFY(has("It writes an argument"));
    QVERIFY(has("It is emulated"));
  }

  void aRuleForOneExecutionIsMentioned() {
    policy::Policy policy;
    policy.sites = {ruleWith("layer1", formats::kFloat32)};
    policy.sites.front().call = 2;
    const std::vector<std::string> reasons = reasonsOf(policy, convSite());
    QVERIFY(reasons.front().starts_with("The base list"));
    QVERIFY(std::any_of(reasons.begin(), reasons.end(), [](const std::string& each) {
      return each.find("execution 2 of a forward only") != std::string::npos;
    }));
  }
};

BINADE_SUITE(DecisionReasons);

#include "tst_decision_reasons.moc"
