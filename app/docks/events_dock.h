// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/docks/dock.h"
#include "app/present/event_table_model.h"
#include "app/session/selection.h"

#include <QPersistentModelIndex>

class QPushButton;
class QTableView;

namespace binade::app {

class EmptyState;
class EventRows;

/// Events, newest first, one row each; in a narrow dock one two-line cell each. EventRows hides consequences and folds
/// the start-up group. A click or Return requests the event: charts show its step, and its op calls are selected.
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
  void showChosen();
  void setNarrow(bool narrow);
  void showColumns();

  RunModel* run_;
  Selection* selection_;
  EventTableModel* model_;
  QTableView* table_;
  QPushButton* compare_;
  EmptyState* empty_;
  EventRows* rows_ = nullptr;
  bool narrow_ = false;
  QPersistentModelIndex top_;  ///< the first visible cell while rows are inserted above it
};

}  // namespace binade::app
