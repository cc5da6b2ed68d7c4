// SPDX-License-Identifier: Apache-2.0
#include "app/docks/site_filter.h"

#include "app/docks/site_table_model.h"
#include "app/present/call_counts.h"
#include "app/present/natural_sort.h"
#include "views/values/numbers.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace binade::app {

SiteFilter::SiteFilter(SiteTableModel* table, QObject* parent) : QAbstractTableModel(parent), table_(table) {
  connect(table, &QAbstractItemModel::modelReset, this, &SiteFilter::takeReset);
  connect(table, &QAbstractItemModel::dataChanged, this, &SiteFilter::takeChange);
  connect(table, &QAbstractItemModel::headerDataChanged, this, &QAbstractItemModel::headerDataChanged);
  takeReset();
}

void SiteFilter::takeReset() {
  beginResetModel();
  const auto count = static_cast<std::size_t>(table_->rowCount());
  groups_ = SiteGroups(table_->sites());
  texts_.assign(count, {});
  accepted_.assign(count, false);
  stale_.assign(count, true);
  keys_.assign(count, {});
  group_keys_.assign(groups_.all().size(), {});
  group_figures_.assign(groups_.all().size(), std::nullopt);
  group_lit_.assign(groups_.all().size(), std::nullopt);
  filterAll();
  readKeys();
  makeModuleKeys();
  rows_ = arranged();
  place();
  endResetModel();
}

// Only marks op calls whose figures changed: rows keep their places until invalidate().
void SiteFilter::takeChange(const QModelIndex& first, const QModelIndex& last, const QList<int>& roles) {
  const bool path = roles.size() == 1 && roles.front() == views::LitRole;
  const bool beside = first.column() == SiteTableModel::kBeside && sort_column_ != SiteTableModel::kBeside;
  const bool figures = !path && !beside;
  std::vector<int> changed;  // rows
  const auto add = [&](int row) {
    if (row >= 0) changed.push_back(row);
  };
  std::vector<bool> seen(groups_.all().size(), false);
  for (int site = first.row(); site <= last.row(); ++site) {
    const auto at = static_cast<std::size_t>(site);
    if (figures) stale_[at] = true;
    add(row_of_site_[at]);
    for (int group = groups_.of(site); group >= 0; group = groups_.at(group).parent) {
      const auto of_group = static_cast<std::size_t>(group);
      if (seen[of_group]) break;  // then those around it are too
      seen[of_group] = true;
      if (path) group_lit_[of_group].reset();
      if (figures) group_figures_[of_group].reset();
      add(row_of_group_[of_group]);
    }
  }
  std::sort(changed.begin(), changed.end());
  for (std::size_t from = 0, next = 0; from < changed.size(); from = next) {
    for (next = from + 1; next < changed.size() && changed[next] == changed[next - 1] + 1;) ++next;
    Q_EMIT dataChanged(index(changed[from], first.column()), index(changed[next - 1], last.column()), roles);
  }
}

void SiteFilter::forget(int group) {
  group_figures_[static_cast<std::size_t>(group)].reset();
  group_lit_[static_cast<std::size_t>(group)].reset();
}

void SiteFilter::readTexts(int site) {
  const QModelIndex call = table_->index(site, SiteTableModel::kCall);
  Texts& texts = texts_[static_cast<std::size_t>(site)];
  if (texts.op.isEmpty()) {
    const policy::SiteKey& key = table_->sites()[static_cast<std::size_t>(site)].key;
    texts.path = QString::fromStdString(key.path);
    texts.op = QStringLiteral("%1#%2").arg(QString::fromStdString(key.op)).arg(key.ordinal);
  }
  texts.format = call.siblingAtColumn(SiteTableModel::kFormat).data(views::FormatRole).toString();
  texts.verdict = table_->figures(site).sentence;
  texts.executed = table_->figures(site).executed;
}

bool SiteFilter::accepts(int site) const {
  const Texts& texts = texts_[static_cast<std::size_t>(site)];
  return texts.executed && (query_.isEmpty() || query_.matches(texts.path, texts.op, texts.format, texts.verdict));
}

void SiteFilter::filterAll() {
  for (std::size_t i = 0; i < accepted_.size(); ++i) {
    const int site = static_cast<int>(i);
    if (stale_[i]) readTexts(site);
    const bool accepted = accepts(site);
    if (accepted == accepted_[i]) continue;
    accepted_[i] = accepted;
    for (int group = groups_.of(site); group >= 0; group = groups_.at(group).parent) forget(group);
  }
}

// Reads the keys of op calls whose figures changed.
void SiteFilter::readKeys() {
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    if (!stale_[i]) continue;
    stale_[i] = false;
    if (sort_column_ < 0) continue;
    const QVariant key = table_->index(static_cast<int>(i), sort_column_).data(views::SortRole);
    const bool text = key.typeId() == QMetaType::QString;
    keys_[i] = {text ? 0 : key.toDouble(), text ? key.toString() : QString()};
  }
}

void SiteFilter::makeModuleKeys() {
  if (!grouped_ || sort_column_ < 0) return;
  for (int group = 0; group < groups_.size(); ++group)
    group_keys_[static_cast<std::size_t>(group)] = keyOfModule(group);
}

SiteFilter::SortKey SiteFilter::keyOfModule(int group) const {
  if (sort_column_ == SiteTableModel::kCall) return {0, groups_.at(group).path};
  if (sort_column_ == SiteTableModel::kFormat) return {0, moduleData(group, sort_column_, Qt::DisplayRole).toString()};
  const bool sums = sort_column_ == SiteTableModel::kOverflows || sort_column_ == SiteTableModel::kTime;
  double least = std::numeric_limits<double>::infinity();
  double sum = 0;
  bool known = false;
  for (const int site : groups_.at(group).sites) {
    const auto at = static_cast<std::size_t>(site);
    if (!accepted_[at] || !std::isfinite(keys_[at].number)) {
      if (accepted_[at]) least = std::min(least, keys_[at].number);  // −∞: no finite value at all
      continue;
    }
    known = true;
    sum += keys_[at].number;
    least = std::min(least, keys_[at].number);
  }
  return {sums && known ? sum : least, {}};
}

const SiteFilter::SortKey& SiteFilter::keyOf(int row) const {
  return isModule(row) ? group_keys_[static_cast<std::size_t>(~row)] : keys_[static_cast<std::size_t>(row)];
}

bool SiteFilter::isBefore(const SortKey& a, const SortKey& b) const {
  if (a.text.isEmpty() && b.text.isEmpty()) return a.number < b.number;
  return naturalOrder(a.text, b.text) < 0;
}

SiteFilter::Rows SiteFilter::arranged() const {
  // By group, and last for the root: its op calls and modules in the order of the forward pass.
  std::vector<Rows> children(groups_.all().size() + 1);
  std::vector<bool> placed(groups_.all().size(), false);
  for (std::size_t i = 0; i < accepted_.size(); ++i) {
    if (!accepted_[i]) continue;
    int row = static_cast<int>(i);
    int group = grouped_ ? groups_.of(row) : -1;
    for (; group >= 0; group = groups_.at(group).parent) {
      const auto at = static_cast<std::size_t>(group);
      children[at].push_back(row);
      row = ~group;
      if (placed[at]) break;
      placed[at] = true;
    }
    if (group < 0) children.back().push_back(row);
  }
  Rows rows;
  addBelow(-1, children, rows);
  return rows;
}

void SiteFilter::addBelow(int group, std::vector<Rows>& children, Rows& rows) const {
  Rows& here = group < 0 ? children.back() : children[static_cast<std::size_t>(group)];
  if (sort_column_ >= 0) {
    std::stable_sort(here.begin(), here.end(), [this](int a, int b) {
      return order_ == Qt::AscendingOrder ? isBefore(keyOf(a), keyOf(b)) : isBefore(keyOf(b), keyOf(a));
    });
  }
  for (const int row : here) {
    rows.push_back(row);
    if (isModule(row) && !collapsed_.contains(groups_.at(~row).path)) addBelow(~row, children, rows);
  }
}

void SiteFilter::place() {
  row_of_site_.assign(keys_.size(), -1);
  row_of_group_.assign(group_keys_.size(), -1);
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const int row = rows_[i];
    (isModule(row) ? row_of_group_[static_cast<std::size_t>(~row)] : row_of_site_[static_cast<std::size_t>(row)]) =
        static_cast<int>(i);
  }
}

void SiteFilter::setQuery(const QString& text) {
  query_ = SiteQuery::parse(text);
  filterAll();
  makeModuleKeys();
  show(arranged());
}

void SiteFilter::invalidate() {
  filterAll();
  readKeys();
  makeModuleKeys();
  show(arranged());
}

void SiteFilter::sort(int column, Qt::SortOrder order) {
  sort_column_ = column < table_->columnCount() ? column : -1;
  order_ = order;
  std::fill(stale_.begin(), stale_.end(), true);
  invalidate();
}

void SiteFilter::setGrouped(bool grouped) {
  if (grouped == grouped_) return;
  grouped_ = grouped;
  invalidate();
}

// The other rows keep their order, even if their figures have changed since.
void SiteFilter::setExpanded(const QModelIndex& row, bool expanded) {
  const SiteGroup* group = module(row);
  if (group == nullptr || expanded != collapsed_.contains(group->path)) return;
  expanded ? static_cast<void>(collapsed_.remove(group->path)) : static_cast<void>(collapsed_.insert(group->path));
  show(arranged());
  const QModelIndex now = index(row_of_group_[static_cast<std::size_t>(groups_.find(group->path))], 0);
  Q_EMIT dataChanged(now, now, {views::ExpandedRole});
}

void SiteFilter::setAllExpanded(bool expanded) {
  collapsed_.clear();
  if (!expanded) {
    for (const SiteGroup& group : groups_.all()) collapsed_.insert(group.path);
  }
  show(arranged());
  if (!rows_.empty()) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, 0), {views::ExpandedRole});
}

void SiteFilter::reveal(int site) {
  if (!grouped_ || site < 0 || site >= table_->rowCount()) return;
  bool hidden = false;
  for (int group = groups_.of(site); group >= 0; group = groups_.at(group).parent)
    hidden |= collapsed_.remove(groups_.at(group).path);
  if (!hidden) return;
  show(arranged());
  if (!rows_.empty()) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, 0), {views::ExpandedRole});
}

int SiteFilter::executed() const {
  return table_->counts().executed;
}

QString SiteFilter::summary() const {
  const auto accepted = static_cast<int>(std::count(accepted_.begin(), accepted_.end(), true));
  QString text = query_.isEmpty() ? tr("%1 op calls").arg(views::grouped(executed()))
                                  : tr("%1 of %2 op calls").arg(views::grouped(accepted), views::grouped(executed()));
  // Held rows keep their places, including those of op calls that are no longer counted as executed.
  int shown = 0;
  for (const int row : rows_) shown += !isModule(row) && !table_->figures(row).executed ? 1 : 0;
  const QString hidden = hiddenCallsText(table_->counts(), shown);
  return hidden.isEmpty() ? text : text + QStringLiteral(" · ") + hidden;
}

SiteVocabulary SiteFilter::vocabulary() const {
  SiteVocabulary words;
  QSet<QString> formats;
  QSet<QString> ops;
  QSet<QString> paths;
  for (std::size_t i = 0; i < texts_.size(); ++i) {
    if (!texts_[i].executed) continue;
    if (!texts_[i].format.isEmpty()) formats.insert(texts_[i].format);
    ops.insert(shortOp(table_->sites()[i].key.op));
    if (!texts_[i].path.isEmpty()) paths.insert(texts_[i].path);
  }
  for (const SiteGroup& group : groups_.all()) paths.insert(group.path);
  const auto sorted = [](const QSet<QString>& set) {
    QStringList list(set.begin(), set.end());
    std::sort(list.begin(), list.end(), [](const QString& a, const QString& b) { return naturalOrder(a, b) < 0; });
    return list;
  };
  return {sorted(formats), sorted(ops), sorted(paths)};
}

}  // namespace binade::app
