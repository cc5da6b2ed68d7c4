// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace binade::profiler {

/// What a kernel's name suggests. A hint for a person, never a measurement: generated kernels carry no sign, and tools
/// that took names for figures showed 0 % on Hopper.
enum class KernelClass : std::uint8_t {
  kUnknown,
  kTensor,    ///< named like those that use tensor cores
  kOrdinary,  ///< named like those that do not
};

KernelClass class_by_name(std::string_view kernel);

/// `tensor`, `ordinary`, `unknown`
std::string_view name(KernelClass kind);

}  // namespace binade::profiler
