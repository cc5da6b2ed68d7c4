// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/dock.h"
#include "app/event_story.h"
#include "app/run_model.h"
#include "app/selection.h"

class QLabel;
class QPushButton;
class QTableView;
class QSortFilterProxyModel;

namespace binade::app {

class CellModel;
class EmptyState;

/// What the casts of a step cost, by argument, and the edit that removes each; totals beside those under the policy
/// before.
class CastLedgerDock : public Dock {
  Q_OBJECT

 public:
  /// Both must outlive the dock.
  CastLedgerDock(RunModel* run, Selection* selection, QWidget* parent = nullptr);

  QTableView* table() const { return table_; }
  CellModel* model() const { return model_; }
  QLabel* summary() const { return summary_; }
  QPushButton* applyButton() const { return apply_; }
  EmptyState* empty() const { return empty_; }

 Q_SIGNALS:
  void fixRequested(const binade::app::FixChoice& fix);

 private:
  void update();
  void updateApply();
  /// The chosen line, a place in the newest ledger's lines; -1 for none.
  int chosen() const;

  RunModel* run_;
  Selection* selection_;
  CellModel* model_;
  QSortFilterProxyModel* sorted_;
  QTableView* table_;
  QLabel* summary_;
  QPushButton* apply_;
  EmptyState* empty_;
};

}  // namespace binade::app
