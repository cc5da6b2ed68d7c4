// SPDX-License-Identifier: Apache-2.0
#include "app/present/quantized_rows.h"

#include "app/model/site_name.h"
#include "app/model/translate.h"
#include "app/present/site_format.h"
#include "engine/scaled/scaled_format.h"
#include "views/values/numbers.h"
#include "views/values/roles.h"

#include <QStringList>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace binade::app {

namespace {

constexpr double kNotMeasured = std::numeric_limits<double>::quiet_NaN();

constexpr double kNotableShare = 0.01;  // from which a loss is highlighted
constexpr double kNotableStale = 1;     // doublings beyond the largest value that the scale represents

double part(std::uint64_t count, std::uint64_t of) {
  return of == 0 ? 0 : static_cast<double>(count) / static_cast<double>(of);
}

QString productText(policy::Product product) {
  switch (product) {
    case policy::Product::kForward:
      return tr("forward");
    case policy::Product::kGradInput:
      return tr("input's gradient");
    case policy::Product::kGradWeight:
      return tr("weight's gradient");
  }
  return {};
}

QString nameOf(policy::Operand operand) {
  switch (operand) {
    case policy::Operand::kInput:
      return tr("input");
    case policy::Operand::kWeight:
      return tr("weight");
    case policy::Operand::kGradient:
      return tr("gradient");
  }
  return {};
}

/// A binade of scales that some blocks have.
struct Occupied {
  int exponent = 0;
  std::uint32_t blocks = 0;
};

std::vector<Occupied> occupied(const scaled::BlockStats& stats) {
  std::vector<Occupied> found;
  for (std::size_t i = 0; i < stats.scales.size(); ++i) {
    if (stats.scales[i] > 0) found.push_back({scaled::BlockStats::kFirstBinade + static_cast<int>(i), stats.scales[i]});
  }
  return found;
}

QString scalesText(const scaled::BlockStats& stats) {
  const std::vector<Occupied> scales = occupied(stats);
  if (scales.empty()) return QStringLiteral("–");
  const QString first = views::powerOfTwo(scales.front().exponent);
  if (scales.size() == 1) return first;
  return tr("%1 to %2").arg(first, views::powerOfTwo(scales.back().exponent));
}

Cell scalesCell(const scaled::BlockStats& stats) {
  const std::vector<Occupied> scales = occupied(stats);
  const int spread = scales.empty() ? 0 : scales.back().exponent - scales.front().exponent;
  Cell cell = Cell::figure(scalesText(stats), spread);
  QStringList lines;
  for (const Occupied& each : scales)
    lines << tr("%1: %2 blocks").arg(views::powerOfTwo(each.exponent), views::grouped(each.blocks));
  return lines.isEmpty() ? cell : cell.with(Qt::ToolTipRole, lines.join(u'\n'));
}

Cell staleCell(const std::optional<double>& stale) {
  if (!stale) return Cell::figure(QStringLiteral("–"), kNotMeasured).with(views::QuietRole, true);
  Cell cell = Cell::figure(views::doublings(*stale), *stale).withNumber(*stale);
  if (*stale >= kNotableStale) cell.with(views::AttentionRole, true);
  return cell;
}

Cell noiseCell(const scaled::BlockStats& stats) {
  const double noise = stats.snr_db();
  return Cell::figure(noiseText(stats), noise).withNumber(noise);
}

/// A tensor of zeros has no ratio and loses nothing.
double rank(const wire::QuantizedOperand& operand) {
  const double noise = operand.stats.snr_db();
  return std::isnan(noise) ? std::numeric_limits<double>::infinity() : noise;
}

}  // namespace

QList<CellModel::Column> quantizedColumns() {
  return {{tr("Op call")},
          {tr("Operand"), false, tr("The product, and which of its operands was quantized")},
          {tr("Format")},
          {tr("Signal to noise"), true,
           tr("Squares of the values divided by squares of what quantization changed, in decibels. 6 dB are one bit. "
              "The list is ranked by it.")},
          {tr("Became 0"), true, tr("Share of the values other than 0 that are 0 after quantization")},
          {tr("Saturated"), true, tr("Share of the values that exceed the format's largest number after scaling")},
          {tr("Outlier blocks"), true,
           tr("Share of the blocks whose largest magnitude is at least 8 times the second largest: one value decides "
              "the scale of all others")},
          {tr("Dead blocks"), true, tr("Share of the blocks in which every value became 0")},
          {tr("Block scales"), true, tr("Lowest and highest scale of a block")},
          {tr("Stale by"), true,
           tr("For delayed scaling: doublings of the tensor since the scale was made. Above 0, values saturate; below, "
              "range is unused.")}};
}

// Two rules for single calls of one op call may differ in the format. Each of its fields has bits of its own: no two
// formats have the same number. 19 bits of the format, 4 of product and operand, the rest of the site.
qlonglong quantizedId(const wire::QuantizedOperand& operand) {
  const scaled::ScaledFormat format = scaled::parse(operand.format).value_or(scaled::ScaledFormat());
  quint64 id = static_cast<quint64>(operand.site);
  const auto add = [&id](auto field, int bits) { id = id << bits | static_cast<quint64>(field); };
  add(operand.product, 2);
  add(operand.operand, 2);
  add(format.element, 3);
  add(format.scaling, 2);
  add(std::bit_width(static_cast<unsigned>(format.block.rows)), 4);  // sides of blocks are powers of two
  add(std::bit_width(static_cast<unsigned>(format.block.length)), 4);
  add(format.scale, 2);
  add(format.rule, 2);
  add(format.rounding, 1);
  add(format.transform, 1);
  return static_cast<qlonglong>(id);
}

QString operandText(policy::Product product, policy::Operand operand) {
  return QStringLiteral("%1, %2").arg(productText(product), nameOf(operand));
}

QString noiseText(const scaled::BlockStats& stats) {
  const double noise = stats.snr_db();
  if (std::isnan(noise)) return QStringLiteral("–");
  return std::isinf(noise) ? tr("exact") : tr("%1 dB").arg(views::decimals(noise, 1));
}

Cell shareCell(std::uint64_t count, std::uint64_t of, bool notable) {
  const double share = part(count, of);
  Cell cell = Cell::figure(views::share(share), share).withNumber(share);
  if (count == 0) cell.with(views::QuietRole, true);
  if (notable && share >= kNotableShare) cell.with(views::AttentionRole, true);
  cell.with(Qt::ToolTipRole, tr("%1 of %2").arg(views::grouped(count), views::grouped(of)));
  return cell;
}

QList<CellRow> quantizedRows(const RunModel& run, const wire::QuantizedStep& quantized) {
  std::vector<const wire::QuantizedOperand*> ranked;
  for (const wire::QuantizedOperand& each : quantized.operands) ranked.push_back(&each);
  std::stable_sort(ranked.begin(), ranked.end(), [](const auto* a, const auto* b) { return rank(*a) < rank(*b); });
  QList<CellRow> rows;
  for (const wire::QuantizedOperand* each : ranked) {
    const scaled::BlockStats& stats = each->stats;
    rows.append(
        {quantizedId(*each),
         {callCell(run, each->site), Cell(operandText(each->product, each->operand)),
          Cell(QString::fromStdString(each->format)), noiseCell(stats), shareCell(stats.to_zero, stats.non_zero, true),
          shareCell(stats.saturated, stats.non_zero, true), shareCell(stats.outlier_blocks, stats.blocks, false),
          shareCell(stats.dead_blocks, stats.blocks, true), scalesCell(stats), staleCell(each->stale)}});
  }
  return rows;
}

QString quantizedDetail(const RunModel& run, const wire::QuantizedOperand& operand) {
  const scaled::BlockStats& stats = operand.stats;
  QStringList sentences;
  sentences << tr("%1, %2 in %3: %4 values in %5 blocks, signal to noise %6.")
                   .arg(callOrIndex(run.sites(), operand.site), operandText(operand.product, operand.operand),
                        QString::fromStdString(operand.format), views::grouped(stats.values),
                        views::grouped(stats.blocks), noiseText(stats));
  if (stats.to_zero > 0) sentences << tr("%1 values became 0.").arg(views::grouped(stats.to_zero));
  if (stats.saturated > 0) sentences << tr("%1 values saturated.").arg(views::grouped(stats.saturated));
  if (stats.outlier_blocks > 0) {
    sentences << tr("In %1 blocks one value is at least 8 times as large as every other.")
                     .arg(views::grouped(stats.outlier_blocks));
  }
  if (stats.dead_blocks > 0)
    sentences << tr("In %1 blocks every value became 0.").arg(views::grouped(stats.dead_blocks));
  QStringList scales;
  for (const Occupied& each : occupied(stats))
    scales << tr("%1: %2").arg(views::powerOfTwo(each.exponent), views::grouped(each.blocks));
  if (scales.size() > 1) sentences << tr("Blocks by scale: %1.").arg(scales.join(QStringLiteral(", ")));
  if (operand.stale) {
    sentences << (*operand.stale > 0
                      ? tr("The scale is stale: the largest value is %1 doublings above what it represents.")
                      : tr("The largest value is %1 doublings below what the scale represents."))
                     .arg(views::decimals(std::abs(*operand.stale), 1));
  }
  return sentences.join(u' ');
}

}  // namespace binade::app
