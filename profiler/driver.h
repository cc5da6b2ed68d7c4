// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiler/status.h"

#include <memory>
#include <string>

namespace binade::profiler {

/// The functions of NVIDIA's driver that the profiler uses. They return a CUresult; 0 is success. Thread-safe. Device
/// numbers are LibTorch's: CUDA_VISIBLE_DEVICES applies to both.
class Driver {
 public:
  virtual ~Driver() = default;
  virtual int init() = 0;
  virtual int version(int& version) = 0;  ///< 13000 for CUDA 13.0
  virtual int device_count(int& count) = 0;
  virtual int device_name(int device, std::string& name) = 0;
  virtual int pci_bus_id(int device, std::string& id) = 0;  ///< identifies the device to NVML, whose order may differ
  /// Retains the device's primary context, which LibTorch uses too, and makes it current on this thread. On failure
  /// nothing is retained.
  virtual int use_primary_context(int device) = 0;
  /// Reverts one use_primary_context() on the same thread and restores the previous context.
  virtual void release_primary_context(int device) = 0;
};

/// Returns null if libcuda.so.1 does not open or lacks a function.
std::unique_ptr<Driver> open_driver();

/// Initialises the driver and counts its devices. Returns kAvailable, or why `device` cannot be used; `driver` may be
/// null. CUPTI functions that need a device must not be called before this returned kAvailable: several crash.
Status look_at_device(Driver* driver, int device);

}  // namespace binade::profiler
