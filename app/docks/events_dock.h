// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/docks/dock.h"
#include "app/present/event_table_model.h"
#include "app/session/selection.h"

class QPushButton;
class QTableView;

namespace binade::app {

class EmptyState;

/// Events, one row each; in a narrow dock one two-line cell each. Consequences of another event of the same step have
/// no row. A click or Return requests the event: charts show its step, and its op calls are selected.
class EventsDock : public Dock {
  Q_OBJECT

 public:
  /// Both must outlive the dock.
  EventsDock(RunModel* run, Selection* selection, QWidget* parent = nullptr);

  QTableView* table() const { return table_; }
  EventTableModel* model() const { return model_; }
  /// Shown if there are no events, for a loss that is wrong nevertheless.
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
  int shown_ = 0;  ///< visible rows
  int known_ = 0;  ///< rows that have been counted
};

}  // namespace binade::app
