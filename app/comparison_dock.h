// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/ranking_dock.h"

class QPushButton;

namespace binade::app {

/// One step under the policy beside the same step in float32: op calls ranked by the error that they added. The tool
/// for a loss that goes wrong without any infinity.
class ComparisonDock : public RankingDock {
  Q_OBJECT

 public:
  /// Both must outlive the dock.
  ComparisonDock(RunModel* run, Selection* selection, QWidget* parent = nullptr);

  QPushButton* compareButton() const { return compare_; }

 public Q_SLOTS:
  /// A comparison is being made, or has failed.
  void setWaiting(bool waiting);

 Q_SIGNALS:
  void comparisonRequested();

 private:
  void update();

  QPushButton* again_;
  QPushButton* compare_;
};

}  // namespace binade::app
