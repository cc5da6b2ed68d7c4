// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/resolve.h"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>
#include <vector>

namespace binade::train {

/// Returns the device `cpu` or `cuda`. Throws Error{kBadRun} if it is not available.
c10::Device open_device(const std::string& name);

/// Returns what the device computes natively at a useful speed, derived from its instruction set or compute capability,
/// not from timing.
policy::Capabilities capabilities(c10::Device device);

/// `CPU, 2 threads`, `NVIDIA H200`.
std::string describe(c10::Device device);

/// Seeds LibTorch's generators of all devices.
void seed(std::uint64_t seed);

/// Makes LibTorch prefer deterministic kernels during its lifetime. Process-wide; restores the previous settings.
class Deterministic {
 public:
  Deterministic();
  ~Deterministic();
  Deterministic(const Deterministic&) = delete;
  Deterministic& operator=(const Deterministic&) = delete;

 private:
  bool algorithms_, warn_only_, fill_, cudnn_, benchmark_;
};

/// Restores the random state of the CPU and `device` on destruction.
class KeepRandomState {
 public:
  explicit KeepRandomState(c10::Device device);
  ~KeepRandomState();
  KeepRandomState(const KeepRandomState&) = delete;
  KeepRandomState& operator=(const KeepRandomState&) = delete;

 private:
  std::vector<std::pair<c10::Device, at::Tensor>> states_;
};

}  // namespace binade::train
