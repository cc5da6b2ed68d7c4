// SPDX-License-Identifier: Apache-2.0
#include "engine/diagnose/fix_watch.h"
#include "tests/support/suite.h"

#include <cmath>

using namespace binade;
using diagnose::FixWatch;

namespace {

policy::SiteRule rule() {
  policy::SiteRule made;
  made.match = "fc1/aten::linear#0";
  made.format = formats::kFloat32;
  return made;
}

const std::vector<wire::SiteInfo>& twoSites() {
  static const std::vector<wire::SiteInfo> all = [] {
    std::vector<wire::SiteInfo> list(2);
    list[0].key = {.path = "fc1", .method = "", .op = "aten::linear", .overload = "", .ordinal = 0};
    list[1].key = {.path = "fc2", .method = "", .op = "aten::linear", .overload = "", .ordinal = 0};
    return list;
  }();
  return all;
}

policy::Resolved resolved(const policy::Policy& policy) {
  std::vector<policy::SiteKey> keys;
  for (const wire::SiteInfo& site : twoSites()) keys.push_back(site.key);
  return policy::resolve(policy, keys, {});
}

wire::Diagnosis diagnosis(int site) {
  wire::Diagnosis made;
  made.roots.emplace_back().site = site;
  made.fix.rules = {rule()};
  return made;
}

/// The steps after which the watch said that a fix has held.
std::vector<std::int64_t> held(FixWatch& watch, std::int64_t from, std::int64_t to, std::int64_t failing = -1,
                               int site = 0) {
  std::vector<std::int64_t> all;
  const wire::Diagnosis failure = diagnosis(site);
  for (std::int64_t step = from; step < to; ++step) {
    wire::StepRecord record;
    record.step = step;
    const auto event = watch.step(record, step == failing ? &failure : nullptr, twoSites());
    if (!event) continue;
    const auto* fix = std::get_if<wire::FixHeld>(&event->facts);
    if (event->kind != wire::Event::Kind::kFixHeld || fix == nullptr || fix->rules != failure.fix.rules) return {-1};
    if (fix->steps != FixWatch::kHeld) return {-2};
    all.push_back(step);
  }
  return all;
}

}  // namespace

class TestFixWatch : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aFixThatIsTakenOverIsSaidToHoldOnce() {
    FixWatch watch;
    watch.proposed(diagnosis(0));
    policy::Policy policy;
    policy.sites = {rule()};
    watch.applied(policy, 10);
    QVERIFY(held(watch, 10, 900) == std::vector<std::int64_t>{209});
  }
  void aFixThatIsNotTakenOverIsNotSpokenOf() {
    FixWatch watch;
    watch.proposed(diagnosis(0));
    watch.applied({}, 10);
    QVERIFY(held(watch, 10, 900).empty());
  }
  void aFailureOfItsCallCountsAnewAndOneElsewhereDoesNot() {
    FixWatch watch;
    watch.proposed(diagnosis(0));
    policy::Policy policy;
    policy.sites = {rule()};
    watch.applied(policy, 0);
    QVERIFY(held(watch, 0, 150, 100, /*site=*/0).empty());
    QVERIFY(held(watch, 150, 900, 160, /*site=*/1) == std::vector<std::int64_t>{300});
  }
  void stepsBeforeARewindDoNotCount() {
    FixWatch watch;
    watch.proposed(diagnosis(0));
    policy::Policy policy;
    policy.sites = {rule()};
    watch.applied(policy, 50);
    QVERIFY(held(watch, 50, 200).empty());
    watch.rewound();
    watch.applied(policy, 20);
    QVERIFY(held(watch, 20, 900) == std::vector<std::int64_t>{219});
    watch.rewound();  // told once is enough
    watch.applied(policy, 20);
    QVERIFY(held(watch, 20, 900).empty());
  }
  void oneThatFailsInTheStepInWhichAnotherHasHeldCountsAnew() {
    FixWatch watch;
    watch.proposed(diagnosis(0));
    wire::Diagnosis other = diagnosis(1);
    other.fix.rules.front().match = "fc2/aten::linear#0";
    watch.proposed(other);
    policy::Policy policy;
    policy.sites = {rule(), other.fix.rules.front()};
    watch.applied(policy, 0);
    std::vector<std::int64_t> second;
    for (std::int64_t step = 0; step < 600; ++step) {
      wire::StepRecord record;
      record.step = step;
      const auto event = watch.step(record, step == 199 ? &other : nullptr, twoSites());
      if (!event) continue;
      if (std::get<wire::FixHeld>(event->facts).rules == other.fix.rules) second.push_back(step);
    }
    QVERIFY(second == std::vector<std::int64_t>{399});
  }
  /// A fix that was put into the policy of a new run: that it holds is no news, that the scale falls is.
  void rulesThatARunBeginsWithAreFollowedToo() {
    policy::Policy policy;
    policy.sites = {rule()};
    FixWatch quiet;
    quiet.began(policy, resolved(policy), 0);
    QVERIFY(held(quiet, 0, 900).empty());
    FixWatch watch;
    watch.began(policy, resolved(policy), 0);
    std::vector<wire::FixFailed> said;
    for (std::int64_t step = 0; step < 30; ++step) {
      wire::StepRecord record;
      record.step = step;
      record.scale = std::ldexp(1.0, 16 - static_cast<int>(step));
      record.next_scale = record.scale / 2;
      const auto event = watch.step(record, nullptr, twoSites());
      if (!event) continue;
      QVERIFY(event->kind == wire::Event::Kind::kFixFailed);
      QCOMPARE(event->step, std::int64_t{16});
      said.push_back(std::get<wire::FixFailed>(event->facts));
    }
    QCOMPARE(said.size(), std::size_t{1});
    // The rule may be there for another reason, which `given` says: what removing it would do is not known.
    QVERIFY(said[0] == (wire::FixFailed{{rule()}, std::ldexp(1.0, 16), 0, 0.5, /*given=*/true}));
  }
  void aRuleThatDecidesNoOpCallIsNotNamed() {
    policy::Policy policy;
    policy.sites = {rule(), rule()};
    policy.sites[0].match = "fc9/aten::linear#0";
    FixWatch watch;
    watch.began(policy, resolved(policy), 0);
    wire::StepRecord record;
    record.scale = 1;
    record.next_scale = 0.5;
    const auto event = watch.step(record, nullptr, twoSites());
    QVERIFY(event.has_value());
    QVERIFY(std::get<wire::FixFailed>(event->facts).rules == std::vector<policy::SiteRule>{rule()});
  }
  void rulesThatWidenNothingAreNoFix() {
    policy::Policy policy;
    policy.sites = {rule()};
    policy.sites[0].format = formats::kFloat16;
    FixWatch watch;
    watch.began(policy, resolved(policy), 0);
    wire::StepRecord record;
    record.scale = 1;
    record.next_scale = 0.5;
    QVERIFY(!watch.step(record, nullptr, twoSites()));
  }
  void undoneBeforeItHeldItIsForgotten() {
    FixWatch watch;
    watch.proposed(diagnosis(0));
    policy::Policy policy;
    policy.sites = {rule()};
    watch.applied(policy, 0);
    watch.applied({}, 100);
    QVERIFY(held(watch, 100, 900).empty());
  }
};

BINADE_SUITE(TestFixWatch);
#include "tst_fix_watch.moc"
