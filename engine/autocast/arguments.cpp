// SPDX-License-Identifier: Apache-2.0
#include "engine/autocast/arguments.h"

#include <c10/util/Exception.h>

namespace binade::autocast {

bool belongs_to(Eligible device, const at::Tensor& tensor) {
  if (!device) return true;
  switch (*device) {
    case c10::DeviceType::CPU:
      return tensor.is_cpu() || tensor.is_mkldnn();
    case c10::DeviceType::CUDA:
      return tensor.is_cuda() || tensor.is_xla();
    default:
      return tensor.device().type() == *device;
  }
}

bool eligible(const at::Tensor& tensor, Eligible device) {
  return tensor.defined() && tensor.is_floating_point() && tensor.scalar_type() != at::kDouble &&
         belongs_to(device, tensor);
}

bool touch_device(const Arguments& arguments) {
  if (!arguments.device) return true;
  bool any = false;
  each_tensor(arguments, [&](const at::Tensor& tensor, std::size_t) {
    // An mkldnn tensor is cast beside others, but has no autocast key that would start the rules.
    any = any || (tensor.defined() && !tensor.is_mkldnn() && belongs_to(arguments.device, tensor));
  });
  return any;
}

bool any_float16(const Arguments& arguments) {
  bool found = false;
  each_tensor(arguments, [&](const at::Tensor& tensor, std::size_t /*argument*/) {
    found = found || (tensor.defined() && tensor.scalar_type() == at::kHalf && belongs_to(arguments.device, tensor));
  });
  return found;
}

namespace {

/// A vararg op has arguments that are not in its schema.
bool votes(const graph::OpTraits& op, std::size_t argument) {
  return argument >= op.optional_tensor.size() || !op.optional_tensor[argument];
}

}  // namespace

at::ScalarType promoted_as_pytorch(const Arguments& arguments, at::ScalarType low) {
  at::ScalarType current = low;
  each_tensor(arguments, [&](const at::Tensor& tensor, std::size_t i) {
    if (current == at::kFloat || !votes(arguments.op, i) || !arguments.eligible(tensor)) return;
    const at::ScalarType next = tensor.scalar_type();
    if (next == low) return;
    TORCH_CHECK(next == at::kFloat, "Unexpected floating ScalarType in at::autocast::prioritize\n", arguments.op.op,
                ": '", arguments.op.argument_names[i], "' is ", next, " where the low format is ", low,
                "; a policy with \"behaviour\": \"fixed\" takes float32 instead.");
    current = at::kFloat;
  });
  return current;
}

at::ScalarType promoted(const Arguments& arguments, at::ScalarType low) {
  at::ScalarType current = low;
  each_tensor(arguments, [&](const at::Tensor& tensor, std::size_t) {
    if (arguments.eligible(tensor) && tensor.scalar_type() != low) current = at::kFloat;
  });
  return current;
}

at::ScalarType widest_if_mixed(const Arguments& arguments) {
  at::ScalarType widest = at::ScalarType::Undefined;
  bool mixed = false;
  bool has_double = false;
  each_tensor(arguments, [&](const at::Tensor& tensor, std::size_t i) {
    if (!arguments.castable(i) || !tensor.defined() || !tensor.is_floating_point() || tensor.dim() == 0) return;
    const at::ScalarType dtype = tensor.scalar_type();
    has_double = has_double || dtype == at::kDouble;
    mixed = mixed || (widest != at::ScalarType::Undefined && widest != dtype);
    widest = widest == at::ScalarType::Undefined ? dtype : c10::promoteTypes(widest, dtype);
  });
  return mixed && !has_double ? widest : at::ScalarType::Undefined;
}

std::optional<at::ScalarType> written_dtype(const Arguments& arguments) {
  std::optional<at::ScalarType> written;
  if (!arguments.op.in_place) return written;
  each_tensor(arguments, [&](const at::Tensor& tensor, std::size_t i) {
    if (arguments.op.roles[i] != graph::Role::kWritten || !tensor.defined()) return;
    if (!written || (!c10::isFloatingType(*written) && tensor.is_floating_point())) written = tensor.scalar_type();
  });
  return written;
}

void set_dtype(const Arguments& arguments) {
  if (arguments.count() == 0 || !arguments[0].isTensor() || !arguments.eligible(arguments[0].toTensor())) return;
  for (std::size_t i = 0; i < arguments.count(); ++i) {
    if (arguments.op.takes_dtype[i] && arguments[i].isNone()) arguments[i] = static_cast<std::int64_t>(at::kFloat);
  }
}

}  // namespace binade::autocast
