// SPDX-License-Identifier: Apache-2.0
#include "engine/autocast/region_checks.h"

#include "engine/formats/error.h"

#include <ATen/Context.h>
#include <ATen/autocast_mode.h>
#include <ATen/ops/ones.h>
#include <c10/core/Device.h>

#include <algorithm>
#include <cctype>

namespace binade::autocast {

namespace {

[[noreturn]] void refuse(const std::string& message, const std::string& hint) {
  throw Error(ErrorCode::kUsage, message, hint);
}

const char* const kDevices = "Devices with autocast are cpu, cuda, mtia, maia, xpu, ipu, hpu, xla, mps.";

/// PyTorch counts emulated bfloat16 as supported: every device that can hold such a tensor.
bool cuda_has_bfloat16() {
  try {
    at::ones({1}, at::TensorOptions(at::kCUDA).dtype(at::kBFloat16));
    return true;
  } catch (const c10::Error&) {
    return false;
  }
}

}  // namespace

c10::DeviceType device_type_of(const std::string& device_type) {
  try {
    return c10::Device(device_type).type();
  } catch (const c10::Error& error) {
    refuse(error.what_without_backtrace(), kDevices);
  }
}

c10::DeviceType autocast_device_of(const std::string& device_type) {
  const c10::DeviceType device = device_type_of(device_type);
  if (!at::autocast::is_autocast_available(device)) {
    refuse("User specified an unsupported autocast device_type '" + device_type + "'", kDevices);
  }
  return device;
}

CheckedArguments check(const RegionArguments& arguments) {
  const std::string& name = arguments.device_type;
  CheckedArguments checked{device_type_of(name), c10::ScalarType::Undefined, arguments.enabled};
  checked.dtype = arguments.dtype.value_or(at::autocast::get_autocast_dtype(checked.device));
  if (checked.dtype == c10::ScalarType::Undefined) refuse("unsupported scalarType", kDevices);
  autocast_device_of(name);
  if (checked.device == c10::kPrivateUse1) {
    refuse("Tried to use AMP with the `" + name +
               "` backend, but the backend has not registered a module or  the module miss some necessary funcs.",
           "A region over a policy works for its tensors.");
  }
  if (!checked.enabled) return checked;

  // As in PyTorch, by the string: "cuda:0" is CUDA but skips these two checks.
  if (name == "cuda") {
    if (!at::globalContext().hasCUDA()) {
      TORCH_WARN("CUDA is not available or torch_xla is imported. Disabling autocast.");
      checked.enabled = false;
    } else if (checked.dtype == at::kBFloat16 && !cuda_has_bfloat16()) {
      refuse("Current CUDA Device does not support bfloat16. Please switch dtype to float16.", "");
    }
  } else if (checked.dtype != at::kBFloat16 && checked.dtype != at::kHalf) {
    std::string upper = name;
    std::transform(upper.begin(), upper.end(), upper.begin(),
                   [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); });
    TORCH_WARN("In ", upper, " autocast, but the target dtype is not supported. Disabling autocast.\n", upper,
               " Autocast only supports dtypes of torch.bfloat16, torch.float16 currently.");
    checked.enabled = false;
  }
  return checked;
}

}  // namespace binade::autocast
