// SPDX-License-Identifier: Apache-2.0
#include "app/present/search_rows.h"

#include "app/model/translate.h"
#include "app/present/trial_rows.h"
#include "engine/policy/site_match.h"
#include "engine/words/site_text.h"
#include "engine/words/trial_text.h"
#include "views/values/numbers.h"
#include "views/values/roles.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace binade::app {

namespace {

// The format that the policy's own rule gives the op call. A search writes a rule for each of them.
QString ruleFormat(const policy::Policy& policy, const QString& call) {
  const std::string name = call.toStdString();
  const auto rule = std::find_if(policy.sites.rbegin(), policy.sites.rend(),
                                 [&name](const policy::SiteRule& each) { return each.match == name; });
  return rule == policy.sites.rend() ? tr("changed") : QString::fromStdString(formats::name(rule->format));
}

/// The changed op calls by the format that they get.
std::map<QString, QStringList> changesByFormat(const SearchPoint& point) {
  std::map<QString, QStringList> calls;
  for (const QString& call : point.changed) calls[ruleFormat(point.policy, call)] << call;
  return calls;
}

// For a column: of each format the first op call by its short name, and how many there are besides.
QString briefChange(const SearchPoint& point) {
  if (point.changed.isEmpty()) return changeText(point);
  QStringList parts;
  for (const auto& [format, names] : changesByFormat(point)) {
    const policy::SiteKey key = policy::site_key(names.front().toStdString());
    const std::string first = key.path.empty() ? words::place_of(key) : key.path;
    const QString more = names.size() == 1 ? QString() : QStringLiteral(" +%1").arg(views::grouped(names.size() - 1));
    parts << QStringLiteral("%1: %2%3").arg(format, QString::fromStdString(first), more);
  }
  return parts.join(QStringLiteral("; "));
}

QString attemptVerdict(const SearchPoint& point) {
  return QString::fromStdString(words::verdict_text(point.verdict));
}

QString searchGap(double gap) {
  return std::isnan(gap) ? QStringLiteral("–") : views::figure(gap, 2);
}

/// What the numbers of the cost are.
QString costTip(SearchGoal goal) {
  switch (goal) {
    case SearchGoal::kTime:
      return tr("Time of a step under this policy");
    case SearchGoal::kMemory:
      return tr("Memory of a step under this policy");
    case SearchGoal::kCasts:
      return tr("Casts in a step under this policy");
    case SearchGoal::kRepair:
      return tr("Number of op calls that this policy changes");
  }
  return {};
}

CellRow attemptRow(SearchGoal goal, const SearchPoint& point, bool front) {
  CellRow row;
  row.id = point.attempt;
  QString verdict = attemptVerdict(point);
  if (!point.reason.isEmpty()) verdict += QStringLiteral(": ") + point.reason;
  row.cells = {Cell(briefChange(point)).with(Qt::ToolTipRole, changeText(point, 24)).with(views::KeepEndRole, true),
               Cell::figure(costText(goal, point.cost), point.cost).with(Qt::ToolTipRole, costBeside(goal, point)),
               Cell::figure(searchGap(point.gap), point.gap).withNumber(point.gap),
               Cell(verdict)
                   .with(views::VerdictRole, static_cast<int>(trialShape(point.verdict)))
                   .with(Qt::ToolTipRole, verdict)};
  for (Cell& cell : row.cells) cell.with(views::QuietRole, !front);
  return row;
}

}  // namespace

QSet<qint64> frontOf(const QList<SearchPoint>& points) {
  QSet<qint64> front;
  // Times of two tries differ with the load of the machine, which the base that was timed beside them shows too.
  const auto beside = [](const SearchPoint& point) { return point.cost - point.base_cost.value_or(0); };
  // The gap is unknown if the training to compare with gave no finite loss; then only the cost counts.
  const auto gap = [](const SearchPoint& point) {
    return std::isnan(point.gap) ? std::numeric_limits<double>::infinity() : point.gap;
  };
  for (const SearchPoint& each : points) {
    const bool saves = !each.base_cost || *each.base_cost - each.cost > each.cost_noise;
    const auto beats = [&](const SearchPoint& other) {
      return other.holds && beside(other) <= beside(each) && gap(other) <= gap(each) &&
             (beside(other) < beside(each) || gap(other) < gap(each));
    };
    if (each.holds && saves && std::none_of(points.begin(), points.end(), beats)) front.insert(each.attempt);
  }
  return front;
}

QString goalName(SearchGoal goal) {
  switch (goal) {
    case SearchGoal::kTime:
      return tr("Less time");
    case SearchGoal::kMemory:
      return tr("Less memory");
    case SearchGoal::kCasts:
      return tr("Fewer casts");
    case SearchGoal::kRepair:
      return tr("Repair a failing policy");
  }
  return {};
}

QString costName(SearchGoal goal) {
  switch (goal) {
    case SearchGoal::kTime:
      return tr("Step time");
    case SearchGoal::kMemory:
      return tr("Memory");
    case SearchGoal::kCasts:
      return tr("Casts");
    case SearchGoal::kRepair:
      return tr("Changed calls");
  }
  return {};
}

QString costText(SearchGoal goal, double cost) {
  if (!std::isfinite(cost) || std::abs(cost) > 9e15) return QStringLiteral("–");
  switch (goal) {
    case SearchGoal::kTime:
      return views::duration(cost);
    case SearchGoal::kMemory:
      return views::sizeText(std::llround(cost));
    case SearchGoal::kCasts:
    case SearchGoal::kRepair:
      break;
  }
  return cost == std::round(cost) ? views::grouped(std::llround(cost)) : views::figure(cost);
}

QString changeText(const SearchPoint& point, int most) {
  if (point.changed.isEmpty()) return tr("nothing changed");
  QStringList parts;
  for (const auto& [format, names] : changesByFormat(point)) {
    const qsizetype more = names.size() - most;
    const QString named = names.first(std::min<qsizetype>(most, names.size())).join(QStringLiteral(", "));
    parts << QStringLiteral("%1: %2").arg(format, more > 0 ? tr("%1 and %2 more").arg(named).arg(more) : named);
  }
  return parts.join(QStringLiteral("; "));
}

QString costBeside(SearchGoal goal, const SearchPoint& point) {
  const QString now = costText(goal, point.cost);
  return point.base_cost ? tr("%1, before %2").arg(now, costText(goal, *point.base_cost)) : now;
}

QString pointText(SearchGoal goal, const SearchPoint& point) {
  return tr("%1 · %2 %3 · loss gap %4 · %5")
      .arg(changeText(point), costName(goal), costBeside(goal, point), searchGap(point.gap), attemptVerdict(point));
}

QList<CellModel::Column> searchColumns(SearchGoal goal) {
  return {{tr("Change")},
          {costName(goal), true, costTip(goal)},
          {tr("Loss gap"), true,
           tr("Mean difference of the loss from that of the policy that the search started from; in a search that "
              "repairs, from float32 or from the policy without scaled formats")},
          {tr("Verdict")}};
}

QList<CellRow> searchRows(SearchGoal goal, const QList<SearchPoint>& points, const QSet<qint64>& front) {
  QList<const SearchPoint*> best;
  QList<const SearchPoint*> rest;
  for (const SearchPoint& each : points) (front.contains(each.attempt) ? best : rest) << &each;
  std::stable_sort(best.begin(), best.end(),
                   [](const SearchPoint* a, const SearchPoint* b) { return a->cost < b->cost; });
  std::stable_sort(rest.begin(), rest.end(),
                   [](const SearchPoint* a, const SearchPoint* b) { return a->attempt > b->attempt; });
  QList<CellRow> rows;
  for (const SearchPoint* each : best) rows << attemptRow(goal, *each, true);
  for (const SearchPoint* each : rest) rows << attemptRow(goal, *each, false);
  return rows;
}

}  // namespace binade::app
