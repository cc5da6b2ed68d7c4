// SPDX-License-Identifier: Apache-2.0
#include "engine/policy_tools/effect.h"
#include "engine/policy_tools/merge.h"
#include "tests/policy_tools/made_up.h"
#include "tests/support/suite.h"

using namespace binade;
using policy::Policy;
using policy_tools::merge;
using policy_tools::Merged;
using policy_tools::ModelCalls;
using policy_tools::Side;
using test::rule_for;

namespace {

ModelCalls model() {
  return test::model_of({{"conv1", "aten::conv2d"}, {"fc1", "aten::linear"}, {"fc2", "aten::linear"}});
}

Policy with_rules(std::initializer_list<policy::SiteRule> rules) {
  Policy policy;
  policy.sites = rules;
  return policy;
}

QStringList conflicts_of(const Merged& merged) {
  QStringList lines;
  for (const policy_tools::Conflict& each : merged.conflicts) {
    lines.append(QString::fromStdString(each.place + ": " + each.base + " | " + each.mine + " | " + each.theirs));
  }
  return lines;
}

QStringList order_of(const Policy& policy) {
  QStringList lines;
  for (const policy::SiteRule& rule : policy.sites) lines.append(QString::fromStdString(rule.match));
  return lines;
}

}  // namespace

// The changes of two people to one policy.
class PolicyMerge : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void changesOfDifferentPartsAreBothApplied();
  void theSamePartChangedTwiceIsAConflict();
  void theSameChangeTwiceIsNone();
  void reasonsOfBothAreKept();
  void addedRulesFollowTheirNeighbours();
  void aRuleRemovedAndChangedIsAConflict();
  void addedRulesThatOverlapAreAConflict();
  void aPreferredRuleStaysBehindThoseThatItsSideOverrides();
  void aPreferredRuleOverridesThoseThatReplacedIt();
  void aPreferenceAlsoDecidesWhereOneSideNarrowedARule();
  void aPreferenceThatNoOrderFulfilsStaysOpen();
  void patternsWithOtherBeginningsDoNotOverlap();
  void aModelDecidesWhatOverlaps();
  void rulesMovedByBothAreAConflict();
  void aChangedListAndANewRuleAreComparedOnTheModel();
  void anOpChangeInsideAndARuleAreAConflict();
  void viewsAreNeverAConflict();
  void oneUnchangedSideGivesTheOther();
  void sidesCanBeExchanged();
};

void PolicyMerge::changesOfDifferentPartsAreBothApplied() {
  const Policy base = with_rules({rule_for("fc1", formats::kFloat32)});
  Policy mine = base;
  mine.low = formats::kBFloat16;
  mine.ops["aten::gelu"] = policy::Treatment::kLow;
  Policy theirs = base;
  theirs.execution = policy::Execution::kEmulated;
  theirs.name = "tuned";
  theirs.sites[0].format = formats::kTFloat32;
  const Merged merged = merge(base, mine, theirs, std::nullopt, nullptr);
  QVERIFY(merged.is_complete());
  QVERIFY(merged.policy.low == formats::kBFloat16);
  QCOMPARE(merged.policy.ops.size(), std::size_t{1});
  QVERIFY(merged.policy.execution == policy::Execution::kEmulated);
  QCOMPARE(merged.policy.name, std::string("tuned"));
  QVERIFY(merged.policy.sites == theirs.sites);
}

void PolicyMerge::theSamePartChangedTwiceIsAConflict() {
  Policy base = with_rules({rule_for("fc1", formats::kFloat32)});
  base.ops["aten::gelu"] = policy::Treatment::kLow;
  Policy mine = base;
  Policy theirs = base;
  mine.low = formats::kBFloat16;
  theirs.low = formats::kFloat32;
  mine.ops["aten::gelu"] = formats::kFloat32;
  theirs.ops.clear();
  mine.sites[0].format = formats::kBFloat16;
  theirs.sites[0].format = formats::kFloat16;
  const Merged merged = merge(base, mine, theirs, std::nullopt, nullptr);
  QVERIFY(!merged.is_complete());
  QCOMPARE(conflicts_of(merged), (QStringList{QStringLiteral("low: float16 | bfloat16 | float32"),
                                              QStringLiteral("ops[\"aten::gelu\"]: low | float32 | "),
                                              QStringLiteral("sites: fc1: float32 | bfloat16 | float16")}));
  QVERIFY(merge(base, mine, theirs, Side::kMine, nullptr).policy == mine);
  const Merged preferred = merge(base, mine, theirs, Side::kTheirs, nullptr);
  QVERIFY(preferred.is_complete());
  QVERIFY(preferred.policy == theirs);
}

void PolicyMerge::theSameChangeTwiceIsNone() {
  const Policy base = with_rules({rule_for("fc1", formats::kFloat32), rule_for("fc2", formats::kFloat32)});
  Policy both = base;
  both.low = formats::kBFloat16;
  both.sites.erase(both.sites.begin());
  const Merged merged = merge(base, both, both, std::nullopt, nullptr);
  QVERIFY(merged.conflicts.empty());
  QVERIFY(merged.policy == both);
}

void PolicyMerge::reasonsOfBothAreKept() {
  const Policy base = with_rules({rule_for("fc1", formats::kFloat32)});
  Policy mine = base;
  Policy theirs = base;
  mine.sites[0].why = "overflows";
  theirs.sites[0].why = "loses updates";
  const Merged merged = merge(base, mine, theirs, std::nullopt, nullptr);
  QVERIFY(merged.conflicts.empty());
  QCOMPARE(merged.policy.sites[0].why, std::string("overflows; loses updates"));
}

void PolicyMerge::addedRulesFollowTheirNeighbours() {
  const Policy base = with_rules({rule_for("*", formats::kFloat32), rule_for("fc1", formats::kFloat16)});
  Policy mine = base;
  mine.sites.insert(mine.sites.begin() + 1, rule_for("conv1/aten::conv2d#0", formats::kBFloat16));
  Policy theirs = base;
  theirs.sites.push_back(rule_for("fc2/aten::linear#0", formats::kBFloat16));
  const Merged merged = merge(base, mine, theirs, std::nullopt, nullptr);
  QCOMPARE(conflicts_of(merged), QStringList());
  QCOMPARE(order_of(merged.policy), (QStringList{QStringLiteral("*"), QStringLiteral("conv1/aten::conv2d#0"),
                                                 QStringLiteral("fc1"), QStringLiteral("fc2/aten::linear#0")}));
  // Moved by theirs, with a rule added by mine: both hold.
  Policy moved = base;
  std::swap(moved.sites[0], moved.sites[1]);
  QCOMPARE(order_of(merge(base, mine, moved, std::nullopt, nullptr).policy),
           (QStringList{QStringLiteral("fc1"), QStringLiteral("*"), QStringLiteral("conv1/aten::conv2d#0")}));
}

void PolicyMerge::aRuleRemovedAndChangedIsAConflict() {
  const Policy base = with_rules({rule_for("fc1", formats::kFloat32)});
  Policy mine = base;
  mine.sites.clear();
  Policy theirs = base;
  theirs.sites[0].format = formats::kBFloat16;
  QCOMPARE(conflicts_of(merge(base, mine, theirs, std::nullopt, nullptr)),
           QStringList(QStringLiteral("sites: fc1: float32 |  | bfloat16")));
  QVERIFY(merge(base, mine, theirs, Side::kMine, nullptr).policy.sites.empty());
}

void PolicyMerge::addedRulesThatOverlapAreAConflict() {
  const Policy base;
  const Policy mine = with_rules({rule_for("*/aten::linear#*", formats::kFloat32)});
  const Policy theirs = with_rules({rule_for("fc1", formats::kBFloat16)});
  const Merged open = merge(base, mine, theirs, std::nullopt, nullptr);
  QCOMPARE(conflicts_of(open), QStringList(QStringLiteral("sites: */aten::linear#* and fc1:  | float32 | bfloat16")));
  QCOMPARE(order_of(merge(base, mine, theirs, Side::kMine, nullptr).policy),
           (QStringList{QStringLiteral("fc1"), QStringLiteral("*/aten::linear#*")}));
  QCOMPARE(order_of(merge(base, mine, theirs, Side::kTheirs, nullptr).policy),
           (QStringList{QStringLiteral("*/aten::linear#*"), QStringLiteral("fc1")}));
  // The same treatment needs no order.
  const Policy same = with_rules({rule_for("fc1", formats::kFloat32)});
  QVERIFY(merge(base, mine, same, std::nullopt, nullptr).conflicts.empty());
}

void PolicyMerge::aPreferredRuleStaysBehindThoseThatItsSideOverrides() {
  const Policy base = with_rules({rule_for("x1", formats::kFloat32)});
  const Policy mine = with_rules({rule_for("x*", formats::kBFloat16), rule_for("x1", formats::kFloat32)});
  const Policy theirs = with_rules({rule_for("x1", formats::kFloat32), rule_for("x2*", formats::kTFloat32)});
  const Merged preferred = merge(base, mine, theirs, Side::kMine, nullptr);
  QVERIFY(preferred.is_complete());
  QCOMPARE(conflicts_of(preferred), QStringList(QStringLiteral("sites: x* and x2*:  | bfloat16 | tfloat32")));
  QCOMPARE(order_of(preferred.policy),
           (QStringList{QStringLiteral("x2*"), QStringLiteral("x*"), QStringLiteral("x1")}));
  QCOMPARE(order_of(merge(base, theirs, mine, Side::kTheirs, nullptr).policy), order_of(preferred.policy));
  QCOMPARE(order_of(merge(base, mine, theirs, Side::kTheirs, nullptr).policy),
           (QStringList{QStringLiteral("x*"), QStringLiteral("x1"), QStringLiteral("x2*")}));
}

void PolicyMerge::aPreferredRuleOverridesThoseThatReplacedIt() {
  const Policy base = with_rules({rule_for("x*", formats::kFloat32)});
  const Policy mine = with_rules({rule_for("x*", formats::kBFloat16)});
  const Policy theirs = with_rules({rule_for("x1", formats::kFloat32)});
  const Merged preferred = merge(base, mine, theirs, Side::kMine, nullptr);
  QVERIFY(preferred.is_complete());
  QCOMPARE(order_of(preferred.policy), (QStringList{QStringLiteral("x1"), QStringLiteral("x*")}));
  QCOMPARE(order_of(merge(base, theirs, mine, Side::kTheirs, nullptr).policy), order_of(preferred.policy));
  QVERIFY(merge(base, mine, theirs, Side::kTheirs, nullptr).policy.sites == theirs.sites);
}

void PolicyMerge::aPreferenceAlsoDecidesWhereOneSideNarrowedARule() {
  const Policy base = with_rules({rule_for("fc*", formats::kFloat32)});
  const Policy mine = with_rules({rule_for("fc*", formats::kBFloat16)});
  const Policy theirs = with_rules({rule_for("fc1", formats::kFloat32)});
  const ModelCalls calls = model();
  // At fc1 only mine changed the treatment, by the rule that theirs replaced.
  QVERIFY(!merge(base, mine, theirs, std::nullopt, &calls).is_complete());
  for (const Side side : {Side::kMine, Side::kTheirs}) {
    const Merged preferred = merge(base, mine, theirs, side, &calls);
    QVERIFY2(preferred.is_complete(), qPrintable(conflicts_of(preferred).join(u'\n')));
    QVERIFY(policy_tools::equal_tables(preferred.policy, side == Side::kMine ? mine : theirs, calls));
  }
}

void PolicyMerge::aPreferenceThatNoOrderFulfilsStaysOpen() {
  // Mine wants x* before x1, theirs x1 before x1*: x* cannot come behind x1*.
  const Policy base = with_rules({rule_for("x1", formats::kFloat32)});
  const Policy mine = with_rules({rule_for("x*", formats::kBFloat16), rule_for("x1", formats::kFloat32)});
  const Policy theirs = with_rules({rule_for("x1", formats::kFloat32), rule_for("x1*", formats::kTFloat32)});
  const Merged open = merge(base, mine, theirs, Side::kMine, nullptr);
  QVERIFY(!open.is_complete());
  QCOMPARE(order_of(open.policy), (QStringList{QStringLiteral("x*"), QStringLiteral("x1"), QStringLiteral("x1*")}));
  QVERIFY(merge(base, mine, theirs, Side::kTheirs, nullptr).is_complete());
}

void PolicyMerge::patternsWithOtherBeginningsDoNotOverlap() {
  const Policy conv = with_rules({rule_for("conv*", formats::kFloat32)});
  QVERIFY(merge(Policy(), conv, with_rules({rule_for("fc*", formats::kBFloat16)}), std::nullopt, nullptr)
              .conflicts.empty());
  QVERIFY(merge(Policy(), conv, with_rules({rule_for("fc1", formats::kBFloat16)}), std::nullopt, nullptr)
              .conflicts.empty());
  for (const char* match : {"c*", "*", "conv1.a", "conv1::forward*"}) {
    const Policy other = with_rules({rule_for(match, formats::kBFloat16)});
    QVERIFY2(!merge(Policy(), conv, other, std::nullopt, nullptr).is_complete(), match);
  }
}

void PolicyMerge::aModelDecidesWhatOverlaps() {
  const Policy base;
  const Policy mine = with_rules({rule_for("*/aten::conv2d#*", formats::kFloat32)});
  const Policy theirs = with_rules({rule_for("fc*", formats::kBFloat16)});
  QVERIFY(!merge(base, mine, theirs, std::nullopt, nullptr).is_complete());
  const ModelCalls calls = model();
  QCOMPARE(conflicts_of(merge(base, mine, theirs, std::nullopt, &calls)), QStringList());
}

void PolicyMerge::rulesMovedByBothAreAConflict() {
  const auto ordered = [](std::initializer_list<const char*> matches) {
    Policy policy;
    for (const char* match : matches) policy.sites.push_back(rule_for(match, formats::kFloat32));
    return policy;
  };
  const Merged merged =
      merge(ordered({"a", "b", "c"}), ordered({"b", "a", "c"}), ordered({"a", "c", "b"}), std::nullopt, nullptr);
  QCOMPARE(conflicts_of(merged), QStringList(QStringLiteral("order of the site rules: a, b, c | b, a, c | a, c, b")));
}

void PolicyMerge::aChangedListAndANewRuleAreComparedOnTheModel() {
  const Policy base;
  Policy mine = base;
  mine.low = formats::kBFloat16;
  const Policy theirs = with_rules({rule_for("fc1", formats::kFloat32)});
  const ModelCalls calls = model();
  // Mine changed every op call of the low format, theirs one of them, otherwise.
  const Merged open = merge(base, mine, theirs, std::nullopt, &calls);
  QCOMPARE(open.conflicts.size(), std::size_t{1});
  QCOMPARE(open.conflicts[0].place, std::string("fc1/aten::linear#0"));
  QVERIFY(!open.is_complete());
  // The rule wins over the list in any merged policy, so only one preference can be met.
  QVERIFY(merge(base, mine, theirs, Side::kTheirs, &calls).is_complete());
  QVERIFY(!merge(base, mine, theirs, Side::kMine, &calls).is_complete());
}

void PolicyMerge::anOpChangeInsideAndARuleAreAConflict() {
  ModelCalls calls = test::model_of({{"cell", "aten::gru"}, {"head", "aten::linear"}});
  calls.places.assign(2, {});
  calls.places[0].inside = true;
  Policy base;
  base.base = policy::Base::kCpuAmp;
  base.low = formats::kBFloat16;
  Policy mine = base;
  mine.ops["aten::linear"] = policy::OpChange(formats::kFloat32);
  Policy theirs = base;
  theirs.sites = {rule_for("cell", formats::kFloat32)};
  const Merged open = merge(base, mine, theirs, std::nullopt, &calls);
  QCOMPARE(conflicts_of(open), QStringList(QStringLiteral("cell/aten::gru#0: inside: aten::linear bfloat16 | inside: "
                                                          "aten::linear float32 | float32")));
  // A rule for another op call leaves the inside to the op change.
  theirs.sites = {rule_for("head", formats::kBFloat16)};
  QCOMPARE(conflicts_of(merge(base, mine, theirs, std::nullopt, &calls)).filter(QStringLiteral("gru")), QStringList());
}

void PolicyMerge::viewsAreNeverAConflict() {
  // No list and no rule casts a view, whatever a side says of it.
  ModelCalls calls = test::model_of({{"head", "aten::view"}});
  calls.places.assign(1, {});
  calls.places[0].view = true;
  const auto conflicts = [&calls](policy::Base before, policy::Base after) {
    Policy base;
    base.base = before;
    Policy mine = base;
    mine.sites = {rule_for("head", formats::kBFloat16)};
    Policy theirs = base;
    theirs.base = after;
    return merge(base, mine, theirs, std::nullopt, &calls).conflicts.size();
  };
  QCOMPARE(conflicts(policy::Base::kAllFloat32, policy::Base::kCudaAmp), std::size_t{0});
  QCOMPARE(conflicts(policy::Base::kCudaAmp, policy::Base::kAllFloat32), std::size_t{0});
}

void PolicyMerge::oneUnchangedSideGivesTheOther() {
  std::mt19937 random(7);
  for (int trial = 0; trial < 200; ++trial) {
    const ModelCalls calls = test::random_model(random);
    const Policy base = test::random_policy(calls, random);
    const Policy other = test::random_policy(calls, random);
    const Merged mine = merge(base, other, base, std::nullopt, &calls);
    const Merged theirs = merge(base, base, other, std::nullopt, &calls);
    const std::string text = std::to_string(trial) + "\n" + to_json(base) + to_json(other);
    QVERIFY2(mine.conflicts.empty() && theirs.conflicts.empty(), text.c_str());
    QVERIFY2(policy_tools::equal_tables(mine.policy, other, calls), text.c_str());
    QVERIFY2(policy_tools::equal_tables(theirs.policy, other, calls), text.c_str());
  }
}

void PolicyMerge::sidesCanBeExchanged() {
  std::mt19937 random(8);
  int complete = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const ModelCalls calls = test::random_model(random);
    Policy base = test::random_policy(calls, random);
    base.behaviour = policy::Behaviour::kFixed;
    Policy mine = base;
    Policy theirs = base;
    const auto edit = [&](Policy& policy) {
      const std::string name = calls.keys[random() % calls.keys.size()].name();
      policy.sites.push_back(rule_for(name, random() % 2 == 0 ? formats::kFloat32 : formats::kBFloat16));
      if (random() % 3 == 0 && policy.sites.size() > 1) policy.sites.erase(policy.sites.begin());
    };
    edit(mine);
    edit(theirs);
    const Merged one = merge(base, mine, theirs, std::nullopt, &calls);
    const Merged other = merge(base, theirs, mine, std::nullopt, &calls);
    const std::string text = std::to_string(trial) + "\n" + to_json(base) + to_json(mine) + to_json(theirs);
    QVERIFY2(one.is_complete() == other.is_complete(), text.c_str());
    if (!one.is_complete()) continue;
    ++complete;
    QVERIFY2(policy_tools::equal_tables(one.policy, other.policy, calls), text.c_str());
  }
  QVERIFY(complete > 50 && complete < 300);
}

BINADE_SUITE(PolicyMerge);
#include "tst_merge.moc"
