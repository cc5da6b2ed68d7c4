// SPDX-License-Identifier: Apache-2.0
// The rows of SiteFilter: which op call or module each one is, its cells, and how rows appear, disappear and move.
#include "app/docks/site_filter.h"
#include "app/docks/site_table_model.h"
#include "views/table/format_targets.h"
#include "views/values/numbers.h"

#include <QMimeData>

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace binade::app {

namespace {

using RowRange = std::pair<int, int>;  // first and last

/// Ranges of rows that are not in `others`.
std::vector<RowRange> rangesNotIn(const std::vector<int>& rows, const std::vector<int>& others) {
  const std::unordered_set<int> known(others.begin(), others.end());
  std::vector<RowRange> ranges;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const int at = static_cast<int>(i);
    if (known.contains(rows[i])) continue;
    if (!ranges.empty() && ranges.back().second + 1 == at) {
      ranges.back().second = at;
    } else {
      ranges.emplace_back(at, at);
    }
  }
  return ranges;
}

}  // namespace

// Selection, current cell and scroll position survive the removal, moving and insertion of rows, but views take long
// for many ranges; then the model is reset.
void SiteFilter::show(Rows rows) {
  constexpr std::size_t kMostRanges = 64;
  if (rows == rows_) return;
  const std::vector<RowRange> gone = rangesNotIn(rows_, rows);
  const std::vector<RowRange> added = rangesNotIn(rows, rows_);
  if (gone.size() + added.size() > kMostRanges) {
    beginResetModel();
    rows_ = std::move(rows);
    place();
    endResetModel();
    return;
  }
  for (auto range = gone.rbegin(); range != gone.rend(); ++range) {
    beginRemoveRows({}, range->first, range->second);
    rows_.erase(rows_.begin() + range->first, rows_.begin() + range->second + 1);
    place();
    endRemoveRows();
  }
  Rows kept;
  std::size_t next = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    while (next < added.size() && added[next].second < static_cast<int>(i)) ++next;
    if (next == added.size() || static_cast<int>(i) < added[next].first) kept.push_back(rows[i]);
  }
  move(std::move(kept));
  for (const RowRange& range : added) {
    beginInsertRows({}, range.first, range.second);
    rows_.insert(rows_.begin() + range.first, rows.begin() + range.first, rows.begin() + range.second + 1);
    place();
    endInsertRows();
  }
}

void SiteFilter::move(Rows rows) {
  if (rows == rows_) return;
  Q_EMIT layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
  const QModelIndexList before = persistentIndexList();
  std::vector<int> meant;
  for (const QModelIndex& each : before) meant.push_back(rows_[static_cast<std::size_t>(each.row())]);
  rows_ = std::move(rows);
  place();
  QModelIndexList after;
  for (qsizetype i = 0; i < before.size(); ++i) {
    const int row = meant[static_cast<std::size_t>(i)];
    const int now =
        isModule(row) ? row_of_group_[static_cast<std::size_t>(~row)] : row_of_site_[static_cast<std::size_t>(row)];
    after << index(now, before[i].column());
  }
  changePersistentIndexList(before, after);
  Q_EMIT layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

int SiteFilter::site(const QModelIndex& row) const {
  if (!row.isValid()) return -1;
  const int shown = rows_[static_cast<std::size_t>(row.row())];
  return isModule(shown) ? -1 : shown;
}

const SiteGroup* SiteFilter::module(const QModelIndex& row) const {
  if (!row.isValid()) return nullptr;
  const int shown = rows_[static_cast<std::size_t>(row.row())];
  return isModule(shown) ? &groups_.at(~shown) : nullptr;
}

bool SiteFilter::isExpanded(const QModelIndex& row) const {
  const SiteGroup* group = module(row);
  return group != nullptr && !collapsed_.contains(group->path);
}

std::vector<int> SiteFilter::sites(const QModelIndex& row) const {
  const SiteGroup* group = module(row);
  if (group == nullptr) return row.isValid() ? std::vector<int>{site(row)} : std::vector<int>();
  std::vector<int> accepted;
  std::copy_if(group->sites.begin(), group->sites.end(), std::back_inserter(accepted),
               [this](int each) { return accepted_[static_cast<std::size_t>(each)]; });
  return accepted;
}

QModelIndex SiteFilter::moduleAround(const QModelIndex& row) const {
  if (!grouped_ || !row.isValid()) return {};
  const int shown = rows_[static_cast<std::size_t>(row.row())];
  const int group = isModule(shown) ? groups_.at(~shown).parent : groups_.of(shown);
  return group < 0 ? QModelIndex() : index(row_of_group_[static_cast<std::size_t>(group)], row.column());
}

QModelIndex SiteFilter::indexOfSite(int site) const {
  const auto at = static_cast<std::size_t>(site);
  if (site < 0 || at >= row_of_site_.size() || row_of_site_[at] < 0) return {};
  return index(row_of_site_[at], 0);
}

bool SiteFilter::isWhole(const QModelIndex& row) const {
  const SiteGroup* group = module(row);
  if (group == nullptr) return false;
  return std::all_of(group->sites.begin(), group->sites.end(), [this](int site) {
    const auto at = static_cast<std::size_t>(site);
    return accepted_[at] || !texts_[at].executed;
  });
}

int SiteFilter::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int SiteFilter::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : table_->columnCount();
}

QVariant SiteFilter::headerData(int section, Qt::Orientation orientation, int role) const {
  return orientation == Qt::Horizontal ? table_->headerData(section, orientation, role) : QVariant();
}

QVariant SiteFilter::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const int row = rows_[static_cast<std::size_t>(index.row())];
  if (isModule(row)) return moduleData(~row, index.column(), role);
  if (role == views::DepthRole && index.column() == SiteTableModel::kCall) {
    const int group = grouped_ ? groups_.of(row) : -1;
    return group < 0 ? 0 : groups_.at(group).depth + 1;
  }
  return table_->data(table_->index(row, index.column()), role);
}

const GroupFigures& SiteFilter::groupFigures(int group) const {
  std::optional<GroupFigures>& kept = group_figures_[static_cast<std::size_t>(group)];
  if (!kept) {
    std::vector<int> accepted;
    for (const int site : groups_.at(group).sites) {
      if (accepted_[static_cast<std::size_t>(site)]) accepted.push_back(site);
    }
    kept = app::groupFigures(*table_, accepted);
  }
  return *kept;
}

int SiteFilter::litOf(int group) const {
  if (!collapsed_.contains(groups_.at(group).path)) return 0;
  std::optional<int>& kept = group_lit_[static_cast<std::size_t>(group)];
  if (!kept) {
    kept = 0;
    for (const int site : groups_.at(group).sites)
      kept = std::max(*kept, table_->index(site, 0).data(views::LitRole).toInt());
  }
  return *kept;
}

QVariant SiteFilter::moduleData(int group, int column, int role) const {
  if (role == views::LitRole) return litOf(group);
  if (column == SiteTableModel::kCall) return moduleName(group, role);
  if (role == Qt::AccessibleTextRole) role = Qt::DisplayRole;
  return groupCell(*table_, groupFigures(group), column, role);
}

QVariant SiteFilter::moduleName(int group, int role) const {
  const SiteGroup& module = groups_.at(group);
  const bool expanded = !collapsed_.contains(module.path);
  const int calls = groupFigures(group).calls;
  switch (role) {
    case Qt::DisplayRole:
    case views::CallRole:
      return module.path;
    case views::DepthRole:
      return module.depth;
    case views::ExpandedRole:
      return expanded;
    case views::NoteRole:
      return tr("%1 op calls").arg(views::grouped(calls));
    case Qt::AccessibleTextRole:
      return expanded ? tr("%1, module with %2 op calls, expanded").arg(module.path, views::grouped(calls))
                      : tr("%1, module with %2 op calls, collapsed").arg(module.path, views::grouped(calls));
    case Qt::ToolTipRole:
      return tr("%1: %2 of %3 op calls. Right expands the module, Left collapses it.")
          .arg(module.path, views::grouped(calls), views::grouped(static_cast<int>(module.sites.size())));
    default:
      return {};
  }
}

bool SiteFilter::setData(const QModelIndex& index, const QVariant& value, int role) {
  const SiteGroup* group = module(index);
  if (group == nullptr) {
    const int row = site(index);
    return row >= 0 && table_->setData(table_->index(row, index.column()), value, role);
  }
  if (index.column() != SiteTableModel::kFormat || (role != views::FormatRole && role != Qt::EditRole)) return false;
  if (edit_selection_ && edit_selection_(index, value.toString())) return true;
  return isWhole(index) ? table_->setModuleFormat({*group}, value.toString())
                        : table_->setFormatOf(sites(index), value.toString());
}

Qt::ItemFlags SiteFilter::flags(const QModelIndex& index) const {
  Qt::ItemFlags flags = QAbstractTableModel::flags(index);
  if (!index.isValid() || !table_->isEditable()) return flags;
  flags |= Qt::ItemIsDragEnabled;
  if (index.column() == SiteTableModel::kFormat) flags |= Qt::ItemIsEditable;
  return flags;
}

QStringList SiteFilter::mimeTypes() const {
  return {views::FormatTargets::mimeType(), QStringLiteral("text/plain")};
}

QMimeData* SiteFilter::mimeData(const QModelIndexList& indexes) const {
  QStringList names;
  for (const QModelIndex& index : indexes) {
    if (index.column() == SiteTableModel::kCall) names << index.data().toString();
  }
  if (names.isEmpty()) return nullptr;
  auto* data = new QMimeData;
  data->setData(views::FormatTargets::mimeType(), {});
  data->setText(names.join(u'\n'));
  return data;
}

}  // namespace binade::app
