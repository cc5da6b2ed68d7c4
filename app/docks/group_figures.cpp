// SPDX-License-Identifier: Apache-2.0
#include "app/docks/group_figures.h"

#include "app/docks/site_table_model.h"
#include "views/values/numbers.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace binade::app {

namespace {

QString worstCall(const SiteTableModel& table, int site) {
  return table.index(site, SiteTableModel::kCall).data().toString();
}

QVariant formatCellOf(const GroupFigures& figures, int role) {
  const QString text = figures.formats.size() == 1  ? figures.formats.front()
                       : figures.formats.size() > 1 ? SiteTableModel::tr("mixed")
                                                    : QString();
  switch (role) {
    case Qt::DisplayRole:
      return text;
    case views::FormatRole:
    case Qt::EditRole:
      return figures.formats.size() == 1 ? text : QString();
    case views::FormatsRole:
      return figures.formats.size() > 1 ? QVariant(figures.formats) : QVariant();
    case views::ExecutionRole:
      return figures.execution;
    case views::NoteRole:
      return figures.formats.size() > 1 ? figures.formats.join(QStringLiteral(", ")) : QString();
    case views::EditedRole:
      return false;
    case Qt::ToolTipRole:
      return SiteTableModel::tr("Formats of the module's op calls. Setting one adds a rule for the whole module.");
    default:
      return {};
  }
}

QVariant verdictCell(const SiteTableModel& table, const GroupFigures& figures, int role) {
  switch (role) {
    case Qt::DisplayRole:
    case Qt::ToolTipRole: {
      if (figures.worst < 0) return {};
      const QString sentence = table.figures(figures.worst).sentence;
      if (figures.attention == 0) return sentence;
      return figures.attention == 1
                 ? SiteTableModel::tr("%1: %2").arg(worstCall(table, figures.worst), sentence)
                 : SiteTableModel::tr("%1 of %2 need attention: %3")
                       .arg(views::grouped(figures.attention), views::grouped(figures.calls), sentence);
    }
    case views::VerdictRole:
      return static_cast<int>(figures.shape);
    case views::AttentionRole:
      return figures.attention > 0;
    case views::QuietRole:
      return figures.attention == 0;
    default:
      return {};
  }
}

}  // namespace

GroupFigures groupFigures(const SiteTableModel& table, const std::vector<int>& sites) {
  GroupFigures all;
  QHash<QString, int> counts;
  QSet<int> executions;
  for (const int site : sites) {
    const SiteFigures& each = table.figures(site);
    ++all.calls;
    if (!std::isnan(each.doublings) && !(all.doublings <= each.doublings)) {
      all.doublings = each.doublings;
      all.least = site;
    }
    all.lost = std::fmax(all.lost, each.lost);
    all.overflows += each.overflows.all();
    all.earlier += each.overflows.earlier;
    if (const double seconds = table.seconds(site); !std::isnan(seconds)) {
      all.seconds = (all.timed == 0 ? 0 : all.seconds) + seconds;
      ++all.timed;
    }
    const QModelIndex format = table.index(site, SiteTableModel::kFormat);
    if (const QString name = format.data(views::FormatRole).toString(); !name.isEmpty()) ++counts[name];
    executions.insert(format.data(views::ExecutionRole).toInt());
    all.attention += each.attention ? 1 : 0;
    const bool worse = all.worst < 0 ||
                       std::pair(each.attention, each.shape) > std::pair(table.figures(all.worst).attention, all.shape);
    if (!worse || each.sentence.isEmpty()) continue;
    all.worst = site;
    all.shape = each.shape;
  }
  all.formats = counts.keys();
  std::sort(all.formats.begin(), all.formats.end(),
            [&](const QString& a, const QString& b) { return counts[a] != counts[b] ? counts[a] > counts[b] : a < b; });
  if (all.formats.size() == 1 && executions.size() == 1) all.execution = *executions.begin();
  return all;
}

QVariant groupCell(const SiteTableModel& table, const GroupFigures& figures, int column, int role) {
  if (role == Qt::TextAlignmentRole) {
    const bool text =
        column == SiteTableModel::kFormat || column == SiteTableModel::kVerdict || column == SiteTableModel::kHistory;
    return text ? QVariant() : QVariant(static_cast<int>(Qt::AlignRight | Qt::AlignVCenter));
  }
  switch (column) {
    case SiteTableModel::kFormat:
      return formatCellOf(figures, role);
    case SiteTableModel::kDoublings:
      if (role == Qt::DisplayRole) return views::doublings(figures.doublings);
      if (role == views::HeadroomRole) return figures.doublings;
      if (role == views::AttentionRole) return figures.doublings < 1;
      if (role == views::NumberRole && figures.least >= 0) return table.index(figures.least, column).data(role);
      if (role == Qt::ToolTipRole && figures.least >= 0)
        return SiteTableModel::tr("The least, of %1.").arg(worstCall(table, figures.least));
      break;
    case SiteTableModel::kLost:
      if (role == Qt::DisplayRole) return std::isnan(figures.lost) ? QStringLiteral("–") : views::share(figures.lost);
      if (role == views::QuietRole) return !(figures.lost > 0);
      if (role == Qt::ToolTipRole) return SiteTableModel::tr("The largest of the module's op calls.");
      break;
    case SiteTableModel::kOverflows:
      if (role == Qt::DisplayRole) {
        SiteOverflows sum;
        sum.own = figures.overflows;
        sum.earlier = figures.earlier;
        return SiteTableModel::overflowText(sum);
      }
      if (role == views::QuietRole) return figures.overflows == 0;
      if (role == views::AttentionRole) return figures.overflows > 0 && figures.attention > 0;
      if (role == Qt::ToolTipRole) return SiteTableModel::tr("Sum over the module's op calls.");
      break;
    case SiteTableModel::kTime:
      if (role == Qt::DisplayRole) return views::duration(figures.seconds);
      if (role == views::QuietRole) return figures.timed == 0;
      if (role == Qt::ToolTipRole)
        return SiteTableModel::tr("Sum over %1 of %2 op calls whose time was measured.")
            .arg(views::grouped(figures.timed), views::grouped(figures.calls));
      break;
    case SiteTableModel::kVerdict:
      return verdictCell(table, figures, role);
    default:
      break;
  }
  return {};
}

}  // namespace binade::app
