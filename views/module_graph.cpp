// SPDX-License-Identifier: Apache-2.0
#include "views/module_graph.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>

namespace binade::views {

namespace {

constexpr std::size_t kLookedOver = 40;  // most boxes that are shown initially

}  // namespace

ModuleGraph::ModuleGraph(QWidget* parent) : QAbstractScrollArea(parent) {
  setFrameShape(QFrame::NoFrame);
  setFocusPolicy(Qt::StrongFocus);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setAccessibleName(tr("Modules in order of execution"));
  connect(verticalScrollBar(), &QScrollBar::actionTriggered, this, [this] { follow_path_ = false; });
}

void ModuleGraph::setNodes(std::vector<GraphNode> nodes) {
  nodes_ = std::move(nodes);
  shades_.assign(nodes_.size(), {});
  depth_.assign(nodes_.size(), 0);
  folded_.assign(nodes_.size(), true);
  row_of_.assign(nodes_.size(), -1);
  path_.clear();
  causes_.clear();
  selected_.clear();
  current_ = -1;
  std::vector<std::size_t> at_depth;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const int parent = nodes_[i].parent;
    depth_[i] = parent < 0 ? 0 : depth_[static_cast<std::size_t>(parent)] + 1;
    at_depth.resize(std::max(at_depth.size(), static_cast<std::size_t>(depth_[i]) + 1));
    ++at_depth[static_cast<std::size_t>(depth_[i])];
  }
  std::size_t boxes = 0;
  std::size_t open = 0;  // number of levels that are opened
  for (std::size_t depth = 0; depth < at_depth.size(); ++depth) {
    boxes += at_depth[depth];
    if (boxes <= kLookedOver) open = depth;
  }
  for (std::size_t i = 0; i < nodes_.size(); ++i) folded_[i] = static_cast<std::size_t>(depth_[i]) >= open;
  layOut();
}

void ModuleGraph::setShades(std::vector<GraphShade> shades) {
  shades_ = std::move(shades);
  shades_.resize(nodes_.size());
  viewport()->update();
}

int ModuleGraph::nodeOf(int id) const {
  const auto found = std::find_if(nodes_.begin(), nodes_.end(), [id](const GraphNode& node) { return node.id == id; });
  return id < 0 || found == nodes_.end() ? -1 : static_cast<int>(found - nodes_.begin());
}

void ModuleGraph::setPath(const std::vector<int>& ids, const std::vector<int>& causes) {
  path_.clear();
  causes_.clear();
  for (const int id : ids) {
    if (const int node = nodeOf(id); node >= 0) path_.push_back(node);
  }
  for (const int id : causes) {
    const int node = nodeOf(id);
    if (node < 0) continue;
    causes_.push_back(node);
    for (int around = nodes_[static_cast<std::size_t>(node)].parent; around >= 0;
         around = nodes_[static_cast<std::size_t>(around)].parent)
      folded_[static_cast<std::size_t>(around)] = false;
  }
  layOut();
  follow_path_ = true;
  revealPath();
}

// Scrolls to as much of the path as fits, and always to the first cause.
void ModuleGraph::revealPath() {
  for (auto node = path_.rbegin(); node != path_.rend(); ++node)
    reveal(row_of_[static_cast<std::size_t>(standIn(*node))]);
  if (!causes_.empty()) reveal(row_of_[static_cast<std::size_t>(standIn(causes_.front()))]);
}

void ModuleGraph::setSelected(const std::vector<int>& ids) {
  selected_.clear();
  for (const int id : ids) {
    if (const int node = nodeOf(id); node >= 0) selected_.push_back(node);
  }
  if (selected_.size() == 1) reveal(row_of_[static_cast<std::size_t>(standIn(selected_.front()))]);
  viewport()->update();
}

void ModuleGraph::setFolded(int node, bool folded) {
  if (!isModule(node) || isFolded(node) == folded) return;
  const int current = current_ < 0 ? -1 : shown_[static_cast<std::size_t>(current_)];
  folded_[static_cast<std::size_t>(node)] = folded;
  layOut();
  current_ = current < 0 ? -1 : row_of_[static_cast<std::size_t>(standIn(current))];
}

int ModuleGraph::standIn(int node) const {
  int shown = node;
  for (int around = nodes_[static_cast<std::size_t>(node)].parent; around >= 0;
       around = nodes_[static_cast<std::size_t>(around)].parent) {
    if (isFolded(around)) shown = around;
  }
  return shown;
}

bool ModuleGraph::isLit(int node) const {
  return std::any_of(path_.begin(), path_.end(), [&](int each) { return standIn(each) == node; });
}

int ModuleGraph::rowAt(QPointF at) const {
  for (int row = 0; row < static_cast<int>(shown_.size()); ++row) {
    if (boxOfRow(row).contains(at)) return row;
  }
  return -1;
}

void ModuleGraph::setCurrent(int row) {
  if (shown_.empty()) return;
  current_ = std::clamp(row, 0, static_cast<int>(shown_.size()) - 1);
  setAccessibleDescription(nodes_[static_cast<std::size_t>(shown_[static_cast<std::size_t>(current_)])].name);
  follow_path_ = false;
  reveal(current_);
  viewport()->update();
}

void ModuleGraph::activate(int row) {
  if (row < 0) return;
  setCurrent(row);
  const int node = shown_[static_cast<std::size_t>(row)];
  std::vector<int> ids;
  for (int i = node; i < static_cast<int>(nodes_.size()); ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (i > node && depth_[at] <= depth_[static_cast<std::size_t>(node)]) break;
    if (nodes_[at].id >= 0) ids.push_back(nodes_[at].id);
  }
  Q_EMIT activated(ids);
}

void ModuleGraph::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  const int row = rowAt(event->position());
  if (row < 0) return;
  const int node = shown_[static_cast<std::size_t>(row)];
  const bool on_arrow = isModule(node) && event->position().x() < boxOfRow(row).left() + 26;
  if (on_arrow) return setFolded(node, !isFolded(node));
  activate(row);
}

// Accepts the release that belongs to an accepted press.
void ModuleGraph::mouseReleaseEvent(QMouseEvent*) {}

void ModuleGraph::mouseDoubleClickEvent(QMouseEvent* event) {
  const int row = rowAt(event->position());
  if (row >= 0) setFolded(shown_[static_cast<std::size_t>(row)], !isFolded(shown_[static_cast<std::size_t>(row)]));
}

void ModuleGraph::keyPressEvent(QKeyEvent* event) {
  const int node = current_ < 0 ? -1 : shown_[static_cast<std::size_t>(current_)];
  switch (event->key()) {
    case Qt::Key_Down:
      return setCurrent(current_ + 1);
    case Qt::Key_Up:
      return setCurrent(current_ - 1);
    case Qt::Key_Home:
      return setCurrent(0);
    case Qt::Key_End:
      return setCurrent(static_cast<int>(shown_.size()) - 1);
    case Qt::Key_Right:
      return node < 0 ? void() : setFolded(node, false);
    case Qt::Key_Left:
      if (node < 0) return;
      if (isModule(node) && !isFolded(node)) return setFolded(node, true);
      if (const int around = nodes_[static_cast<std::size_t>(node)].parent; around >= 0)
        setCurrent(row_of_[static_cast<std::size_t>(around)]);
      return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
      return activate(current_);
    default:
      return QAbstractScrollArea::keyPressEvent(event);
  }
}

bool ModuleGraph::viewportEvent(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    auto* help = static_cast<QHelpEvent*>(event);
    const int row = rowAt(help->pos());
    QToolTip::showText(
        help->globalPos(),
        row < 0 ? QString() : nodes_[static_cast<std::size_t>(shown_[static_cast<std::size_t>(row)])].tip, viewport());
    return true;
  }
  return QAbstractScrollArea::viewportEvent(event);
}

void ModuleGraph::wheelEvent(QWheelEvent* event) {
  follow_path_ = false;  // the user scrolled
  QAbstractScrollArea::wheelEvent(event);
}

void ModuleGraph::resizeEvent(QResizeEvent*) {
  layOut();
  if (follow_path_) revealPath();
}

}  // namespace binade::views
