// SPDX-License-Identifier: Apache-2.0
#include "profiler/nvml.h"

#include "profiler/clock.h"

#include <dlfcn.h>

#include <array>
#include <utility>

namespace binade::profiler {

namespace {

template <class Function>
bool find(void* library, const char* symbol, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, symbol));
  return function != nullptr;
}

constexpr int kSmClock = 1;  // NVML_CLOCK_SM

struct Metric {
  unsigned id;
  Channel channel;
};
constexpr std::array kMetrics{Metric{5, Channel::kTensor}, Metric{7, Channel::kHmma}, Metric{9, Channel::kImma},
                              Metric{6, Channel::kDmma}, Metric{2, Channel::kSmActive}};

/// Initialises NVML and finds the device by its PCI bus id. Leaves NVML initialised only on success.
Status find_device(const NvmlFunctions& nvml, Driver& driver, int device, void*& handle) {
  if (const int result = nvml.init(); result != 0) {
    return status(Code::kNvmlInit, "nvmlInit answered " + std::to_string(result));
  }
  std::string id;
  if (driver.pci_bus_id(device, id) != 0 || nvml.handle_by_bus_id(id.c_str(), &handle) != 0) {
    nvml.shutdown();
    return status(Code::kNvmlInit, "it does not support the device");
  }
  NvmlGpmSupport support;
  if (nvml.gpm_support(handle, &support) != 0 || support.supported == 0) {
    nvml.shutdown();
    return status(Code::kNoGpm);
  }
  return status(Code::kAvailable, " by NVML, for the whole device");
}

/// Status of a device that supports GPM but gives no sample.
Status no_sample(int result) {
  constexpr int kNotSupported = 3, kNoPermission = 4;  // nvmlReturn_t
  if (result == kNotSupported) return status(Code::kNoGpm, ", and all of it: not a MIG slice");
  if (result == kNoPermission) return status(Code::kNoPermission);
  return status(Code::kNvmlInit, "the device gives no sample, nvmlReturn " + std::to_string(result));
}

class GpmSource : public SampleSource {
 public:
  GpmSource(std::shared_ptr<const NvmlFunctions> nvml, std::shared_ptr<Driver> driver, int device)
      : nvml_(std::move(nvml)), driver_(std::move(driver)), device_(device) {}
  ~GpmSource() override { end(); }

  Source source() const override { return Source::kGpm; }
  std::chrono::milliseconds poll() const override { return std::chrono::milliseconds(100); }
  std::chrono::nanoseconds shortest() const override { return {}; }
  std::string metric() const override { return "NVML GPM any-tensor utilization"; }

  Status start(std::chrono::nanoseconds /*interval*/) override {
    end();
    Status found = find_device(*nvml_, *driver_, device_, handle_);
    if (!found.ok()) return found;
    started_ = true;
    for (void*& sample : samples_) {
      if (nvml_->sample_alloc(&sample) != 0) return failed(status(Code::kNvmlInit, "no memory for a sample"));
    }
    if (const int result = nvml_->sample_get(handle_, samples_[0]); result != 0) return failed(no_sample(result));
    last_ = now_ns();
    return status(Code::kRunning, " by NVML, for the whole device");
  }

  Drained drain(std::vector<Sample>& into) override {
    if (!started_) return {};
    if (nvml_->sample_get(handle_, samples_[1]) != 0) return {.lost = status(Code::kLost, "NVML gives no sample")};
    Sample sample;
    sample.start = last_;
    sample.end = last_ = now_ns();
    NvmlGpmMetrics asked;
    asked.count = kMetrics.size();
    asked.first = samples_[0];
    asked.second = samples_[1];
    for (std::size_t i = 0; i < kMetrics.size(); ++i) asked.metrics[i].id = kMetrics[i].id;
    if (nvml_->metrics_get(&asked) != 0) return {.lost = status(Code::kLost, "NVML gives no figures")};
    for (std::size_t i = 0; i < kMetrics.size(); ++i) {
      if (asked.metrics[i].result == 0) {
        sample.values[kMetrics[i].channel] = static_cast<float>(asked.metrics[i].value);
      }
    }
    unsigned megahertz = 0;
    if (nvml_->clock(handle_, kSmClock, &megahertz) == 0) {
      sample.values[Channel::kClock] = static_cast<float>(megahertz) * 1e6F;
    }
    std::swap(samples_[0], samples_[1]);
    if (sample.end > sample.start) into.push_back(sample);
    return {};
  }

  void stop() override { end(); }

 private:
  Status failed(Status why) {
    end();
    return why;
  }
  void end() {
    for (void*& sample : samples_) {
      if (sample != nullptr) nvml_->sample_free(sample);
      sample = nullptr;
    }
    if (started_) nvml_->shutdown();
    started_ = false;
  }

  std::shared_ptr<const NvmlFunctions> nvml_;
  std::shared_ptr<Driver> driver_;
  int device_;
  void* handle_ = nullptr;
  std::array<void*, 2> samples_{};
  std::uint64_t last_ = 0;
  bool started_ = false;
};

}  // namespace

std::shared_ptr<const NvmlFunctions> open_nvml() {
  void* library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);  // never closed, since the table of its functions
                                                                       // stays in use
  auto nvml = std::make_shared<NvmlFunctions>();
  const bool whole =
      library != nullptr && find(library, "nvmlInit_v2", nvml->init) && find(library, "nvmlShutdown", nvml->shutdown) &&
      find(library, "nvmlDeviceGetHandleByPciBusId_v2", nvml->handle_by_bus_id) &&
      find(library, "nvmlGpmQueryDeviceSupport", nvml->gpm_support) &&
      find(library, "nvmlGpmSampleAlloc", nvml->sample_alloc) &&
      find(library, "nvmlGpmSampleFree", nvml->sample_free) && find(library, "nvmlGpmSampleGet", nvml->sample_get) &&
      find(library, "nvmlGpmMetricsGet", nvml->metrics_get) && find(library, "nvmlDeviceGetClockInfo", nvml->clock);
  return whole ? nvml : nullptr;
}

Status probe_gpm(const NvmlFunctions* nvml, Driver& driver, int device) {
  if (nvml == nullptr) return status(Code::kNoNvml);
  void* handle = nullptr;
  Status found = find_device(*nvml, driver, device, handle);
  if (found.ok()) nvml->shutdown();
  return found;
}

std::unique_ptr<SampleSource> make_gpm_source(std::shared_ptr<const NvmlFunctions> nvml, std::shared_ptr<Driver> driver,
                                              int device) {
  return std::make_unique<GpmSource>(std::move(nvml), std::move(driver), device);
}

}  // namespace binade::profiler
