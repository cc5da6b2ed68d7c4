// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/docks/ranking_dock.h"

class QCheckBox;
class QLabel;
class QPushButton;

namespace binade::views {
class BarKey;
}

namespace binade::app {

/// The time of a step: one bar per op call, forward and backward, with tensor-core use where measured, the source of
/// every figure, and the reason for low use. Kernels are in tool tips. Below the table: the chosen op call with its
/// full reason, the edit that would change it, and its kernels.
class ProfileDock : public RankingDock {
  Q_OBJECT

 public:
  /// Both must outlive the dock.
  ProfileDock(RunModel* run, Selection* selection, QWidget* parent = nullptr);

  QCheckBox* measure() const { return measure_; }
  QPushButton* startButton() const { return start_; }
  QLabel* detail() const { return detail_; }
  /// The key of the bars of time; hidden while there is none.
  views::BarKey* key() const { return key_; }

 Q_SIGNALS:
  /// The user switched the profiler on or off.
  void profilingRequested(bool on);

 protected:
  void chosenChanged() override;

 private:
  void update();
  void updateState();

  views::BarKey* key_;
  QCheckBox* measure_;
  QPushButton* start_;
  QLabel* detail_;
};

}  // namespace binade::app
