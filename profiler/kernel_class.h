// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace binade::profiler {

/// What a kernel's name suggests. Only a hint, never a measurement: generated kernels have no typical name, and tools
/// that relied on names showed 0 % on Hopper.
enum class KernelClass : std::uint8_t {
  kUnknown,
  kTensor,    ///< named like kernels that use tensor cores
  kOrdinary,  ///< named like kernels that do not
};

KernelClass class_by_name(std::string_view kernel);

/// `tensor`, `ordinary`, `unknown`
std::string_view name(KernelClass kind);

}  // namespace binade::profiler
