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

/// Returns the limits of a format in the kernel's form.
device::Limits device_limits(const formats::Format& format);

/// One launch and its number of blocks.
struct PlannedLaunch {
  device::Launch launch;
  std::uint32_t blocks = 0;
};

/// Plans as few launches as possible for all `values`. The tensors must be dense (values_of), on one device, and
/// outlive the launches. `rows` holds one zero-initialised row of row_size(depth) per tensor.
std::vector<PlannedLaunch> launches_of(std::span<const at::Tensor> values, const formats::Format& watched,
                                       formats::Depth depth, const at::Tensor& rows);

/// Size of a row in float64 elements: a device::Tally, and for Depth::kWhatIf device::kFineCells cells, stored as raw
/// bits.
std::int64_t row_size(formats::Depth depth);

/// The measuring kernel on one CUDA device. It is launched through the CUDA driver, which is opened at run time, on
/// LibTorch's current stream, and does not synchronise. Thread-safe.
class DeviceKernel {
 public:
  /// Returns the kernel of a device, loaded once per process. Null if it cannot be loaded; why() returns the reason.
  static const DeviceKernel* of(c10::Device device);
  static std::string why(c10::Device device);

  /// Launches the kernel, and the second one if fine cells are requested. Throws Error{kInternal} if the driver
  /// refuses.
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
