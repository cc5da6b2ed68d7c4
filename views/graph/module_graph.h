// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/graph/graph_layout.h"
#include "views/values/graph_node.h"

#include <QAbstractScrollArea>
#include <QFont>
#include <QHash>
#include <QPainterPath>

#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace binade::views {

class FindBar;

/// A model as boxes and the tensors that pass between them. Modules, branches and loops fold. The wheel zooms at the
/// pointer, dragging pans, F fits. Up and Down go along edges, Left and Right to boxes beside, Backspace to the box
/// around; Space folds, Return selects. Ctrl+F finds by name. The path of an event is drawn in crimson on the boxes and
/// edges from the first cause to its end. Only what is visible is painted; small boxes have no text. The caller
/// supplies values and colours.
class ModuleGraph : public QAbstractScrollArea {
  Q_OBJECT

 public:
  /// Lays out `input` and calls `done` on this thread, at once or later; not at all after the next call.
  using Layouter = std::function<void(LayoutInput input, std::function<void(LayoutPlaces)> done)>;

  explicit ModuleGraph(QWidget* parent = nullptr);

  /// The way to lay out; by default layOut(), at once.
  void setLayouter(Layouter layouter);

  enum class View {
    kNew,   ///< opens boxes level by level while at most 40 are shown
    kKept,  ///< for the same model: boxes with the name and place of an earlier one are folded as that was
  };
  /// Replaces all boxes and edges. Path and selection are forgotten.
  void setNodes(std::vector<GraphNode> nodes, std::vector<GraphEdge> edges = {}, View view = View::kNew);
  /// One entry per node.
  void setShades(std::vector<GraphShade> shades);
  /// One entry per edge.
  void setEdgeShades(std::vector<GraphEdgeShade> shades);
  /// Ids of the path's op calls in order, and the ids of causes. Modules around causes are opened, and the path is
  /// brought into view. `backward`: it runs against the edges.
  void setPath(const std::vector<int>& ids, const std::vector<int>& causes, bool backward = false);
  void setSelected(const std::vector<int>& ids);

  void setFolded(int node, bool folded);
  void setAllFolded(bool folded);
  bool isFolded(int node) const { return folded_[static_cast<std::size_t>(node)]; }
  /// Nodes that no folded box hides, in order of execution.
  const std::vector<int>& shown() const { return shown_; }
  /// Returns whether the path passes through a node that is shown.
  bool isLit(int node) const;
  /// Returns a node's rectangle in the viewport; empty if it is not laid out.
  QRectF boxOf(int node) const;
  /// Edges between shown nodes on the path, from its start to its end. A pair without an edge of the model is drawn
  /// as a dashed line.
  const std::vector<std::pair<int, int>>& pathEdges() const { return lit_edges_; }
  /// Edges between shown nodes, each once.
  std::vector<std::pair<int, int>> links() const;
  /// What the tool tip at a point of the viewport says; empty: nothing.
  QString tipAt(QPointF at) const;
  /// The node that the keys refer to; -1: none.
  int current() const { return current_; }
  /// Makes a shown node the current one, and brings it into view.
  void setCurrent(int node);
  /// The same, and emits activated().
  void activate(int node);
  /// Whether a node can be folded.
  bool isModule(int node) const { return nodes_[static_cast<std::size_t>(node)].id < 0; }
  /// Name, format and overflows, for assistive technology.
  QString spokenName(int node) const;
  /// Changes when nodes get another meaning.
  quint64 generation() const { return generation_; }

  double zoom() const { return zoom_; }
  /// Zooms about a point of the viewport.
  void zoomBy(double factor, QPointF about);
  /// Shows everything, until the user pans or zooms.
  void fit();

  /// Nodes whose name or op call contains `text`, whatever the case, in order of execution; none for an empty text.
  std::vector<int> matches(const QString& text) const;
  /// Goes to the next match after the current node, or the previous one, and opens what hides it. Returns its index in
  /// matches(); -1: none.
  int findNext(const QString& text, bool backwards = false);
  /// Opens the line for finding.
  void openFind();

  /// Return false if the file cannot be written. The picture has everything, at zoom 1; a PNG has `scale` pixels per px
  /// as far as 16,000 pixels allow.
  bool savePng(const QString& file, qreal scale = 2);
  bool saveSvg(const QString& file);
  /// The shown boxes and edges as a text for Graphviz, with names, formats as colours, and shapes. False as above.
  bool saveDot(const QString& file);
  /// Asks for a file and writes the graph to it. The file's ending chooses SVG, PNG or DOT; `ending`, such as `.svg`,
  /// is proposed. A graph that is still being laid out is written
  /// afterwards, unless another model comes first.
  void exportAs(const QString& ending);

  /// Boxes and edges painted in the last frame.
  struct Painted {
    int boxes = 0;
    int edges = 0;
    int texts = 0;
  };
  const Painted& painted() const { return painted_; }

 Q_SIGNALS:
  /// A box was clicked or activated by key; `ids` are the op calls in it.
  void activated(const std::vector<int>& ids);
  /// What was shown last has been laid out.
  void laidOut();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  bool event(QEvent* event) override;
  bool viewportEvent(QEvent* event) override;
  void scrollContentsBy(int dx, int dy) override;

 private:
  /// Edges between two shown nodes, as one line.
  struct Link {
    int from = 0;  ///< nodes
    int to = 0;
    std::vector<std::size_t> edges;  ///< indices of edges_
  };
  /// What is laid out. It stays while what is to be shown next is being laid out.
  struct Picture {
    std::vector<int> shown;
    std::vector<Link> links;
    LayoutPlaces places;
    std::vector<int> row_of;          ///< by node: index of `shown`; -1: not shown
    std::vector<QPainterPath> paths;  ///< of links
    std::vector<QRectF> bounds;       ///< of links
  };
  /// What paints a box, by row.
  struct Mark {
    bool lit = false;
    bool cause = false;
    bool selected = false;
  };
  /// Made once a frame: looking a font up costs more than drawing a name.
  struct Fonts {
    QFont name;
    QFont detail;
    QFont figure;
    QFont strong_figure;
    QFont label;
    QFont strong_label;
  };
  struct Cut {
    QString name;
    QString detail;
    double wide = 0;  ///< of the name
  };

  // module_graph.cpp
  void arrange();
  void place(Picture picture);
  /// Unfolds the modules around a node. Returns whether one was folded.
  bool openAround(int node);
  std::map<QString, bool> foldedByPlace() const;
  QString placeOf(int node) const;
  void mark();
  int nodeOf(int id) const;
  /// Returns the node itself, or the outermost folded box that contains it.
  int standIn(int node) const;
  std::vector<int> callsIn(int node) const;
  // module_graph_path.cpp
  std::vector<int> walk(int from, int to, bool backward) const;
  void findPathEdges();
  // module_graph_view.cpp
  QPointF toView(QPointF point) const;
  QPointF toWorld(QPointF point) const;
  QPointF offset() const;
  QRectF toView(QRectF rect) const { return {toView(rect.topLeft()), rect.size() * zoom_}; }
  QRectF rectOf(int node) const;
  void setZoom(double zoom);
  void updateBars();
  /// Moves the view by px of the viewport.
  void panBy(QPointF distance);
  void scrollTo(QRectF rect);
  void reveal(int node);
  void revealPath();
  void userMoved();
  int nodeAt(QPointF at) const;
  int linkAt(QPointF at) const;
  // module_graph_input.cpp
  int neighbour(int key) const;
  int along(bool down) const;
  bool handleViewKey(QKeyEvent* event);
  void writePicture(const QString& file);
  // module_graph_paint.cpp
  /// Fonts have the same size at any textScale(): the zoom follows it instead, so that boxes grow with their texts.
  static QFont unscaled(QFont font, int pixels);
  void paintAll(QPainter& painter, QRectF visible, double zoom);
  void paintOpenBox(QPainter& painter, int row, double zoom);
  void paintBox(QPainter& painter, int row, double zoom);
  void paintTexts(QPainter& painter, int row, double left);
  void paintEdges(QPainter& painter, QRectF visible, double zoom);
  void paintLink(QPainter& painter, const Link& link, std::size_t index, double zoom);
  void paintPath(QPainter& painter, QRectF visible, double zoom);
  const Cut& cutOf(int node, double width);

  Layouter layouter_;
  std::vector<GraphNode> nodes_;
  std::vector<GraphShade> shades_;
  std::vector<GraphEdge> edges_;
  std::vector<GraphEdgeShade> edge_shades_;
  QHash<int, int> node_of_;                ///< by id
  std::vector<std::pair<int, int>> ends_;  ///< of edges_, as nodes; -1: none
  std::vector<int> depth_;
  std::vector<bool> folded_;
  std::vector<int> shown_;
  Picture picture_;
  std::vector<Mark> marks_;  ///< by row of picture_
  quint64 generation_ = 0;
  QString unwritten_;          ///< file that gets the graph once it is laid out
  quint64 arrangement_ = 0;    ///< the newest; older layouts are dropped
  std::vector<int> path_;      ///< nodes
  std::vector<int> causes_;    ///< nodes
  std::vector<int> selected_;  ///< nodes
  bool backward_ = false;
  std::vector<std::pair<int, int>> lit_edges_;   ///< shown nodes, in the order of the path
  std::vector<std::pair<int, int>> bare_edges_;  ///< of lit_edges_, each once: those without a link of picture_
  std::vector<bool> lit_links_;                  ///< by link of picture_
  int current_ = -1;                             ///< node
  int wanted_ = -1;                              ///< node to be revealed once it is laid out
  double zoom_ = 1;
  double text_scale_ = 1;
  bool fitted_ = false;       ///< shows everything until the user pans or zooms
  bool follow_path_ = false;  ///< keeps the path in view until the user pans, zooms or selects
  bool new_nodes_ = false;    ///< the next layout is the first of its nodes
  std::optional<QPoint> pressed_;
  QPoint dragged_from_;
  bool dragging_ = false;
  FindBar* find_ = nullptr;
  std::map<int, Cut> cuts_;
  Fonts fonts_;
  Painted painted_;
};

}  // namespace binade::views
