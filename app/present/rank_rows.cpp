// SPDX-License-Identifier: Apache-2.0
#include "app/present/rank_rows.h"

#include "app/model/translate.h"
#include "views/values/numbers.h"
#include "views/values/roles.h"

#include <algorithm>

namespace binade::app {

namespace {

Cell timeCell(double seconds) {
  return Cell::figure(views::duration(seconds), seconds);
}

QString shareText(double share) {
  constexpr double kPercent = 100;
  return views::percent(kPercent * share);
}

}  // namespace

QList<CellModel::Column> rankColumns() {
  return {{tr("Rank"), true},
          {tr("Busy"), true, tr("Forward and backward of a step, without waits for other ranks: the mean")},
          {tr("Waiting"), true, tr("Wait of a step for the gradients of other ranks: the mean")},
          {tr("Behind the fastest"), true, tr("Time for which it was busy longer than the fastest rank: the mean")},
          {tr("Last"), true, tr("Share of steps in which it was busy longer than every other rank")},
          {tr("Overflowed"), true, tr("Number of steps in which its own examples gave a gradient that is not finite")},
          {tr("Tensor cores"), true, tr("Share of time with busy tensor cores")},
          {tr("Device")}};
}

QList<CellRow> rankRows(const RunModel& run) {
  const wire::RankTotals totals = run.shownRanks();
  const auto straggler = totals.straggler();
  const auto steps = static_cast<double>(totals.steps());
  QList<CellRow> rows;
  for (std::size_t i = 0; i < totals.ranks().size(); ++i) {
    const wire::RankTotal& total = totals.ranks()[i];
    const wire::RankInfo& info = run.rankInfos()[i];
    Cell behind = timeCell(total.behind / steps);
    if (straggler == i) behind.with(views::AttentionRole, true);
    const double last = static_cast<double>(total.last) / steps;
    Cell overflowed = Cell::figure(views::grouped(total.overflowed), static_cast<double>(total.overflowed));
    if (total.overflowed == 0) overflowed.with(views::QuietRole, true);
    const double tensor = total.tensor / static_cast<double>(total.measured);
    const Cell tensor_cell =
        total.measured == 0 ? Cell::figure(QStringLiteral("–"), -1) : Cell::figure(views::percent(tensor), tensor);
    rows.append({static_cast<qlonglong>(i),
                 {Cell::figure(QString::number(i), static_cast<double>(i)), timeCell(total.busy / steps),
                  timeCell(total.wait / steps), behind, Cell::figure(shareText(last), last), overflowed, tensor_cell,
                  Cell(QString::fromStdString(info.host + ": " + info.device))}});
  }
  return rows;
}

QString stragglerText(const RunModel& run) {
  const wire::RankTotals totals = run.shownRanks();
  if (totals.steps() == 0) return {};
  if (totals.steps() < wire::RankTotals::kFewestSteps) {
    return tr("Whether a rank delays the others is not known yet: %1 of %2 steps.")
        .arg(views::grouped(totals.steps()), views::grouped(wire::RankTotals::kFewestSteps));
  }
  const auto rank = totals.straggler();
  if (!rank) return tr("No rank delays the others in the last %1 steps.").arg(views::grouped(totals.steps()));
  const wire::RankTotal& total = totals.ranks()[*rank];
  const auto steps = static_cast<double>(totals.steps());
  const double behind = total.behind / steps;
  return tr("%1 was the last in %2 of the last %3 steps, on average %4 (%5 of a step) behind the fastest rank.")
      .arg(rankText(run, static_cast<int>(*rank)), shareText(static_cast<double>(total.last) / steps),
           views::grouped(totals.steps()), views::duration(behind), shareText(behind / totals.step_seconds()));
}

QString rankText(const RunModel& run, int rank) {
  const auto& infos = run.rankInfos();
  const QString name = tr("Rank %1").arg(rank);
  const auto at = static_cast<std::size_t>(rank);
  if (rank < 0 || at >= infos.size()) return name;
  const bool several =
      std::ranges::any_of(infos, [&](const wire::RankInfo& info) { return info.host != infos.front().host; });
  return several ? tr("%1 on %2").arg(name, QString::fromStdString(infos[at].host)) : name;
}

}  // namespace binade::app
