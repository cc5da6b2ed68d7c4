// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/site_hook.h"

#include <optional>
#include <vector>

namespace binade::observe {

/// A call's arguments, widened to float32, with which its op can be run once more beside it: what the op would have
/// given in float32 on the values that it got.
class Float32Call {
 public:
  /// Of a call whose arguments have not been cast yet. Nothing for ops that write an argument or draw random numbers:
  /// running them again would change the run, or give something else.
  static std::optional<Float32Call> of(const graph::Call& call);

  /// Of a call that gives its first argument in another dtype: in float32 that changes nothing.
  static Float32Call of_conversion(const at::Tensor& argument);

  /// The first result. Nothing where the op refuses float32 or gives no tensor.
  std::optional<at::Tensor> run(const graph::Site& site);

  /// After run(): what its backward sends to each argument that wants a gradient (undefined for one that gets none),
  /// for a gradient in the true scale. Once only. Nothing where there is no backward or it fails.
  std::vector<at::Tensor> backward(const at::Tensor& gradient);
  /// Those arguments, as the call had them, in the same order.
  const std::vector<at::Tensor>& originals() const { return originals_; }

 private:
  at::Tensor widened(const at::Tensor& tensor);
  c10::IValue widened(const c10::IValue& value, graph::Role role);

  std::vector<c10::IValue> arguments_;
  std::vector<at::Tensor> originals_;
  std::vector<at::Tensor> leaves_;  ///< their copies, from which the second run has a history of its own
  at::Tensor result_;
  bool conversion_ = false;
};

}  // namespace binade::observe
