// SPDX-License-Identifier: Apache-2.0
#include "tests/search/simulated_training.h"
#include "tests/support/prefix_bisection.h"
#include "tests/support/suite.h"

#include <cmath>

using namespace binade;
using test::Evidence;
using test::PlantedRepair;
using test::SimulatedRepair;

/// Search for the smallest set of op calls in float32, on simulated trainings.
class SearchRepair : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void goodEvidenceNeedsHalfTheTriesOfABisection();
  void aSingleBlamedOpCallTakesFewTries();
  void uselessEvidenceStaysBounded();
  void manyCulpritsStayBounded();
  void opCallsThatMendOnlyTogetherAreFound();
  void oneOfTwoThatMendEachIsLeftOut();
  void aTrainingThatIsNotMonotoneEnds();
  void whatFailsInFloat32IsReported();
  void aSingleOpCallIsRaised();
  void theOpCallsRaisedAreNamed();
  void anUnknownVerdictDoesNotHold();

 private:
  static std::set<std::size_t> found(const search::Progress& progress, const search::StepEvidence& evidence);
  static search::Progress repair(const PlantedRepair& planted, SimulatedRepair& training);
};

std::set<std::size_t> SearchRepair::found(const search::Progress& progress, const search::StepEvidence& evidence) {
  std::set<std::size_t> raised;
  const search::Point* const best = test::cheapest(progress);
  if (!best) return raised;
  const std::vector<bool> flags = test::raised_under(best->policy, evidence);
  for (std::size_t i = 0; i < flags.size(); ++i) {
    if (flags[i]) raised.insert(i);
  }
  return raised;
}

search::Progress SearchRepair::repair(const PlantedRepair& planted, SimulatedRepair& training) {
  return search::run(planted.order, planted.evidence, std::ref(training), {});
}

void SearchRepair::goodEvidenceNeedsHalfTheTriesOfABisection() {
  std::int64_t tries = 0;
  std::size_t baseline = 0;
  int cases = 0;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    for (std::size_t culprits = 1; culprits <= 4; ++culprits, ++cases) {
      const PlantedRepair planted = test::planted_repair(seed, culprits, Evidence::kTopEight);
      const auto holds = [&planted](const std::vector<bool>& raised) { return planted.holds(raised); };
      SimulatedRepair training(planted.evidence, holds);
      const search::Progress progress = repair(planted, training);
      QCOMPARE(found(progress, planted.evidence), planted.culprits);
      QCOMPARE(progress.tries, training.tries);
      QVERIFY(progress.done);
      tries += training.tries;
      const test::PrefixBisection bisection = test::prefix_bisection(planted.evidence.calls.size(), holds);
      QCOMPARE(std::set<std::size_t>(bisection.needed.begin(), bisection.needed.end()), planted.culprits);
      baseline += bisection.tries;
    }
  }
  qInfo("%d cases: %lld tries; bisection by prefix: %zu", cases, static_cast<long long>(tries), baseline);
  QVERIFY(2 * static_cast<std::size_t>(tries) <= baseline);
}

void SearchRepair::aSingleBlamedOpCallTakesFewTries() {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    PlantedRepair planted = test::planted_repair(seed, 1, Evidence::kUseless);
    planted.evidence.calls[*planted.culprits.begin()].overflowed = true;
    SimulatedRepair training(planted.evidence, [&](const auto& raised) { return planted.holds(raised); });
    const search::Progress progress = repair(planted, training);
    QCOMPARE(found(progress, planted.evidence), planted.culprits);
    QVERIFY2(training.tries <= 5, QByteArray::number(static_cast<qlonglong>(training.tries)));
  }
}

void SearchRepair::uselessEvidenceStaysBounded() {
  std::int64_t tries = 0;
  int cases = 0;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    for (std::size_t culprits = 1; culprits <= 4; ++culprits, ++cases) {
      const PlantedRepair planted = test::planted_repair(seed, culprits, Evidence::kUseless);
      SimulatedRepair training(planted.evidence, [&](const auto& raised) { return planted.holds(raised); });
      QCOMPARE(found(repair(planted, training), planted.evidence), planted.culprits);
      // Bisection would take log2(n) + 1 for each; eight more settle the ranks that the evidence puts first.
      const double each = std::log2(static_cast<double>(planted.evidence.calls.size())) + 2;
      QVERIFY2(static_cast<double>(training.tries) <= static_cast<double>(culprits) * each + 10,
               QByteArray::number(static_cast<qlonglong>(training.tries)));
      tries += training.tries;
    }
  }
  qInfo("%d cases without useful evidence: %lld tries", cases, static_cast<long long>(tries));
}

void SearchRepair::manyCulpritsStayBounded() {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    PlantedRepair planted = test::planted_repair(seed, 10, Evidence::kUseless);
    const std::size_t count = planted.evidence.calls.size();
    for (std::size_t i = 0; i < count; i += 2) planted.culprits.insert(i);
    SimulatedRepair training(planted.evidence, [&](const auto& raised) { return planted.holds(raised); });
    QCOMPARE(found(repair(planted, training), planted.evidence), planted.culprits);
    QVERIFY2(static_cast<std::size_t>(training.tries) <= 2 * count + 10,
             QByteArray::number(static_cast<qlonglong>(training.tries)));
  }
}

void SearchRepair::opCallsThatMendOnlyTogetherAreFound() {
  // Two branches: in each, two op calls mend only together. Either branch suffices.
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const PlantedRepair planted = test::planted_repair(seed, 4, Evidence::kUseless);
    const std::vector<std::size_t> four(planted.culprits.begin(), planted.culprits.end());
    const auto holds = [&four](const std::vector<bool>& raised) {
      return (raised[four[0]] && raised[four[1]]) || (raised[four[2]] && raised[four[3]]);
    };
    SimulatedRepair training(planted.evidence, holds);
    const std::set<std::size_t> raised = found(repair(planted, training), planted.evidence);
    QVERIFY((raised == std::set<std::size_t>{four[0], four[1]}) || (raised == std::set<std::size_t>{four[2], four[3]}));
  }
}

void SearchRepair::oneOfTwoThatMendEachIsLeftOut() {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const PlantedRepair planted = test::planted_repair(seed, 2, Evidence::kTopEight);
    const auto holds = [&planted](const std::vector<bool>& raised) {
      return raised[*planted.culprits.begin()] || raised[*planted.culprits.rbegin()];
    };
    SimulatedRepair training(planted.evidence, holds);
    QCOMPARE(found(repair(planted, training), planted.evidence).size(), std::size_t{1});
  }
}

void SearchRepair::aTrainingThatIsNotMonotoneEnds() {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const PlantedRepair planted = test::planted_repair(seed, 2, Evidence::kUseless);
    const std::size_t count = planted.evidence.calls.size();
    const auto holds = [&](const std::vector<bool>& raised) {
      // An answer without rhyme or reason, the same whenever it is asked for.
      std::uint64_t hash = seed;
      for (const bool each : raised) hash = (hash ^ (each ? 1u : 2u)) * 0x100000001b3u;
      return hash % 7 < 2;
    };
    SimulatedRepair training(planted.evidence, holds);
    const search::Progress progress = repair(planted, training);
    QVERIFY(progress.done);
    QVERIFY(static_cast<std::size_t>(training.tries) <= 2 * count + 10);
    const search::Point* const best = test::cheapest(progress);
    if (best) QVERIFY(holds(test::raised_under(best->policy, planted.evidence)));
  }
}

void SearchRepair::whatFailsInFloat32IsReported() {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const PlantedRepair planted = test::planted_repair(seed, 2, Evidence::kTopEight);
    SimulatedRepair training(planted.evidence, [](const auto&) { return false; });
    const search::Progress progress = repair(planted, training);
    QVERIFY(progress.done);
    QCOMPARE(progress.sentence, std::string("Even float32 throughout does not hold."));
    QVERIFY2(training.tries <= 10, QByteArray::number(static_cast<qlonglong>(training.tries)));
    QVERIFY(search::front(progress, HUGE_VAL).empty());
  }
}

void SearchRepair::aSingleOpCallIsRaised() {
  PlantedRepair planted;
  planted.order.goal = search::Goal::kRepair;
  planted.evidence = test::some_calls(1, formats::kFloat16);
  SimulatedRepair training(planted.evidence, [](const auto& raised) { return bool(raised[0]); });
  const search::Progress progress = repair(planted, training);
  QCOMPARE(progress.tries, std::int64_t{1});
  QCOMPARE(progress.sentence, std::string("With decoder.layer0 (linear) in float32 the policy trains."));
  planted.evidence.calls.clear();
  QCOMPARE(repair(planted, training).sentence, std::string("No op call can be raised to a higher format."));
}

// In execution order, whatever the rank; the first three by name.
void SearchRepair::theOpCallsRaisedAreNamed() {
  PlantedRepair planted;
  planted.order.goal = search::Goal::kRepair;
  planted.evidence = test::some_calls(10, formats::kFloat16);
  planted.culprits = {1, 6};
  SimulatedRepair training(planted.evidence, [&](const auto& raised) { return planted.holds(raised); });
  QCOMPARE(repair(planted, training).sentence,
           std::string("With encoder.layer1 (relu) and decoder.layer6 (linear) in float32 the policy trains, and none "
                       "of them can be left out."));
  planted.culprits = {0, 2, 3, 5, 9};
  QCOMPARE(repair(planted, training).sentence,
           std::string("With encoder.layer0 (linear), encoder.layer2 (relu), encoder.layer3 (linear), +2 more in "
                       "float32 the policy trains, and none of them can be left out."));
}

void SearchRepair::anUnknownVerdictDoesNotHold() {
  const PlantedRepair planted = test::planted_repair(3, 1, Evidence::kTopEight);
  const auto progress =
      search::run(planted.order, planted.evidence, [](const policy::Policy&) { return search::Proof{}; }, {});
  QVERIFY(!test::cheapest(progress));
}

BINADE_SUITE(SearchRepair);
#include "tst_repair.moc"
