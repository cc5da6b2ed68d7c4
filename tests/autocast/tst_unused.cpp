// SPDX-License-Identifier: Apache-2.0
#include "engine/autocast/resolve_executions.h"
#include "engine/graph/flat_graph.h"
#include "tests/support/suite.h"

using namespace binade;
using policy::Finding;

namespace {

constexpr const char* kText =
    "def f(x: Tensor, i: Tensor) -> Tensor:\n"
    "    y = torch.relu_(torch.mm(x, x))\n"
    "    y = y.view([-1, 2])\n"
    "    h = torch.one_hot(i, 2)\n"
    "    return y.add_(h)\n";

QStringList warnings(const policy::Policy& policy) {
  const graph::FlatGraph flat = graph::FlatGraph::from_text(kText, "f", "m", 0);
  std::vector<const graph::Site*> sites;
  for (const auto& site : flat.sites()) sites.push_back(site.get());
  policy::Capabilities native;
  native.native_float16 = true;
  QStringList lines;
  for (const Finding& finding : autocast::resolve_for(policy, sites, native).findings) {
    if (finding.severity == Finding::Severity::kWarning) lines.append(QString::fromStdString(finding.message));
  }
  return lines;
}

policy::Policy ruled(const std::vector<const char*>& matches) {
  policy::Policy policy;
  policy.base = policy::Base::kAllFloat32;
  for (const char* match : matches) {
    policy::SiteRule rule;
    rule.match = match;
    rule.format = formats::kFloat16;
    policy.sites.push_back(rule);
  }
  return policy;
}

}  // namespace

// Rules and op changes for ops that take no format: what they write or what they are decides.
class TestUnused : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void anOpThatWritesAnArgumentTakesNoFormat() {
    QCOMPARE(warnings(ruled({"m/aten::relu_#0"})),
             QStringList{QStringLiteral("sites[0] (m/aten::relu_#0) gives no op call its format: what writes an "
                                        "argument computes in the dtype of that (m/aten::relu_#0).")});
    policy::Policy policy = ruled({});
    policy.ops["aten::add_"] = formats::kFloat16;
    QCOMPARE(warnings(policy),
             QStringList{QStringLiteral("ops[\"aten::add_\"] gives no op call its format: what writes an argument "
                                        "computes in the dtype of that (m/aten::add_#0).")});
    policy.ops = {{"aten::add_", policy::Treatment::kFollow}};  // asks for none
    QCOMPARE(warnings(policy), QStringList{});
  }

  void anOpOfIndicesTakesNoFormat() {
    QCOMPARE(warnings(ruled({"m/aten::one_hot#0"})),
             QStringList{QStringLiteral("sites[0] (m/aten::one_hot#0) gives no op call its format: indices and masks "
                                        "are never cast (m/aten::one_hot#0).")});
  }

  void aRuleThatHasSomethingElseToDecideIsQuiet() {
    QCOMPARE(warnings(ruled({"m"})), QStringList{});
    QCOMPARE(warnings(ruled({"m/aten::mm#0"})), QStringList{});
    QCOMPARE(warnings(ruled({"m/aten::*_#*"})).size(), 1);
  }
};

BINADE_SUITE(TestUnused);
#include "tst_unused.moc"
