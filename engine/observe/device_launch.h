// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/format.h"
#include "engine/formats/tensor_stats.h"
#include "engine/observe/device_block.h"

#include <ATen/core/Tensor.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace binade::observe {

/// The limits of a format as the kernel wants them.
device::Limits device_limits(const formats::Format& format);

/// A launch of as many tensors as it holds; those of `values` are dense (values_of), on one device, and outlive it.
/// `tallies` is zeros, one device::Tally a tensor. `blocks` receives how many blocks it needs.
device::Launch launch_of(std::span<const at::Tensor> values, const formats::Format& watched, formats::Depth depth,
                         device::Tally* tallies, std::uint32_t& blocks);

/// The kernel on one CUDA device, launched through the driver, which is opened at run time, on LibTorch's present
/// stream: nothing waits. Any thread.
class DeviceKernel {
 public:
  /// Of a device that LibTorch uses; loaded once a process. Null where it cannot be: why() says what is missing.
  static const DeviceKernel* of(c10::Device device);
  static std::string why(c10::Device device);

  void launch(const device::Launch& launch, std::uint32_t blocks) const;

  struct Driver;

 private:
  friend struct LoadedKernel;
  c10::Device device_{c10::kCPU};
  void* context_ = nullptr;
  void* plain_ = nullptr;
  void* formats_ = nullptr;
  const Driver* driver_ = nullptr;
};

}  // namespace binade::observe
