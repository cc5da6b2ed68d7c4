// SPDX-License-Identifier: Apache-2.0
#include "app/comparison_rows.h"

#include "app/site_format.h"
#include "app/site_text.h"
#include "views/numbers.h"
#include "views/table/roles.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace binade::app {

namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

QString tr(const char* text) {
  return QCoreApplication::translate("Comparison", text);
}

Cell error(double value) {
  Cell cell = Cell::figure(std::isnan(value) ? QStringLiteral("–") : errorText(value), value);
  if (std::isinf(value)) cell.with(views::AttentionRole, true);
  if (value == 0) cell.with(views::QuietRole, true);
  return cell;
}

}  // namespace

double addedBy(const wire::SiteDifference& site) {
  return std::max(site.added, site.gradient_added.value_or(0));
}

const wire::SiteDifference* worstAdded(const wire::Float32Comparison& comparison) {
  const wire::SiteDifference* worst = nullptr;
  for (const wire::SiteDifference& each : comparison.sites) {
    if (addedBy(each) > (worst == nullptr ? 0 : addedBy(*worst))) worst = &each;
  }
  return worst;
}

QString errorText(double error) {
  return std::isinf(error) ? tr("infinite") : views::share(error);
}

QString comparisonText(const RunModel& run, const wire::Float32Comparison& comparison) {
  const wire::SiteDifference* worst = worstAdded(comparison);
  const QString step = views::grouped(comparison.step);
  if (worst == nullptr) return tr("Step %1 beside float32: equal.").arg(step);
  const auto at = static_cast<std::size_t>(worst->site);
  const QString call = at < run.sites().size() ? callText(run.sites()[at].key) : QString::number(worst->site);
  return tr("Step %1 beside float32: %2 adds the largest error, %3.").arg(step, call, errorText(addedBy(*worst)));
}

QList<CellModel::Column> comparisonColumns() {
  return {{tr("Op call")},
          {tr("Format")},
          {tr("Added forward"), true, tr("Error of the output that came in here, not with the arguments")},
          {tr("Added backward"), true, tr("Error that this call's backward added")},
          {tr("Error forward"), true, tr("Relative error of the output, inherited error included")},
          {tr("Error of gradient"), true, tr("Relative error of the gradient that arrives at the output")},
          {tr("Cosine"), true, tr("Between the gradients of both runs: 1 is the same direction")},
          {tr("How")}};
}

QList<CellRow> comparisonRows(const RunModel& run, const wire::Float32Comparison& comparison) {
  std::vector<wire::SiteDifference> sites;
  std::copy_if(comparison.sites.begin(), comparison.sites.end(), std::back_inserter(sites),
               [](const wire::SiteDifference& each) { return addedBy(each) > 0; });
  std::stable_sort(sites.begin(), sites.end(), [](const wire::SiteDifference& a, const wire::SiteDifference& b) {
    return addedBy(a) > addedBy(b);
  });
  QList<CellRow> rows;
  for (const wire::SiteDifference& site : sites) {
    const auto at = static_cast<std::size_t>(site.site);
    const QString call = at < run.sites().size() ? callText(run.sites()[at].key) : QString::number(site.site);
    const double cosine = site.cosine.value_or(kUnknown);
    Cell how(site.measured ? tr("measured") : tr("estimated"));
    how.with(views::QuietRole, true);
    how.with(Qt::ToolTipRole, site.measured ? tr("Against the op in float32 on the very same arguments")
                                            : tr("From what the output's error exceeds the arguments' by"));
    rows.append(
        {site.site,
         {Cell(call), formatCell(run, site.site), error(site.added), error(site.gradient_added.value_or(kUnknown)),
          error(site.forward), error(site.gradient.value_or(kUnknown)),
          Cell::figure(std::isnan(cosine) ? QStringLiteral("–") : QString::number(cosine, 'f', 4), cosine), how}});
  }
  return rows;
}

}  // namespace binade::app
