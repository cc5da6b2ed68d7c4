// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/error.h"
#include "tests/search/simulated_training.h"
#include "tests/support/suite.h"

using namespace binade;
using search::Progress;
using test::Evidence;
using test::PlantedRepair;
using test::SimulatedRepair;
using test::SimulatedTraining;

/// Budgets, cancelling and going on, for repairs and for savings.
class SearchProgress : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aRepairGoesOnAfterEveryTry();
  void aSavingGoesOnAfterEveryTry();
  void theBudgetOfTriesIsKept();
  void noBudgetMakesNoTry();
  void aLargerBudgetGoesOn();
  void cancellingKeepsWhatWasFound();
  void aCancelledProofKeepsWhatWasFound();
  void anErrorOfAProofPassesThrough();
  void theSameSeedMakesTheSameTries();
  void everyChangeIsReported();
  void noPolicyIsTriedTwice();
  void aPointStatesItsEvidence();

 private:
  /// A search that can be run in parts.
  struct Whole {
    search::Order order;
    search::StepEvidence evidence;
    search::Prove prove;
  };
  static Whole saving(std::uint64_t seed);
  static QByteArray difference(const Progress& a, const Progress& b);
  static QByteArray goesOnAfterEveryTry(const Whole& whole);
};

SearchProgress::Whole SearchProgress::saving(std::uint64_t seed) {
  Whole whole;
  whole.order.base.low = formats::kBFloat16;
  whole.order.seed = seed;
  whole.evidence = test::some_calls(24, formats::kFloat32);
  whole.prove = [evidence = whole.evidence](const policy::Policy& policy) {
    return SimulatedTraining(evidence, {3, 17})(policy);
  };
  return whole;
}

/// The first difference of two progresses apart from their time; empty: none.
QByteArray SearchProgress::difference(const Progress& a, const Progress& b) {
  if (a.tries != b.tries || a.proven.size() != b.proven.size()) {
    return QByteArray::number(static_cast<qlonglong>(a.tries)) + " and " +
           QByteArray::number(static_cast<qlonglong>(b.tries)) + " tries";
  }
  for (std::size_t i = 0; i < a.proven.size(); ++i) {
    const search::Point& first = a.proven[i];
    const search::Point& second = b.proven[i];
    if (!(first.policy == second.policy) || first.policy.provenance != second.policy.provenance ||
        first.changed != second.changed || first.attempt != second.attempt || first.holds != second.holds ||
        first.proof.cost != second.proof.cost || first.proof.gap != second.proof.gap) {
      return "try " + QByteArray::number(static_cast<qulonglong>(i + 1));
    }
  }
  if (a.sentence != b.sentence) return QByteArray::fromStdString(a.sentence + " / " + b.sentence);
  return a.done == b.done ? QByteArray() : QByteArray("done");
}

/// Ends the search after each number of tries, stores the progress as a kill would leave it, and goes on.
QByteArray SearchProgress::goesOnAfterEveryTry(const Whole& whole) {
  const Progress all = search::run(whole.order, whole.evidence, whole.prove, {});
  for (std::int64_t stop = 0; stop <= all.tries; ++stop) {
    Progress stored;
    std::int64_t made = 0;
    const auto counted = [&](const policy::Policy& policy) {
      ++made;
      return whole.prove(policy);
    };
    search::run(whole.order, whole.evidence, counted, [&](const Progress& progress) {
      if (progress.tries <= stop) stored = progress;
      return progress.tries < stop;
    });
    if (made != stop) return "ended after " + QByteArray::number(static_cast<qlonglong>(made));
    const Progress resumed = search::run(whole.order, whole.evidence, counted, {}, stored);
    if (made != all.tries) return "tries were repeated from " + QByteArray::number(static_cast<qlonglong>(stop));
    const QByteArray wrong = difference(resumed, all);
    if (!wrong.isEmpty()) return "from " + QByteArray::number(static_cast<qlonglong>(stop)) + ": " + wrong;
  }
  return {};
}

void SearchProgress::aRepairGoesOnAfterEveryTry() {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    for (const Evidence quality : {Evidence::kTopEight, Evidence::kUseless}) {
      const PlantedRepair planted = test::planted_repair(seed, 1 + seed % 4, quality);
      const auto prove = [&planted](const policy::Policy& policy) {
        return SimulatedRepair(planted.evidence, [&](const auto& raised) { return planted.holds(raised); })(policy);
      };
      const QByteArray wrong = goesOnAfterEveryTry({planted.order, planted.evidence, prove});
      QVERIFY2(wrong.isEmpty(), wrong);
    }
  }
}

void SearchProgress::aSavingGoesOnAfterEveryTry() {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const QByteArray wrong = goesOnAfterEveryTry(saving(seed));
    QVERIFY2(wrong.isEmpty(), wrong);
  }
}

void SearchProgress::theBudgetOfTriesIsKept() {
  const PlantedRepair planted = test::planted_repair(5, 3, Evidence::kUseless);
  for (std::int64_t tries = 1; tries <= 8; ++tries) {
    search::Order order = planted.order;
    order.budget.tries = tries;
    SimulatedRepair training(planted.evidence, [&](const auto& raised) { return planted.holds(raised); });
    const Progress progress = search::run(order, planted.evidence, std::ref(training), {});
    QCOMPARE(training.tries, tries);
    QCOMPARE(progress.tries, tries);
    QVERIFY(progress.done);
    QVERIFY(progress.end == search::End::kTries);
    QVERIFY2(
        progress.sentence.starts_with(tries == 1 ? "The budget of 1 try is used up."
                                                 : "The budget of " + std::to_string(tries) + " tries is used up."),
        progress.sentence.c_str());
  }
}

void SearchProgress::noBudgetMakesNoTry() {
  Whole whole = saving(1);
  const auto never = [](const policy::Policy&) -> search::Proof { throw std::logic_error("a try"); };
  whole.order.budget.tries = 0;
  Progress progress = search::run(whole.order, whole.evidence, never, {});
  QCOMPARE(progress.tries, std::int64_t{0});
  QVERIFY(progress.done);
  QCOMPARE(progress.sentence,
           std::string("The budget allows no try. Nothing better than the present policy was found."));
  whole.order.budget = {.tries = std::nullopt, .seconds = 0};
  progress = search::run(whole.order, whole.evidence, never, {});
  QCOMPARE(progress.tries, std::int64_t{0});
  QVERIFY(progress.end == search::End::kTime);
  QVERIFY(progress.sentence.starts_with("The budget of time is used up."));
}

void SearchProgress::aLargerBudgetGoesOn() {
  Whole whole = saving(2);
  const Progress all = search::run(whole.order, whole.evidence, whole.prove, {});
  whole.order.budget.tries = 3;
  const Progress part = search::run(whole.order, whole.evidence, whole.prove, {});
  QVERIFY(part.done && part.tries == 3 && all.tries > 3);
  // A smaller budget loses nothing.
  whole.order.budget.tries = 1;
  QCOMPARE(search::run(whole.order, whole.evidence, whole.prove, {}, part).proven.size(), std::size_t{3});
  whole.order.budget.tries.reset();
  const QByteArray wrong = difference(search::run(whole.order, whole.evidence, whole.prove, {}, part), all);
  QVERIFY2(wrong.isEmpty(), wrong);
}

void SearchProgress::cancellingKeepsWhatWasFound() {
  const Whole whole = saving(3);
  const Progress progress = search::run(whole.order, whole.evidence, whole.prove,
                                        [](const Progress& each) { return search::front(each, 1).empty(); });
  QVERIFY(!progress.done);
  QVERIFY(progress.end == search::End::kCancelled);
  QVERIFY(!search::front(progress, 1).empty());
  QVERIFY(progress.sentence.starts_with("The search was cancelled. The cheapest policy"));
  const Progress none = search::run(whole.order, whole.evidence, whole.prove, [](const Progress&) { return false; });
  QCOMPARE(none.tries, std::int64_t{0});
  QVERIFY(none.sentence.starts_with("The search was cancelled before its first try had ended."));
}

void SearchProgress::aCancelledProofKeepsWhatWasFound() {
  const Whole whole = saving(3);
  int tries = 0;
  const auto prove = [&](const policy::Policy& policy) {
    if (++tries == 4) throw Error(ErrorCode::kCancelled, "cancelled");
    return whole.prove(policy);
  };
  const Progress progress = search::run(whole.order, whole.evidence, prove, {});
  QVERIFY(!progress.done);
  QCOMPARE(progress.proven.size(), std::size_t{3});
}

void SearchProgress::anErrorOfAProofPassesThrough() {
  const Whole whole = saving(3);
  const auto prove = [](const policy::Policy&) -> search::Proof { throw Error(ErrorCode::kBadData, "gone"); };
  QVERIFY_EXCEPTION_THROWN(search::run(whole.order, whole.evidence, prove, {}), Error);
}

void SearchProgress::theSameSeedMakesTheSameTries() {
  const auto tried = [](std::uint64_t seed) {
    const Whole whole = saving(seed);
    return search::run(whole.order, whole.evidence, whole.prove, {});
  };
  for (std::uint64_t seed = 1; seed <= 5; ++seed) QCOMPARE(difference(tried(seed), tried(seed)), QByteArray());
  QVERIFY(!difference(tried(1), tried(2)).isEmpty());
}

void SearchProgress::everyChangeIsReported() {
  const Whole whole = saving(4);
  std::vector<Progress> reports;
  const Progress last = search::run(whole.order, whole.evidence, whole.prove, [&](const Progress& progress) {
    reports.push_back(progress);
    return true;
  });
  // Before and after each try, and at the end.
  QCOMPARE(reports.size(), 2 * static_cast<std::size_t>(last.tries) + 1);
  for (std::size_t i = 0; i < reports.size(); ++i) {
    QCOMPARE(reports[i].proven.size(), (i + 1) / 2);
    QVERIFY(!reports[i].sentence.empty());
    QCOMPARE(reports[i].done, i + 1 == reports.size());
  }
  QCOMPARE(difference(reports.back(), last), QByteArray());
}

void SearchProgress::noPolicyIsTriedTwice() {
  const Whole whole = saving(5);
  const Progress progress = search::run(whole.order, whole.evidence, whole.prove, {});
  for (std::size_t i = 0; i < progress.proven.size(); ++i) {
    QCOMPARE(progress.proven[i].attempt, static_cast<std::int64_t>(i + 1));
    for (std::size_t j = 0; j < i; ++j) QVERIFY(!(progress.proven[i].policy == progress.proven[j].policy));
  }
}

void SearchProgress::aPointStatesItsEvidence() {
  const Whole whole = saving(6);
  const Progress progress = search::run(whole.order, whole.evidence, whole.prove, {});
  for (const search::Point& point : progress.proven) {
    QCOMPARE(point.changed.size(), point.policy.sites.size());
    // What was tried, and one sentence for each op call.
    QCOMPARE(point.policy.provenance.evidence.size(), point.changed.size() + 1);
    for (const policy::SiteRule& rule : point.policy.sites) QVERIFY(!rule.why.empty());
  }
}

BINADE_SUITE(SearchProgress);
#include "tst_search_progress.moc"
