// SPDX-License-Identifier: Apache-2.0
// What a search has tried, as rows: the front, the changes in words, and costs in their units.
#include "app/present/search_rows.h"
#include "tests/app/fake_search.h"
#include "tests/support/suite.h"
#include "views/values/roles.h"

#include <limits>
#include <optional>

namespace {

using namespace binade;
using app::SearchGoal;
using app::SearchPoint;
using test::fakePoint;

constexpr double kUnbounded = std::numeric_limits<double>::infinity();

class SearchRows : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void theFrontIsWhatNoOtherBeats() {
    const QList<SearchPoint> points{fakePoint(1, 10, 0.02, true), fakePoint(2, 12, 0.01, true),
                                    fakePoint(3, 13, 0.015, true),  // the second is cheaper and nearer
                                    fakePoint(4, 5, 0, false), fakePoint(5, 12, 0.01, true)};
    QCOMPARE(app::frontOf(points), (QSet<qint64>{1, 2, 5}));
    QVERIFY(app::frontOf({fakePoint(1, 1, 0, false)}).isEmpty());
  }

  void noPolicyIsOnTheFrontThatSavesNoMoreThanTheNoise() {
    SearchPoint point = fakePoint(1, 9, 0, true);
    point.base_cost = 10;
    QCOMPARE(app::frontOf({point}), QSet<qint64>{1});
    point.cost_noise = 1;
    QVERIFY(app::frontOf({point}).isEmpty());
    point.cost_noise = 0;
    point.cost = 10;
    QVERIFY(app::frontOf({point}).isEmpty());
  }

  // Of policies whose gaps are unknown, the cheaper one beats the other.
  void anUnknownGapLeavesTheCost() {
    constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
    QCOMPARE(app::frontOf(
                 {fakePoint(1, 10, kUnknown, true), fakePoint(2, 12, kUnknown, true), fakePoint(3, 11, 0.01, true)}),
             (QSet<qint64>{1, 3}));
  }

  void rowsAreTheFrontByCostThenTheNewestTry() {
    const QList<SearchPoint> points{fakePoint(1, 14, 0, true), fakePoint(2, 30, 0.2, false),
                                    fakePoint(3, 12, 0.01, true), fakePoint(4, 40, kUnbounded, false)};
    const QList<app::CellRow> rows = app::searchRows(SearchGoal::kCasts, points, app::frontOf(points));
    QList<qlonglong> ids;
    for (const app::CellRow& row : rows) ids << row.id;
    QCOMPARE(ids, (QList<qlonglong>{3, 1, 4, 2}));
    const auto cell = [&rows](int row, int column) { return rows[row].cells[column]; };
    QCOMPARE(cell(0, app::search_column::kChange).value(Qt::DisplayRole).toString(), QStringLiteral("float32: fc3"));
    QCOMPARE(cell(0, app::search_column::kChange).value(Qt::ToolTipRole).toString(),
             QStringLiteral("float32: fc3/aten::linear#0"));
    QCOMPARE(cell(0, app::search_column::kCost).value(Qt::DisplayRole).toString(), QStringLiteral("12"));
    QCOMPARE(cell(0, app::search_column::kVerdict).value(Qt::DisplayRole).toString(),
             QStringLiteral("inside the noise"));
    QCOMPARE(cell(2, app::search_column::kGap).value(Qt::DisplayRole).toString(), QStringLiteral("inf"));
    QCOMPARE(cell(2, app::search_column::kVerdict).value(views::VerdictRole).toInt(),
             static_cast<int>(views::VerdictShape::kOverflow));
    QVERIFY(!cell(1, 0).value(views::QuietRole).toBool() && cell(2, 0).value(views::QuietRole).toBool());
  }

  void whyAPolicyDoesNotRunIsInItsVerdict() {
    SearchPoint point = fakePoint(1, 1, 0, false);
    point.verdict = wire::TrialVerdict::kDoesNotRun;
    point.reason = QStringLiteral("no kernel for float8");
    const QList<app::CellRow> rows = app::searchRows(SearchGoal::kTime, {point}, {});
    QCOMPARE(rows.front().cells[app::search_column::kVerdict].value(Qt::DisplayRole).toString(),
             QStringLiteral("does not run: no kernel for float8"));
  }

  void manyChangesAreCounted() {
    SearchPoint point = fakePoint(1, 1, 0, true);
    for (int i = 2; i <= 5; ++i) {
      const SearchPoint more = fakePoint(i, 1, 0, true);
      point.changed << more.changed;
      point.policy.sites.push_back(more.policy.sites.front());
    }
    point.policy.sites.back().format = formats::kBFloat16;
    QCOMPARE(app::changeText(point, 1),
             QStringLiteral("bfloat16: fc5/aten::linear#0; float32: fc1/aten::linear#0 and 3 more"));
    // A column has room for less.
    const app::Cell brief = app::searchRows(SearchGoal::kCasts, {point}, {}).front().cells[app::search_column::kChange];
    QCOMPARE(brief.value(Qt::DisplayRole).toString(), QStringLiteral("bfloat16: fc5; float32: fc1 +3"));
    QVERIFY(brief.value(Qt::ToolTipRole).toString().contains(QStringLiteral("fc4/aten::linear#0")));
    point.changed.clear();
    QCOMPARE(app::changeText(point), QStringLiteral("nothing changed"));
  }

  void theColumnOfTheCostIsNamedAsTheAxis() {
    for (const SearchGoal goal : {SearchGoal::kTime, SearchGoal::kMemory, SearchGoal::kCasts, SearchGoal::kRepair}) {
      const app::CellModel::Column column = app::searchColumns(goal)[app::search_column::kCost];
      QCOMPARE(column.title, app::costName(goal));
      QVERIFY(!column.tip.isEmpty());
    }
    QCOMPARE(app::costName(SearchGoal::kCasts), QStringLiteral("Casts"));
  }

  void costsHaveTheirUnits() {
    QCOMPARE(app::costText(SearchGoal::kTime, 0.00142), QStringLiteral("1.42 ms"));
    QCOMPARE(app::costText(SearchGoal::kMemory, 9.6e6), QStringLiteral("9.6 MB"));
    QCOMPARE(app::costText(SearchGoal::kCasts, 214), QStringLiteral("214"));
    QCOMPARE(app::costText(SearchGoal::kRepair, kUnbounded), QStringLiteral("–"));
    SearchPoint point = fakePoint(1, 0.00138, 0, true);
    point.base_cost = 0.00142;
    QCOMPARE(app::costBeside(SearchGoal::kTime, point), QStringLiteral("1.38 ms, before 1.42 ms"));
    QVERIFY(app::pointText(SearchGoal::kTime, point, true).contains(QStringLiteral("inside the noise")));
  }

  // What trains better but costs more is not better: the headline would contradict its row.
  void onlyThePoliciesOfTheFrontAreBetter() {
    SearchPoint point = fakePoint(1, 16, -0.0015, true);
    point.verdict = wire::TrialVerdict::kBetter;
    point.base_cost = 12;
    const auto verdict = [&point](SearchGoal goal, bool front) { return app::attemptVerdict(goal, point, front); };
    QCOMPARE(verdict(SearchGoal::kCasts, false), QStringLiteral("loss lower, but 16 casts (now 12)"));
    const app::Cell cell = app::searchRows(SearchGoal::kCasts, {point}, {}).front().cells[app::search_column::kVerdict];
    QCOMPARE(cell.value(views::VerdictRole).toInt(), static_cast<int>(views::VerdictShape::kNone));
    point.cost = 8;
    QCOMPARE(verdict(SearchGoal::kCasts, true), QStringLiteral("better"));
    QCOMPARE(verdict(SearchGoal::kCasts, false), QStringLiteral("loss lower, but not on the front"));
    point.verdict = wire::TrialVerdict::kInsideNoise;
    point.cost_noise = 5;
    QCOMPARE(verdict(SearchGoal::kCasts, false), QStringLiteral("loss equal, but its saving is too small"));
    point.cost = 0.00142;
    point.base_cost = 0.00138;
    QCOMPARE(verdict(SearchGoal::kTime, false), QStringLiteral("loss equal, but 1.42 ms (now 1.38 ms)"));
  }

  void aLimitThatRejectsIsInTheVerdict() {
    SearchPoint point = fakePoint(1, 8, 0, false);
    point.verdict = wire::TrialVerdict::kBetter;
    point.base_cost = 12;
    point.reason = QStringLiteral("Its loss on the test data, 0.6, is above the limit of 0.5.");
    const app::Cell cell = app::searchRows(SearchGoal::kCasts, {point}, {}).front().cells[app::search_column::kVerdict];
    QCOMPARE(cell.value(Qt::DisplayRole).toString(), QStringLiteral("rejected: ") + point.reason);
    QCOMPARE(cell.value(views::VerdictRole).toInt(), static_cast<int>(views::VerdictShape::kTight));
  }

  void anOpenVerdictIsNotDecided() {
    SearchPoint point = fakePoint(1, 8, 0, false);
    point.verdict = wire::TrialVerdict::kUnknown;
    QCOMPARE(app::attemptVerdict(SearchGoal::kCasts, point, false), QStringLiteral("not decided"));
  }

  void thePresentCostIsTheMeanOfItsMeasurements() {
    SearchPoint one = fakePoint(1, 8, 0, true);
    QVERIFY(!app::presentCost({one}));
    one.base_cost = 10;
    SearchPoint two = fakePoint(2, 8, 0, true);
    two.base_cost = 14;
    QCOMPARE(app::presentCost({one, two, fakePoint(3, 8, 0, true)}), std::optional(12.0));
  }

  void attemptsWithOneNameSayWhatDiffers() {
    const auto changing = [](qint64 attempt, const QList<int>& calls) {
      SearchPoint point = fakePoint(attempt, 8, 0, true);
      point.changed.clear();
      point.policy.sites.clear();
      for (const int call : calls) {
        const SearchPoint part = fakePoint(call, 8, 0, true);
        point.changed << part.changed;
        point.policy.sites.push_back(part.policy.sites.front());
      }
      return point;
    };
    const auto names = [](const QList<SearchPoint>& points) {
      QStringList found;
      for (const app::CellRow& row : app::searchRows(SearchGoal::kCasts, points, {}))
        found.prepend(row.cells[app::search_column::kChange].value(Qt::DisplayRole).toString());
      return found;
    };
    QCOMPARE(names({changing(1, {1, 2}), changing(2, {1, 3}), changing(3, {1})}),
             (QStringList{QStringLiteral("float32: fc1 +1 · with fc2"), QStringLiteral("float32: fc1 +1 · with fc3"),
                          QStringLiteral("float32: fc1")}));
    QCOMPARE(
        names({changing(1, {1, 2, 3}), changing(2, {1, 2, 4}), changing(3, {1, 3, 4})}),
        (QStringList{QStringLiteral("float32: fc1 +2 · without fc4"), QStringLiteral("float32: fc1 +2 · without fc3"),
                     QStringLiteral("float32: fc1 +2 · without fc2")}));
    QCOMPARE(names({changing(1, {1}), changing(2, {1})}),
             (QStringList{QStringLiteral("float32: fc1 · try 1"), QStringLiteral("float32: fc1 · try 2")}));
  }
};

BINADE_SUITE(SearchRows);

}  // namespace

#include "tst_search_rows.moc"
