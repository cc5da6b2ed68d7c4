// SPDX-License-Identifier: Apache-2.0
#include "app/present/cast_ledger_rows.h"

#include "app/model/site_name.h"
#include "app/model/translate.h"
#include "app/present/site_format.h"
#include "engine/words/cast_text.h"
#include "views/values/format_name.h"
#include "views/values/numbers.h"
#include "views/values/roles.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <vector>

namespace binade::app {

namespace {

constexpr double kNoFigure = std::numeric_limits<double>::quiet_NaN();

QString countText(double count) {
  const double whole = std::round(count);
  return std::abs(count - whole) < 0.05 ? views::grouped(static_cast<std::int64_t>(whole)) : views::figure(count, 3);
}

QString causeText(const RunModel& run, const wire::CastLine& line) {
  const auto at = static_cast<std::size_t>(line.site);
  return QString::fromStdString(words::cast_cause(line, at < run.sites().size() ? run.sites()[at].key.op : "its op"));
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
  return {
      {tr("Cast and place")},
      {tr("Argument")},
      {tr("From")},
      {tr("To")},
      {tr("Goes away if")},
      {tr("Moves"), true, tr("Bytes written in a step")},
      {tr("Time"), true, tr("Host time in a step; on a GPU that is the launch, not the copy")},
      {tr("Casts"), true, tr("Copies made in a step")},
      {tr("From cache"), true, tr("Copies that the cast cache already held")},
      {tr("Why"), false, tr("Rule that causes the cast; the tool tip of a cell has the whole text")},
      {tr("Effect on a step"), true,
       tr("Change of the bytes that a step's casts write, and of its forward time, with that edit. Below 0 is a "
          "saving.\nMeasured on one forward. No time on a GPU or where formats are emulated; – was not measured.")}};
}

qlonglong castId(const wire::CastLine& line) {
  const std::string text =
      std::to_string(line.site) + ' ' + line.argument + ' ' + formats::name(line.from) + ' ' + formats::name(line.to);
  return static_cast<qlonglong>(std::hash<std::string>()(text) >> 1);  // shifted, so that it is never negative
}

QList<CellRow> castRows(const RunModel& run, const wire::CastLedger& ledger) {
  std::vector<std::size_t> order(ledger.lines.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return ledger.lines[a].seconds > ledger.lines[b].seconds; });
  QList<CellRow> rows;
  for (const std::size_t i : order) {
    const wire::CastLine& line = ledger.lines[i];
    const QString argument = line.argument.empty() ? tr("inside the op") : QString::fromStdString(line.argument);
    const auto format = [](const formats::Format& which) {
      Cell cell(views::formatName(which));
      return cell.with(views::FormatRole, views::formatName(which));
    };
    const std::string edit = words::cast_edit(line);
    Cell place = callCell(run, line.site);
    Cell away(edit.empty() ? tr("no single edit") : QString::fromStdString(edit));
    away.with(views::QuietRole, edit.empty());
    if (!edit.empty()) {
      const QString match = QString::fromStdString(line.edit_match);
      away.with(views::CallRole, match);
      // Usually the cast's own op call, whose shorter forms are known to be unique.
      if (match == place.value(Qt::DisplayRole).toString())
        away.with(views::CallFormsRole, place.value(views::CallFormsRole));
      away.with(views::FormatRole, views::formatName(*line.edit_format));
    }
    const QString call = place.value(Qt::DisplayRole).toString();
    const QString formats = QStringLiteral("%1 → %2").arg(views::formatName(line.from), views::formatName(line.to));
    place.with(views::FormatsRole, QStringList{views::formatName(line.from), views::formatName(line.to)});
    place.with(views::FootRole, argument);
    for (const int role : {int{Qt::ToolTipRole}, int{Qt::AccessibleTextRole}})
      place.with(role, QStringLiteral("%1, %2, %3").arg(formats, call, argument));
    Cell cause(causeText(run, line));
    cause.with(views::QuietRole, true);
    const QString price = removalText(line);
    Cell then = Cell::figure(price.isEmpty() ? QStringLiteral("–") : price, line.edit_bytes.value_or(kNoFigure));
    if (price.isEmpty()) then.with(views::QuietRole, true);
    if (line.edit_bytes.value_or(0) > 0) then.with(views::StrongRole, true);  // more is no fault
    rows.append(
        {castId(line),
         {place, Cell(argument), format(line.from), format(line.to), away,
          Cell::figure(views::sizeText(std::llround(line.bytes)), line.bytes),
          Cell::figure(views::duration(line.seconds), line.seconds), Cell::figure(countText(line.casts), line.casts),
          Cell::figure(countText(line.saved), line.saved), cause, then}});
  }
  return rows;
}

QString removalText(const wire::CastLine& line) {
  QStringList parts;
  const auto sign = [](double value) { return QString(value > 0 ? u'+' : u'−'); };
  if (line.edit_bytes) {
    const auto bytes = std::llround(*line.edit_bytes);
    parts << (bytes == 0 ? tr("±0 B") : sign(*line.edit_bytes) + views::sizeText(std::abs(bytes)));
  }
  if (line.edit_seconds && *line.edit_seconds != 0)
    parts << sign(*line.edit_seconds) + views::duration(std::abs(*line.edit_seconds));
  return parts.join(QStringLiteral(" · "));
}

QString removalSentence(const wire::CastLine& line) {
  QStringList sentences;
  if (line.edit_bytes) {
    const auto bytes = std::llround(*line.edit_bytes);
    sentences << (bytes == 0  ? tr("A step's casts then move as much as now.")
                  : bytes < 0 ? tr("A step's casts then move %1 less.").arg(views::sizeText(-bytes))
                              : tr("A step's casts then move %1 more.").arg(views::sizeText(bytes)));
  }
  if (line.edit_seconds && *line.edit_seconds != 0) {
    sentences << (*line.edit_seconds < 0
                      ? tr("Its forward then takes %1 less.").arg(views::duration(-*line.edit_seconds))
                      : tr("Its forward then takes %1 more.").arg(views::duration(*line.edit_seconds)));
  }
  return sentences.join(u' ');
}

QString castDetail(const RunModel& run, const wire::CastLine& line) {
  const auto at = static_cast<std::size_t>(line.site);
  const QString call = at < run.sites().size() ? callText(run.sites()[at].key) : QString::number(line.site);
  const QString argument = line.argument.empty() ? tr("inside the op") : QString::fromStdString(line.argument);
  QStringList sentences{tr("%1, %2: %3.").arg(call, argument, causeText(run, line))};
  const std::string edit = words::cast_edit(line);
  sentences << (edit.empty() ? tr("No edit of one op call removes it.")
                             : tr("%1 removes it.").arg(QString::fromStdString(edit)));
  if (const QString price = removalSentence(line); !price.isEmpty()) sentences << price;
  return sentences.join(u' ');
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
