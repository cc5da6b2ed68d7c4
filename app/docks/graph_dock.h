// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/docks/dock.h"
#include "app/model/run_model.h"
#include "app/present/graph_rows.h"
#include "app/session/selection.h"
#include "views/module_graph.h"

class QComboBox;
class QLabel;

namespace binade::app {

class EmptyState;

/// The model as foldable modules in execution order, coloured by a selectable quantity, with the selected event's path
/// highlighted. A click selects the op calls of a box.
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
  int executed_ = 0;  ///< op calls with a box; those never executed are left out
  views::ModuleGraph* graph_;
  QComboBox* color_;
  QLabel* caption_;
  EmptyState* empty_;
};

}  // namespace binade::app
