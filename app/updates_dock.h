// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/ranking_dock.h"

namespace binade::app {

/// What the optimizer's step does to each parameter: how far it moves it, and what of it rounding loses. Choosing one
/// selects the op call that takes the parameter, and shows its values.
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
  /// A parameter's update by its place in the newest report; null where there is none.
  const wire::ParameterUpdate* updateOf(qlonglong id) const;
};

}  // namespace binade::app
