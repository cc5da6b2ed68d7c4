// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/present/event_story.h"

#include <QFrame>
#include <QWidget>

#include <vector>

class QGridLayout;
class QLabel;
class QPushButton;
class QTableView;
class QToolButton;
class QVBoxLayout;

namespace binade::views {
class ChainView;
}

namespace binade::app {

class CellModel;

/// The inspector's page, laid out from an EventStory. Independent of runs.
class InspectorPage : public QWidget {
  Q_OBJECT

 public:
  explicit InspectorPage(QWidget* parent = nullptr);

  void setStory(const EventStory& story);
  /// Sets whether a fix can be applied, which needs a live run; if not, `why_not` is the tool tip.
  void setApplicable(bool applicable, const QString& why_not);
  /// Sets which of the story's changes, in order, the run's policy already contains; those are not offered.
  void setInForce(const QList<bool>& changes);
  /// Text beside the button for fixes that do not change the loss scale; empty: none.
  void setScaleAdvice(const QString& advice);

  QLabel* sentence() const { return sentence_; }
  /// The label stating that the event precedes an edit; otherwise hidden.
  QLabel* before() const { return before_; }
  QLabel* verdict() const { return verdict_; }
  views::ChainView* chain() const { return chain_; }
  QTableView* tried() const { return tried_; }
  QPushButton* apply() const { return apply_; }
  QPushButton* tryButton() const { return try_; }
  /// Offers a search for the smallest change that repairs the policy; hidden where one step alone failed.
  QPushButton* repairButton() const { return repair_; }
  QToolButton* why() const { return why_; }
  /// The buttons that apply and try a change, for a place that does not scroll. Hidden without a change.
  QWidget* actions() const { return apply_row_; }
  QLabel* whyText() const { return why_text_; }
  QToolButton* copy() const { return copy_; }

 Q_SIGNALS:
  void fixRequested(const binade::app::FixChoice& fix);
  /// The fix should be tried before it is applied.
  void tryRequested(const binade::app::FixChoice& fix);
  void repairRequested();
  void siteRequested(int site);
  /// The user wants to look at a number of the page.
  void numberRequested(const binade::views::PickedNumber& number);

 private:
  void makeVerdict(QVBoxLayout* column);
  void makeTried(QVBoxLayout* column);
  void makeInputs(QVBoxLayout* column);
  void makeWhy(QVBoxLayout* column);
  QWidget* makeFact(const EventStory::Fact& fact);
  void offerNumber(QLabel* label, const views::PickedNumber& number);
  void showFacts();
  void showTried();
  void showInputs();
  void updateApply();
  int chosen() const;

  EventStory story_;
  bool applicable_ = false;
  QString why_not_;
  QList<bool> in_force_;
  QString scale_advice_;
  QVBoxLayout* column_;
  QLabel* sentence_;
  QLabel* before_;
  QFrame* verdict_box_;
  QLabel* verdict_;
  QLabel* explanation_;
  QWidget* facts_;
  QGridLayout* facts_grid_;
  QWidget* chain_head_;
  QLabel* chain_caption_;
  views::ChainView* chain_;
  QWidget* tried_head_;
  QLabel* tried_title_ = nullptr;
  QLabel* tried_caption_;
  CellModel* tried_model_;
  QTableView* tried_;
  QWidget* apply_row_;
  QPushButton* apply_;
  QPushButton* try_;
  QPushButton* repair_;
  QLabel* apply_note_;
  QWidget* inputs_head_;
  CellModel* inputs_model_;
  QTableView* inputs_;
  QToolButton* why_;
  QToolButton* copy_;
  QLabel* why_text_;
  QLabel* replay_note_;
};

}  // namespace binade::app
