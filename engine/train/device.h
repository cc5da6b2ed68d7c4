// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/resolve.h"

#include <c10/core/Device.h>

#include <cstdint>
#include <string>

namespace binade::train {

/// Returns the device `cpu` or `cuda`, of several GPUs the one with the number `gpu`, which becomes the calling
/// thread's own. Throws Error{kBadRun} if it is not available.
c10::Device open_device(const std::string& name, int gpu = 0);

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

}  // namespace binade::train
