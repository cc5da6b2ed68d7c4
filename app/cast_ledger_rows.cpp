// SPDX-License-Identifier: Apache-2.0
#include "app/cast_ledger_rows.h"

#include "app/scale_text.h"
#include "app/site_text.h"
#include "views/numbers.h"
#include "views/table/roles.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace binade::app {

namespace {

QString tr(const char* text) {
  return QCoreApplication::translate("CastLedger", text);
}

QString formatName(const formats::Format& format) {
  return QString::fromStdString(formats::name(format));
}

QString countText(double count) {
  const double whole = std::round(count);
  return std::abs(count - whole) < 0.05 ? views::grouped(static_cast<std::int64_t>(whole)) : views::figure(count, 3);
}

}  // namespace

CastTotals totalsOf(const wire::CastLedger& ledger) {
  CastTotals totals;
  for (const wire::CastLine& line : ledger.lines) {
    totals.casts += line.casts;
    totals.bytes += line.bytes;
    totals.seconds += line.seconds;
  }
  return totals;
}

QString castsText(const CastTotals& totals) {
  return tr("%1 casts a step").arg(countText(totals.casts));
}

QList<CellModel::Column> castColumns() {
  return {{tr("Op call")},
          {tr("Argument")},
          {tr("From")},
          {tr("To")},
          {tr("Casts"), true, tr("Copies made in a step")},
          {tr("Saved"), true, tr("Copies that the cast cache had already")},
          {tr("Moves"), true, tr("Bytes written in a step")},
          {tr("Time"), true, tr("Host time in a step; on a GPU that is the launch, not the copy")},
          {tr("Why")},
          {tr("Goes away if")}};
}

QList<CellRow> castRows(const RunModel& run, const wire::CastLedger& ledger) {
  std::vector<std::size_t> order(ledger.lines.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return ledger.lines[a].seconds > ledger.lines[b].seconds; });
  QList<CellRow> rows;
  for (const std::size_t i : order) {
    const wire::CastLine& line = ledger.lines[i];
    const auto at = static_cast<std::size_t>(line.site);
    const QString call = at < run.sites().size() ? callText(run.sites()[at].key) : QString::number(line.site);
    const QString argument = line.argument.empty() ? tr("inside the op") : QString::fromStdString(line.argument);
    const auto format = [](const formats::Format& which) {
      Cell cell(formatName(which));
      return cell.with(views::FormatRole, formatName(which));
    };
    Cell away(line.edit.empty() ? tr("no edit removes it") : QString::fromStdString(line.edit));
    away.with(views::QuietRole, line.edit.empty());
    Cell cause(QString::fromStdString(line.cause));
    cause.with(views::QuietRole, true);
    rows.append({static_cast<qlonglong>(i),
                 {Cell(call), Cell(argument), format(line.from), format(line.to),
                  Cell::figure(countText(line.casts), line.casts), Cell::figure(countText(line.saved), line.saved),
                  Cell::figure(sizeText(std::llround(line.bytes)), line.bytes),
                  Cell::figure(views::duration(line.seconds), line.seconds), cause, away}});
  }
  return rows;
}

std::optional<policy::SiteRule> removingRule(const wire::CastLine& line) {
  if (line.edit_match.empty() || !line.edit_format) return std::nullopt;
  policy::SiteRule rule;
  rule.match = line.edit_match;
  rule.format = *line.edit_format;
  rule.why = "removes a cast";
  return rule;
}

}  // namespace binade::app
