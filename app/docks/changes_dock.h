// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/docks/dock.h"
#include "app/model/run_model.h"
#include "app/present/list_changes.h"
#include "app/session/selection.h"
#include "app/session/tries.h"

class QLabel;
class QPushButton;
class QTableView;

namespace binade::app {

class EmptyState;
class PolicyDocument;

/// What a person has changed: every place where the window's policy departs from its base list, with the op calls that
/// it decides for and their formats before and after. A change can be removed, or tried against the policy without it;
/// all can be copied as text.
class ChangesDock : public Dock {
  Q_OBJECT

 public:
  /// All three must outlive the dock. Changes are removed from the document, as one undo step each.
  ChangesDock(const RunModel* run, PolicyDocument* document, Selection* selection, QWidget* parent = nullptr);

  QTableView* table() const { return table_; }
  QPushButton* removeButton() const { return remove_; }
  QPushButton* tryButton() const { return try_; }
  QPushButton* copyButton() const { return copy_; }
  QLabel* headline() const { return headline_; }
  EmptyState* empty() const { return empty_; }
  /// Why nothing can be tried now, such as a search that trains; empty: it can.
  void setWhyNoTry(const QString& why);

 Q_SIGNALS:
  /// The document's policy should be compared by training with the same policy without the selected change.
  void tryRequested(const binade::app::TryWish& wish);

 private:
  void updateLater();
  void update();
  void updateButtons();
  /// Index in changes_; -1: none is selected.
  int chosen() const;
  void selectCalls();
  void removeChosen();
  void tryChosen();
  void copy();

  const RunModel* run_;
  PolicyDocument* document_;
  Selection* selection_;
  QList<ListChange> changes_;
  CellModel* model_;
  QTableView* table_;
  QLabel* headline_;
  QPushButton* remove_;
  QPushButton* try_;
  QPushButton* copy_;
  EmptyState* empty_;
  QString why_no_try_;
  bool outdated_ = true;  ///< computed when it is next seen
};

}  // namespace binade::app
