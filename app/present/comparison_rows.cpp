// SPDX-License-Identifier: Apache-2.0
#include "app/present/comparison_rows.h"

#include "app/model/site_name.h"
#include "app/model/translate.h"
#include "app/present/site_format.h"
#include "engine/wire/comparison_rank.h"
#include "engine/words/comparison_text.h"
#include "views/values/numbers.h"
#include "views/values/roles.h"

#include <QStringList>

#include <algorithm>
#include <cmath>
#include <limits>

namespace binade::app {

namespace {

constexpr double kNotCompared = std::numeric_limits<double>::quiet_NaN();

constexpr double kNotable = 0.05;  // relative error from which a grown error is highlighted

Cell error(double value) {
  Cell cell = Cell::figure(std::isnan(value) ? QStringLiteral("–") : errorText(value), value).withNumber(value);
  if (std::isinf(value)) cell.with(views::AttentionRole, true);
  if (value == 0) cell.with(views::QuietRole, true);
  return cell;
}

Cell becomesCell(const RunModel& run, const wire::SiteDifference& site) {
  if (site.becomes_at < 0) return error(kNotCompared);
  Cell cell = error(site.becomes);
  cell.with(Qt::ToolTipRole, tr("At %1.").arg(callOrIndex(run.sites(), site.becomes_at)));
  if (site.becomes >= kNotable) cell.with(views::AttentionRole, true);
  return cell;
}

// An error that was only inherited is explained at the op call that enlarged it by subtracting nearly equal values.
Cell forwardCell(const wire::SiteDifference& site) {
  Cell cell = error(site.forward);
  QStringList tip;
  if (site.arrived > 0) {
    tip << tr("The arguments had an error of up to %1, which alone causes %2.")
               .arg(errorText(site.arrived), errorText(site.inherited));
  }
  if (wire::enlarges(site)) {
    cell.with(views::AttentionRole, true);
    tip << tr(
        "Nearly equal values cancel here, or the op amplifies small differences. The error of the arguments dominates "
        "the result. The op calls before it need a format with more bits.");
  }
  if (!tip.isEmpty()) cell.with(Qt::ToolTipRole, tip.join(u'\n'));
  return cell;
}

}  // namespace

QString referenceText(const RunModel& run, const wire::Float32Comparison& comparison) {
  QStringList lines;
  const auto name = [&](int site) { return callOrIndex(run.sites(), site).toStdString(); };
  for (const std::string& note : words::reference_notes(comparison, name)) lines << QString::fromStdString(note);
  return lines.join(u'\n');
}

double addedBy(const wire::SiteDifference& site) {
  return std::max(site.added, site.gradient_added.value_or(0));
}

double weightOf(const wire::SiteDifference& site) {
  return std::max(addedBy(site), site.becomes);
}

const wire::SiteDifference* worstAdded(const wire::Float32Comparison& comparison) {
  const wire::SiteDifference* worst = nullptr;
  for (const wire::SiteDifference& each : comparison.sites) {
    if (addedBy(each) > 0 && weightOf(each) > (worst == nullptr ? 0 : weightOf(*worst))) worst = &each;
  }
  return worst;
}

QString errorText(double error) {
  return std::isinf(error) ? tr("infinite") : views::share(error);
}

QString comparisonText(const RunModel& run, const wire::Float32Comparison& comparison) {
  const wire::SiteDifference* worst = worstAdded(comparison);
  const QString step = views::grouped(comparison.step);
  if (worst == nullptr && wire::not_float32(comparison)) {
    return tr("Step %1 beside float32: equal, but the float32 run also used other formats.").arg(step);
  }
  if (worst == nullptr) return tr("Step %1 beside float32: equal.").arg(step);
  const QString call = callOrIndex(run.sites(), worst->site);
  const QString added = errorText(addedBy(*worst));
  if (weightOf(*worst) > addedBy(*worst)) {
    return tr("Step %1 beside float32: %2 adds %3, which becomes %4 at %5.")
        .arg(step, call, added, errorText(worst->becomes), callOrIndex(run.sites(), worst->becomes_at));
  }
  return tr("Step %1 beside float32: %2 adds the largest error, %3.").arg(step, call, added);
}

QList<CellModel::Column> comparisonColumns() {
  return {
      {tr("Op call")},
      {tr("Format")},
      {tr("Error added, forward"), true, tr("Error of the output that this op call added to that of its arguments")},
      {tr("Error added, backward"), true, tr("Error that the backward of this op call added")},
      {tr("Error at the loss"), true, tr("Largest size of the added error on the way to the loss")},
      {tr("Error forward"), true, tr("Relative error of the output, inherited error included")},
      {tr("Error backward"), true, tr("Relative error of the gradient that arrives at the output")},
      {tr("Cosine"), true, tr("Between the gradients of both runs: 1 is the same direction")},
      {tr("Method")}};
}

QList<CellRow> comparisonRows(const RunModel& run, const wire::Float32Comparison& comparison) {
  QList<CellRow> rows;
  for (const wire::SiteDifference& site : wire::ranked(comparison.sites)) {
    const double cosine = site.cosine.value_or(kNotCompared);
    Cell how(site.measured ? tr("measured") : tr("estimated"));
    how.with(views::QuietRole, true);
    how.with(Qt::ToolTipRole, site.measured ? tr("Compared with the op in float32 on the same arguments")
                                            : tr("From the output's error in excess of the arguments' errors"));
    rows.append({site.site,
                 {callCell(run, site.site), formatCellAt(run, site.site, comparison.step), error(site.added),
                  error(site.gradient_added.value_or(kNotCompared)), becomesCell(run, site), forwardCell(site),
                  error(site.gradient.value_or(kNotCompared)),
                  Cell::figure(std::isnan(cosine) ? QStringLiteral("–") : views::decimals(cosine, 4), cosine)
                      .withNumber(cosine),
                  how}});
  }
  return rows;
}

}  // namespace binade::app
