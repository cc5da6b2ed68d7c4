// SPDX-License-Identifier: Apache-2.0
// What a search has tried, as rows: the front, the changes in words, and costs in their units.
#include "app/present/search_rows.h"
#include "tests/app/fake_search.h"
#include "tests/support/suite.h"
#include "views/values/roles.h"

#include <limits>

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
    QVERIFY(app::pointText(SearchGoal::kTime, point).contains(QStringLiteral("inside the noise")));
  }
};

BINADE_SUITE(SearchRows);

}  // namespace

#include "tst_search_rows.moc"
