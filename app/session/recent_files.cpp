// SPDX-License-Identifier: Apache-2.0
#include "app/session/recent_files.h"

#include "app/session/file_kind.h"
#include "views/values/roles.h"

#include <QDir>
#include <QFileInfo>
#include <QLocale>
#include <QSettings>

#include <algorithm>

namespace binade::app {

namespace {

constexpr auto kGroup = "recentFiles";

QString homeShortened(const QString& folder) {
  const QString home = QDir::homePath();
  if (folder == home) return QStringLiteral("~");
  return folder.startsWith(home + u'/') ? u'~' + folder.mid(home.size()) : folder;
}

QString dayAndTime(const QDateTime& opened) {
  const qint64 days = opened.date().daysTo(QDate::currentDate());
  const QString time = QLocale().toString(opened.time(), QLocale::ShortFormat);
  if (days == 0) return RecentFiles::tr("today, %1").arg(time);
  if (days == 1) return RecentFiles::tr("yesterday, %1").arg(time);
  return QLocale().toString(opened.date(), QLocale::ShortFormat);
}

}  // namespace

RecentFiles::RecentFiles(QSettings* settings, QObject* parent) : QAbstractTableModel(parent), settings_(settings) {
  const int size = settings_->beginReadArray(QLatin1String(kGroup));
  for (int i = 0; i < std::min(size, kMostFiles); ++i) {
    settings_->setArrayIndex(i);
    const QString path = settings_->value(QStringLiteral("path")).toString();
    if (path.isEmpty()) continue;
    entries_.append({path, settings_->value(QStringLiteral("opened")).toDateTime(),
                     settings_->value(QStringLiteral("details")).toString()});
  }
  settings_->endArray();
}

void RecentFiles::add(const QString& file) {
  if (!passing_.isEmpty() && QFileInfo(file).absolutePath() == passing_) return;
  const QString path = QFileInfo(file).absoluteFilePath();
  beginResetModel();
  QString details;
  for (const Entry& entry : entries_) {
    if (entry.path == path) details = entry.details;
  }
  entries_.removeIf([&](const Entry& entry) { return entry.path == path; });
  entries_.prepend({path, QDateTime::currentDateTime(), details});
  while (entries_.size() > kMostFiles) entries_.removeLast();
  endResetModel();
  store();
}

void RecentFiles::note(const QString& file, const QString& details) {
  const QString path = QFileInfo(file).absoluteFilePath();
  for (int row = 0; row < entries_.size(); ++row) {
    if (entries_[row].path != path || entries_[row].details == details) continue;
    entries_[row].details = details;
    Q_EMIT dataChanged(index(row, kDetails), index(row, kDetails));
    store();
  }
}

void RecentFiles::clear() {
  beginResetModel();
  entries_.clear();
  endResetModel();
  store();
}

QString RecentFiles::path(int row) const {
  return row >= 0 && row < entries_.size() ? entries_[row].path : QString();
}

void RecentFiles::store() const {
  settings_->remove(QLatin1String(kGroup));
  settings_->beginWriteArray(QLatin1String(kGroup), static_cast<int>(entries_.size()));
  for (int i = 0; i < entries_.size(); ++i) {
    settings_->setArrayIndex(i);
    settings_->setValue(QStringLiteral("path"), entries_[i].path);
    settings_->setValue(QStringLiteral("opened"), entries_[i].opened);
    settings_->setValue(QStringLiteral("details"), entries_[i].details);
  }
  settings_->endArray();
}

int RecentFiles::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(entries_.size());
}

int RecentFiles::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : kColumns;
}

QVariant RecentFiles::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const Entry& entry = entries_[index.row()];
  const QFileInfo info(entry.path);
  switch (role) {
    case Qt::DisplayRole:
      if (index.column() == kName) return info.fileName();
      if (index.column() == kFolder) return homeShortened(info.absolutePath());
      if (index.column() == kDetails) return entry.details;
      if (index.column() == kKind) return fileKindName(fileKind(entry.path));
      return info.exists() ? dayAndTime(entry.opened) : tr("file not found");
    case views::QuietRole:
      return index.column() == kFolder || !info.exists();
    case Qt::ToolTipRole:
      return QDir::toNativeSeparators(entry.path);
    case kPathRole:
      return entry.path;
    case kFolderRole:
      return homeShortened(info.absolutePath());
    case kExistsRole:
      return info.exists();
    default:
      return {};
  }
}

QVariant RecentFiles::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  switch (section) {
    case kName:
      return tr("Name");
    case kKind:
      return tr("Kind");
    case kFolder:
      return tr("Folder");
    case kDetails:
      return tr("Last seen");
    case kOpened:
      return tr("Opened");
    default:
      return {};
  }
}

Qt::ItemFlags RecentFiles::flags(const QModelIndex& index) const {
  if (!index.isValid()) return Qt::NoItemFlags;
  const Qt::ItemFlags gone = Qt::ItemNeverHasChildren;
  return QFileInfo::exists(entries_[index.row()].path) ? gone | Qt::ItemIsEnabled | Qt::ItemIsSelectable : gone;
}

}  // namespace binade::app
