// SPDX-License-Identifier: Apache-2.0
// The column with an op call's history.
#include "app/docks/site_table_model.h"
#include "app/present/site_history_line.h"
#include "views/values/numbers.h"
#include "views/values/roles.h"

#include <cmath>
#include <limits>

namespace binade::app {

QVariant SiteTableModel::historyData(int site, int role) const {
  constexpr int kPoints = 48;
  const SiteFigures& figures = figures_[static_cast<std::size_t>(site)];
  if (role == views::SortRole)
    return std::isnan(figures.doublings) ? std::numeric_limits<double>::infinity() : figures.doublings;
  if (role != views::HistoryRole && role != Qt::DisplayRole && role != Qt::ToolTipRole) return {};
  const SiteStamp stamp = stampOf(*run_, site);
  HistoryLine& kept = histories_[site];
  if (kept.points.isEmpty() || !(kept.stamp == stamp)) kept = {stamp, headroomHistory(*run_, site, kPoints)};
  if (role == views::HistoryRole) return QVariant::fromValue(kept.points);
  double least = std::numeric_limits<double>::quiet_NaN();
  double most = least;
  for (const double point : kept.points) {
    least = std::fmin(least, point);
    most = std::fmax(most, point);
  }
  if (std::isnan(least)) return role == Qt::ToolTipRole ? QVariant(tr("No histograms of this op call.")) : QVariant();
  return tr("%1 to %2").arg(views::doublings(least), views::doublings(most));
}

}  // namespace binade::app
