// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/docks/ranking_dock.h"
#include "app/docks/site_table_model.h"
#include "app/present/second_run_rows.h"
#include "app/session/second_run.h"

#include <memory>

class QLabel;
class QPushButton;
class QTableView;

namespace binade::app {

/// A second run beside this one: op calls with the differences of their figures at one step, and below them the rules
/// in which the policies in force differ.
class SecondRunDock : public RankingDock {
  Q_OBJECT

 public:
  /// All must outlive the dock.
  SecondRunDock(RunModel* run, SecondRun* second, Selection* selection, QWidget* parent = nullptr);

  QPushButton* chooseButton() const { return choose_; }
  QPushButton* removeButton() const { return remove_; }
  CellModel* policies() const { return policies_; }
  QTableView* policyTable() const { return policy_table_; }
  /// The difference of each op call, for the table of op calls; without a second run it has no cells.
  SiteTableModel::Beside beside() const;

 Q_SIGNALS:
  /// The user wants to choose the file of a second run.
  void fileRequested();
  /// beside() has changed.
  void besideChanged();

 private:
  void match();
  void update();

  SecondRun* second_;
  std::shared_ptr<RunPair> pair_;  ///< null: no second run
  QPushButton* choose_;
  QPushButton* remove_;
  CellModel* policies_;
  QTableView* policy_table_;
  QLabel* same_;
};

}  // namespace binade::app
