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
/// Index of a dimension that may be counted from the end.
inline std::size_t place_of_dim(std::int64_t dim, std::size_t dims) {
  return static_cast<std::size_t>(dim < 0 ? dim + static_cast<std::int64_t>(dims) : dim);
}

/// A weight of the model that a size was compared with.
struct MetWeight {
  std::string name;
  Sizes sizes;
};

/// Propagates the shape of one input through a flat graph, as far as the ops' shape rules and the weights determine it.
/// No op runs. An unknown shape stays unknown and causes no refusal.
class ShapeTrial {
 public:
  /// `self` is the model. Both must outlive the trial.
  ShapeTrial(const torch::jit::Graph& graph, const c10::IValue& self) : graph_(graph), self_(self) {}

  /// Returns false if some op would refuse the shape.
  bool run(const torch::jit::Value* input, const Sizes& sizes);
  /// Number of nodes visited by all runs, to limit the effort.
  std::size_t work() const { return work_; }
  /// Weights that sizes of the last run matched, in the order of use.
  const std::vector<MetWeight>& met() const { return met_; }

  /// Shape of a value in the last run; null: unknown. An unknown size is kUnknownSize.
  const Sizes* sizes_of(const torch::jit::Value* value) const {
    const auto found = shapes_.find(value);
    return found == shapes_.end() ? nullptr : &found->second;
  }

  /// The model's attribute or the constant that a value refers to; empty for a computed value.
  std::optional<c10::IValue> fixed(const torch::jit::Value* value) const;
  /// Name of such an attribute: `conv1.weight`.
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
  /// Shape of a known op's result; empty for other ops.
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
  /// A list of `count` numbers, or one number that stands for all.
  std::optional<Sizes> numbers(const Value* value, std::size_t count) const;
  /// Requires that a size equals the weight's, and notes the weight.
  void hold(std::int64_t size, std::int64_t wanted, const Value* weight, const Sizes& of_list = {});
  /// Copies everything known about one value to another.
  void same(const Value* from, const Value* to);
  std::optional<bool> is_none(const Value* value) const;
  bool compared(const Node& node, const std::string& op);

  const torch::jit::Graph& graph_;
  const c10::IValue& self_;
  std::map<const Value*, Sizes> shapes_;          ///< of tensors
  std::map<const Value*, Sizes> lists_;           ///< of lists of integers
  std::map<const Value*, std::int64_t> numbers_;  ///< integers and booleans
  std::map<const Value*, std::vector<Sizes>> tensor_lists_;
  std::vector<MetWeight> met_;
  std::size_t work_ = 0;
};

}  // namespace binade::graph
