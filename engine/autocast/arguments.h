// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/site.h"

#include <ATen/core/Tensor.h>
#include <ATen/core/stack.h>
#include <c10/core/DeviceType.h>

#include <optional>

namespace binade::autocast {

/// The device whose tensors the rules apply to; nothing: every device.
using Eligible = std::optional<c10::DeviceType>;

/// Whether a tensor counts as one of the device's: as upstream, the CPU takes mkldnn tensors along and CUDA those of
/// XLA.
bool belongs_to(Eligible device, const at::Tensor& tensor);

/// Whether a rule applies to a tensor: defined, floating point, not float64, of the device.
bool eligible(const at::Tensor& tensor, Eligible device);

/// The arguments of one op call, where they lie on the stack.
struct Arguments {
  graph::Stack& stack;
  const graph::OpTraits& op;
  Eligible device;
  /// Whether roles protect arguments. PyTorch's own lists cast whatever is eligible; what a person asks for spares
  /// what is written, statistics, indices and targets.
  bool protect = true;

  std::size_t count() const { return op.inputs; }
  c10::IValue& operator[](std::size_t i) const { return stack[stack.size() - op.inputs + i]; }
  /// Whether a rule may touch the argument.
  bool castable(std::size_t i) const {
    return !protect || op.roles[i] == graph::Role::kData || op.roles[i] == graph::Role::kWeight;
  }
  bool eligible(const at::Tensor& tensor) const { return autocast::eligible(tensor, device); }
};

/// Puts `cast(tensor, argument)` in the place of every eligible, castable tensor, in lists too. A Tensor?[] (the
/// indices of index_put) is neither cast nor asked, as upstream.
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

/// Calls `visit(tensor, argument)` for every tensor argument, those of lists in their order.
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

/// What `promote` casts to in PyTorch 2.11 (`promote_type` of ATen/autocast_mode.h): `low` until a float32 tensor
/// comes, in argument order; optional tensors do not vote. Another low dtype that is met first throws PyTorch's error,
/// whose second line names op, argument and dtypes.
at::ScalarType promoted_as_pytorch(const Arguments& arguments, at::ScalarType low);

/// What `promote` casts to without upstream's defects: `low` where no eligible tensor has another dtype, else float32.
at::ScalarType promoted(const Arguments& arguments, at::ScalarType low);

/// The widest dtype among data of one dimension or more, or Undefined where they agree (or are float64).
at::ScalarType widest_if_mixed(const Arguments& arguments);

/// Whether any argument is a tensor of the device: else PyTorch's rules for the device never see the call.
bool touch_device(const Arguments& arguments);

/// Whether any argument is a float16 tensor of the device: what Apex's refusals look at.
bool any_float16(const Arguments& arguments);

/// The dtype of the argument that the op writes, the first floating-point one if there are several; nothing where it
/// writes none.
std::optional<at::ScalarType> written_dtype(const Arguments& arguments);

/// Gives every absent dtype argument the value float32 if the first argument is eligible.
void set_dtype(const Arguments& arguments);

}  // namespace binade::autocast
