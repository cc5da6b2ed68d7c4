// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/docks/dock.h"
#include "app/present/cell_model.h"
#include "app/present/history_rows.h"
#include "app/session/selection.h"
#include "app/session/tries.h"

#include <QList>

#include <functional>
#include <optional>
#include <utility>

class QLabel;
class QPushButton;
class QScrollArea;
class QTableView;

namespace binade::app {

class EmptyState;
class PolicyDocument;

/// The edits, rewinds and Tries of a run as a timeline, newest at the top. One selected entry can be returned to, its
/// policy and its training state separately, and an edit can be tried against what it replaced; two are compared, and
/// can be tried against each other.
class HistoryDock : public Dock {
  Q_OBJECT

 public:
  /// All three must outlive the dock.
  HistoryDock(RunModel* run, const PolicyDocument* document, Selection* selection, QWidget* parent = nullptr);

  QTableView* table() const { return table_; }
  QLabel* headline() const { return headline_; }
  /// About the selected entry, or the comparison of two.
  QLabel* detail() const { return detail_; }
  QPushButton* useButton() const { return use_; }
  QPushButton* rewindButton() const { return rewind_; }
  QPushButton* tryButton() const { return try_; }
  EmptyState* empty() const { return empty_; }
  /// Why nothing can be tried now, such as a search that trains; empty: it can.
  void setWhyNoTry(const QString& why);
  /// Replaces the question before a rewind; returns whether to go on. For tests.
  void setConfirm(std::function<bool(const QString& question, const QString& loss)> confirm) {
    confirm_ = std::move(confirm);
  }

 Q_SIGNALS:
  /// The entry's policy should be the document's, as one undo step of this name. Training goes on.
  void policyRequested(const binade::policy::Policy& policy, const QString& text);
  /// The training should go back to this checkpoint, and the policy should stay. Confirmed by the user.
  void rewindRequested(const QString& file);
  /// An edit and what it replaced, or two entries, should be compared by training; the older one is the policy before.
  void tryRequested(const binade::app::TryWish& wish);
  /// A Try was selected: an index of RunModel::trials().
  void trialSelected(int index);

 private:
  void makeFoot();
  void refill();
  void select(const QList<qlonglong>& ids);
  /// The selected entries, the older one first.
  QList<HistoryEntry> chosen() const;
  void selectionChanged();
  void updateFoot();
  void showOne(const HistoryEntry& entry);
  void showTwo(const HistoryEntry& older, const HistoryEntry& newer);
  void showInWindow();
  void useChosen();
  void rewindToChosen();
  void tryChosen();
  bool isConfirmed(const QString& question, const QString& loss);

  RunModel* run_;
  const PolicyDocument* document_;
  Selection* selection_;
  CellModel* model_;
  QTableView* table_;
  QLabel* headline_;
  QLabel* detail_;
  QScrollArea* detail_area_;
  QPushButton* use_;
  QPushButton* rewind_;
  QPushButton* try_;
  QWidget* foot_ = nullptr;
  EmptyState* empty_ = nullptr;
  QList<HistoryEntry> entries_;
  QString why_no_try_;
  bool filling_ = false;  ///< the table's changes are not the user's
  std::function<bool(const QString&, const QString&)> confirm_;
};

}  // namespace binade::app
