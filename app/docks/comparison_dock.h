// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/docks/ranking_dock.h"

class QPushButton;

namespace binade::app {

/// One step under the policy compared with float32: op calls ranked by the error that they add. For a wrong loss
/// without infinities.
class ComparisonDock : public RankingDock {
  Q_OBJECT

 public:
  /// Both must outlive the dock.
  ComparisonDock(RunModel* run, Selection* selection, QWidget* parent = nullptr);

  QPushButton* compareButton() const { return compare_; }

 public Q_SLOTS:
  /// Sets whether a comparison is in progress.
  void setWaiting(bool waiting);

 Q_SIGNALS:
  void comparisonRequested();

 private:
  void update();

  QPushButton* again_;
  QPushButton* compare_;
};

}  // namespace binade::app
