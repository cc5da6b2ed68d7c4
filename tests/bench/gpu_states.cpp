// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/gpu_states.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <exception>

namespace binade::bench::gpu {

namespace {

using profiler::Code;
using profiler::Status;

Status of(Need need, const Machine& machine) {
  switch (need) {
    case Need::kCuda:
      if (!machine.ready.cuda.ok()) return machine.ready.cuda;
      if (!machine.no_cuda.empty()) {
        return {Code::kNoDevice, machine.no_cuda + ".", "Use a LibTorch with its CUDA libraries."};
      }
      return machine.ready.cuda;
    case Need::kCounters:
      return machine.ready.cupti;
    case Need::kKernels:
      return machine.kernels;
    case Need::kGpm:
      return machine.ready.nvml;
    case Need::kKernel:
      if (machine.no_kernel.empty()) return profiler::status(Code::kAvailable);
      return {Code::kUnsupported, "The observing kernel cannot run: " + machine.no_kernel + ".",
              "Build with NVIDIA's compiler: ./dev setup fetches it."};
  }
  return {};
}

nlohmann::ordered_json not_made(const Measurement& measurement, const std::vector<Status>& lacking) {
  nlohmann::ordered_json line{{"bench", std::string("gpu.") + measurement.name},
                              {"case", measurement.question},
                              {"state", std::string(name(lacking.front().code))},
                              {"reason", lacking.front().sentence},
                              {"next", lacking.front().next}};
  auto& missing = line["missing"] = nlohmann::ordered_json::array();
  for (const Status& each : lacking) missing.push_back(std::string(name(each.code)));
  return line;
}

}  // namespace

bool need_counters(const std::vector<std::string>& wanted) {
  return std::any_of(measurements().begin(), measurements().end(), [&wanted](const Measurement& each) {
    const auto needs = [&each](Need need) {
      return std::find(each.needs.begin(), each.needs.end(), need) != each.needs.end();
    };
    return (wanted.empty() || std::find(wanted.begin(), wanted.end(), each.name) != wanted.end()) &&
           (needs(Need::kCounters) || needs(Need::kGpm));
  });
}

Machine look_at(const profiler::Parts& parts, const std::string& no_cuda, bool counters) {
  Machine machine;
  machine.no_cuda = no_cuda;
  if (counters) {
    machine.ready = profiler::look(parts, 0);
  } else {
    machine.ready.cuda = profiler::look_at_device(parts.driver.get(), 0);
    machine.ready.library = parts.cupti.path;
  }
  machine.kernels = machine.ready.cuda.ok() ? parts.cupti.state : machine.ready.cuda;
  return machine;
}

std::vector<Status> missing(const Machine& machine, const std::vector<Need>& needs) {
  std::vector<Status> lacking;
  for (const Need need : needs) {
    Status state = of(need, machine);
    if (!state.ok() && std::find(lacking.begin(), lacking.end(), state) == lacking.end()) {
      lacking.push_back(std::move(state));
    }
  }
  return lacking;
}

const std::vector<Measurement>& measurements() {
  using enum Need;
  static const std::vector<Measurement> all{
      {"together", "do kernel records and samples come at once", {kCuda, kCounters, kKernels}},
      {"agree", "the live figure of matrix products", {kCuda, kCounters, kKernels}},
      {"sites", "the live figure per op call of a training step", {kCuda, kCounters, kKernels}},
      {"libtorch", "kernels of a training step by op call and phase", {kCuda, kKernels}},
      {"record", "samples, kernels and CUPTI's own buffers as test data", {kCuda, kCounters, kKernels}},
      {"overhead", "what measuring costs", {kCuda, kCounters, kKernels}},
      {"autocast", "training through the engine beside LibTorch's autocast", {kCuda}},
      {"observe", "the kernels that observe tensors", {kCuda, kKernel}},
      {"intervals", "the shortest interval, decoding, lag", {kCuda, kCounters}},
      {"gpm", "NVML's figure beside the counters'", {kCuda, kCounters, kGpm}},
      {"order", "which may start first, and what a second sampler is told", {kCuda, kCounters, kKernels}},
  };
  return all;
}

int make(const Machine& machine, const std::vector<std::string>& wanted,
         const std::function<void(const Measurement&)>& run,
         const std::function<void(const nlohmann::ordered_json&)>& tell) {
  bool failed = false;
  bool lacking_any = false;
  for (const Measurement& measurement : measurements()) {
    if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), measurement.name) == wanted.end()) continue;
    if (const auto lacking = missing(machine, measurement.needs); !lacking.empty()) {
      lacking_any = true;
      tell(not_made(measurement, lacking));
      continue;
    }
    try {
      run(measurement);
    } catch (const std::exception& error) {
      failed = true;
      tell({{"bench", std::string("gpu.") + measurement.name},
            {"case", measurement.question},
            {"state", "failed"},
            {"reason", error.what()},
            {"pass", false}});
    }
  }
  if (failed) return kFailed;
  return lacking_any ? kNotMeasured : 0;
}

nlohmann::ordered_json probe_line(const Machine& machine) {
  const profiler::Readiness& ready = machine.ready;
  nlohmann::ordered_json line{{"bench", "gpu.probe"},
                              {"case", ready.device.empty() ? "no device" : ready.device},
                              {"cuda", std::string(name(ready.cuda.code))},
                              {"cupti", std::string(name(ready.cupti.code))},
                              {"nvml", std::string(name(ready.nvml.code))}};
  // What was not found is left out rather than reported as empty.
  if (const auto lacking = missing(machine, {Need::kCuda}); !lacking.empty()) {
    line["state"] = std::string(name(lacking.front().code));
    line["reason"] = lacking.front().sentence;
    line["next"] = lacking.front().next;
  }
  if (!ready.chip.empty()) line["chip"] = ready.chip;
  if (!ready.metric.empty()) line["metric"] = ready.metric;
  if (!ready.library.empty()) line["library"] = ready.library;
  if (ready.driver_version > 0) line["driver"] = ready.driver_version;
  auto& makes = line["makes"] = nlohmann::ordered_json::array();
  for (const Measurement& each : measurements()) {
    if (missing(machine, each.needs).empty()) makes.push_back(each.name);
  }
  return line;
}

}  // namespace binade::bench::gpu
