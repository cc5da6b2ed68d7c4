// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/docks/dock.h"
#include "app/model/run_model.h"
#include "app/present/cell_model.h"
#include "app/session/selection.h"

class QLabel;
class QTableView;

namespace binade::views {
class LinePlot;
class StepAxis;
}  // namespace binade::views

namespace binade::app {

class EmptyState;

/// The ranks of a run on several: which one delays the others, a table, and a line over steps with the time that each
/// rank was busy. Beyond RankTrack::kMostSeries ranks, the chart has the slowest and the fastest rank of each step.
/// Choosing a row shows its rank where ranks differ; Escape returns to all ranks.
class RanksDock : public Dock {
  Q_OBJECT

 public:
  /// All three must outlive the dock.
  RanksDock(RunModel* run, Selection* selection, views::StepAxis* axis, QWidget* parent = nullptr);

  views::LinePlot* plot() const { return plot_; }
  QTableView* table() const { return table_; }
  /// States which rank delays the others.
  QLabel* summary() const { return summary_; }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void rebuild();
  void append();
  void update();
  void showChosen();

  RunModel* run_;
  Selection* selection_;
  views::LinePlot* plot_;
  CellModel* model_;
  QTableView* table_;
  QLabel* summary_;
  EmptyState* empty_;
  int lines_ = 0;  ///< of the chart
};

}  // namespace binade::app
