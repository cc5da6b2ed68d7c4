// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/docks/ranking_dock.h"

namespace binade::app {

/// The effect of the optimizer's step on each parameter: its relative change, and what rounding loses of it. Choosing
/// one selects the op call that uses the parameter, and shows its values.
class UpdatesDock : public RankingDock {
  Q_OBJECT

 public:
  /// Both must outlive the dock.
  UpdatesDock(RunModel* run, Selection* selection, QWidget* parent = nullptr);

 protected:
  std::vector<int> sitesOf(qlonglong id) const override;
  void publish(qlonglong id) override;

 private:
  void update();
  /// Returns a parameter's update by its index in the newest report, or null.
  const wire::ParameterUpdate* updateOf(qlonglong id) const;
};

}  // namespace binade::app
