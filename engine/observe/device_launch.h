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

/// What one launch looks at, and in how many blocks.
struct PlannedLaunch {
  device::Launch launch;
  std::uint32_t blocks = 0;
};

/// As few launches as hold all of `values`, which are dense (values_of), on one device, and outlive them. Each has a
/// row of `rows`, which are zeros of row_size(depth).
std::vector<PlannedLaunch> launches_of(std::span<const at::Tensor> values, const formats::Format& watched,
                                       formats::Depth depth, const at::Tensor& rows);

/// In float64 numbers: a device::Tally, and at Depth::kWhatIf device::kFineCells cells behind it, as the bits they are.
std::int64_t row_size(formats::Depth depth);

/// The kernel on one CUDA device, launched through the driver, which is opened at run time, on LibTorch's present
/// stream: nothing waits. Any thread.
class DeviceKernel {
 public:
  /// Of a device that LibTorch uses; loaded once a process. Null where it cannot be: why() says what is missing.
  static const DeviceKernel* of(c10::Device device);
  static std::string why(c10::Device device);

  /// One launch, and a second one where steps of binades are asked for.
  void launch(const PlannedLaunch& planned) const;

  struct Driver;

 private:
  friend struct LoadedKernel;
  c10::Device device_{c10::kCPU};
  void* context_ = nullptr;
  void* plain_ = nullptr;
  void* formats_ = nullptr;
  void* fine_ = nullptr;
  const Driver* driver_ = nullptr;
};

}  // namespace binade::observe
