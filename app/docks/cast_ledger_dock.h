// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/docks/ranking_dock.h"
#include "app/present/event_story.h"

class QLabel;
class QPushButton;

namespace binade::app {

/// The cost of a step's casts by argument, and the edit that removes each, with totals compared to the previous policy.
class CastLedgerDock : public RankingDock {
  Q_OBJECT

 public:
  /// Both must outlive the dock.
  CastLedgerDock(RunModel* run, Selection* selection, QWidget* parent = nullptr);

  QPushButton* applyButton() const { return apply_; }
  QPushButton* tryButton() const { return try_; }
  /// Description of the chosen cast below the table, since narrow tables hide the text columns.
  QLabel* detail() const { return detail_; }

 Q_SIGNALS:
  void fixRequested(const binade::app::FixChoice& fix);
  /// The edit should be tried before it is applied.
  void tryRequested(const binade::app::FixChoice& fix);

 protected:
  std::vector<int> sitesOf(qlonglong id) const override;
  void chosenChanged() override;

 private:
  void update();
  /// The edit that removes the chosen cast; empty: none does.
  FixChoice chosenEdit() const;
  /// Returns whether the newest policy emulates a format.
  bool isEmulated() const;
  /// Returns whether the newest ledger belongs to a policy that is no longer in force.
  bool isOld() const;
  /// Returns a line of the newest ledger by castId(), or null.
  const wire::CastLine* line(qlonglong id) const;

  QPushButton* apply_;
  QPushButton* try_;
  QLabel* detail_;
};

}  // namespace binade::app
