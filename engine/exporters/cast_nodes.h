// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/op_traits.h"

#include <ATen/core/Tensor.h>
#include <c10/core/ScalarType.h>

#include <map>
#include <set>
#include <string>
#include <vector>

namespace torch::jit {
struct Graph;
struct Module;
struct Node;
struct Value;
}  // namespace torch::jit

namespace binade::exporters {

/// Writes casts into a method's graph. A parameter's cast is written once, at the first op that uses it or before the
/// branch or loop that this one stands in, however many ops use it: as Autocast's cache does, so that the gradients of
/// all uses meet in the low dtype, and that sum in its turn with those of other uses. Ops must come in their order.
/// What must look at dtypes when it runs calls small functions that are added to the module's file.
class CastNodes {
 public:
  /// Both must outlive this. Parameters in `written` change while the graph runs: their casts stay where they are.
  CastNodes(torch::jit::Graph& graph, const torch::jit::Module& module, std::set<const void*> written);

  /// `value`, a tensor, an optional one or a list, in `to`, whatever dtype it comes in. `there`: an optional is never
  /// None. `shared`: a parameter's cast serves later ops.
  torch::jit::Value* cast(torch::jit::Node* before, torch::jit::Value* value, at::ScalarType to, bool there,
                          bool shared);
  /// The same, of what turns out to be floating point and not float64, to the dtype that `to` turns out to be; below 0
  /// casts nothing.
  torch::jit::Value* cast_if_eligible(torch::jit::Node* before, torch::jit::Value* value, torch::jit::Value* to);

  /// What the rule `promote` or `follow` makes of these arguments, known when they are there.
  torch::jit::Value* promoted(torch::jit::Node* before, const std::vector<torch::jit::Value*>& tensors,
                              at::ScalarType low);
  torch::jit::Value* widest(torch::jit::Node* before, const std::vector<torch::jit::Value*>& tensors);

  /// The dtype argument `given` (may be None), or float32 where `self` is eligible.
  torch::jit::Value* filled_dtype(torch::jit::Node* before, torch::jit::Value* self, torch::jit::Value* given);
  /// The dtype that a norm of `self` is computed in.
  torch::jit::Value* norm_dtype(torch::jit::Node* before, torch::jit::Value* self);

  /// Has the graph warn at its start where autocast is on around it for the device of its tensors: LibTorch's
  /// dispatcher casts the arguments of every op on its lists, and nothing that a graph can hold switches it off.
  void warn_in_autocast();

  torch::jit::Value* dtype(torch::jit::Node* before, at::ScalarType to);
  int casts() const { return casts_; }
  int looked_at() const { return looked_at_; }

  /// The parameter that a value is, reached by attributes from the module; undefined for others.
  at::Tensor parameter(const torch::jit::Value* value) const;

 private:
  /// Calls one of the functions that look at dtypes when the file runs.
  torch::jit::Value* look(torch::jit::Node* before, const std::string& function,
                          const std::vector<torch::jit::Value*>& arguments);
  torch::jit::Value* call(torch::jit::Node* before, const std::string& function,
                          const std::vector<torch::jit::Value*>& arguments);
  torch::jit::Value* list_of(torch::jit::Node* before, const std::vector<torch::jit::Value*>& tensors);
  torch::jit::Value* to_node(torch::jit::Node* before, torch::jit::Value* tensor, at::ScalarType to);
  torch::jit::Value* shared_cast(torch::jit::Node* before, const std::vector<std::string>& path,
                                 const at::Tensor& tensor, at::ScalarType to);
  std::vector<std::string> path_of(const torch::jit::Value* value) const;

  torch::jit::Graph& graph_;
  const torch::jit::Module& module_;
  std::set<const void*> written_;
  std::map<std::pair<const void*, at::ScalarType>, torch::jit::Value*> shared_;
  int casts_ = 0;
  int looked_at_ = 0;
};

}  // namespace binade::exporters
