// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiler/driver.h"
#include "profiler/sample_source.h"

#include <memory>

namespace binade::profiler {

// The part of NVML's C interface that is used, declared here because no wheel ships its header. Version 1 of each
// structure, supported by every driver since 520.
struct NvmlGpmMetric {
  unsigned id = 0;
  int result = 0;
  double value = 0;
  struct {
    char* short_name;
    char* long_name;
    char* unit;
  } info = {};
};
struct NvmlGpmMetrics {
  unsigned version = 1;
  unsigned count = 0;
  void* first = nullptr;            // a sample
  void* second = nullptr;           // a later one
  NvmlGpmMetric metrics[512] = {};  // the size of any version's array; only `count` entries are read
};
struct NvmlGpmSupport {
  unsigned version = 1;
  unsigned supported = 0;
};

/// The functions of libnvidia-ml.so.1; tests substitute their own. They return nvmlReturn_t; 0 is success.
struct NvmlFunctions {
  int (*init)() = nullptr;
  int (*shutdown)() = nullptr;
  int (*handle_by_bus_id)(const char* id, void** device) = nullptr;
  int (*gpm_support)(void* device, NvmlGpmSupport* support) = nullptr;
  int (*sample_alloc)(void** sample) = nullptr;
  int (*sample_free)(void* sample) = nullptr;
  int (*sample_get)(void* device, void* sample) = nullptr;
  int (*metrics_get)(NvmlGpmMetrics* metrics) = nullptr;
  int (*clock)(void* device, int type, unsigned* megahertz) = nullptr;
};

/// Returns null if the library does not open or has no GPM.
std::shared_ptr<const NvmlFunctions> open_nvml();

/// Checks whether GPM is available for this device of the driver: kAvailable, or why not. `nvml` may be null.
Status probe_gpm(const NvmlFunctions* nvml, Driver& driver, int device);

/// Creates a source of the whole device's tensor-core use, at ten samples per second. Needs no CUPTI and no permissions
/// and does not lock out other tools, but cannot resolve op calls.
std::unique_ptr<SampleSource> make_gpm_source(std::shared_ptr<const NvmlFunctions> nvml, std::shared_ptr<Driver> driver,
                                              int device);

}  // namespace binade::profiler
