// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/docks/ranking_dock.h"
#include "app/present/event_story.h"

class QPushButton;

namespace binade::app {

/// Silent faults, ranked by what is lost or added. The chosen fault, initially the worst, is shown in full below:
/// summary, figure, place, next step, and *Apply fix* if that is an edit. Choosing one selects its op call and
/// highlights it in table and graph.
class SilentDock : public RankingDock {
  Q_OBJECT

 public:
  /// Both must outlive the dock.
  SilentDock(RunModel* run, Selection* selection, QWidget* parent = nullptr);

  QPushButton* applyButton() const { return apply_; }
  QPushButton* tryButton() const { return try_; }
  /// Shown if there is no fault, for a loss that is wrong nevertheless.
  QPushButton* compareButton() const { return compare_; }
  QLabel* sentence() const { return sentence_; }
  QLabel* detail() const { return detail_; }

 public Q_SLOTS:
  /// Chooses a fault by its index in the report.
  void showFault(int index);

 Q_SIGNALS:
  void fixRequested(const binade::app::FixChoice& fix);
  /// The fix should be tried before it is applied.
  void tryRequested(const binade::app::FixChoice& fix);
  void comparisonRequested();

 protected:
  std::vector<int> sitesOf(qlonglong id) const override;
  void publish(qlonglong id) override;
  void chosenChanged() override;

 private:
  void update();
  void showNoFault();
  QWidget* makeFoot();
  /// Returns a fault of the newest report by id, or null.
  const wire::SilentFault* fault(qlonglong id) const;
  /// The chosen fault, or the worst if none is chosen.
  const wire::SilentFault* shownFault() const;

  QWidget* foot_;
  QLabel* sentence_;
  QLabel* detail_;
  QLabel* next_;
  QLabel* why_;
  QPushButton* apply_;
  QPushButton* try_;
  QPushButton* compare_;
};

}  // namespace binade::app
