// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/dock.h"
#include "app/event_table_model.h"
#include "app/selection.h"

class QPushButton;
class QTableView;

namespace binade::app {

class EmptyState;

/// Overflow events, one row each; in a narrow place, one cell of two lines each. What only follows from another event
/// of the same step has no row. A click, or Return, asks for the event: the charts go to its step, its op calls are
/// selected.
class EventsDock : public Dock {
  Q_OBJECT

 public:
  /// Both must outlive the dock.
  EventsDock(RunModel* run, Selection* selection, QWidget* parent = nullptr);

  QTableView* table() const { return table_; }
  EventTableModel* model() const { return model_; }
  /// Where there are no events: the way on for a loss that is wrong all the same.
  QPushButton* compareButton() const { return compare_; }

 Q_SIGNALS:
  void eventRequested(int index);
  void comparisonRequested();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void update();
  void hideConsequences(int from);
  void countShown();
  void showChosen();
  void setNarrow(bool narrow);

  RunModel* run_;
  Selection* selection_;
  EventTableModel* model_;
  QTableView* table_;
  QPushButton* compare_;
  EmptyState* empty_;
  bool narrow_ = false;
  int shown_ = 0;  ///< rows that are not hidden
  int known_ = 0;  ///< rows that were counted
};

}  // namespace binade::app
