// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/dock.h"
#include "app/graph_rows.h"
#include "app/run_model.h"
#include "app/selection.h"

class QComboBox;
class QLabel;

namespace binade::app {

class EmptyState;

/// The model as modules that fold, in the order in which they run, coloured by a figure of choice; the path of the
/// chosen event is lit. A click selects the op calls of a box.
class GraphDock : public Dock {
  Q_OBJECT

 public:
  /// Both must outlive the dock.
  GraphDock(RunModel* run, Selection* selection, QWidget* parent = nullptr);

  views::ModuleGraph* graph() const { return graph_; }
  QComboBox* colorCombo() const { return color_; }
  QLabel* caption() const { return caption_; }
  EmptyState* empty() const { return empty_; }

 private:
  void rebuild();
  void refresh();
  void showPath();

  RunModel* run_;
  Selection* selection_;
  std::vector<views::GraphNode> nodes_;
  int executed_ = 0;  ///< op calls that have a box: those never met are left out
  views::ModuleGraph* graph_;
  QComboBox* color_;
  QLabel* caption_;
  EmptyState* empty_;
};

}  // namespace binade::app
