// SPDX-License-Identifier: Apache-2.0
#include "engine/graph/inliner.h"

#include "engine/graph/wrapped_nodes.h"

#include <torch/csrc/jit/api/function_impl.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/passes/dead_code_elimination.h>

#include <charconv>
#include <map>
#include <sstream>
#include <unordered_map>

namespace binade::graph {

namespace jit = torch::jit;

namespace {

/// Path of a receiver that is not reached through attributes alone.
constexpr const char* kUnknownPath = "?";

/// Separates the ordinal from the path and method in a node's scope; cannot occur in TorchScript names.
constexpr char kOrdinalMark = '#';

class Inliner {
 public:
  Inliner(const jit::Module* root, std::string path, jit::Value* self) : root_(root), path_(std::move(path)) {
    if (root_ != nullptr) paths_[self] = "";
  }

  void run(jit::Block* block) {
    for (auto it = block->nodes().begin(); it != block->nodes().end();) {
      jit::Node* node = *it;
      if (is_call(node)) {
        jit::Node* before = node->prev();
        if (inline_call(node)) {
          it = before == block->param_node() ? block->nodes().begin()
                                             : ++jit::graph_node_list_iterator(before, jit::kNextDirection);
          continue;  // the inlined nodes may contain calls
        }
      }
      for (jit::Block* inner : node->blocks()) run(inner);
      ++it;
    }
  }

  const std::vector<std::string>& opaque() const { return opaque_; }
  /// Called before the graph is walked again, which finds the opaque calls again.
  void forget_opaque() { opaque_.clear(); }

 private:
  static bool is_call(const jit::Node* node) {
    return node->kind() == c10::prim::CallMethod || node->kind() == c10::prim::CallFunction;
  }

  bool inline_call(jit::Node* node) {
    // Constructors of autocast objects must stay calls; see own_blocks.h.
    if (node->kind() == c10::prim::CallMethod && is_autocast_object(node->input(0))) return false;
    jit::GraphFunction* callee = nullptr;
    std::string scope;
    jit::Value* self = nullptr;
    if (node->kind() == c10::prim::CallMethod) {
      self = node->input(0);
      const std::string path = path_of(self);
      resolve_interface(self, path);
      const std::string& method = node->s(c10::attr::name);
      if (const auto type = self->type()->cast<c10::ClassType>()) {
        callee = jit::tryToGraphFunction(type->getMethod(method));
      }
      scope = method == "forward" ? path : path + "::" + method;
      if (callee == nullptr) opaque_.push_back(path + "." + method + "() cannot be inlined and runs as one call");
    } else {
      const auto type = node->input(0)->type()->expect<c10::FunctionType>();
      callee = jit::tryToGraphFunction(*type->function());
      scope = scope_text(*node);
      if (callee == nullptr) opaque_.push_back(type->function()->name() + "() cannot be inlined and runs as one call");
    }
    if (callee == nullptr) return false;
    if (callee->qualname().qualifiedName() == kAutocastCheck && node->output()->uses().empty()) {
      node->destroy();
      return true;
    }

    callee->ensure_defined();
    jit::Node* before = node->prev();
    jit::Node* after = node->next();
    const std::string self_path = self != nullptr ? path_of(self) : "";
    if (self == nullptr) node->removeInput(0);
    jit::inlineCallTo(node, callee, callee->graph().get());
    if (self != nullptr) paths_[self] = self_path;
    for (jit::Node* inlined = before->next(); inlined != after; inlined = inlined->next()) set_scope(inlined, scope);
    return true;
  }

  /// Gives an attribute typed as an interface the type of the object that it holds.
  void resolve_interface(jit::Value* self, const std::string& path) const {
    if (self->type()->kind() != c10::TypeKind::InterfaceType || root_ == nullptr || path == kUnknownPath) return;
    c10::IValue object = root_->_ivalue();
    std::istringstream parts(path);
    for (std::string part; std::getline(parts, part, '.');) {
      if (!object.isObject()) return;
      object = object.toObject()->getAttr(part);
    }
    if (object.isObject()) self->setType(object.toObject()->type());
  }

  /// Follows `self.a.b` back to a value whose path is known.
  std::string path_of(jit::Value* value) const {
    std::vector<std::string> parts;
    while (true) {
      if (const auto known = paths_.find(value); known != paths_.end()) {
        std::string path = known->second;
        for (auto part = parts.rbegin(); part != parts.rend(); ++part) path += (path.empty() ? "" : ".") + *part;
        return path;
      }
      const jit::Node* node = value->node();
      if (node->kind() != c10::prim::GetAttr) return kUnknownPath;
      parts.push_back(node->s(c10::attr::name));
      value = node->input(0);
    }
  }

  std::string scope_text(jit::Node& node) const {
    return node.scope()->isBlank() ? path_ : node.scope()->name().toUnqualString();
  }

  void set_scope(jit::Node* node, const std::string& scope) const {
    const std::string text = scope.empty() ? "<root>" : scope;
    node->setScope(c10::make_intrusive<jit::Scope>()->push(c10::Symbol::scope(text)));
    for (jit::Block* block : node->blocks()) {
      for (jit::Node* inner : block->nodes()) set_scope(inner, scope);
    }
  }

  const jit::Module* root_;
  std::string path_;
  std::unordered_map<const jit::Value*, std::string> paths_;
  std::vector<std::string> opaque_;
};

bool holds_tensor(const c10::TypePtr& type) {
  if (type->isSubtypeOf(*c10::TensorType::get())) return true;
  if (const auto optional = type->cast<c10::OptionalType>()) return holds_tensor(optional->getElementType());
  if (const auto list = type->cast<c10::ListType>()) return holds_tensor(list->getElementType());
  if (const auto tuple = type->cast<c10::TupleType>()) {
    for (const auto& element : tuple->elements()) {
      if (holds_tensor(element)) return true;
    }
  }
  return false;
}

/// Ordinals are assigned on the raw graph, before any clean-up, so that they do not depend on LibTorch's passes.
void number_sites(jit::Block* block, const std::string& path, std::map<std::string, int>& next) {
  for (jit::Node* node : block->nodes()) {
    for (jit::Block* inner : node->blocks()) number_sites(inner, path, next);
    if (!is_site(*node)) continue;
    std::string scope = node->scope()->isBlank() ? path : node->scope()->name().toUnqualString();
    if (scope == "<root>") scope.clear();
    const int ordinal = next[scope + "/" + node->kind().toQualString()]++;
    node->setScope(
        c10::make_intrusive<jit::Scope>()->push(c10::Symbol::scope(scope + kOrdinalMark + std::to_string(ordinal))));
  }
}

/// Replaces each fork by the ops that it runs; returns whether there was one. A future that is only waited for is
/// removed; one kept in a list becomes a completed future. (LibTorch's InlineForkWait replaces every future by a
/// tensor, which a list of futures does not accept.)
bool inline_forks(jit::Graph& graph, jit::Block* block) {
  bool any = false;
  for (auto it = block->nodes().begin(); it != block->nodes().end();) {
    jit::Node* fork = *it++;
    for (jit::Block* inner : fork->blocks()) any = inline_forks(graph, inner) || any;
    if (fork->kind() != c10::prim::fork) continue;
    any = true;
    for (jit::Node* inner : fork->g(c10::attr::Subgraph)->nodes()) inner->setScope(fork->scope());
    const jit::WithInsertPoint here(fork);
    jit::Value* result = jit::insertGraph(graph, *fork->g(c10::attr::Subgraph), fork->inputs()).at(0);
    const std::vector<jit::Use> uses = fork->output()->uses();
    for (const jit::Use& use : uses) {
      if (use.user->kind() != c10::aten::wait) continue;
      use.user->output()->replaceAllUsesWith(result);
      // The iterator is at the node after the fork, which may be this wait.
      if (it != block->nodes().end() && *it == use.user) ++it;
      use.user->destroy();
    }
    if (fork->output()->hasUses()) {
      jit::Node* future = graph.create(completed_future_symbol(), {result}, 1);
      future->output()->setType(fork->output()->type());
      future->copyMetadata(fork);
      future->insertBefore(fork);
      fork->output()->replaceAllUsesWith(future->output());
    }
    fork->destroy();
  }
  return any;
}

}  // namespace

Inlined inline_with_paths(std::shared_ptr<jit::Graph>& graph, const jit::Module* root, const std::string& path) {
  Inliner inliner(root, path, graph->inputs().empty() ? nullptr : graph->inputs()[0]);
  inliner.run(graph->block());
  // An inlined method may fork and a forked part may call, so both steps repeat until no fork is left.
  Inlined done;
  while (inline_forks(*graph, graph->block())) {
    done.forked = true;
    inliner.forget_opaque();
    inliner.run(graph->block());
  }
  done.own_blocks = take_own_blocks(*graph, root);
  std::map<std::string, int> next;
  number_sites(graph->block(), path, next);
  jit::EliminateDeadCode(graph);
  done.opaque = inliner.opaque();
  return done;
}

policy::SiteKey key_of(jit::Node& node) {
  policy::SiteKey key;
  const std::string scope = node.scope()->name().toUnqualString();
  const std::size_t mark = scope.rfind(kOrdinalMark);
  std::from_chars(scope.data() + mark + 1, scope.data() + scope.size(), key.ordinal);
  key.path = scope.substr(0, mark);
  if (const std::size_t method = key.path.find("::"); method != std::string::npos) {
    key.method = key.path.substr(method + 2);
    key.path.resize(method);
  }
  key.op = node.kind().toQualString();
  key.overload = node.schema().overload_name();
  return key;
}

bool is_site(jit::Node& node) {
  if (!node.kind().is_aten()) return false;
  const auto* op = node.maybeOperator();
  if (op == nullptr || !op->hasOperation()) return false;
  bool takes = false;
  bool gives = false;
  for (const jit::Value* input : node.inputs()) takes = takes || holds_tensor(input->type());
  for (const jit::Value* output : node.outputs()) gives = gives || holds_tensor(output->type());
  return takes && gives;
}

}  // namespace binade::graph
