// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/docks/dock.h"
#include "app/present/cell_model.h"
#include "app/session/edit_list.h"
#include "app/session/policy_document.h"
#include "app/session/tries.h"

#include <QList>
#include <QString>

#include <optional>

class QComboBox;
class QPushButton;
class QTableView;

namespace binade::app {

class EmptyState;
class RunDocument;

/// Every edit that can be undone, newest at the top, with the step of the run at which it was made. A click or Enter
/// undoes or repeats edits until the chosen one is the newest in force. The run and its policy have one list, the run
/// description another; the one that was edited last is shown. An edit of the policy can be tried against what it
/// replaced.
class EditsDock : public Dock {
  Q_OBJECT

 public:
  /// All must outlive the dock.
  EditsDock(const RunModel* run, PolicyDocument* policy, RunDocument* description, QWidget* parent = nullptr);

  QTableView* table() const { return table_; }
  QComboBox* choice() const { return choice_; }
  QPushButton* tryButton() const { return try_; }
  EmptyState* empty() const { return empty_; }
  /// Why nothing can be tried now, such as a search that trains; empty: it can.
  void setWhyNoTry(const QString& why);

 Q_SIGNALS:
  /// The selected edit should be compared by training with what it replaced.
  void tryRequested(const binade::app::TryWish& wish);

 private:
  EditList* shown() const { return lists_[choice_index_]; }
  void listChanged(int list);
  void refill();
  void goTo(const QModelIndex& index);
  /// The selected edit; nullopt: none is selected, or it does not edit the policy.
  std::optional<PolicyReplacement> chosen() const;
  void updateTry();

  const PolicyDocument* policy_;
  QList<EditList*> lists_;
  int choice_index_ = 0;
  CellModel* model_;
  QTableView* table_;
  QComboBox* choice_;
  QPushButton* try_;
  QString why_no_try_;
  EmptyState* empty_;
};

}  // namespace binade::app
