// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/docks/dock.h"
#include "app/present/cell_model.h"
#include "app/session/edit_list.h"

#include <QList>

class QComboBox;
class QTableView;

namespace binade::app {

class EmptyState;
class PolicyDocument;
class RunDocument;

/// Every edit that can be undone, newest at the top, with the step of the run at which it was made. A click or Enter
/// undoes or repeats edits until the chosen one is the newest in force. The run and its policy have one list, the run
/// description another; the one that was edited last is shown.
class EditsDock : public Dock {
  Q_OBJECT

 public:
  /// All must outlive the dock.
  EditsDock(const RunModel* run, PolicyDocument* policy, RunDocument* description, QWidget* parent = nullptr);

  QTableView* table() const { return table_; }
  QComboBox* choice() const { return choice_; }
  EmptyState* empty() const { return empty_; }

 private:
  EditList* shown() const { return lists_[choice_index_]; }
  void listChanged(int list);
  void refill();
  void goTo(const QModelIndex& index);

  QList<EditList*> lists_;
  int choice_index_ = 0;
  CellModel* model_;
  QTableView* table_;
  QComboBox* choice_;
  EmptyState* empty_;
};

}  // namespace binade::app
