// SPDX-License-Identifier: Apache-2.0
#include "engine/words/event_text.h"
#include "engine/words/rank_text.h"
#include "tests/support/suite.h"

using namespace binade;

namespace {

wire::RankFacts facts(int rank, double seconds, double waited) {
  wire::RankFacts made;
  made.rank = rank;
  made.seconds = seconds;
  made.waited = waited;
  return made;
}

/// Steps of 20 ms, in each of which rank 1 takes `behind` seconds longer than rank 0.
wire::RankTotals totalsOf(int steps, double behind) {
  wire::RankTotals totals;
  for (int i = 0; i < steps; ++i) totals.add(std::vector{facts(0, 0.01, behind), facts(1, 0.01 + behind, 0)}, 0.02);
  return totals;
}

class RankText : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void theSlowRankIsNamedWithItsDistance() {
    wire::RankTotals totals = totalsOf(30, 0.005);
    for (int i = 0; i < 10; ++i) totals.add(std::vector{facts(0, 0.015, 0), facts(1, 0.01, 0.005)}, 0.02);
    QCOMPARE(totals.straggler(), std::optional<std::size_t>(1));
    QCOMPARE(words::straggler_text(totals),
             std::string("Rank 1 was the last in 75 % of 40 steps, on average 3.75 ms (19 % of a step) behind the "
                         "fastest rank."));
  }

  void chanceIsNoStraggler() {
    QCOMPARE(words::straggler_text(totalsOf(40, 0.0005)), std::string("No rank delays the others."));  // 2.5 %
    QCOMPARE(words::straggler_text(totalsOf(9, 0.005)),
             std::string("Whether a rank delays the others is not known: 9 of 10 steps."));
    wire::RankTotals turns;
    for (int i = 0; i < 40; ++i) {
      const double other = i % 2 == 0 ? 0.01 : 0.03;
      turns.add(std::vector{facts(0, 0.02, 0), facts(1, other, 0)}, 0.03);
    }
    QVERIFY(!turns.straggler());
    // Rank 0 is last in 60 % of the steps and each is 50 % behind in turn, but both are busy for as long.
    wire::RankTotals equal;
    for (int i = 0; i < 40; ++i) {
      const bool first = i % 5 < 3;
      equal.add(std::vector{facts(0, first ? 0.02 : 0.01, 0), facts(1, first ? 0.01 : 0.025, 0)}, 0.03);
    }
    QVERIFY(!equal.straggler());
    // 21 of 37 is what a coin does, even if its steps are the longer ones.
    wire::RankTotals coin;
    for (int i = 0; i < 37; ++i) {
      const bool first = i < 21;
      coin.add(std::vector{facts(0, first ? 0.01 : 0.014, 0), facts(1, first ? 0.02 : 0.01, 0)}, 0.02);
    }
    QVERIFY(!coin.straggler());
  }

  void equallyFastRanksAreNotLast() {
    const wire::RankTotals totals = totalsOf(20, 0);
    for (const wire::RankTotal& each : totals.ranks()) QCOMPARE(each.last, std::int64_t{0});
  }

  void aRowHasTheFiguresOfItsRank() {
    wire::RankTotals totals;
    auto ranks = std::vector{facts(0, 0.01, 0.002), facts(1, 0.012, 0)};
    ranks[1].found_inf = true;
    ranks[1].tensor = 25;
    totals.add(ranks, 0.02);
    ranks[1].tensor = 35;
    ranks[1].found_inf = false;
    totals.add(ranks, 0.02);
    const auto rows = words::rank_rows(totals);
    QCOMPARE(rows.size(), std::size_t{2});
    QCOMPARE(rows[0], (std::vector<std::string>{"0", "10 ms", "2 ms", "0 ms", "0 % of steps", "0", "–"}));
    QCOMPARE(rows[1], (std::vector<std::string>{"1", "12 ms", "0 ms", "2 ms", "100 % of steps", "1", "30 %"}));
    QCOMPARE(rows[0].size(), words::rank_columns().size());
  }

  void stepsWithoutFactsOfAllRanksDoNotCount() {
    wire::RankTotals totals = totalsOf(3, 0.001);
    totals.add(std::vector{facts(1, 0.5, 0)}, 0.5);
    totals.add(std::vector{facts(1, 0.5, 0), facts(0, 0.1, 0)}, 0.5);
    totals.add({}, 0.5);
    QCOMPARE(totals.steps(), std::int64_t{3});
    QCOMPARE(words::straggler_text({}), std::string());
    QVERIFY(words::rank_rows({}).empty());
  }

  void anEventNamesItsRank() {
    wire::Event event;
    event.step = 12;
    event.kind = wire::Event::Kind::kNonFiniteLoss;
    event.rank = 3;
    QCOMPARE(words::sentence_of(event, {}),
             std::string("The loss was not finite at step 12. This happened on rank 3."));
  }
};

}  // namespace

BINADE_SUITE(RankText);
#include "tst_rank_text.moc"
