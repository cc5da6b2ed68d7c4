// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/docks/dock.h"
#include "app/present/checkpoint_table_model.h"

class QPushButton;
class QTableView;

namespace binade::app {

/// The checkpoints of a run: resume from one, save another now, save the trained weights as TorchScript.
class CheckpointsDock : public Dock {
  Q_OBJECT

 public:
  /// `run` must outlive the dock.
  explicit CheckpointsDock(RunModel* run, QWidget* parent = nullptr);

  QTableView* table() const { return table_; }
  QPushButton* resumeButton() const { return resume_; }
  QPushButton* saveButton() const { return save_; }

 Q_SIGNALS:
  /// A live run is rewound to the checkpoint; an ended run is resumed from it as a new run.
  void resumeRequested(const QString& file);
  void saveRequested();
  void saveModelRequested();

 private:
  void update();

  RunModel* run_;
  CheckpointTableModel* model_;
  QTableView* table_;
  QPushButton* resume_;
  QPushButton* save_;
  QPushButton* save_model_;
};

}  // namespace binade::app
