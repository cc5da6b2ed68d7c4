// SPDX-License-Identifier: Apache-2.0
#include "profiler/cupti.h"
#include "profiler/cupti_functions.h"

namespace binade::profiler {

namespace {

bool supported(CUpti_Profiler_Support_Level level) {
  return level == CUPTI_PROFILER_CONFIGURATION_SUPPORTED;
}

/// Returns whether CUPTI excludes the device for this reason; `unknown` does not count.
bool refused(CUpti_Profiler_Support_Level level) {
  return level == CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED || level == CUPTI_PROFILER_CONFIGURATION_DISABLED;
}

/// Status of a chip without a metric. CUPTI returns these errors for unknown chips and for chips that it cannot sample.
Status no_metric(const Counters& counters) {
  const int error = counters.choice.error;
  if (error != 0 && error != CUPTI_ERROR_NOT_SUPPORTED && error != CUPTI_ERROR_INVALID_CHIP_NAME) {
    return from_cupti(error, counters.choice.note);
  }
  return status(Code::kNoMetric, counters.chip + ": " + counters.choice.note);
}

Status check_device(const CuptiFunctions& cupti, int device) {
  CUpti_Profiler_Initialize_Params initialize{};
  initialize.structSize = CUpti_Profiler_Initialize_Params_STRUCT_SIZE;
  if (const CUptiResult result = cupti.cuptiProfilerInitialize(&initialize)) {
    return status(Code::kCuptiInit, "cuptiProfilerInitialize: " + result_text(cupti, result));
  }
  CUpti_Profiler_DeviceSupported_Params asked{};
  asked.structSize = CUpti_Profiler_DeviceSupported_Params_STRUCT_SIZE;
  asked.cuDevice = device;
  asked.api = CUPTI_PROFILER_PM_SAMPLING;
  if (const CUptiResult result = cupti.cuptiProfilerDeviceSupported(&asked)) {
    return from_cupti(result, "cuptiProfilerDeviceSupported");
  }
  if (supported(asked.isSupported)) return status(Code::kAvailable);
  if (asked.vGpu == CUPTI_PROFILER_CONFIGURATION_DISABLED) {
    Status state = status(Code::kVgpu);
    state.sentence = "Profiling is switched off for this virtual GPU.";
    return state;
  }
  std::string why;
  const auto add = [&why](CUpti_Profiler_Support_Level level, const char* text) {
    if (refused(level)) why += (why.empty() ? "" : ", ") + std::string(text);
  };
  add(asked.architecture, "it is older than Turing");
  add(asked.vGpu, "it is a virtual GPU");
  add(asked.sli, "SLI is on");
  add(asked.confidentialCompute, "confidential computing is on");
  add(asked.cmp, "it is a mining processor");
  add(asked.wsl, "it is used through WSL");
  return status(Code::kUnsupported, why.empty() ? "CUPTI gives no reason" : why);
}

Status read_availability(const CuptiFunctions& cupti, int device, std::vector<std::uint8_t>& image) {
  CUpti_PmSampling_GetCounterAvailability_Params params{};
  params.structSize = CUpti_PmSampling_GetCounterAvailability_Params_STRUCT_SIZE;
  params.deviceIndex = static_cast<std::size_t>(device);
  CUptiResult result = cupti.cuptiPmSamplingGetCounterAvailability(&params);
  if (result == CUPTI_SUCCESS) {
    image.resize(params.counterAvailabilityImageSize);
    params.pCounterAvailabilityImage = image.data();
    if (!image.empty()) result = cupti.cuptiPmSamplingGetCounterAvailability(&params);
  }
  return result == CUPTI_SUCCESS ? status(Code::kAvailable)
                                 : from_cupti(result, "cuptiPmSamplingGetCounterAvailability");
}

/// Holds the context that CUPTI's device functions need.
class Context {
 public:
  Context(Driver& driver, int device) : driver_(driver), device_(device), result_(driver.use_primary_context(device)) {}
  ~Context() {
    if (result_ == 0) driver_.release_primary_context(device_);
  }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  int result() const { return result_; }

 private:
  Driver& driver_;
  int device_;
  int result_;
};

}  // namespace

Counters probe_counters(Driver& driver, const Cupti& cupti, int device) {
  Counters counters;
  counters.state = look_at_device(&driver, device);
  if (!counters.state.ok()) return counters;
  counters.state = cupti.state;
  if (!counters.state.ok()) return counters;
  const CuptiFunctions& functions = *cupti.functions;
  const Context context(driver, device);
  if (context.result() != 0) {
    counters.state =
        status(Code::kDriverInit, "no context on the device: CUresult " + std::to_string(context.result()));
    return counters;
  }
  counters.state = check_device(functions, device);
  if (!counters.state.ok()) return counters;
  CUpti_Device_GetChipName_Params chip{};
  chip.structSize = CUpti_Device_GetChipName_Params_STRUCT_SIZE;
  chip.deviceIndex = static_cast<std::size_t>(device);
  if (const CUptiResult result = functions.cuptiDeviceGetChipName(&chip)) {
    counters.state = from_cupti(result, "cuptiDeviceGetChipName");
    return counters;
  }
  counters.chip = chip.pChipName != nullptr ? chip.pChipName : "";
  counters.state = read_availability(functions, device, counters.availability);
  if (!counters.state.ok()) return counters;
  counters.choice = choose_metrics(functions, counters.chip, counters.availability);
  if (counters.choice.metrics.empty()) {
    counters.state = no_metric(counters);
  } else {
    counters.state = status(Code::kAvailable, " on " + counters.chip);
  }
  return counters;
}

}  // namespace binade::profiler
