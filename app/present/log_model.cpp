// SPDX-License-Identifier: Apache-2.0
#include "app/present/log_model.h"

#include "views/values/roles.h"

namespace binade::app {

void LogModel::add(const wire::LogLine& line) {
  append(line, QTime::currentTime());
}

void LogModel::addRecorded(const wire::LogLine& line) {
  append(line, {});
}

void LogModel::append(const wire::LogLine& line, const QTime& time) {
  if (rowCount() >= kMostLines) {
    beginRemoveRows({}, 0, 0);
    lines_.pop_front();
    endRemoveRows();
  }
  beginInsertRows({}, rowCount(), rowCount());
  lines_.push_back({time, QString::fromStdString(line.level), QString::fromStdString(line.text)});
  endInsertRows();
}

int LogModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(lines_.size());
}

int LogModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : kColumns;
}

QVariant LogModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const Line& line = lines_[static_cast<std::size_t>(index.row())];
  if (role == views::QuietRole) return index.column() == kTime;
  if (role == views::AttentionRole) return line.level == u"error";
  if (role != Qt::DisplayRole && role != Qt::ToolTipRole) return {};
  switch (index.column()) {
    case kTime:
      if (!line.time.isValid() && role == Qt::ToolTipRole) return tr("The run file does not record this time.");
      return line.time.toString(QStringLiteral("HH:mm:ss"));
    case kLevel:
      return line.level;
    default:
      return line.text;
  }
}

QVariant LogModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  return section == kTime ? tr("Time") : section == kLevel ? tr("Level") : tr("Message");
}

}  // namespace binade::app
