// SPDX-License-Identifier: Apache-2.0
#include "app/present/silent_rows.h"

#include "app/model/site_name.h"
#include "app/model/translate.h"
#include "app/present/site_format.h"
#include "engine/words/silent_text.h"
#include "views/values/numbers.h"
#include "views/values/roles.h"
#include "views/values/typography.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <variant>

namespace binade::app {

namespace {

views::VerdictShape shapeOf(const wire::SilentFault& fault) {
  using Kind = wire::SilentFault::Kind;
  switch (fault.kind) {
    case Kind::kUnderflow:
    case Kind::kUpdateLost:
    case Kind::kLowState:
    case Kind::kDeadSite:
    case Kind::kLostSum:
    case Kind::kLowScale:
    case Kind::kDeadBlocks:
      return views::VerdictShape::kLost;
    case Kind::kVanishedOverflow:
    case Kind::kSaturated:
      return views::VerdictShape::kOverflow;
    case Kind::kStaleScale:
      if (fault.facts.stale.value_or(0) < 0) return views::VerdictShape::kLost;
      return views::VerdictShape::kOverflow;
    case Kind::kLossSpike:
    case Kind::kLargeLogits:
    case Kind::kInexactIntegers:
    case Kind::kBiasedRounding:
    case Kind::kOutlierBlocks:
      return views::VerdictShape::kTight;
  }
  return views::VerdictShape::kNone;
}

// An upper bound of nearly everything has no meaning.
bool isMeaningless(const wire::SilentFault& fault) {
  constexpr double kAnything = 0.9;
  return fault.bound && fault.amount > kAnything;
}

bool isInside(const std::string& what, const std::string& path) {
  return !path.empty() && what.size() > path.size() && what.compare(0, path.size(), path) == 0 &&
         what[path.size()] == '.';
}

}  // namespace

QList<CellModel::Column> silentColumns() {
  return {{tr("Fault")},
          {tr("How much"), true, tr("The share that is lost, or the error that is added. The list is ranked by it.")},
          {tr("Where")},
          {tr("Seen"), true, tr("Steps that showed it, of the observed steps")},
          {tr("Next step")}};
}

qlonglong silentId(const wire::SilentFault& fault) {
  const std::size_t named = std::hash<std::string>()(fault.what) ^ (static_cast<std::size_t>(fault.site + 1) << 8) ^
                            (static_cast<std::size_t>(fault.kind) << 1) ^ static_cast<std::size_t>(fault.direction);
  return static_cast<qlonglong>(named >> 1);  // shifted, so that it is never negative
}

QString silentFigure(const wire::SilentFault& fault) {
  if (isMeaningless(fault)) return QStringLiteral("–");
  QString figure = std::isnan(fault.amount) ? QStringLiteral("–") : views::share(fault.amount);
  figure += u' ' + QString::fromStdString(words::silent_unit(fault));
  return fault.bound ? tr("at most %1").arg(figure) : figure;
}

QString silentSteps(const wire::SilentFault& fault) {
  return tr("%1 of %2").arg(views::grouped(fault.seen), views::grouped(fault.observed_steps));
}

QString silentPlace(const RunModel& run, const wire::SilentFault& fault) {
  const auto at = static_cast<std::size_t>(fault.site);
  if (fault.site >= 0 && at < run.sites().size()) return callText(run.sites()[at].key);
  return QString::fromStdString(fault.what);
}

std::vector<int> silentSites(const RunModel& run, const wire::SilentFault& fault) {
  if (fault.site >= 0) return {fault.site};
  // `layer1.0.conv1.weight`, or its `.exp_avg`, belongs to the innermost module whose path it starts with.
  std::vector<int> sites;
  std::size_t innermost = 0;
  for (const wire::SiteInfo& site : run.sites()) {
    const std::string& path = site.key.path;
    if (!isInside(fault.what, path) || path.size() < innermost) continue;
    if (path.size() > innermost) sites.clear();
    innermost = path.size();
    sites.push_back(site.id);
  }
  return sites;
}

QString silentNext(const RunModel& run, const wire::SilentFault& fault) {
  return views::typeset(words::silent_next(fault, run.sites()));
}

FixChoice silentFix(const RunModel& run, const wire::SilentFault& fault) {
  return {silentNext(run, fault), fault.fix.scale, fault.fix.rules, fault.fix.scaler.value_or(std::string())};
}

QList<CellRow> silentRows(const RunModel& run, const wire::SilentReport& report) {
  QList<CellRow> rows;
  for (const wire::SilentFault& fault : report.faults) {
    Cell what(views::typeset(words::silent_sentence(fault, run.sites())));
    what.with(views::VerdictRole, static_cast<int>(shapeOf(fault)));
    Cell next(silentNext(run, fault));
    next.with(views::QuietRole, true);
    Cell where = fault.site >= 0 ? callCell(run, fault.site) : Cell(silentPlace(run, fault));
    if (fault.site >= 0 && !fault.what.empty())
      where.with(Qt::ToolTipRole, where.value(Qt::DisplayRole).toString() + u'\n' + QString::fromStdString(fault.what));
    const double seen =
        fault.observed_steps > 0 ? static_cast<double>(fault.seen) / static_cast<double>(fault.observed_steps) : 0;
    Cell figure = Cell::figure(silentFigure(fault), fault.amount);
    if (!isMeaningless(fault)) figure.withNumber(fault.amount);
    rows.append({silentId(fault), {what, figure, where, Cell::figure(silentSteps(fault), seen), next}});
  }
  return rows;
}

QStringList silentGaps(const RunModel& run, const wire::SilentReport& report) {
  QStringList sentences;
  for (const wire::SilentGap& gap : report.hidden) {
    sentences << QString::fromStdString(words::silent_gap(gap, run.sites()));
  }
  return sentences;
}

const wire::SilentFault* silentFaultOf(const RunModel& run, const wire::Event& event) {
  const auto* found = std::get_if<wire::SilentFaultFound>(&event.facts);
  if (found == nullptr || !run.silent()) return nullptr;
  const auto& faults = run.silent()->faults;
  const auto same = std::find_if(faults.begin(), faults.end(),
                                 [&](const wire::SilentFault& fault) { return fault.key() == found->fault.key(); });
  return same == faults.end() ? nullptr : &*same;
}

QString whySilent(const wire::SilentFault& fault) {
  using Kind = wire::SilentFault::Kind;
  const QString format = QString::fromStdString(formats::name(fault.format));
  switch (fault.kind) {
    case Kind::kUnderflow:
      return tr("%1 has a smallest number, %2. A magnitude below half of it rounds to 0. No step is skipped for this, "
                "because no value becomes infinite, but a gradient that rounds to 0 changes no weight. A larger loss "
                "scale multiplies all gradients and moves them above this limit.")
          .arg(format, views::figure(fault.format.smallest_subnormal(), 3));
    case Kind::kUpdateLost:
      return tr("A weight in %1 has %2 bits for its digits. An update much smaller than the weight is less than "
                "half the distance to the next number of the format, so the sum rounds to the old weight: the weight "
                "does not change although its gradient is not 0. A float32 copy of the weight accumulates such "
                "updates.")
          .arg(format)
          .arg(fault.format.mantissa_bits + 1);
    case Kind::kDeadSite:
      return tr(
          "All outputs of this op call are 0. The op calls after it receive no information from those before it, and "
          "no gradient flows back through it.");
    case Kind::kLossSpike:
      return tr(
          "The loss rose far above its earlier values. Often the gradient of one batch was so large that the step "
          "overshot. The running averages of the optimizer can then prolong the spike over many steps.");
    case Kind::kLargeLogits:
      return tr("A softmax depends only on differences. The larger its inputs are, the coarser is their spacing in %1: "
                "differences below one unit in the last place are lost, and attention concentrates on one position.")
          .arg(format);
    case Kind::kInexactIntegers:
      return tr("%1 represents every whole number only up to %2. Beyond it, neighbouring whole numbers round to the "
                "same value, so that two positions or indices can no longer be distinguished.")
          .arg(format, views::grouped(std::int64_t{1} << (fault.format.mantissa_bits + 1)));
    case Kind::kLowState:
      return tr("An optimizer updates a running average by a small share of the new value. In %1 this share is often "
                "less than half a unit in the last place of the average. It is then rounded away, and the average no "
                "longer changes.")
          .arg(format);
    case Kind::kVanishedOverflow:
      return tr("Values above %1, the largest number of %2, become infinite. A number divided by infinity is 0, and a "
                "clamped infinity is the limit of the clamp. So the infinity disappears before the loss, no step is "
                "skipped, and the run continues with values that float32 would not have.")
          .arg(views::figure(fault.format.largest(), 5), format);
    case Kind::kLostSum:
      return tr("Each addition in %1 rounds its result to %2 bits. One rounding error is small, but the errors of many "
                "terms accumulate. Once the sum is much larger than a term, adding the term rounds to the old sum and "
                "changes nothing.")
          .arg(format)
          .arg(fault.format.mantissa_bits + 1);
    case Kind::kLowScale:
      return tr(
          "A loss scale multiplies gradients so that they stay above the smallest numbers of a format. A scale below 1 "
          "makes them smaller. It fell so far because one gradient overflows at every higher scale. That gradient "
          "needs a wider format, or smaller values.");
    case Kind::kStaleScale:
      if (fault.facts.stale.value_or(0) < 0) {
        return tr(
            "Delayed scaling takes the scale of a step from the largest values of earlier steps, and the first step "
            "has the scale 1. When a tensor shrinks, or is small in the first step, its values become 0 or the "
            "smallest numbers of the format, which have few digits.");
      }
      return tr(
          "Delayed scaling takes the scale of a step from the largest values of earlier steps. When a tensor grows "
          "within a step, its values exceed what the scale represents and become the largest number of the format. No "
          "infinity shows this.");
    case Kind::kSaturated:
      return tr(
          "A value above the largest number of the format, after scaling, becomes that number. The result is finite, "
          "so no step is skipped, but the largest values of the tensor are wrong. Scales that are rounded down let "
          "some values saturate.");
    case Kind::kDeadBlocks:
      return tr(
          "The values of a block share a scale. If the scale has too little range for the block, or the scale of the "
          "tensor is too coarse, every value of it rounds to 0 and the products receive nothing from it.");
    case Kind::kBiasedRounding:
      return tr(
          "Rounding to nearest moves each value to the same neighbour every time. Over many steps such errors add up "
          "in one direction. Stochastic rounding goes up or down with the probability that makes the mean right.");
    case Kind::kOutlierBlocks:
      if (fault.facts.alternative.empty()) {
        return tr(
            "The scale of a block follows from its largest value. If that is far above the others, they are left with "
            "the smallest numbers of the format, or become 0. No infinity shows this.");
      }
      return tr(
          "The scale of a block follows from its largest value. If that is far above the others, they are left with "
          "the smallest numbers of the format, or become 0. A Hadamard transform mixes 16 values, so that no single "
          "one stands out.");
  }
  return {};
}

}  // namespace binade::app
