// SPDX-License-Identifier: Apache-2.0
#include "app/present/checkpoint_table_model.h"

#include "views/values/numbers.h"
#include "views/values/picked_number.h"
#include "views/values/roles.h"

#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QLocale>

namespace binade::app {

namespace {

QString why(const std::string& reason) {
  if (reason == "edit") return CheckpointTableModel::tr("before an edit");
  if (reason == "try") return CheckpointTableModel::tr("for a Try or a search");
  if (reason == "end") return CheckpointTableModel::tr("end of the run");
  if (reason == "request") return CheckpointTableModel::tr("requested");
  return CheckpointTableModel::tr("at its interval");
}

QString savedAt(std::int64_t seconds) {
  if (seconds == 0) return QStringLiteral("–");
  const QDateTime at = QDateTime::fromSecsSinceEpoch(seconds);
  const QString time = at.time().toString(QStringLiteral("HH:mm:ss"));
  if (at.date() == QDate::currentDate()) return time;
  return QLocale().toString(at.date(), QLocale::ShortFormat) + u' ' + time;
}

}  // namespace

CheckpointTableModel::CheckpointTableModel(RunModel* run, QObject* parent) : QAbstractTableModel(parent), run_(run) {
  connect(run_, &RunModel::shownStepChanged, this, [this] {
    if (rowCount() > 0) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, kColumns - 1), {views::QuietRole});
  });
  connect(run_, &RunModel::reset, this, &CheckpointTableModel::refill);
  connect(run_, &RunModel::checkpointAdded, this, &CheckpointTableModel::refill);
  refill();
}

void CheckpointTableModel::refill() {
  beginResetModel();
  rows_.clear();
  // Only the newest checkpoints are kept: in a live run, rows of deleted files are left out.
  for (auto each = run_->checkpoints().rbegin(); each != run_->checkpoints().rend(); ++each) {
    if (run_->source() == RunModel::Source::kFile || isThere(*each)) rows_.push_back(*each);
  }
  endResetModel();
}

const wire::CheckpointInfo* CheckpointTableModel::at(int row) const {
  return row >= 0 && static_cast<std::size_t>(row) < rows_.size() ? &rows_[static_cast<std::size_t>(row)] : nullptr;
}

bool CheckpointTableModel::isThere(const wire::CheckpointInfo& checkpoint) const {
  if (run_->filesElsewhere()) return true;
  return QFileInfo::exists(QString::fromStdString(checkpoint.file));
}

int CheckpointTableModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int CheckpointTableModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : kColumns;
}

QVariant CheckpointTableModel::data(const QModelIndex& index, int role) const {
  const wire::CheckpointInfo* checkpoint = at(index.row());
  if (checkpoint == nullptr) return {};
  if (role == Qt::TextAlignmentRole) {
    const bool number = index.column() == kStep || index.column() == kLoss || index.column() == kSize;
    return static_cast<int>((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  }
  if (role == views::QuietRole) return !run_->isShown(checkpoint->step);
  const QString file = QString::fromStdString(checkpoint->file);
  if (role == Qt::ToolTipRole) return QDir::toNativeSeparators(file);
  if (role == views::NumberRole && index.column() == kLoss && checkpoint->loss)
    return QVariant::fromValue(views::PickedNumber{*checkpoint->loss});
  if (role != Qt::DisplayRole) return {};
  switch (index.column()) {
    case kStep:
      return views::grouped(checkpoint->step);
    case kWhy:
      return why(checkpoint->reason);
    case kLoss:
      return checkpoint->loss ? views::figure(*checkpoint->loss) : QStringLiteral("–");
    case kSize:
      return views::sizeText(static_cast<std::int64_t>(checkpoint->bytes));
    case kSaved:
      return savedAt(checkpoint->saved);
    case kFile:
      return isThere(*checkpoint) ? QFileInfo(file).fileName() : tr("%1 (gone)").arg(QFileInfo(file).fileName());
    default:
      return {};
  }
}

QVariant CheckpointTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole) {
    const bool number = section == kStep || section == kLoss || section == kSize;
    return static_cast<int>((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  }
  if (role != Qt::DisplayRole) return {};
  const QString names[] = {tr("Step"), tr("Reason"), tr("Loss"), tr("Size"), tr("Saved"), tr("File")};
  return section < kColumns ? QVariant(names[section]) : QVariant();
}

}  // namespace binade::app
