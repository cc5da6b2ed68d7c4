// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/site_hook.h"

#include <optional>
#include <vector>

namespace binade::compare {

/// A call's arguments, widened to float32, for running its op a second time: the result that the op would have given in
/// float32 on the same values.
class Float32Call {
 public:
  /// Copies the arguments of a call before they are cast. nullopt for views and for ops that write an argument or draw
  /// random numbers, since rerunning those would change the run or give other values.
  static std::optional<Float32Call> of(const graph::Call& call);

  /// For a call that converts `argument` to another dtype; in float32 it is the identity.
  static Float32Call of_conversion(const at::Tensor& argument);

  /// Runs the op and returns its first result. nullopt if the op throws in float32, also for lack of memory, or
  /// returns no tensor.
  std::optional<at::Tensor> run(const graph::Site& site);

  /// Call after run(), at most once. Returns the gradient for each argument that requires one (undefined if it gets
  /// none), given the unscaled gradient of the result. Empty if there is no backward or it fails, also for lack of
  /// memory.
  std::vector<at::Tensor> backward(const at::Tensor& gradient);
  /// The arguments that require a gradient, as the call had them, in the order of backward()'s result.
  const std::vector<at::Tensor>& originals() const { return originals_; }

 private:
  at::Tensor widened(const at::Tensor& tensor);
  c10::IValue widened(const c10::IValue& value, graph::Role role);

  std::vector<c10::IValue> arguments_;
  std::vector<at::Tensor> originals_;
  std::vector<at::Tensor> leaves_;  ///< the widened copies, from which the second run has its own history
  at::Tensor result_;
  bool conversion_ = false;
};

}  // namespace binade::compare
