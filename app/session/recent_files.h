// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QAbstractTableModel>
#include <QDateTime>
#include <QList>
#include <QString>

class QSettings;

namespace binade::app {

/// Recently opened files, newest first, stored in the settings. Missing files stay listed, disabled, until the list is
/// cleared, since their disk may not be mounted.
class RecentFiles : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { kName, kFolder, kKind, kDetails, kOpened, kColumns };
  enum Role { kPathRole = Qt::UserRole, kFolderRole, kExistsRole };
  static constexpr int kMostFiles = 12;

  /// `settings` must outlive the list.
  explicit RecentFiles(QSettings* settings, QObject* parent = nullptr);

  void add(const QString& file);
  /// Sets a folder whose files are not listed, because they are not kept.
  void setPassing(const QString& folder) { passing_ = folder; }
  /// Keeps a phrase about a listed file: what it held when it was last used. Without effect for any other file.
  void note(const QString& file, const QString& details);
  void clear();
  QString path(int row) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;

 private:
  struct Entry {
    QString path;
    QDateTime opened;
    QString details{};
  };
  void store() const;

  QSettings* settings_;
  QString passing_;
  QList<Entry> entries_;
};

}  // namespace binade::app
