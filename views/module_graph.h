// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/values/graph_node.h"

#include <QAbstractScrollArea>

#include <vector>

namespace binade::views {

/// A model as its modules in execution order, which can be folded. Forward runs down, backward up. The path of an event
/// is highlighted: its boxes, or the folded modules that contain them, have a crimson frame, and a line at the right
/// leads from the first cause to the end. The caller supplies values and colours.
class ModuleGraph : public QAbstractScrollArea {
  Q_OBJECT

 public:
  explicit ModuleGraph(QWidget* parent = nullptr);

  /// Replaces all nodes. Opens modules level by level while at most 40 boxes are shown.
  void setNodes(std::vector<GraphNode> nodes);
  /// One entry per node.
  void setShades(std::vector<GraphShade> shades);
  /// Ids of the path's op calls, starting with the first cause, and the ids of causes. Modules around causes are
  /// opened.
  void setPath(const std::vector<int>& ids, const std::vector<int>& causes);
  void setSelected(const std::vector<int>& ids);

  void setFolded(int node, bool folded);
  bool isFolded(int node) const { return folded_[static_cast<std::size_t>(node)]; }
  /// Visible nodes, from top to bottom.
  const std::vector<int>& shown() const { return shown_; }
  /// Returns whether the path passes through a visible node.
  bool isLit(int node) const;
  /// Returns a visible node's rectangle in the viewport.
  QRectF boxOf(int node) const;

 Q_SIGNALS:
  /// A box was clicked or activated by key; `ids` are the op calls in it.
  void activated(const std::vector<int>& ids);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  bool viewportEvent(QEvent* event) override;

 private:
  bool isModule(int node) const { return nodes_[static_cast<std::size_t>(node)].id < 0; }
  void layOut();
  void reveal(int row);
  void revealPath();
  void setCurrent(int row);
  void activate(int row);
  int rowAt(QPointF at) const;
  int nodeOf(int id) const;
  /// Returns the node itself, or the outermost folded module that contains it.
  int standIn(int node) const;
  QRectF boxOfRow(int row) const;
  void paintBox(QPainter& painter, int row) const;
  void paintFlow(QPainter& painter, int row) const;
  void paintPath(QPainter& painter) const;

  std::vector<GraphNode> nodes_;
  std::vector<GraphShade> shades_;
  std::vector<int> depth_;
  std::vector<bool> folded_;
  std::vector<int> shown_;
  std::vector<int> row_of_;    ///< by node; -1: not visible
  std::vector<int> path_;      ///< nodes
  std::vector<int> causes_;    ///< nodes
  std::vector<int> selected_;  ///< nodes
  int current_ = -1;           ///< row
  bool follow_path_ = false;   ///< keeps the path in view until the user scrolls or selects
};

}  // namespace binade::views
