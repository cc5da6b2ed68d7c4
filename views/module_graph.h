// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QAbstractScrollArea>
#include <QColor>
#include <QString>

#include <vector>

namespace binade::views {

/// One box of a ModuleGraph: a module, or an op call.
struct GraphNode {
  QString name;     ///< `layer1.0`, `conv1`, `relu`
  QString detail;   ///< quiet words behind it: `conv2d, batch_norm`, `12 calls`
  int parent = -1;  ///< index of the module around it, which stands before it; -1: none
  int id = -1;      ///< the caller's, of an op call; -1: a module, which can be folded
  QString tip{};
};

/// What a box tells of the figure that the graph is coloured by.
struct GraphShade {
  std::vector<QColor> stripes;  ///< along its left edge; several: a module of several kinds
  QString figure;               ///< at its right end
  bool attention = false;       ///< the figure is bad news
};

/// A model as its modules, in the order in which they run, that fold: forward runs down, backward up. The path of an
/// event is lit: its boxes, or the folded modules they are in, are framed in crimson, and a line at the right joins
/// them from the first cause to the end. Figures and colours come from outside.
class ModuleGraph : public QAbstractScrollArea {
  Q_OBJECT

 public:
  explicit ModuleGraph(QWidget* parent = nullptr);

  /// Everything anew; modules are opened level by level while that many boxes can still be looked over.
  void setNodes(std::vector<GraphNode> nodes);
  /// One for each node.
  void setShades(std::vector<GraphShade> shades);
  /// Ids of op calls, from the first cause on, and which of them are causes. Modules around causes open.
  void setPath(const std::vector<int>& ids, const std::vector<int>& causes);
  void setSelected(const std::vector<int>& ids);

  void setFolded(int node, bool folded);
  bool isFolded(int node) const { return folded_[static_cast<std::size_t>(node)]; }
  /// Nodes as they are shown now, from top to bottom.
  const std::vector<int>& shown() const { return shown_; }
  /// Whether the path runs through a node that is shown.
  bool isLit(int node) const;
  /// Where a shown node lies in the viewport.
  QRectF boxOf(int node) const;

 Q_SIGNALS:
  /// A box was clicked, or Return was pressed on it: the ids of the op calls in it.
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
  /// The node itself, or the folded module that stands for it.
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
  std::vector<int> row_of_;    ///< by node; -1: not shown
  std::vector<int> path_;      ///< nodes
  std::vector<int> causes_;    ///< nodes
  std::vector<int> selected_;  ///< nodes
  int current_ = -1;           ///< row
  bool follow_path_ = false;   ///< the path stays in view until a person looks elsewhere
};

}  // namespace binade::views
