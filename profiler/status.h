// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace binade::profiler {

/// State of a measurement. kNoDriver to kNoMetric are in the order in which a probe checks them.
enum class Code : std::uint8_t {
  kAvailable,     ///< can be started
  kRunning,       ///< measuring
  kOff,           ///< not requested
  kNoDriver,      ///< libcuda.so.1 does not open
  kDriverInit,    ///< cuInit failed
  kNoDevice,      ///< the driver reports no GPU
  kBuiltWithout,  ///< CUPTI's headers were missing when Binade was built
  kNoCupti,       ///< libcupti.so.13 or libnvperf_host.so not found, or a function is missing
  kCuptiVersion,  ///< a CUPTI of another major version
  kCuptiInit,     ///< CUPTI and the driver do not match
  kUnsupported,   ///< this device or its mode cannot be sampled
  kNoPermission,  ///< performance counters are restricted to administrators
  kBusy,          ///< another tool holds the counters
  kMig,           ///< a MIG slice without its own counters
  kVgpu,          ///< a virtual GPU without counters
  kNoMetric,      ///< the chip has no tensor-core counter that can be sampled
  kOtherTool,     ///< another tool traces this process
  kOverflow,      ///< samples were lost; sampling continues at a longer interval
  kDropped,       ///< kernel records were lost; recording continues
  kLost,          ///< it ran and had to stop
  kNoNvml,        ///< libnvidia-ml.so.1 does not open
  kNvmlInit,      ///< NVML did not start
  kNoGpm,         ///< GPU performance monitoring needs Hopper or newer
};

/// Returns a name for tests, logs and files: `no-driver`
std::string_view name(Code code);

/// A state with its explanation for the user.
struct Status {
  Code code = Code::kOff;
  std::string sentence;  ///< what the state is
  std::string next;      ///< what would change it; empty if nothing can

  /// Returns whether figures are available, or could be.
  bool ok() const {
    return code == Code::kAvailable || code == Code::kRunning || code == Code::kOverflow || code == Code::kDropped;
  }
  friend bool operator==(const Status&, const Status&) = default;
};

/// Returns the text of a state. `detail` (an error, a chip, a tool) is inserted into sentences that have a place for
/// it.
Status status(Code code, const std::string& detail = {});

/// Returns the state for a CUPTI error during set-up; `call` is the function that returned it.
Status from_cupti(int result, const std::string& call);

/// Returns the state for a CUresult of cuInit.
Status from_cuinit(int result);

}  // namespace binade::profiler
