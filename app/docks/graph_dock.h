// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/docks/dock.h"
#include "app/docks/graph_layouter.h"
#include "app/model/run_model.h"
#include "app/present/graph_rows.h"
#include "app/session/selection.h"
#include "views/graph/module_graph.h"

class QComboBox;
class QLabel;
class QToolButton;

namespace binade::views {
class GraphLegend;
}

namespace binade::app {

class EmptyState;

/// The model as foldable boxes and the tensors between them, coloured by a selectable quantity, with the selected
/// event's path on its edges, a backward one from the loss on, a legend, and buttons to fit and to find. A click
/// selects the op calls of a box. Laid out beside the GUI thread.
class GraphDock : public Dock {
  Q_OBJECT

 public:
  /// Both must outlive the dock.
  GraphDock(RunModel* run, Selection* selection, QWidget* parent = nullptr);

  /// Shows formats that edits have chosen before they are in force. Call again when they have changed.
  void setWaiting(const WaitingFormat& waiting);

  views::ModuleGraph* graph() const { return graph_; }
  QComboBox* colorCombo() const { return color_; }
  QLabel* caption() const { return caption_; }
  QToolButton* fitButton() const { return fit_; }
  QToolButton* hidePathButton() const { return hide_path_; }
  QToolButton* findButton() const { return find_; }
  views::GraphLegend* legend() const { return legend_; }
  GraphLayouter* layouter() { return &layouter_; }
  EmptyState* empty() const { return empty_; }

 public Q_SLOTS:
  /// Asks for a file and writes the graph to it as SVG, PNG or DOT, also while the dock is hidden.
  void exportGraph();

 private:
  void rebuild(views::ModuleGraph::View view);
  void build(views::ModuleGraph::View view);
  void refresh();
  void showPath();
  void shade();
  bool showsPath() const;

  RunModel* run_;
  Selection* selection_;
  std::vector<views::GraphNode> nodes_;
  GraphFlow flow_;
  WaitingFormat waiting_;
  bool stale_ = true;         ///< the graph does not show the run yet
  bool path_hidden_ = false;  ///< by the user, until another event is selected
  int executed_ = 0;          ///< op calls with a box; those never executed are left out
  views::ModuleGraph* graph_;
  QComboBox* color_;
  QLabel* caption_;
  QToolButton* hide_path_;
  QToolButton* fit_;
  QToolButton* find_;
  views::GraphLegend* legend_;
  EmptyState* empty_;
  GraphLayouter layouter_;
};

}  // namespace binade::app
