// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/run_model.h"
#include "app/session/selection.h"
#include "views/elided_combo.h"

namespace binade::app {

/// Chooses the rank whose figures a dock shows: all, or one. All docks show the same rank. Hidden for a run of one
/// process.
class RankChoice : public views::ElidedComboBox {
  Q_OBJECT

 public:
  /// Both must outlive the choice.
  RankChoice(RunModel* run, Selection* selection, QWidget* parent = nullptr);

  /// Returns a page with a choice above `content`, which it owns. Without the choice, the content fills the page.
  static QWidget* above(QWidget* content, RunModel* run, Selection* selection);

 private:
  void rebuild();
  void showChosen();

  RunModel* run_;
  Selection* selection_;
};

}  // namespace binade::app
