// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/present/cell_model.h"
#include "app/present/search_point.h"

#include <QList>
#include <QSet>
#include <QString>

#include <optional>

namespace binade::app {

/// Columns of the list of policies that a search has tried.
namespace search_column {
enum : int { kChange, kCost, kGap, kVerdict };
}

/// The attempts that no other attempt beats in both cost and loss gap, among those that hold and whose cost is lower
/// than that of the policy that the search started from, by more than the noise of the measurement.
QSet<qint64> frontOf(const QList<SearchPoint>& points);

/// The goal in a list of choices: `Less time`.
QString goalName(SearchGoal goal);
/// Name of the cost, for an axis and a heading: `Step time`.
QString costName(SearchGoal goal);
/// A cost of this goal: `1.42 ms`, `9.6 MB`, `214`. A dash if it is not known.
QString costText(SearchGoal goal, double cost);
/// What the policy changes, by format: `float32: fc1/aten::linear#0, fc2/aten::linear#0 and 3 more`. `most`: the number
/// of op calls that are named for each format.
QString changeText(const SearchPoint& point, int most = 2);
/// A measured cost beside that of the policy that the search started from: `1.38 ms, before 1.42 ms`.
QString costBeside(SearchGoal goal, const SearchPoint& point);
/// The verdict of an attempt. Only one of the front is `better`; another that trains alike names what speaks against
/// it: `loss lower, but 16 casts (now 12)`, `rejected: Its loss on the test data, 0.6, is above the limit of 0.5.`
QString attemptVerdict(SearchGoal goal, const SearchPoint& point, bool front);
/// The cost of the policy that the search started from: the mean of the measurements beside the attempts. nullopt: it
/// is not known, as in a search that repairs.
std::optional<double> presentCost(const QList<SearchPoint>& points);
/// The point in one line, for a tool tip and a screen reader. `front`: it belongs to the front.
QString pointText(SearchGoal goal, const SearchPoint& point, bool front);

/// The heading of the column of the cost is costName().
QList<CellModel::Column> searchColumns(SearchGoal goal);
/// Rows: the front, cheapest first, then the other attempts, newest first. Ids are the numbers of the attempts. Where
/// the short names of two would be equal, what differs follows: `float32: bn1 +7 · without conv2`.
QList<CellRow> searchRows(SearchGoal goal, const QList<SearchPoint>& points, const QSet<qint64>& front);

}  // namespace binade::app
