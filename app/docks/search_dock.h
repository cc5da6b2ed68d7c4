// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/docks/dock.h"
#include "app/session/searches.h"

#include <optional>

class QLabel;
class QProgressBar;
class QPushButton;
class QTableView;
class QToolButton;

namespace binade::views {
class FrontPlot;
}

namespace binade::app {

class CellModel;
class EmptyState;
class SearchForm;
class Session;

/// *Search*: policies that need less time, memory or casts and still train like the present one, or the smallest change
/// that repairs a policy that fails. Shows the order, the progress, and what was found as a chart and a list; the
/// chosen policy can be applied as one undo step, saved, exported and tried longer.
class SearchDock : public Dock {
  Q_OBJECT

 public:
  /// `session` must outlive the dock.
  explicit SearchDock(Session* session, QWidget* parent = nullptr);

  SearchForm* form() const { return form_; }
  /// Those of the session.
  const Searches& searches() const { return searches_; }
  views::FrontPlot* plot() const { return plot_; }
  QTableView* table() const { return table_; }
  CellModel* model() const { return model_; }
  EmptyState* empty() const { return empty_; }
  /// The progress, or why the search ended.
  QLabel* sentence() const { return sentence_; }
  /// The chosen policy in full.
  QLabel* detail() const { return detail_; }
  /// A problem that ended the search; hidden without one.
  QLabel* message() const { return message_; }
  /// Shows and hides the order, after the first search.
  QToolButton* orderButton() const { return other_; }
  /// Why no search can be started, unless the empty page says it.
  QLabel* whyNot() const { return why_not_; }
  QPushButton* searchButton() const { return search_; }
  QPushButton* resumeButton() const { return resume_; }
  QPushButton* cancelButton() const { return cancel_; }
  QPushButton* applyButton() const { return apply_; }
  QPushButton* saveButton() const { return save_; }
  QPushButton* exportButton() const { return export_; }
  QPushButton* tryButton() const { return try_; }

 public Q_SLOTS:
  /// Sets the goal to repair the policy, and shows the order. Starts nothing.
  void proposeRepair();
  /// Chooses a policy by the number of its try.
  void choose(qlonglong attempt);

 Q_SIGNALS:
  /// The chosen policy should be written to a file. `name`: a proposal without folder and ending.
  void saveRequested(const binade::policy::Policy& policy, const QString& name);
  /// The chosen policy should be exported for another program.
  void exportRequested(const binade::policy::Policy& policy, const QString& name);
  /// The chosen policy should be tried in longer trainings.
  void tryRequested(const binade::app::TryWish& wish);
  /// A search ended, while the dock may be out of sight. Not emitted for one that was cancelled.
  void ended(const QString& sentence, const QString& hint);

 private:
  QWidget* makeOrder();
  QWidget* makeProgress();
  QWidget* makeFound();
  QWidget* makeFoot();
  void connectSession();
  void start();
  void update();
  void updateOrder();
  void updateFound();
  void updateEmpty();
  void updateChosen();
  void updateCalls();
  void updateSelected();
  const SearchPoint* chosen() const;
  std::optional<SearchPoint> chosenCopy() const;
  QString chosenName() const;

  Session* session_;
  Searches& searches_;
  qlonglong chosen_ = -1;  ///< number of a try
  bool filling_ = false;   ///< the table's changes are not the user's
  QToolButton* other_;
  SearchForm* form_;
  QWidget* order_box_ = nullptr;
  QPushButton* search_;
  QPushButton* resume_;
  QLabel* why_not_;
  QWidget* progress_box_ = nullptr;
  QProgressBar* progress_ = nullptr;
  QPushButton* cancel_;
  QLabel* sentence_;
  QLabel* message_;
  views::FrontPlot* plot_;
  CellModel* model_;
  QTableView* table_;
  EmptyState* empty_ = nullptr;
  QLabel* detail_;
  QWidget* foot_ = nullptr;
  QPushButton* apply_;
  QPushButton* save_;
  QPushButton* export_;
  QPushButton* try_;
};

}  // namespace binade::app
