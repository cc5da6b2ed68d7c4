// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/event_story.h"
#include "app/ranking_dock.h"

class QPushButton;

namespace binade::app {

/// What is wrong although nothing is infinite, ranked by what is lost or added. The chosen fault, at first the worst,
/// stands below in whole: its sentence, its figure, where, the next step, and *Apply fix* where that is an edit.
/// Choosing one selects its op call and lights it in table and graph.
class SilentDock : public RankingDock {
  Q_OBJECT

 public:
  /// Both must outlive the dock.
  SilentDock(RunModel* run, Selection* selection, QWidget* parent = nullptr);

  QPushButton* applyButton() const { return apply_; }
  /// Where there is no fault: the way on for a loss that is wrong all the same.
  QPushButton* compareButton() const { return compare_; }
  QLabel* sentence() const { return sentence_; }
  QLabel* detail() const { return detail_; }

 public Q_SLOTS:
  /// Chooses a fault by its place in the report.
  void showFault(int index);

 Q_SIGNALS:
  void fixRequested(const binade::app::FixChoice& fix);
  void comparisonRequested();

 protected:
  std::vector<int> sitesOf(qlonglong id) const override;
  void publish(qlonglong id) override;
  void chosenChanged() override;

 private:
  void update();
  void showNothingTold();
  QWidget* makeFoot();
  /// A fault of the newest report by its id; null where there is none.
  const wire::SilentFault* fault(qlonglong id) const;
  /// The chosen one; before one is chosen the worst.
  const wire::SilentFault* toldFault() const;

  QWidget* foot_;
  QLabel* sentence_;
  QLabel* detail_;
  QLabel* next_;
  QLabel* why_;
  QPushButton* apply_;
  QPushButton* compare_;
};

}  // namespace binade::app
