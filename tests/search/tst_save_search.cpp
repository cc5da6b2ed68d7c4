// SPDX-License-Identifier: Apache-2.0
#include "tests/search/simulated_training.h"
#include "tests/support/suite.h"

#include <cmath>
#include <stdexcept>

using namespace binade;
using test::SimulatedTraining;

/// Search for policies that need less, on simulated trainings.
class SearchSaving : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void whatIsSafeIsTriedFirstAndTogether();
  void aSavingByFloat32ThroughoutSaysSo();
  void whatHarmsIsFoundAndLeftOut();
  void theFoundPolicyIsTheCheapestOfTheSimulation();
  void nothingBetterIsReported();
  void whatTheLimitsForbidIsTheReasonOfTheEnd();
  void aPolicyThatCostsMoreIsNotAccepted();
  void aSavingInTheNoiseIsNotAccepted();
  void castsOfASmallOpCallAreRemoved();
  void theEvaluationLimitHolds();
  void fixedOpCallsKeepTheirFormat();
  void changesThatHarmOnlyTogetherAreNotCombined();
  void everyGoalEnds_data();
  void everyGoalEnds();

 private:
  static search::Order order(search::Goal goal = search::Goal::kTime);
};

search::Order SearchSaving::order(search::Goal goal) {
  search::Order order;
  order.base.low = formats::kBFloat16;
  order.goal = goal;
  return order;
}

void SearchSaving::whatIsSafeIsTriedFirstAndTogether() {
  auto evidence = test::some_calls(20, formats::kFloat32);
  evidence.calls[4].error = 0.5;
  SimulatedTraining training(evidence, {4});
  const auto progress = search::run(order(), evidence, std::ref(training), {});
  QCOMPARE(progress.proven.at(0).changed.size(), std::size_t{19});
  QVERIFY(progress.proven.at(0).holds);
  QCOMPARE(progress.tries, std::int64_t{2});  // and the doubtful one
  QVERIFY(progress.done);
  QVERIFY2(QString::fromStdString(progress.sentence)
               .startsWith(QLatin1String(
                   "Nothing is left to try. The cheapest policy changes 19 op calls (encoder.layer0 (linear), ")),
           progress.sentence.c_str());
  QVERIFY(progress.sentence.find("float32") == std::string::npos);  // these are lowered
}

// Float32 throughout has no casts. That is a saving of 100 %, and hardly what was searched for.
void SearchSaving::aSavingByFloat32ThroughoutSaysSo() {
  const auto evidence = test::some_calls(20, formats::kBFloat16);
  search::Order casts = order(search::Goal::kCasts);
  casts.limits.formats = {formats::kFloat32};
  const auto prove = [](const policy::Policy& policy) {
    search::Proof proof;
    proof.verdict = wire::TrialVerdict::kInsideNoise;
    proof.gap = 0;
    proof.cost = 40 - 2 * static_cast<double>(policy.sites.size());
    proof.base_cost = 40;
    return proof;
  };
  auto costly = evidence;
  for (search::CallEvidence& call : costly.calls) call.casts = 2;
  const auto progress = search::run(casts, costly, prove, {});
  QVERIFY2(progress.sentence.find("of the casts of a step: every op call in float32.") != std::string::npos,
           progress.sentence.c_str());
}

void SearchSaving::whatHarmsIsFoundAndLeftOut() {
  std::int64_t tries = 0;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    std::mt19937_64 random(seed);
    const auto evidence = test::some_calls(20 + test::draw(random, 60), formats::kFloat32);
    std::set<std::size_t> fragile;
    while (fragile.size() < 1 + seed % 3) fragile.insert(test::draw(random, evidence.calls.size()));
    SimulatedTraining training(evidence, fragile);
    search::Order wanted = order();
    wanted.seed = seed;
    const auto progress = search::run(wanted, evidence, std::ref(training), {});
    const search::Point* const best = test::cheapest(progress);
    QVERIFY(best);
    const auto raised = test::raised_under(best->policy, evidence);
    for (const std::size_t each : fragile) QVERIFY(raised[each]);
    QVERIFY(best->changed.size() + 4 * fragile.size() >= evidence.calls.size());
    tries += training.tries;
  }
  qInfo("30 cases: %lld tries", static_cast<long long>(tries));
  QVERIFY(tries <= 30 * 30);
}

void SearchSaving::theFoundPolicyIsTheCheapestOfTheSimulation() {
  // Few op calls, so that all policies can be compared.
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    std::mt19937_64 random(seed);
    auto evidence = test::some_calls(8, formats::kFloat32);
    for (auto& call : evidence.calls) call.seconds = 0.001 * static_cast<double>(1 + test::draw(random, 9));
    const std::set<std::size_t> fragile{test::draw(random, 8)};
    SimulatedTraining training(evidence, fragile);
    const auto progress = search::run(order(), evidence, std::ref(training), {});
    double least = HUGE_VAL;
    for (unsigned bits = 0; bits < 256; ++bits) {
      if ((bits >> *fragile.begin()) & 1u) continue;
      std::vector<formats::Format> formats;
      for (unsigned i = 0; i < 8; ++i) {
        formats.push_back((bits >> i) & 1u ? formats::kBFloat16 : formats::kFloat32);
      }
      least = std::min(least, training.cost(formats));
    }
    QVERIFY(test::cheapest(progress));
    // One cast more than the cheapest is allowed: the search tries no change twice for its own sake.
    QVERIFY2(test::cheapest(progress)->proof.cost <= least + 0.0011, QByteArray::number(static_cast<qulonglong>(seed)));
  }
}

void SearchSaving::nothingBetterIsReported() {
  const auto evidence = test::some_calls(6, formats::kFloat32);
  SimulatedTraining training(evidence, {0, 1, 2, 3, 4, 5});
  const auto progress = search::run(order(), evidence, std::ref(training), {});
  QVERIFY(progress.done);
  QVERIFY(progress.end == search::End::kNothingLeft);
  QCOMPARE(progress.sentence, std::string("Nothing is left to try. Nothing better than the present policy was found."));
  QVERIFY(search::front(progress, 1).empty());
}

void SearchSaving::whatTheLimitsForbidIsTheReasonOfTheEnd() {
  const auto evidence = test::some_calls(6, formats::kFloat32);
  search::Order fixed = order();
  fixed.limits.fixed = {"*"};
  const auto never = [](const policy::Policy&) -> search::Proof { throw std::logic_error("a try"); };
  const auto progress = search::run(fixed, evidence, never, {});
  QVERIFY(progress.end == search::End::kNothingLeft);
  QCOMPARE(progress.sentence, std::string("The limits allow no op call another format. Nothing better than the "
                                          "present policy was found."));
  // Without a limit it is the base list: a policy in float32 throughout names no other format.
  search::Order unlimited = order();
  unlimited.base.base = policy::Base::kAllFloat32;
  unlimited.base.low = formats::kFloat32;
  const std::string open = search::run(unlimited, evidence, never, {}).sentence;
  QVERIFY2(open.starts_with("The base list offers no op call another format: name some as formats"), open.c_str());
}

void SearchSaving::aPolicyThatCostsMoreIsNotAccepted() {
  const auto evidence = test::some_calls(6, formats::kFloat32);
  const auto prove = [](const policy::Policy& policy) {
    search::Proof proof;
    proof.verdict = wire::TrialVerdict::kBetter;
    proof.base_cost = 1;
    proof.cost = 1 + static_cast<double>(policy.sites.size());
    return proof;
  };
  const auto progress = search::run(order(), evidence, prove, {});
  QVERIFY(progress.sentence.ends_with("Nothing better than the present policy was found."));
}

void SearchSaving::aSavingInTheNoiseIsNotAccepted() {
  const auto evidence = test::some_calls(6, formats::kFloat32);
  for (const bool noisy : {false, true}) {
    const auto prove = [noisy](const policy::Policy&) {
      search::Proof proof;
      proof.verdict = wire::TrialVerdict::kInsideNoise;
      proof.cost = 0.95;
      proof.base_cost = 1;
      if (noisy) proof.cost_noise = 0.1;
      return proof;
    };
    const auto progress = search::run(order(), evidence, prove, {});
    QVERIFY(progress.done);
    QCOMPARE(search::front(progress, 1).empty(), noisy);
    // The parts of the group save less still, which no measurement shows.
    if (noisy) QCOMPARE(progress.tries, std::int64_t{1});
    QCOMPARE(progress.sentence.ends_with("Nothing better than the present policy was found."), noisy);
  }
}

void SearchSaving::castsOfASmallOpCallAreRemoved() {
  auto evidence = test::some_calls(9, formats::kFloat32);
  evidence.calls[4].now.format = formats::kBFloat16;
  evidence.calls[4].seconds = 1e-5;
  evidence.calls[4].casts = 1;
  evidence.calls[4].cast_bytes = 2048;
  evidence.calls[5].casts = 1;
  evidence.calls[5].cast_bytes = 4096;
  std::set<std::size_t> fragile;  // all others must stay in float32
  for (std::size_t i = 0; i < 9; ++i) {
    if (i != 4) fragile.insert(i);
  }
  SimulatedTraining training(evidence, fragile);
  const auto progress = search::run(order(), evidence, std::ref(training), {});
  const search::Point* const best = test::cheapest(progress);
  QVERIFY(best);
  QCOMPARE(best->changed, std::vector<std::string>{evidence.calls[4].call});
}

void SearchSaving::theEvaluationLimitHolds() {
  const auto evidence = test::some_calls(8, formats::kFloat32);
  search::Order wanted = order();
  wanted.limits.evaluation = 0.5;
  const auto prove = [](const policy::Policy& policy) {
    search::Proof proof;
    proof.verdict = wire::TrialVerdict::kInsideNoise;
    proof.base_cost = 100;
    proof.cost = 100 - static_cast<double>(policy.sites.size());
    proof.evaluation = 0.1 * static_cast<double>(policy.sites.size());
    return proof;
  };
  const auto progress = search::run(wanted, evidence, prove, {});
  QCOMPARE(test::cheapest(progress)->changed.size(), std::size_t{5});
  for (const search::Point& point : progress.proven) {  // a policy that trains alike is never rejected in silence
    const bool said = point.proof.reason.find("is above the limit of 0.5.") != std::string::npos;
    QCOMPARE(said, !point.holds);
  }
  // Without an evaluation, no policy is known to respect the limit.
  const auto without = [&prove](const policy::Policy& policy) {
    search::Proof proof = prove(policy);
    proof.evaluation.reset();
    return proof;
  };
  QVERIFY(!test::cheapest(search::run(wanted, evidence, without, {})));
}

void SearchSaving::fixedOpCallsKeepTheirFormat() {
  const auto evidence = test::some_calls(12, formats::kFloat32);
  search::Order wanted = order();
  wanted.limits.fixed = {"encoder"};
  SimulatedTraining training(evidence, {7});
  const auto progress = search::run(wanted, evidence, std::ref(training), {});
  QVERIFY(test::cheapest(progress));
  for (const search::Point& point : progress.proven) {
    for (const std::string& name : point.changed) QVERIFY(!name.starts_with("encoder"));
  }
}

void SearchSaving::changesThatHarmOnlyTogetherAreNotCombined() {
  const auto evidence = test::some_calls(16, formats::kFloat32);
  SimulatedTraining cost(evidence, {});
  const auto prove = [&](const policy::Policy& policy) {
    search::Proof proof = cost(policy);
    const auto raised = test::raised_under(policy, evidence);
    if (!raised[2] && !raised[13]) proof.verdict = wire::TrialVerdict::kWorse;
    return proof;
  };
  const auto progress = search::run(order(), evidence, prove, {});
  const search::Point* const best = test::cheapest(progress);
  QVERIFY(best);
  QCOMPARE(best->changed.size(), std::size_t{15});
}

void SearchSaving::everyGoalEnds_data() {
  QTest::addColumn<int>("goal");
  QTest::newRow("time") << static_cast<int>(search::Goal::kTime);
  QTest::newRow("memory") << static_cast<int>(search::Goal::kMemory);
  QTest::newRow("casts") << static_cast<int>(search::Goal::kCasts);
}

/// Verdicts and costs at random, as long as the same policy gives the same.
void SearchSaving::everyGoalEnds() {
  QFETCH(int, goal);
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    std::mt19937_64 random(seed);
    auto evidence = test::some_calls(30, formats::kFloat32);
    for (auto& call : evidence.calls) {
      if (test::draw(random, 2) == 0) call.now.format = formats::kBFloat16;
      call.casts = static_cast<double>(test::draw(random, 3));
      call.cast_bytes = call.casts * 1000;
      call.lost = static_cast<double>(test::draw(random, 100)) / 100;
      call.error = static_cast<double>(test::draw(random, 100)) / 1000;
    }
    const auto prove = [seed](const policy::Policy& policy) {
      std::uint64_t hash = seed;
      for (const char each : policy::to_json(policy)) hash = (hash ^ static_cast<unsigned char>(each)) * 0x100000001b3u;
      search::Proof proof;
      proof.verdict = hash % 3 == 0 ? wire::TrialVerdict::kWorse : wire::TrialVerdict::kInsideNoise;
      proof.cost = static_cast<double>(hash % 1000);
      proof.base_cost = 500;
      return proof;
    };
    search::Order wanted = order(static_cast<search::Goal>(goal));
    wanted.seed = seed;
    const auto progress = search::run(wanted, evidence, prove, {});
    QVERIFY(progress.done);
    QVERIFY(progress.tries <= 8 * 30);
    QCOMPARE(search::front(progress, 500).empty(),
             progress.sentence.ends_with("Nothing better than the present policy was found."));
  }
}

BINADE_SUITE(SearchSaving);
#include "tst_save_search.moc"
