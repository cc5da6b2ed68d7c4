// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/dock.h"
#include "app/run_model.h"
#include "app/selection.h"

class QCheckBox;
class QLabel;
class QPushButton;
class QSortFilterProxyModel;
class QTableView;

namespace binade::app {

class CellModel;
class EmptyState;

/// Where a step's time goes: one bar an op call, forward and backward, with tensor-core share where it is measured,
/// the source of every figure, and why it is not more. Kernels on hover.
class ProfileDock : public Dock {
  Q_OBJECT

 public:
  /// Both must outlive the dock.
  ProfileDock(RunModel* run, Selection* selection, QWidget* parent = nullptr);

  QTableView* table() const { return table_; }
  CellModel* model() const { return model_; }
  QLabel* summary() const { return summary_; }
  QCheckBox* measure() const { return measure_; }
  EmptyState* empty() const { return empty_; }
  QPushButton* startButton() const { return start_; }

 Q_SIGNALS:
  /// The person switches the profiler on or off.
  void profilingRequested(bool on);

 private:
  void update();
  void updateState();

  RunModel* run_;
  Selection* selection_;
  CellModel* model_;
  QSortFilterProxyModel* sorted_;
  QTableView* table_;
  QLabel* summary_;
  QCheckBox* measure_;
  QPushButton* start_;
  EmptyState* empty_;
};

}  // namespace binade::app
