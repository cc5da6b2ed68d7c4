// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/site.h"

#include <ATen/core/Tensor.h>
#include <ATen/core/stack.h>
#include <c10/core/DeviceType.h>

#include <optional>

namespace binade::autocast {

/// Device whose tensors the rules apply to; empty: every device.
using Eligible = std::optional<c10::DeviceType>;

/// Whether a tensor counts as one of the device. As in PyTorch, CPU includes mkldnn tensors and CUDA includes XLA
/// tensors.
bool belongs_to(Eligible device, const at::Tensor& tensor);

/// Whether rules apply to a tensor: defined, floating-point, not float64, on the device.
bool eligible(const at::Tensor& tensor, Eligible device);

/// Arguments of one op call, on the stack.
struct Arguments {
  graph::Stack& stack;
  const graph::OpTraits& op;
  Eligible device;
  /// Whether roles protect arguments. PyTorch's own lists cast every eligible argument; rules of the user leave written
  /// arguments, statistics, indices and targets alone.
  bool protect = true;

  std::size_t count() const { return op.inputs; }
  c10::IValue& operator[](std::size_t i) const { return stack[stack.size() - op.inputs + i]; }
  /// Whether a rule may cast the argument.
  bool castable(std::size_t i) const {
    return !protect || op.roles[i] == graph::Role::kData || op.roles[i] == graph::Role::kWeight;
  }
  bool eligible(const at::Tensor& tensor) const { return autocast::eligible(tensor, device); }
};

/// Replaces every eligible, castable tensor by `cast(tensor, argument)`, also in lists. As in PyTorch, a Tensor?[] (the
/// indices of index_put) is ignored.
template <class Cast>
void replace_tensors(const Arguments& arguments, Cast cast) {
  for (std::size_t i = 0; i < arguments.count(); ++i) {
    c10::IValue& value = arguments[i];
    if (value.isTensor()) {
      const at::Tensor& tensor = value.toTensor();
      if (arguments.castable(i) && arguments.eligible(tensor)) value = cast(tensor, i);
    } else if (value.isTensorList() && arguments.castable(i)) {
      // Always a new list: the caller may still hold the old one.
      c10::List<at::Tensor> replaced;
      for (const at::Tensor& tensor : value.toTensorVector()) {
        replaced.push_back(arguments.eligible(tensor) ? cast(tensor, i) : tensor);
      }
      value = std::move(replaced);
    }
  }
}

/// Calls `visit(tensor, argument)` for every tensor argument, in lists element by element.
template <class Visit>
void each_tensor(const Arguments& arguments, Visit visit) {
  for (std::size_t i = 0; i < arguments.count(); ++i) {
    const c10::IValue& value = arguments[i];
    if (value.isTensor()) {
      visit(value.toTensor(), i);
    } else if (value.isTensorList()) {
      for (const at::Tensor& tensor : value.toTensorVector()) visit(tensor, i);
    }
  }
}

/// Target dtype of `promote` in PyTorch 2.11 (`promote_type` of ATen/autocast_mode.h): `low` until a float32 tensor
/// occurs, in argument order; optional tensors are ignored. If another low dtype occurs first, throws PyTorch's error
/// with a second line that names op, argument and dtypes.
at::ScalarType promoted_as_pytorch(const Arguments& arguments, at::ScalarType low);

/// Target dtype of `promote` without PyTorch's defects: `low` if no eligible tensor has another dtype, otherwise
/// float32.
at::ScalarType promoted(const Arguments& arguments, at::ScalarType low);

/// The widest dtype among data tensors of one dimension or more. Undefined if they have one dtype, or if one is
/// float64.
at::ScalarType widest_if_mixed(const Arguments& arguments);

/// Whether any argument is a tensor of the device; if none is, PyTorch's rules for the device do not apply to the call.
bool touch_device(const Arguments& arguments);

/// Whether any argument is a float16 tensor of the device, the condition of Apex's refusals.
bool any_float16(const Arguments& arguments);

/// Dtype of the argument that the op writes; of several, the first floating-point one. Empty if it writes none.
std::optional<at::ScalarType> written_dtype(const Arguments& arguments);

/// Sets every absent dtype argument to float32 if the first argument is eligible.
void set_dtype(const Arguments& arguments);

}  // namespace binade::autocast
