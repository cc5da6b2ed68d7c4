// SPDX-License-Identifier: Apache-2.0
#include "engine/search/search.h"
#include "tests/support/suite.h"

#include <cmath>
#include <limits>

using namespace binade;

/// The points of a search that no other beats.
class SearchFront : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void beatenPointsAreLeftOut();
  void onlyWhatHoldsAndIsCheaperThanTheBaseCounts();
  void theBaseMeasuredBesideAPointCounts();
  void aSavingInTheNoiseIsNone();
  void equalPointsAppearOnce();
  void anUnknownGapIsBeatenByAKnownOne();

 private:
  static search::Progress progress(const std::vector<std::pair<double, double>>& costs_and_gaps);
  static std::vector<double> costs(const std::vector<search::Point>& points);
};

search::Progress SearchFront::progress(const std::vector<std::pair<double, double>>& costs_and_gaps) {
  search::Progress made;
  for (const auto& [cost, gap] : costs_and_gaps) {
    search::Point point;
    point.proof.cost = cost;
    point.proof.gap = gap;
    point.holds = true;
    point.attempt = ++made.tries;
    made.proven.push_back(point);
  }
  return made;
}

std::vector<double> SearchFront::costs(const std::vector<search::Point>& points) {
  std::vector<double> values;
  for (const search::Point& point : points) values.push_back(point.proof.cost);
  return values;
}

void SearchFront::beatenPointsAreLeftOut() {
  const auto made = progress({{5, 0.1}, {3, 0.3}, {4, 0.3}, {3, 0.4}, {1, 0.5}, {6, 0.1}});
  QCOMPARE(costs(search::front(made, 10)), (std::vector<double>{1, 3, 5}));
}

void SearchFront::onlyWhatHoldsAndIsCheaperThanTheBaseCounts() {
  auto made = progress({{1, 0.1}, {2, 0.05}, {10, 0}, {std::numeric_limits<double>::quiet_NaN(), 0}});
  made.proven[0].holds = false;
  QCOMPARE(costs(search::front(made, 10)), (std::vector<double>{2}));
  QVERIFY(search::front(made, 2).empty());
  QVERIFY(search::front({}, 2).empty());
}

void SearchFront::theBaseMeasuredBesideAPointCounts() {
  auto made = progress({{5, 0}});
  made.proven[0].proof.base_cost = 4;
  QVERIFY(search::front(made, 10).empty());
  made.proven[0].proof.base_cost = 6;
  QCOMPARE(costs(search::front(made, 1)), (std::vector<double>{5}));
  // The machine was busy in the second try: its policy saves more all the same.
  made = progress({{5, 0}, {7, 0}});
  made.proven[0].proof.base_cost = 6;
  made.proven[1].proof.base_cost = 10;
  QCOMPARE(costs(search::front(made, 1)), (std::vector<double>{7}));
}

void SearchFront::aSavingInTheNoiseIsNone() {
  auto made = progress({{9, 0}});
  made.proven[0].proof.cost_noise = 1;
  QVERIFY(search::front(made, 10).empty());
  made.proven[0].proof.cost_noise = 0.5;
  QCOMPARE(costs(search::front(made, 10)), (std::vector<double>{9}));
}

void SearchFront::equalPointsAppearOnce() {
  const auto front = search::front(progress({{2, 0.1}, {2, 0.1}}), 10);
  QCOMPARE(front.size(), std::size_t{1});
  QCOMPARE(front[0].attempt, std::int64_t{1});
}

void SearchFront::anUnknownGapIsBeatenByAKnownOne() {
  const double unknown = std::numeric_limits<double>::quiet_NaN();
  QCOMPARE(costs(search::front(progress({{2, unknown}, {1, unknown}}), HUGE_VAL)), (std::vector<double>{1}));
  QCOMPARE(costs(search::front(progress({{2, unknown}, {2, 0.5}}), HUGE_VAL)).size(), std::size_t{1});
  QCOMPARE(search::front(progress({{2, unknown}, {2, 0.5}}), HUGE_VAL)[0].attempt, std::int64_t{2});
}

BINADE_SUITE(SearchFront);
#include "tst_front.moc"
