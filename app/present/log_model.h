// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/messages.h"

#include <QAbstractTableModel>
#include <QDateTime>
#include <QString>

#include <deque>

namespace binade::app {

/// Messages of engine and explorer with the time at which they were added, oldest first. The oldest lines are dropped
/// beyond kMostLines.
class LogModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { kTime, kLevel, kText, kColumns };
  static constexpr int kMostLines = 5000;

  explicit LogModel(QObject* parent = nullptr) : QAbstractTableModel(parent) {}

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

  /// Adds a message about a recorded run. It has no time, since run files record none.
  void addRecorded(const wire::LogLine& line);

 public Q_SLOTS:
  void add(const binade::wire::LogLine& line);

 private:
  struct Line {
    QTime time;  ///< invalid: unknown
    QString level;
    QString text;
  };
  void append(const wire::LogLine& line, const QTime& time);

  std::deque<Line> lines_;
};

}  // namespace binade::app
