// SPDX-License-Identifier: Apache-2.0
#include "app/session/far_folder.h"

#include "app/present/natural_sort.h"
#include "views/values/numbers.h"

#include <QLocale>
#include <QRegularExpression>
#include <QSettings>

#include <algorithm>

namespace binade::app {

namespace {

constexpr int kMostFolders = 8;
constexpr qsizetype kMostHosts = 16;
constexpr auto kFarFolders = "farFolders";
constexpr auto kHost = "host";
constexpr auto kFolders = "folders";

struct FoldersOfHost {
  QString host;
  QStringList folders;
};

// Newest host first. Hosts are values, not keys: a key could not contain a slash.
QList<FoldersOfHost> storedFolders(QSettings& settings) {
  QList<FoldersOfHost> all;
  const int size = settings.beginReadArray(QLatin1String(kFarFolders));
  for (int i = 0; i < size; ++i) {
    settings.setArrayIndex(i);
    all.append(
        {settings.value(QLatin1String(kHost)).toString(), settings.value(QLatin1String(kFolders)).toStringList()});
  }
  settings.endArray();
  return all;
}

bool fits(const QString& name, const QString& pattern) {
  return QRegularExpression::fromWildcard(pattern, Qt::CaseInsensitive).match(name).hasMatch();
}

}  // namespace

void FarFolderModel::setFolder(const FarFolder& folder) {
  beginResetModel();
  folder_ = folder;
  endResetModel();
}

const FarEntry* FarFolderModel::find(const QString& name) const {
  const auto found = std::find_if(folder_.entries.cbegin(), folder_.entries.cend(),
                                  [&](const FarEntry& each) { return each.name == name; });
  return found == folder_.entries.cend() ? nullptr : &*found;
}

int FarFolderModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(folder_.entries.size());
}

int FarFolderModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : kColumns;
}

QVariant FarFolderModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const FarEntry& entry = folder_.entries[index.row()];
  if (role == Qt::TextAlignmentRole && index.column() == kSize)
    return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
  if (role == Qt::ToolTipRole) return farPath(folder_.path, entry.name);
  if (role != Qt::DisplayRole) return {};
  switch (index.column()) {
    case kName:
      return entry.folder ? entry.name + u'/' : entry.name;
    case kSize:
      return entry.folder ? QString() : views::sizeText(entry.bytes);
    default:
      return entry.changed.isValid() ? QLocale().toString(entry.changed.toLocalTime(), QLocale::ShortFormat)
                                     : QString();
  }
}

QVariant FarFolderModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole && section == kSize) return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
  if (role != Qt::DisplayRole) return {};
  switch (section) {
    case kName:
      return tr("Name");
    case kSize:
      return tr("Size");
    default:
      return tr("Changed");
  }
}

FarFolderRows::FarFolderRows(FarFolderModel* folder, QObject* parent) : QSortFilterProxyModel(parent), folder_(folder) {
  setSourceModel(folder);
  sort(FarFolderModel::kName);
}

void FarFolderRows::setPatterns(const QStringList& patterns) {
  patterns_ = patterns;
  invalidateFilter();
}

void FarFolderRows::setFoldersOnly(bool only) {
  folders_only_ = only;
  invalidateFilter();
}

void FarFolderRows::setHiddenShown(bool shown) {
  hidden_shown_ = shown;
  invalidateFilter();
}

bool FarFolderRows::lessThan(const QModelIndex& left, const QModelIndex& right) const {
  const FarEntry& a = folder_->folder().entries[left.row()];
  const FarEntry& b = folder_->folder().entries[right.row()];
  if (a.folder != b.folder) return a.folder == (sortOrder() == Qt::AscendingOrder);
  if (left.column() == FarFolderModel::kSize && a.bytes != b.bytes) return a.bytes < b.bytes;
  if (left.column() == FarFolderModel::kChanged && a.changed != b.changed) return a.changed < b.changed;
  return naturalOrder(a.name, b.name) < 0;
}

bool FarFolderRows::filterAcceptsRow(int row, const QModelIndex& /*parent*/) const {
  const FarEntry& entry = folder_->folder().entries[row];
  if (!hidden_shown_ && entry.name.startsWith(u'.')) return false;
  if (entry.folder) return true;
  if (folders_only_) return false;
  return patterns_.isEmpty() || std::any_of(patterns_.cbegin(), patterns_.cend(),
                                            [&](const QString& pattern) { return fits(entry.name, pattern); });
}

QList<NameFilter> nameFilters(const QString& filter) {
  QList<NameFilter> filters;
  for (const QString& each : filter.split(QStringLiteral(";;"), Qt::SkipEmptyParts)) {
    const qsizetype open = each.lastIndexOf(u'(');
    const qsizetype close = each.lastIndexOf(u')');
    if (open < 0 || close < open) continue;
    filters.append({each, each.mid(open + 1, close - open - 1).split(u' ', Qt::SkipEmptyParts)});
  }
  return filters;
}

QString farPath(const QString& folder, const QString& name) {
  if (name.startsWith(u'/') || folder.isEmpty()) return name;
  return folder.endsWith(u'/') ? folder + name : folder + u'/' + name;
}

QStringList recentFarFolders(QSettings& settings, const QString& host) {
  const QList<FoldersOfHost> all = storedFolders(settings);
  const auto found =
      std::find_if(all.cbegin(), all.cend(), [&](const FoldersOfHost& each) { return each.host == host; });
  return found == all.cend() ? QStringList() : found->folders.mid(0, kMostFolders);
}

void addRecentFarFolder(QSettings& settings, const QString& host, const QString& folder) {
  QStringList folders = recentFarFolders(settings, host);
  folders.removeAll(folder);
  folders.prepend(folder);
  QList<FoldersOfHost> all = storedFolders(settings);
  all.removeIf([&](const FoldersOfHost& each) { return each.host == host; });
  all.prepend({host, folders.mid(0, kMostFolders)});
  const int size = static_cast<int>(std::min(all.size(), kMostHosts));
  settings.remove(QLatin1String(kFarFolders));
  settings.beginWriteArray(QLatin1String(kFarFolders), size);
  for (int i = 0; i < size; ++i) {
    settings.setArrayIndex(i);
    settings.setValue(QLatin1String(kHost), all[i].host);
    settings.setValue(QLatin1String(kFolders), all[i].folders);
  }
  settings.endArray();
}

}  // namespace binade::app
