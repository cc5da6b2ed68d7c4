// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QAbstractTableModel>
#include <QDateTime>
#include <QList>
#include <QSortFilterProxyModel>
#include <QString>
#include <QStringList>

class QSettings;

namespace binade::app {

/// A file or a folder on the engine's computer.
struct FarEntry {
  QString name;
  bool folder = false;
  qint64 bytes = 0;   ///< of a file
  QDateTime changed;  ///< invalid: unknown

  friend bool operator==(const FarEntry&, const FarEntry&) = default;
};

/// A folder on the engine's computer, as the engine lists it.
struct FarFolder {
  QString path;    ///< absolute
  QString parent;  ///< empty: it has none
  QList<FarEntry> entries;
  qint64 left_out = 0;  ///< entries beyond those that the engine lists
};

/// A folder on the engine's computer as a table. The names of folders end with a slash.
class FarFolderModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { kName, kSize, kChanged, kColumns };

  using QAbstractTableModel::QAbstractTableModel;

  void setFolder(const FarFolder& folder);
  const FarFolder& folder() const { return folder_; }
  /// The entry of a name, without a slash; null: none.
  const FarEntry* find(const QString& name) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 private:
  FarFolder folder_;
};

/// Sorts a FarFolderModel, folders first in either direction, names in natural order, and shows the files whose names
/// fit one of some patterns. Hidden files (`.cache`) are shown only on request.
class FarFolderRows : public QSortFilterProxyModel {
  Q_OBJECT

 public:
  explicit FarFolderRows(FarFolderModel* folder, QObject* parent = nullptr);

  /// `patterns`: `*.pt`, with `*` for any text. Folders are always shown.
  void setPatterns(const QStringList& patterns);
  void setFoldersOnly(bool only);
  void setHiddenShown(bool shown);

 protected:
  bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;
  bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

 private:
  FarFolderModel* folder_;
  QStringList patterns_;
  bool folders_only_ = false;
  bool hidden_shown_ = false;
};

/// One entry of a dialog's filter: its whole text and its patterns.
struct NameFilter {
  QString text;
  QStringList patterns;
};

/// Takes a filter of QFileDialog apart: `Data (*.npy *.csv);;All files (*)`.
QList<NameFilter> nameFilters(const QString& filter);

/// A file in a folder on the engine's computer, whose paths have slashes whatever this computer's have.
QString farPath(const QString& folder, const QString& name);

/// The folders of a host from which files were chosen, newest first, from the settings; at most eight.
QStringList recentFarFolders(QSettings& settings, const QString& host);
void addRecentFarFolder(QSettings& settings, const QString& host, const QString& folder);

}  // namespace binade::app
