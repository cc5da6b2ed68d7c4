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
  /// `graph` and `module` must outlive this. The parameters in `written` are modified while the graph runs, so their
  /// casts stay next to each use.
  CastNodes(torch::jit::Graph& graph, const torch::jit::Module& module, std::set<const void*> written);

  /// `value`, a tensor, an optional one or a list, in `to`, whatever dtype it comes in. `there`: an optional is never
  /// None. `shared`: a parameter's cast serves later ops.
  torch::jit::Value* cast(torch::jit::Node* before, torch::jit::Value* value, at::ScalarType to, bool there,
                          bool shared);
  /// Casts `value` to the dtype that `to` has at run time, if it is floating point and not float64. A negative `to`
  /// casts nothing.
  torch::jit::Value* cast_if_eligible(torch::jit::Node* before, torch::jit::Value* value, torch::jit::Value* to);

  /// Return the dtype that the rules `promote` and `follow` choose for these arguments, computed at run time.
  torch::jit::Value* promoted(torch::jit::Node* before, const std::vector<torch::jit::Value*>& tensors,
                              at::ScalarType low);
  torch::jit::Value* widest(torch::jit::Node* before, const std::vector<torch::jit::Value*>& tensors);

  /// Returns `given`, an optional dtype; if it is None and `self` is eligible, float32.
  torch::jit::Value* filled_dtype(torch::jit::Node* before, torch::jit::Value* self, torch::jit::Value* given);
  /// Returns the dtype in which the norm of `self` is computed.
  torch::jit::Value* norm_dtype(torch::jit::Node* before, torch::jit::Value* self);

  /// Makes the graph warn at its start if autocast is enabled for its tensors' device. The dispatcher would then cast
  /// the arguments of every listed op again, and a graph cannot disable autocast.
  void warn_in_autocast();

  torch::jit::Value* dtype(torch::jit::Node* before, at::ScalarType to);
  int casts() const { return casts_; }
  int looked_at() const { return looked_at_; }

  /// Returns the parameter that `value` reads by attributes from the module; undefined for other values.
  at::Tensor parameter(const torch::jit::Value* value) const;

 private:
  /// Calls a function that checks dtypes at run time.
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
