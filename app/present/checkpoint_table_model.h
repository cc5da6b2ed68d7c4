// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/run_model.h"

#include <QAbstractTableModel>

namespace binade::app {

/// The checkpoints of a run, newest first. Deleted files are marked.
class CheckpointTableModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { kStep, kWhy, kLoss, kSize, kSaved, kFile, kColumns };

  /// `run` must outlive the model.
  explicit CheckpointTableModel(RunModel* run, QObject* parent = nullptr);

  /// Returns the checkpoint of a row, or null.
  const wire::CheckpointInfo* at(int row) const;
  /// Whether its file exists. Files on another computer are taken to exist: the engine says if they do not.
  bool isThere(const wire::CheckpointInfo& checkpoint) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 private:
  void refill();

  RunModel* run_;
  std::vector<wire::CheckpointInfo> rows_;
};

}  // namespace binade::app
