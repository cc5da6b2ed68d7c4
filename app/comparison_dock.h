// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/dock.h"
#include "app/run_model.h"
#include "app/selection.h"

class QLabel;
class QPushButton;
class QTableView;

namespace binade::app {

class CellModel;
class EmptyState;

/// One step under the policy beside the same step in float32: op calls ranked by the error that they added. The tool
/// for a loss that goes wrong without any infinity.
class ComparisonDock : public Dock {
  Q_OBJECT

 public:
  /// Both must outlive the dock.
  ComparisonDock(RunModel* run, Selection* selection, QWidget* parent = nullptr);

  QTableView* table() const { return table_; }
  CellModel* model() const { return model_; }
  QLabel* summary() const { return summary_; }
  QPushButton* compareButton() const { return compare_; }
  EmptyState* empty() const { return empty_; }

 public Q_SLOTS:
  /// A comparison is being made, or has failed.
  void setWaiting(bool waiting);

 Q_SIGNALS:
  void comparisonRequested();

 private:
  void update();

  RunModel* run_;
  Selection* selection_;
  CellModel* model_;
  QTableView* table_;
  QLabel* summary_;
  QPushButton* again_;
  QPushButton* compare_;
  EmptyState* empty_;
};

}  // namespace binade::app
