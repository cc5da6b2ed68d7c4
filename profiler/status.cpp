// SPDX-License-Identifier: Apache-2.0
#include "profiler/status.h"

namespace binade::profiler {

namespace {

struct Words {
  Code code;
  const char* name;
  const char* sentence;  ///< `%` is replaced by the detail
  const char* next;
};

constexpr const char* kGetDriver = "Install NVIDIA's driver for CUDA 13 (580 or newer), or run where a GPU is.";

constexpr Words kWords[] = {
    {Code::kAvailable, "available", "Tensor-core use can be measured%.", ""},
    {Code::kRunning, "running", "Measuring%.", ""},
    {Code::kOff, "off", "Nothing is measured%.", "Switch profiling on."},
    {Code::kNoDriver, "no-driver", "No NVIDIA driver on this computer.", kGetDriver},
    {Code::kDriverInit, "driver-init", "The NVIDIA driver did not start (%).",
     "Reboot after a driver update; `nvidia-smi` should list the GPU."},
    {Code::kNoDevice, "no-device", "The driver sees no GPU.",
     "Check CUDA_VISIBLE_DEVICES, and in a container that the GPU was passed to it."},
    {Code::kBuiltWithout, "built-without-cupti", "This Binade was built without CUPTI.",
     "Build it where CUPTI's headers are: ./dev setup fetches them."},
    {Code::kNoCupti, "no-cupti",
     "CUPTI 13 was not found; it comes with LibTorch's CUDA libraries or the CUDA Toolkit%.",
     "Install LibTorch's wheels with ./dev setup, or name the library in BINADE_CUPTI."},
    {Code::kCuptiVersion, "cupti-version", "Binade needs CUPTI 13, and found %.",
     "Use the CUPTI beside LibTorch 2.11, or name one in BINADE_CUPTI."},
    {Code::kCuptiInit, "cupti-init", "CUPTI and the driver do not match (%).",
     "Update the driver: CUPTI 13 needs 580 or newer."},
    {Code::kUnsupported, "unsupported", "The counters of this GPU cannot be sampled: %.",
     "Times and kernels of op calls need no counters and are still recorded."},
    {Code::kNoPermission, "no-permission", "The driver gives performance counters to administrators only.",
     "Run as root, give the container CAP_SYS_ADMIN, or have the administrator set "
     "NVreg_RestrictProfilingToAdminUsers=0."},
    {Code::kBusy, "busy", "Another tool (DCGM, Nsight, a second profiler) holds the counters.",
     "Stop it and switch profiling on again; for DCGM: dcgmi profile --pause."},
    {Code::kMig, "mig", "Counters are not available on this MIG slice.",
     "Use a compute instance as large as its GPU instance, or the whole GPU."},
    {Code::kVgpu, "vgpu", "Counters are not available on this virtual GPU.",
     "Have the administrator enable profiling for the virtual machine."},
    {Code::kNoMetric, "no-metric", "This GPU (%) offers no live tensor counter.",
     "Times and kernels of op calls need no counters and are still recorded."},
    {Code::kOtherTool, "other-tool", "Figures per op call are off: \"%\" is tracing this process.",
     "Start the engine without it; the device curve continues."},
    {Code::kOverflow, "overflow", "Samples were lost: %.",
     "Begin at a longer interval: \"interval\" of the run's \"profile\"."},
    {Code::kDropped, "dropped", "Kernel records were lost: %.", "Times per op call are too small by that much."},
    {Code::kLost, "lost", "Measuring stopped: %.", "Switch profiling off and on again."},
    {Code::kNoNvml, "no-nvml", "NVML (libnvidia-ml.so.1), which comes with NVIDIA's driver, was not found.",
     kGetDriver},
    {Code::kNvmlInit, "nvml-init", "NVML did not start (%).", "`nvidia-smi` should list the GPU."},
    {Code::kNoGpm, "no-gpm", "NVML's tensor-core figure needs Hopper or newer%.",
     "Use the hardware counters instead: CUPTI samples them from Turing on."},
};

const Words& words(Code code) {
  for (const Words& each : kWords) {
    if (each.code == code) return each;
  }
  return kWords[0];
}

}  // namespace

std::string_view name(Code code) {
  return words(code).name;
}

Status status(Code code, const std::string& detail) {
  const Words& text = words(code);
  std::string sentence = text.sentence;
  const std::size_t place = sentence.find('%');
  if (place != std::string::npos) sentence.replace(place, 1, detail);
  return {code, sentence, text.next};
}

Status from_cupti(int result, const std::string& call) {
  const std::string told = call + " answered " + std::to_string(result);
  const auto is = [&call](std::string_view name) { return call.compare(0, name.size(), name) == 0; };
  // INVALID_OPERATION: the device is already being sampled
  if (result == 7 && is("cuptiPmSamplingEnable")) return status(Code::kBusy);
  // NOT_INITIALIZED: the host library, which libcupti opens itself
  if (result == 15 && is("cuptiProfilerHost")) {
    return status(Code::kNoCupti, "; libnvperf_host.so, its host part, could not be used");
  }
  switch (result) {
    case 26:  // HARDWARE_BUSY
      return status(Code::kBusy);
    case 27:
      return status(Code::kUnsupported, "CUPTI does not support it on this device");
    case 33:
    case 40:
      return status(Code::kVgpu);
    case 35:
      return status(Code::kNoPermission);
    case 39:
      return status(Code::kOtherTool, "another tool");
    case 41:
      return status(Code::kUnsupported, "confidential computing is on");
    case 42:
      return status(Code::kUnsupported, "it is a mining processor");
    case 43:
      return status(Code::kMig);
    case 44:
      return status(Code::kUnsupported, "SLI is on");
    case 45:
      return status(Code::kUnsupported, "it is used through WSL");
    default:
      return status(Code::kCuptiInit, told);
  }
}

Status from_cuinit(int result) {
  if (result == 100) return status(Code::kNoDevice);
  std::string detail = "CUresult " + std::to_string(result);
  if (result == 34) detail += ": libcuda.so.1 is the CUDA Toolkit's stub";
  if (result == 803) detail += ": driver and kernel module differ in version";
  return status(Code::kDriverInit, detail);
}

}  // namespace binade::profiler
