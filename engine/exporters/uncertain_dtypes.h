// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <c10/core/ScalarType.h>

#include <functional>
#include <optional>
#include <unordered_set>

namespace torch::jit {
struct Block;
struct Graph;
struct Node;
struct Value;
}  // namespace torch::jit

namespace binade::exporters {

/// Values whose dtype one run cannot determine: results of an `if` whose branches differ, values carried by a loop,
/// elements of a list or dictionary, and everything computed from them. Must be constructed before the graph is
/// changed.
class UncertainDtypes {
 public:
  /// Returns the dtype to which a node casts its tensors in every case, so that its results do not depend on them;
  /// nullopt for other nodes.
  using CastsTo = std::function<std::optional<at::ScalarType>(const torch::jit::Node&)>;

  UncertainDtypes(const torch::jit::Graph& graph, CastsTo casts_to);

  bool contains(const torch::jit::Value* value) const { return values_.contains(value); }
  /// Returns whether one of the node's inputs is such a value.
  bool reach(const torch::jit::Node& node) const;

 private:
  void visit(const torch::jit::Block& block);
  void visit_branches(const torch::jit::Node& node);
  void visit_loop(const torch::jit::Node& node);
  void visit_call(const torch::jit::Node& node);
  void add(const torch::jit::Value* value);
  bool has_several_dtypes(const torch::jit::Node& node) const;
  bool differ(const torch::jit::Value* a, const torch::jit::Value* b) const;
  std::optional<at::ScalarType> dtype_of(const torch::jit::Value* value) const;

  CastsTo casts_to_;
  std::unordered_set<const torch::jit::Value*> values_;
  bool changed_ = false;
};

}  // namespace binade::exporters
