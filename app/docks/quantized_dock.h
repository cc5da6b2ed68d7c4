// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/docks/ranking_dock.h"

namespace binade::app {

/// The operands of products that were quantized to formats with scales, in the newest observed step: noise, values that
/// became 0 or saturated, blocks, scales. The worst first.
class QuantizedDock : public RankingDock {
  Q_OBJECT

 public:
  /// Both must outlive the dock.
  QuantizedDock(RunModel* run, Selection* selection, QWidget* parent = nullptr);

  QLabel* detail() const { return detail_; }

 protected:
  std::vector<int> sitesOf(qlonglong id) const override;
  void chosenChanged() override;

 private:
  void update();
  void updateIfStale();
  /// The operand with an id in the shown step; null: none.
  const wire::QuantizedOperand* operandOf(qlonglong id) const;

  QLabel* detail_;
  bool stale_ = false;  ///< a step came that the rows do not show yet
};

}  // namespace binade::app
