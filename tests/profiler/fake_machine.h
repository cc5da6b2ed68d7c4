// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiler/monitor.h"
#include "tests/profiler/fake_cupti.h"

#include <memory>
#include <string>

namespace binade::test {

/// A driver with one GPU, or with what a test says.
class FakeDriver : public profiler::Driver {
 public:
  explicit FakeDriver(FakeCupti* cupti) : cupti_(cupti) {}

  int init_result = 0;
  int devices = 1;
  int context_result = 0;
  std::atomic<int> contexts{0};  ///< retained and not released

  int init() override {
    if (cupti_ != nullptr) cupti_->driver_started = init_result == 0;
    return init_result;
  }
  int version(int& version) override {
    version = 13000;
    return 0;
  }
  int device_count(int& count) override {
    count = devices;
    return 0;
  }
  int device_name(int, std::string& name) override {
    name = "NVIDIA Pretend H100";
    return 0;
  }
  int pci_bus_id(int, std::string& id) override {
    id = "0000:01:00.0";
    return 0;
  }
  int use_primary_context(int) override {
    if (context_result == 0) ++contexts;
    return context_result;
  }
  void release_primary_context(int) override { --contexts; }

 private:
  FakeCupti* cupti_;
};

/// NVML with or without GPM; 43 % of tensor pipes, no figure for int8.
struct FakeNvml {
  static inline bool hopper = true;
  static inline int init_result = 0;
  static inline std::atomic<int> sample_result{0};  ///< of each look at the device
  static inline int open_samples = 0;

  static std::shared_ptr<const profiler::NvmlFunctions> functions() {
    hopper = true;
    init_result = 0;
    sample_result = 0;
    open_samples = 0;
    auto nvml = std::make_shared<profiler::NvmlFunctions>();
    nvml->init = [] { return init_result; };
    nvml->shutdown = [] { return 0; };
    nvml->handle_by_bus_id = [](const char* id, void** device) {
      *device = &hopper;
      return std::string(id) == "0000:01:00.0" ? 0 : 6;
    };
    nvml->gpm_support = [](void*, profiler::NvmlGpmSupport* support) {
      support->supported = hopper ? 1 : 0;
      return 0;
    };
    nvml->sample_alloc = [](void** sample) {
      ++open_samples;
      *sample = &hopper;
      return 0;
    };
    nvml->sample_free = [](void*) {
      --open_samples;
      return 0;
    };
    nvml->sample_get = [](void*, void*) { return sample_result.load(); };
    nvml->metrics_get = [](profiler::NvmlGpmMetrics* metrics) {
      for (unsigned i = 0; i < metrics->count; ++i) {
        metrics->metrics[i].result = metrics->metrics[i].id == 9 ? 3 : 0;
        metrics->metrics[i].value = 43;
      }
      return 0;
    };
    nvml->clock = [](void*, int, unsigned* megahertz) {
      *megahertz = 1755;
      return 0;
    };
    return nvml;
  }
};

/// Driver, CUPTI and, where a test wants it, NVML of a machine that is not there.
struct FakeMachine {
  FakeCupti cupti;
  std::shared_ptr<FakeDriver> driver = std::make_shared<FakeDriver>(&cupti);
  std::shared_ptr<const profiler::NvmlFunctions> nvml;

  profiler::Parts parts() {
    profiler::Parts all;
    all.driver = driver;
    all.cupti = cupti.library();
    all.nvml = nvml;
    return all;
  }
};

}  // namespace binade::test
