// SPDX-License-Identifier: Apache-2.0
#include "app/present/search_rows.h"

#include "app/model/translate.h"
#include "app/present/trial_rows.h"
#include "engine/policy/site_match.h"
#include "engine/words/site_text.h"
#include "engine/words/trial_text.h"
#include "views/values/numbers.h"
#include "views/values/roles.h"

#include <QHash>

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

// The short name of an op call: its path, or without one its place.
QString shortCall(const QString& call) {
  const policy::SiteKey key = policy::site_key(call.toStdString());
  return QString::fromStdString(key.path.empty() ? words::place_of(key) : key.path);
}

/// An op call and the format that a policy gives it.
QSet<QString> changesOf(const SearchPoint& point) {
  QSet<QString> changes;
  for (const QString& call : point.changed) changes.insert(ruleFormat(point.policy, call) + u' ' + call);
  return changes;
}

// What only this one of several attempts with equal names changes, or leaves as it was. Empty: no single op call.
QString differenceFrom(const QList<const SearchPoint*>& same, const SearchPoint& point) {
  const QSet<QString> own = changesOf(point);
  QList<QSet<QString>> others;
  for (const SearchPoint* other : same) {
    if (other != &point) others << changesOf(*other);
  }
  for (const QString& call : point.changed) {
    const QString change = ruleFormat(point.policy, call) + u' ' + call;
    const auto has = [&change](const QSet<QString>& other) { return other.contains(change); };
    if (std::none_of(others.begin(), others.end(), has)) return tr("with %1").arg(shortCall(call));
  }
  for (const SearchPoint* other : same) {
    if (other == &point) continue;
    for (const QString& call : other->changed) {
      const QString change = ruleFormat(other->policy, call) + u' ' + call;
      const auto has = [&change](const QSet<QString>& each) { return each.contains(change); };
      if (!own.contains(change) && std::all_of(others.begin(), others.end(), has))
        return tr("without %1").arg(shortCall(call));
    }
  }
  return {};
}

/// The attempts by their texts in `names`.
QHash<QString, QList<const SearchPoint*>> byName(const QList<SearchPoint>& points,
                                                 const QHash<qint64, QString>& names) {
  QHash<QString, QList<const SearchPoint*>> same;
  for (const SearchPoint& each : points) same[names.value(each.attempt)] << &each;
  return same;
}

// The brief changes by attempt. Where they would be equal, what differs follows, or at last the number of the try.
QHash<qint64, QString> attemptNames(const QList<SearchPoint>& points) {
  QHash<qint64, QString> names;
  for (const SearchPoint& each : points) names[each.attempt] = briefChange(each);
  for (const auto& same : byName(points, names)) {
    if (same.size() < 2) continue;
    for (const SearchPoint* each : same) {
      const QString differs = differenceFrom(same, *each);
      if (!differs.isEmpty()) names[each->attempt] += QStringLiteral(" · ") + differs;
    }
  }
  for (const auto& same : byName(points, names)) {
    if (same.size() < 2) continue;
    for (const SearchPoint* each : same) names[each->attempt] += tr(" · try %1").arg(views::grouped(each->attempt));
  }
  return names;
}

bool trainsAlike(const SearchPoint& point) {
  return point.verdict == wire::TrialVerdict::kInsideNoise || point.verdict == wire::TrialVerdict::kBetter;
}

/// Why a policy that trains alike is not on the front.
QString whyNotOnFront(SearchGoal goal, const SearchPoint& point) {
  if (!point.base_cost || *point.base_cost - point.cost > point.cost_noise) return tr("not on the front");
  if (point.cost < *point.base_cost) return tr("its saving is too small");
  const QString cost = costText(goal, point.cost);
  const QString now = costText(goal, *point.base_cost);
  return goal == SearchGoal::kCasts ? tr("%1 casts (now %2)").arg(cost, now) : tr("%1 (now %2)").arg(cost, now);
}

// A mark of success is for the front alone.
views::VerdictShape attemptShape(const SearchPoint& point, bool front) {
  if (front || !trainsAlike(point)) return trialShape(point.verdict);
  return point.holds ? views::VerdictShape::kNone : views::VerdictShape::kTight;
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

CellRow attemptRow(SearchGoal goal, const SearchPoint& point, bool front, const QString& name) {
  CellRow row;
  row.id = point.attempt;
  const QString verdict = attemptVerdict(goal, point, front);
  row.cells = {Cell(name).with(Qt::ToolTipRole, changeText(point, 24)).with(views::KeepEndRole, true),
               Cell::figure(costText(goal, point.cost), point.cost).with(Qt::ToolTipRole, costBeside(goal, point)),
               Cell::figure(searchGap(point.gap), point.gap).withNumber(point.gap),
               Cell(verdict)
                   .with(views::VerdictRole, static_cast<int>(attemptShape(point, front)))
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

QString attemptVerdict(SearchGoal goal, const SearchPoint& point, bool front) {
  QString verdict = point.verdict == wire::TrialVerdict::kUnknown
                        ? tr("not decided")
                        : QString::fromStdString(words::verdict_text(point.verdict));
  if (!front && trainsAlike(point)) {
    if (!point.holds) return point.reason.isEmpty() ? tr("beyond a limit") : tr("rejected: %1").arg(point.reason);
    const QString loss = point.verdict == wire::TrialVerdict::kBetter ? tr("loss lower") : tr("loss equal");
    verdict = tr("%1, but %2").arg(loss, whyNotOnFront(goal, point));
  }
  return point.reason.isEmpty() ? verdict : tr("%1: %2").arg(verdict, point.reason);
}

std::optional<double> presentCost(const QList<SearchPoint>& points) {
  double sum = 0;
  int known = 0;
  for (const SearchPoint& each : points) {
    if (!each.base_cost || !std::isfinite(*each.base_cost)) continue;
    sum += *each.base_cost;
    ++known;
  }
  return known == 0 ? std::nullopt : std::optional(sum / known);
}

QString pointText(SearchGoal goal, const SearchPoint& point, bool front) {
  return tr("%1 · %2 %3 · loss gap %4 · %5")
      .arg(changeText(point), costName(goal), costBeside(goal, point), searchGap(point.gap),
           attemptVerdict(goal, point, front));
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
  const QHash<qint64, QString> names = attemptNames(points);
  QList<CellRow> rows;
  for (const SearchPoint* each : best) rows << attemptRow(goal, *each, true, names.value(each->attempt));
  for (const SearchPoint* each : rest) rows << attemptRow(goal, *each, false, names.value(each->attempt));
  return rows;
}

}  // namespace binade::app
