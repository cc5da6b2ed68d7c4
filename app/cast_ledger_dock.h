// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/event_story.h"
#include "app/ranking_dock.h"

class QLabel;
class QPushButton;

namespace binade::app {

/// What the casts of a step cost, by argument, and the edit that removes each; totals beside those under the policy
/// before.
class CastLedgerDock : public RankingDock {
  Q_OBJECT

 public:
  /// Both must outlive the dock.
  CastLedgerDock(RunModel* run, Selection* selection, QWidget* parent = nullptr);

  QPushButton* applyButton() const { return apply_; }
  /// The chosen cast in words, below the table: a narrow place hides the columns of words.
  QLabel* detail() const { return detail_; }

 Q_SIGNALS:
  void fixRequested(const binade::app::FixChoice& fix);

 protected:
  std::vector<int> sitesOf(qlonglong id) const override;
  void chosenChanged() override;

 private:
  void update();
  void applyChosen();
  /// Whether the newest ledger is of a policy that is not in force any more.
  bool isOld() const;
  /// A line of the newest ledger by castId(); null where there is none.
  const wire::CastLine* line(qlonglong id) const;

  QPushButton* apply_;
  QLabel* detail_;
};

}  // namespace binade::app
