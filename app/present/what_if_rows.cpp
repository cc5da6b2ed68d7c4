// SPDX-License-Identifier: Apache-2.0
#include "app/present/what_if_rows.h"

#include "app/model/site_name.h"
#include "app/model/translate.h"
#include "app/present/quantized_rows.h"
#include "views/values/numbers.h"

#include <cstdint>
#include <iterator>

namespace binade::app {

QList<CellModel::Column> whatIfColumns() {
  return {{tr("Format")},
          {tr("Signal to noise"), true},
          {tr("Became 0"), true},
          {tr("Saturated"), true},
          {tr("Outlier blocks"), true},
          {tr("Dead blocks"), true},
          {tr("Bits per value"), true, tr("Scales of blocks included")}};
}

QList<CellRow> whatIfRows(const wire::WhatIf& what_if) {
  QList<CellRow> rows;
  for (const wire::FormatEffect& each : what_if.effects) {
    const scaled::BlockStats& stats = each.stats;
    const double noise = stats.snr_db();
    const QString name = QString::fromStdString(each.format);
    Cell format(each.format == what_if.present ? tr("%1 (in use)").arg(name) : name);
    if (each.format == what_if.present) format.with(Qt::ToolTipRole, tr("The operand's format under the policy"));
    const auto parsed = scaled::parse(each.format);
    const double bits = parsed ? parsed->bits_per_value() : 0;
    rows.append({rows.size(),
                 {format, Cell::figure(noiseText(stats), noise).withNumber(noise),
                  shareCell(stats.to_zero, stats.non_zero, false), shareCell(stats.saturated, stats.non_zero, false),
                  shareCell(stats.outlier_blocks, stats.blocks, false),
                  shareCell(stats.dead_blocks, stats.blocks, false), Cell::figure(views::figure(bits, 3), bits)}});
  }
  return rows;
}

QString whatIfSource(const RunModel& run, const wire::WhatIf& what_if) {
  const std::uint64_t values = what_if.effects.empty() ? 0 : what_if.effects.front().stats.values;
  return tr("%1, %2: measured on the operand itself at step %3, in its first execution. %4 values; not derived from a "
            "histogram.")
      .arg(callOrIndex(run.sites(), what_if.site), operandText(what_if.product, what_if.operand),
           views::grouped(what_if.step), views::grouped(values));
}

QString blockPlace(const wire::QuantizedBlock& block) {
  const auto columns = static_cast<std::int64_t>(block.values.size()) / block.rows;
  const QString at =
      block.rows == 1 ? tr("row %1").arg(views::grouped(block.row))
                      : tr("rows %1 to %2").arg(views::grouped(block.row), views::grouped(block.row + block.rows - 1));
  return tr("%1, columns %2 to %3").arg(at, views::grouped(block.column), views::grouped(block.column + columns - 1));
}

}  // namespace binade::app
