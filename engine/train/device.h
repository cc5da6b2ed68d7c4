// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/resolve.h"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>
#include <vector>

namespace binade::train {

/// `cpu` or `cuda`. Throws Error{kBadRun} where there is no such device here.
c10::Device open_device(const std::string& name);

/// What the device runs natively at a useful speed, from its instruction set or compute capability; never timed.
policy::Capabilities capabilities(c10::Device device);

/// `CPU, 2 threads`, `NVIDIA H200`.
std::string describe(c10::Device device);

/// Seeds LibTorch's generators of every device.
void seed(std::uint64_t seed);

/// While it lives, LibTorch prefers deterministic kernels. Process-wide; puts back what was there.
class Deterministic {
 public:
  Deterministic();
  ~Deterministic();
  Deterministic(const Deterministic&) = delete;
  Deterministic& operator=(const Deterministic&) = delete;

 private:
  bool algorithms_, warn_only_, fill_, cudnn_, benchmark_;
};

/// Puts the random state of CPU and `device` back at its end.
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
