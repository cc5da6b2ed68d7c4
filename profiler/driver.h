// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiler/status.h"

#include <memory>
#include <string>

namespace binade::profiler {

/// NVIDIA's driver, as far as the profiler needs it. Numbers returned are CUresult; 0 is success. Any thread. Devices
/// are counted as LibTorch counts them: CUDA_VISIBLE_DEVICES holds for both.
class Driver {
 public:
  virtual ~Driver() = default;
  virtual int init() = 0;
  virtual int version(int& version) = 0;  ///< 13000 for CUDA 13.0
  virtual int device_count(int& count) = 0;
  virtual int device_name(int device, std::string& name) = 0;
  virtual int pci_bus_id(int device, std::string& id) = 0;  ///< by which NVML knows it: its order may be another
  /// Keeps the device's primary context, which LibTorch uses too, and makes it current on this thread. Nothing is kept
  /// where that fails.
  virtual int use_primary_context(int device) = 0;
  /// Ends one use, on the same thread: what was current before is again.
  virtual void release_primary_context(int device) = 0;
};

/// Null where libcuda.so.1 does not open or is none.
std::unique_ptr<Driver> open_driver();

/// Starts the driver and counts its devices: kAvailable, or why `device` cannot be used; `driver` may be null. No
/// function of CUPTI's that needs a device may be called before this was kAvailable: several crash.
Status look_at_device(Driver* driver, int device);

}  // namespace binade::profiler
