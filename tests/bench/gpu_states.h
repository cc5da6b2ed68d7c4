// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiler/monitor.h"

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <string>
#include <vector>

namespace binade::bench::gpu {

/// What a measurement cannot do without.
enum class Need {
  kCuda,      ///< a device, and LibTorch's CUDA part
  kCounters,  ///< hardware counters, sampled
  kKernels,   ///< kernel records
  kGpm,       ///< NVML's figure
  kKernel,    ///< the observing kernel in this build, and a driver that takes it
};

/// What is here, as far as measurements ask.
struct Machine {
  std::string no_cuda;        ///< why LibTorch's CUDA part is not there; empty where it is
  profiler::Readiness ready;  ///< of driver, counters, NVML
  profiler::Status kernels;   ///< of kernel records, which need no permission
  std::string no_kernel;      ///< why the observing kernel cannot run; empty where it can
  std::string folder;         ///< where files go
};

/// What is here, of parts that were opened. `counters`: whether to look at counters and NVML too.
Machine look_at(const profiler::Parts& parts, const std::string& no_cuda, bool counters = true);

/// Whether any of these measurements, all where none is named, needs counters or NVML.
bool need_counters(const std::vector<std::string>& wanted);

/// The state of what a measurement lacks; nothing where it can be made.
std::vector<profiler::Status> missing(const Machine& machine, const std::vector<Need>& needs);

/// One measurement of the list in docs/benchmarks.md.
struct Measurement {
  const char* name;      ///< `agree`: the figures are `gpu.agree`
  const char* question;  ///< which it answers
  std::vector<Need> needs;
};

/// All of bench_gpu, what matters most first: a machine may be there for ten minutes only.
const std::vector<Measurement>& measurements();

/// What a process that was asked for measurements ends with: 0 where all were made, kFailed where one broke off, and
/// kNotMeasured where nothing broke and one could not be made on this machine.
inline constexpr int kFailed = 1;
inline constexpr int kNotMeasured = 77;

/// Makes those of the measurements whose names are `wanted`, all where none is named, with `run`; each that cannot be
/// made is one line with state, reason and next step, each that throws one with the state `failed`. Lines go to `tell`.
/// Returns the exit code.
int make(const Machine& machine, const std::vector<std::string>& wanted,
         const std::function<void(const Measurement&)>& run,
         const std::function<void(const nlohmann::ordered_json&)>& tell);

/// The head of the figures: what was found, or why not, and which measurements can be made.
nlohmann::ordered_json probe_line(const Machine& machine);

}  // namespace binade::bench::gpu
