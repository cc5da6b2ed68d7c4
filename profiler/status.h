// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace binade::profiler {

/// Where a measurement stands. The order of kNoDriver to kNoMetric is that in which a probe looks.
enum class Code : std::uint8_t {
  kAvailable,     ///< could be started
  kRunning,       ///< measures
  kOff,           ///< nobody asked for it
  kNoDriver,      ///< libcuda.so.1 does not open
  kDriverInit,    ///< cuInit failed
  kNoDevice,      ///< the driver shows no GPU
  kBuiltWithout,  ///< CUPTI's headers were missing when Binade was built
  kNoCupti,       ///< libcupti.so.13 or libnvperf_host.so not found, or it lacks a function
  kCuptiVersion,  ///< a CUPTI of another major version
  kCuptiInit,     ///< CUPTI and the driver do not match
  kUnsupported,   ///< this device or its mode cannot be sampled
  kNoPermission,  ///< performance counters are for administrators only
  kBusy,          ///< another tool holds the counters
  kMig,           ///< a MIG slice without its own counters
  kVgpu,          ///< a virtual GPU without counters
  kNoMetric,      ///< the chip has no tensor-core counter that can be sampled
  kOtherTool,     ///< another tool traces this process
  kOverflow,      ///< samples were lost; sampling goes on at a longer interval
  kDropped,       ///< kernel records were lost; tracing goes on
  kLost,          ///< it ran and had to stop
  kNoNvml,        ///< libnvidia-ml.so.1 does not open
  kNvmlInit,      ///< NVML did not start
  kNoGpm,         ///< GPU performance monitoring needs Hopper or newer
};

/// `no-driver`, for tests, logs and files.
std::string_view name(Code code);

/// What a person reads instead of figures.
struct Status {
  Code code = Code::kOff;
  std::string sentence;  ///< what is the case
  std::string next;      ///< what would change it; empty where nothing can

  /// Whether figures come, or could.
  bool ok() const {
    return code == Code::kAvailable || code == Code::kRunning || code == Code::kOverflow || code == Code::kDropped;
  }
  friend bool operator==(const Status&, const Status&) = default;
};

/// The words for a state. `detail` goes into the sentence where it has a place for one: an error, a chip, a tool.
Status status(Code code, const std::string& detail = {});

/// The state that a CUPTI result stands for when a measurement is set up; `call` is the function that answered so.
Status from_cupti(int result, const std::string& call);

/// The state that a CUresult of cuInit stands for.
Status from_cuinit(int result);

}  // namespace binade::profiler
