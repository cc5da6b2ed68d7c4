// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/ivalue.h>
#include <torch/csrc/jit/ir/ir.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

namespace binade::graph {

constexpr std::int64_t kUnknownSize = -1;
using Sizes = std::vector<std::int64_t>;

inline bool known_sizes(const Sizes& sizes) {
  return std::find(sizes.begin(), sizes.end(), kUnknownSize) == sizes.end();
}
inline std::int64_t product(const Sizes& sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), std::int64_t{1}, std::multiplies<>());
}
/// Of a dimension that may be counted from the end.
inline std::size_t place_of_dim(std::int64_t dim, std::size_t dims) {
  return static_cast<std::size_t>(dim < 0 ? dim + static_cast<std::int64_t>(dims) : dim);
}

/// A weight of the model that a size was held against.
struct MetWeight {
  std::string name;
  Sizes sizes;
};

/// What becomes of one input of a flat graph with this shape, op by op, as far as the ops' rules and the weights tell;
/// nothing runs. What is not known stays so, and refuses nothing.
class ShapeTrial {
 public:
  /// `self`: the model. All must outlive the trial.
  ShapeTrial(const torch::jit::Graph& graph, const c10::IValue& self) : graph_(graph), self_(self) {}

  /// False where an op would refuse the shape.
  bool run(const torch::jit::Value* input, const Sizes& sizes);
  /// Nodes that runs have looked at, to bound how much is tried.
  std::size_t work() const { return work_; }
  /// The weights that its sizes fitted, in the order in which they were met.
  const std::vector<MetWeight>& met() const { return met_; }

  /// The attribute of the model, or the constant, that a value is; nothing for what is computed.
  std::optional<c10::IValue> fixed(const torch::jit::Value* value) const;
  /// The name of such an attribute, `conv1.weight`.
  static std::string name_of(const torch::jit::Value* value);

 private:
  struct Refused {};
  using Node = torch::jit::Node;
  using Value = torch::jit::Value;

  void block(const torch::jit::Block& block);
  void node(const Node& node);
  void branch(const Node& node);
  void loop(const Node& node);
  void list(const Node& node);
  /// The shape of what a known op makes; nothing for others.
  std::optional<Sizes> made(const Node& node, const std::string& op);
  std::optional<Sizes> convolved(const Node& node, const std::string& op, const Sizes& x);
  std::optional<Sizes> pooled(const Node& node, const std::string& op, const Sizes& x);
  std::optional<Sizes> multiplied(const Node& node, const std::string& op);
  std::optional<Sizes> rearranged(const Node& node, const std::string& op, const Sizes& x);
  std::optional<Sizes> joined(const Node& node);
  std::optional<Sizes> viewed(const Sizes& x, const Sizes& wanted) const;
  std::optional<Sizes> recurrent(const Node& node, const std::string& op, const Sizes& x);
  std::optional<Sizes> normalised(const Node& node, const std::string& op, const Sizes& x);
  static Sizes broadcast(const Sizes& a, const Sizes& b);

  std::optional<Sizes> shape(const Value* value) const;
  std::optional<std::int64_t> number(const Value* value) const;
  std::optional<Sizes> numbers(const Value* value) const;
  /// Of `count` numbers, where one may stand for all.
  std::optional<Sizes> numbers(const Value* value, std::size_t count) const;
  /// That a size is the weight's; notes the weight.
  void hold(std::int64_t size, std::int64_t wanted, const Value* weight, const Sizes& of_list = {});
  /// What is known of one value is known of another.
  void same(const Value* from, const Value* to);
  std::optional<bool> is_none(const Value* value) const;
  bool compared(const Node& node, const std::string& op);

  const torch::jit::Graph& graph_;
  const c10::IValue& self_;
  std::map<const Value*, Sizes> shapes_;          ///< of tensors
  std::map<const Value*, Sizes> lists_;           ///< of whole numbers
  std::map<const Value*, std::int64_t> numbers_;  ///< whole, and truths
  std::map<const Value*, std::vector<Sizes>> tensor_lists_;
  std::vector<MetWeight> met_;
  std::size_t work_ = 0;
};

}  // namespace binade::graph
