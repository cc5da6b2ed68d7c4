// SPDX-License-Identifier: Apache-2.0
#include "views/graph/graph_accessible.h"

#include "views/graph/module_graph.h"

#include <QAccessibleWidget>
#include <QHash>
#include <QPointer>

#include <algorithm>

namespace binade::views {

namespace {

/// A box. Invalid once the graph has other boxes.
class BoxAccessible : public QAccessibleInterface, public QAccessibleActionInterface {
 public:
  BoxAccessible(ModuleGraph* graph, int node) : graph_(graph), node_(node), generation_(graph->generation()) {}

  bool isValid() const override { return graph_ && graph_->generation() == generation_; }
  QObject* object() const override { return nullptr; }
  QAccessibleInterface* parent() const override {
    return graph_ ? QAccessible::queryAccessibleInterface(graph_.data()) : nullptr;
  }
  QAccessibleInterface* child(int) const override { return nullptr; }
  QAccessibleInterface* childAt(int, int) const override { return nullptr; }
  int childCount() const override { return 0; }
  int indexOfChild(const QAccessibleInterface*) const override { return -1; }
  QString text(QAccessible::Text kind) const override {
    return isValid() && kind == QAccessible::Name ? graph_->spokenName(node_) : QString();
  }
  void setText(QAccessible::Text, const QString&) override {}
  QRect rect() const override {
    if (!isValid()) return {};
    const QRect box = graph_->boxOf(node_).toAlignedRect();
    return {graph_->viewport()->mapToGlobal(box.topLeft()), box.size()};
  }
  QAccessible::Role role() const override { return QAccessible::TreeItem; }
  QAccessible::State state() const override {
    QAccessible::State state;
    if (!isValid()) {
      state.invalid = true;
      return state;
    }
    state.focusable = state.selectable = true;
    state.focused = graph_->current() == node_ && graph_->hasFocus();
    state.offscreen = !graph_->viewport()->rect().intersects(graph_->boxOf(node_).toAlignedRect());
    state.expandable = graph_->isModule(node_);
    state.expanded = state.expandable && !graph_->isFolded(node_);
    state.collapsed = state.expandable && graph_->isFolded(node_);
    return state;
  }
  void* interface_cast(QAccessible::InterfaceType type) override {
    return type == QAccessible::ActionInterface ? static_cast<QAccessibleActionInterface*>(this) : nullptr;
  }

  QStringList actionNames() const override {
    QStringList names{pressAction(), setFocusAction()};
    if (isValid() && graph_->isModule(node_)) names << toggleAction();
    return names;
  }
  void doAction(const QString& name) override {
    if (!isValid()) return;
    if (name == pressAction()) graph_->activate(node_);
    if (name == setFocusAction()) graph_->setCurrent(node_);
    if (name == toggleAction()) graph_->setFolded(node_, !graph_->isFolded(node_));
  }
  QStringList keyBindingsForAction(const QString&) const override { return {}; }

 private:
  QPointer<ModuleGraph> graph_;
  int node_;
  quint64 generation_;
};

class GraphAccessible : public QAccessibleWidget {
 public:
  explicit GraphAccessible(ModuleGraph* graph) : QAccessibleWidget(graph, QAccessible::Tree), graph_(graph) {}
  ~GraphAccessible() override { forget(); }

  int childCount() const override { return static_cast<int>(graph_->shown().size()); }
  QAccessibleInterface* child(int index) const override {
    if (index < 0 || index >= childCount()) return nullptr;
    return box(graph_->shown()[static_cast<std::size_t>(index)]);
  }
  int indexOfChild(const QAccessibleInterface* child) const override {
    for (auto known = boxes_.cbegin(); known != boxes_.cend(); ++known) {
      if (QAccessible::accessibleInterface(known.value()) != child) continue;
      const auto& shown = graph_->shown();
      const auto found = std::find(shown.begin(), shown.end(), known.key());
      return found == shown.end() ? -1 : static_cast<int>(found - shown.begin());
    }
    return -1;
  }
  QAccessibleInterface* childAt(int x, int y) const override {
    for (int i = childCount(); i-- > 0;) {
      if (child(i)->rect().contains(x, y)) return child(i);
    }
    return nullptr;
  }
  QAccessibleInterface* focusChild() const override { return graph_->current() < 0 ? nullptr : box(graph_->current()); }

 private:
  QAccessibleInterface* box(int node) const {
    if (generation_ != graph_->generation()) forget();
    generation_ = graph_->generation();
    const auto known = boxes_.constFind(node);
    if (known != boxes_.constEnd()) return QAccessible::accessibleInterface(*known);
    auto* made = new BoxAccessible(graph_, node);
    boxes_.insert(node, QAccessible::registerAccessibleInterface(made));
    return made;
  }
  void forget() const {
    for (const QAccessible::Id id : std::as_const(boxes_)) QAccessible::deleteAccessibleInterface(id);
    boxes_.clear();
  }

  ModuleGraph* graph_;
  mutable quint64 generation_ = 0;
  mutable QHash<int, QAccessible::Id> boxes_;  ///< by node; made when they are asked for
};

QAccessibleInterface* graphInterface(const QString&, QObject* object) {
  auto* graph = qobject_cast<ModuleGraph*>(object);
  return graph == nullptr ? nullptr : new GraphAccessible(graph);
}

}  // namespace

void installGraphAccessibility() {
  static const bool installed = [] {
    QAccessible::installFactory(graphInterface);
    return true;
  }();
  static_cast<void>(installed);
}

}  // namespace binade::views
