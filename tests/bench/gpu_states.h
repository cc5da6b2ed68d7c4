// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiler/monitor.h"

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <string>
#include <vector>

namespace binade::bench::gpu {

/// Requirements of a measurement.
enum class Need {
  kCuda,      ///< a CUDA device, and LibTorch's CUDA part
  kCounters,  ///< sampled hardware counters
  kKernels,   ///< kernel records
  kGpm,       ///< NVML's utilisation figure
  kKernel,    ///< the observing kernel in this build, and a driver that accepts it
};

/// What this machine offers to measurements.
struct Machine {
  std::string no_cuda;        ///< why LibTorch's CUDA part is unavailable; empty if it is available
  profiler::Readiness ready;  ///< state of driver, counters and NVML
  profiler::Status kernels;   ///< state of kernel records, which need no permission
  std::string no_kernel;      ///< why the observing kernel cannot run; empty if it can
  std::string folder;         ///< folder for output files
};

/// Returns what opened parts offer. `counters`: whether to query counters and NVML too.
Machine look_at(const profiler::Parts& parts, const std::string& no_cuda, bool counters = true);

/// Returns whether any of these measurements needs counters or NVML; an empty list means all measurements.
bool need_counters(const std::vector<std::string>& wanted);

/// Returns the states of the requirements that are not met; empty if the measurement can be made.
std::vector<profiler::Status> missing(const Machine& machine, const std::vector<Need>& needs);

/// One measurement of the list in docs/benchmarks.md.
struct Measurement {
  const char* name;      ///< `agree`; its figures are named `gpu.agree`
  const char* question;  ///< the question that it answers
  std::vector<Need> needs;
};

/// Returns all measurements of bench_gpu, most important first: a machine may be available for ten minutes only.
const std::vector<Measurement>& measurements();

/// Exit codes: 0 if all measurements were made, kFailed if one failed, kNotMeasured if none failed and one could not be
/// made on this machine.
inline constexpr int kFailed = 1;
inline constexpr int kNotMeasured = 77;

/// Makes the measurements named in `wanted`, or all if it is empty, by calling `run`. A measurement that cannot be made
/// gives one line with state, reason and next step; one that throws gives a line with the state `failed`. Lines go to
/// `tell`. Returns the exit code.
int make(const Machine& machine, const std::vector<std::string>& wanted,
         const std::function<void(const Measurement&)>& run,
         const std::function<void(const nlohmann::ordered_json&)>& tell);

/// Returns the first line of the figures: what is available or why not, and which measurements can be made.
nlohmann::ordered_json probe_line(const Machine& machine);

}  // namespace binade::bench::gpu
