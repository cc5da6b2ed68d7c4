// SPDX-License-Identifier: Apache-2.0
#include "engine/silent/fault_tracker.h"
#include "engine/silent/low_scale.h"
#include "tests/support/suite.h"

using namespace binade;
using silent::FaultTracker;
using silent::Symptom;
using wire::Direction;

namespace {

Symptom symptom(int site, double amount, Symptom::Kind kind = Symptom::Kind::kUnderflow,
                Direction direction = Direction::kBackward) {
  Symptom made;
  made.kind = kind;
  made.direction = direction;
  made.site = site;
  made.what = "weight";
  made.amount = amount;
  made.facts.share = amount;
  return made;
}

}  // namespace

/// Symptoms of many steps: which are faults, and in which order.
class SilentFaultTracker : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void whatShowsOnceIsNoFault();
  void whatShowsNowAndThenIsNoFault();
  void unobservedStepsDoNotCount();
  void faultsAreRankedByTheirMean();
  void ofEqualFaultsTheFirstInTheStepIsFirst();
  void deadIsWhatStaysDead();
  void whatLivesAgainIsNoFaultAnyMore();
  void aLossThatAScaleMendsStandsBeforeDeadCalls();
  void zerosBehindALossAreNoFaultOfTheirOwn();
  void aSpikeIsOneAtOnce();
  void whatWasMeasuredIsOneAtOnce();
  void newsIsReportedOnce();
  void anotherPolicyBeginsAnew();
  void anOverflowThatVanishesIsOneWhileItLasts();
  void itIsCountedWhereOutputsWereScanned();
  void zerosBehindItAreNoFaultOfTheirOwn();
  void aScaleThatSettlesBelowOneIsOne();
  void aScaleThatGoesOnFallingIsNotSettled();
  void aScaleThatWasMeantSoOrComesBackIsNone();
};

void SilentFaultTracker::whatShowsOnceIsNoFault() {
  FaultTracker tracker;
  tracker.step(0, true, {symptom(1, 1)});
  tracker.step(1, true, {symptom(1, 1)});
  QVERIFY(tracker.faults().empty());
  tracker.step(2, true, {symptom(1, 1)});
  QCOMPARE(tracker.faults().size(), std::size_t{1});
}

void SilentFaultTracker::whatShowsNowAndThenIsNoFault() {
  FaultTracker tracker;
  for (int i = 0; i < 100; ++i) {
    tracker.step(i, true, i % 10 == 0 ? std::vector{symptom(1, 1)} : std::vector<Symptom>());
  }
  QVERIFY(tracker.faults().empty());
}

void SilentFaultTracker::unobservedStepsDoNotCount() {
  FaultTracker tracker;
  for (int i = 0; i < 301; ++i) {
    const bool observed = i % 100 == 0;
    tracker.step(i, observed, observed ? std::vector{symptom(1, 0.5)} : std::vector<Symptom>());
  }
  const auto faults = tracker.faults();
  QCOMPARE(faults.size(), std::size_t{1});
  QCOMPARE(faults[0].seen, std::int64_t{4});
  QCOMPARE(faults[0].observed_steps, std::int64_t{4});
  QCOMPARE(faults[0].first_step, std::int64_t{0});
  QCOMPARE(faults[0].last_step, std::int64_t{300});
  QCOMPARE(faults[0].amount, 0.5);
  QCOMPARE(tracker.observed(), std::int64_t{4});
}

void SilentFaultTracker::faultsAreRankedByTheirMean() {
  FaultTracker tracker;
  for (int i = 0; i < 8; ++i) {
    std::vector<Symptom> symptoms{symptom(1, 0.25)};
    if (i % 2 == 0) symptoms.push_back(symptom(2, 0.4));  // more, and half as often
    tracker.step(i, true, symptoms);
  }
  const auto faults = tracker.faults();
  QCOMPARE(faults.size(), std::size_t{2});
  QCOMPARE(faults[0].site, 1);
  QCOMPARE(faults[0].amount, 0.25);
  QCOMPARE(faults[1].amount, 0.2);
  QCOMPARE(faults[1].seen, std::int64_t{4});
  QCOMPARE(faults[1].observed_steps, std::int64_t{8});
}

void SilentFaultTracker::ofEqualFaultsTheFirstInTheStepIsFirst() {
  FaultTracker tracker;
  const auto kind = Symptom::Kind::kUnderflow;
  for (int i = 0; i < 3; ++i) {
    tracker.step(i, true, {symptom(1, 1), symptom(4, 1), symptom(3, 1, kind, Direction::kForward)});
  }
  std::vector<int> order;
  for (const auto& fault : tracker.faults()) order.push_back(fault.site);
  QVERIFY((order == std::vector{3, 4, 1}));  // forward, then backward from the end
}

void SilentFaultTracker::deadIsWhatStaysDead() {
  const Symptom dead = symptom(2, 1, Symptom::Kind::kDeadSite, Direction::kForward);
  FaultTracker begins;
  for (int i = 0; i < 20; ++i) begins.step(i, true, i < 2 || i % 4 == 0 ? std::vector{dead} : std::vector<Symptom>());
  QVERIFY(begins.faults().empty());
  FaultTracker stays;
  for (int i = 0; i < 4; ++i) stays.step(i, true, {dead});
  QVERIFY(stays.faults().empty());
  stays.step(4, false, {});  // not observed
  stays.step(5, true, {dead});
  QCOMPARE(stays.faults().size(), std::size_t{1});
}

void SilentFaultTracker::whatLivesAgainIsNoFaultAnyMore() {
  const Symptom dead = symptom(2, 1, Symptom::Kind::kDeadSite, Direction::kForward);
  FaultTracker tracker;
  for (int i = 0; i < 6; ++i) tracker.step(i, true, {dead});
  QCOMPARE(tracker.faults().size(), std::size_t{1});
  for (int i = 6; i < 10; ++i) tracker.step(i, true, {});
  QCOMPARE(tracker.faults().size(), std::size_t{1});  // a batch or two
  tracker.step(10, true, {});
  QVERIFY(tracker.faults().empty());
}

void SilentFaultTracker::aLossThatAScaleMendsStandsBeforeDeadCalls() {
  const Symptom dead = symptom(2, 1, Symptom::Kind::kDeadSite, Direction::kForward);
  Symptom faint = symptom(7, 0.25);
  const Symptom other = symptom(5, 0.5);
  const auto orderOf = [&] {
    FaultTracker tracker;
    for (int i = 0; i < 6; ++i) tracker.step(i, true, {dead, faint, other});
    std::vector<int> order;
    for (const auto& fault : tracker.faults()) order.push_back(fault.site);
    return order;
  };
  QVERIFY((orderOf() == std::vector{2, 5, 7}));  // whatever mends it, a dead call loses all
  faint.fix.scale = 4096;
  QVERIFY((orderOf() == std::vector{5, 7, 2}));
}

void SilentFaultTracker::zerosBehindALossAreNoFaultOfTheirOwn() {
  FaultTracker tracker;
  const auto dead = [](int site, Direction direction) { return symptom(site, 1, Symptom::Kind::kDeadSite, direction); };
  for (int i = 0; i < 6; ++i) {
    tracker.step(
        i, true,
        {symptom(3, 0.95), dead(2, Direction::kBackward), dead(5, Direction::kBackward), dead(4, Direction::kForward)});
  }
  std::vector<int> order;
  for (const auto& fault : tracker.faults()) order.push_back(fault.site);
  QVERIFY((order == std::vector{4, 5, 3}));  // 2 gets nothing because 3 loses it
}

void SilentFaultTracker::aSpikeIsOneAtOnce() {
  FaultTracker tracker;
  for (int i = 0; i < 10; ++i) tracker.step(i, i % 5 == 0, {});
  tracker.step(10, false, {symptom(-1, 0.75, Symptom::Kind::kLossSpike)});
  for (int i = 11; i < 110; ++i) tracker.step(i, i % 5 == 0, {});
  const auto faults = tracker.faults();
  QCOMPARE(faults.size(), std::size_t{1});
  QCOMPARE(faults[0].amount, 0.75);  // not the mean over steps that had none
  QCOMPARE(faults[0].seen, std::int64_t{1});
  QCOMPARE(faults[0].observed_steps, std::int64_t{100});
}

void SilentFaultTracker::whatWasMeasuredIsOneAtOnce() {
  FaultTracker tracker;
  for (int i = 0; i < 10; ++i) tracker.step(i, true, {});
  tracker.confirm(10, {symptom(1, 0.3)});
  for (int i = 10; i < 20; ++i) tracker.step(i, true, {});
  const auto faults = tracker.faults();
  QCOMPARE(faults.size(), std::size_t{1});
  QCOMPARE(faults[0].amount, 0.3);
}

void SilentFaultTracker::newsIsReportedOnce() {
  FaultTracker tracker;
  for (int i = 0; i < 3; ++i) tracker.step(i, true, {symptom(1, 0.5)});
  QCOMPARE(tracker.news().size(), std::size_t{1});
  QVERIFY(tracker.news().empty());
  for (int i = 3; i < 6; ++i) tracker.step(i, true, {symptom(1, 0.5), symptom(2, 0.5)});
  const auto news = tracker.news();
  QCOMPARE(news.size(), std::size_t{1});
  QCOMPARE(news[0].site, 2);
}

void SilentFaultTracker::anotherPolicyBeginsAnew() {
  FaultTracker tracker;
  for (int i = 0; i < 3; ++i) tracker.step(i, true, {symptom(1, 0.5)});
  tracker.begin();
  QVERIFY(tracker.faults().empty());
  QCOMPARE(tracker.observed(), std::int64_t{0});
  for (int i = 3; i < 6; ++i) tracker.step(i, true, {symptom(1, 0.5)});
  QCOMPARE(tracker.news().size(), std::size_t{1});
}

void SilentFaultTracker::anOverflowThatVanishesIsOneWhileItLasts() {
  const Symptom vanished = symptom(1, 0.5, Symptom::Kind::kVanishedOverflow, Direction::kForward);
  FaultTracker tracker;
  tracker.step(0, true, {vanished}, true);
  QCOMPARE(tracker.faults().size(), std::size_t{1});  // proved on the step: at once
  for (int i = 1; i < 5; ++i) tracker.step(i, true, {}, true);
  QCOMPARE(tracker.faults().size(), std::size_t{1});
  for (int i = 5; i < 60; ++i) tracker.step(i, true, {}, true);
  QVERIFY(tracker.faults().empty());
  tracker.step(60, true, {vanished}, true);
  QCOMPARE(tracker.faults().size(), std::size_t{1});
  QCOMPARE(tracker.faults()[0].seen, std::int64_t{2});
  QCOMPARE(tracker.faults()[0].observed_steps, std::int64_t{61});
}

void SilentFaultTracker::itIsCountedWhereOutputsWereScanned() {
  const Symptom vanished = symptom(1, 0.5, Symptom::Kind::kVanishedOverflow, Direction::kForward);
  FaultTracker tracker;
  for (int i = 0; i < 40; ++i)
    tracker.step(i, false, i % 4 == 0 ? std::vector{vanished} : std::vector<Symptom>(), i % 2 == 0);
  QCOMPARE(tracker.faults().size(), std::size_t{1});
  QCOMPARE(tracker.faults()[0].seen, std::int64_t{10});
  QCOMPARE(tracker.faults()[0].observed_steps, std::int64_t{20});
}

void SilentFaultTracker::zerosBehindItAreNoFaultOfTheirOwn() {
  FaultTracker tracker;
  for (int i = 0; i < 8; ++i) {
    tracker.step(i, true,
                 {symptom(1, 1, Symptom::Kind::kVanishedOverflow, Direction::kForward),
                  symptom(3, 1, Symptom::Kind::kDeadSite, Direction::kForward)},
                 true);
  }
  QCOMPARE(tracker.faults().size(), std::size_t{1});
  QCOMPARE(tracker.faults()[0].site, 1);
}

namespace {

/// Faults of a run whose scale is `scale(step)`.
template <class Scale>
std::vector<wire::SilentFault> faultsOfScales(int steps, const Scale& scale) {
  silent::LowScale low;
  FaultTracker tracker;
  for (int i = 0; i < steps; ++i) {
    wire::StepRecord record;
    record.step = i;
    record.scale = scale(i);
    std::vector<Symptom> symptoms;
    if (auto found = low.step(record)) symptoms.push_back(*found);
    tracker.step(i, false, symptoms);
  }
  return tracker.faults();
}

}  // namespace

void SilentFaultTracker::aScaleThatSettlesBelowOneIsOne() {
  const auto faults = faultsOfScales(100, [](int step) { return step < 30 ? 1024 : 0x1p-6; });
  QCOMPARE(faults.size(), std::size_t{1});
  QVERIFY(faults[0].kind == Symptom::Kind::kLowScale);
  QCOMPARE(faults[0].facts.scale, std::optional(0x1p-6));
  QCOMPARE(faults[0].facts.step, std::optional<std::int64_t>(49));
}

// What brings it down once in an epoch is no balance of gradients: the scale has not settled.
void SilentFaultTracker::aScaleThatGoesOnFallingIsNotSettled() {
  QVERIFY(faultsOfScales(200, [](int step) { return std::ldexp(1.0, 4 - step / 15); }).empty());
  QCOMPARE(faultsOfScales(200, [](int step) { return std::ldexp(1.0, 2 - step / 40); }).size(), std::size_t{1});
}

void SilentFaultTracker::aScaleThatWasMeantSoOrComesBackIsNone() {
  QVERIFY(faultsOfScales(100, [](int) { return 0x1p-12; }).empty());
  QVERIFY(faultsOfScales(100, [](int) { return 1.0; }).empty());
  QVERIFY(faultsOfScales(100, [](int step) { return step % 20 == 10 ? 0.5 : 2.0; }).empty());
}

BINADE_SUITE(SilentFaultTracker);
#include "tst_fault_tracker.moc"
