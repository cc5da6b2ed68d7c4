// SPDX-License-Identifier: Apache-2.0
//
// A libnvidia-ml.so.1 as the real one is opened. FAKE_NVML is what nvmlInit answers, FAKE_GPM whether the device is
// Hopper or newer.
#include "profiler/nvml.h"

#include <cstdlib>

namespace {

int number(const char* variable, int otherwise) {
  const char* text = std::getenv(variable);
  return text != nullptr ? std::atoi(text) : otherwise;
}

}  // namespace

extern "C" {

int nvmlInit_v2() {
  return number("FAKE_NVML", 0);
}
int nvmlShutdown() {
  return 0;
}
int nvmlDeviceGetHandleByPciBusId_v2(const char*, void** device) {
  *device = nullptr;
  return 0;
}
int nvmlGpmQueryDeviceSupport(void*, binade::profiler::NvmlGpmSupport* support) {
  support->supported = number("FAKE_GPM", 1) != 0 ? 1 : 0;
  return 0;
}
int nvmlGpmSampleAlloc(void**) {
  return 0;
}
int nvmlGpmSampleFree(void*) {
  return 0;
}
int nvmlGpmSampleGet(void*, void*) {
  return 0;
}
int nvmlGpmMetricsGet(binade::profiler::NvmlGpmMetrics*) {
  return 0;
}
int nvmlDeviceGetClockInfo(void*, int, unsigned*) {
  return 0;
}

}  // extern "C"
