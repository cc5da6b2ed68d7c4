// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiler/driver.h"
#include "profiler/kernel_source.h"
#include "profiler/sample_source.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace binade::profiler {

struct CuptiFunctions;  // cupti_functions.h, which needs CUPTI's headers

/// CUPTI as it was found. Never closed once it is open.
struct Cupti {
  std::shared_ptr<const CuptiFunctions> functions;  ///< null where `state` is not kAvailable
  Status state;
  std::string path;           ///< of libcupti
  std::string nvperf;         ///< of libnvperf_host, which evaluates counters; empty where it is missing
  std::uint32_t version = 0;  ///< 130001 for 13.0.1
};

/// Whether this build knows CUPTI at all.
bool built_with_cupti();

/// Looks for libcupti: one that LibTorch has mapped already (a second copy would be a rival), then what BINADE_CUPTI
/// names and nothing else, or without it the bare name, beside LibTorch, in the CUDA toolkit. Calls nothing that needs
/// a driver.
Cupti open_cupti();

/// Which metrics a chip's counters are read as. Names are CUPTI's.
struct MetricChoice {
  struct Metric {
    std::string name;
    Channel channel;
  };
  std::vector<Metric> metrics;  ///< the first is the tensor figure; empty: none can be sampled in one pass
  bool shared_pipe = false;     ///< the figure counts float16 on the same pipe too (Turing)
  std::string note;             ///< why there is none
  int error = 0;                ///< CUPTI's, where its host part refused the chip
};

/// Asks CUPTI for the chip's own metrics, takes the first tensor figure of ours that it has and can sample in one pass,
/// then every companion that still fits. `availability` is the device's image; empty: as the chip is sold. Takes
/// 0.1 to 0.6 s at the first call of a process.
MetricChoice choose_metrics(const CuptiFunctions& cupti, const std::string& chip,
                            const std::vector<std::uint8_t>& availability);

/// Every chip that this CUPTI knows.
std::vector<std::string> known_chips(const CuptiFunctions& cupti);

/// What a device's counters offer.
struct Counters {
  Status state;
  std::string chip;  ///< `GH100`
  std::vector<std::uint8_t> availability;
  MetricChoice choice;
};

/// Looks whether a device's counters can be sampled. The driver is initialised first, and CUPTI not called where that
/// fails: several of its functions crash without a driver. Touches nothing that another tool holds.
Counters probe_counters(Driver& driver, const Cupti& cupti, int device);

/// Samples of a device's counters, as `counters` (of probe_counters) has chosen them.
std::unique_ptr<SampleSource> make_pm_source(std::shared_ptr<const CuptiFunctions> cupti,
                                             std::shared_ptr<Driver> driver, int device, Counters counters);

/// Kernel records of this process. One at a time can run: CUPTI's callbacks are for the whole process.
std::unique_ptr<KernelSource> make_activity_source(std::shared_ptr<const CuptiFunctions> cupti);

}  // namespace binade::profiler
