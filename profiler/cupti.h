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

/// The result of loading CUPTI. The library is never closed.
struct Cupti {
  std::shared_ptr<const CuptiFunctions> functions;  ///< null unless `state` is kAvailable
  Status state;
  std::string path;           ///< of libcupti
  std::string nvperf;         ///< path of libnvperf_host, which evaluates counters; empty: missing
  std::uint32_t version = 0;  ///< 130001 for 13.0.1
};

/// Returns whether this build supports CUPTI.
bool built_with_cupti();

/// Opens libcupti: first one that is loaded already, for example by LibTorch, since a second copy would conflict.
/// Otherwise the library named in BINADE_CUPTI; without that variable the bare name, next to LibTorch, and in the CUDA
/// toolkit. Calls nothing that needs a driver.
Cupti open_cupti();

/// The metrics to sample on a chip, by CUPTI's names.
struct MetricChoice {
  struct Metric {
    std::string name;
    Channel channel;
  };
  std::vector<Metric> metrics;  ///< the first is the tensor figure; empty: none can be sampled in one pass
  bool shared_pipe = false;     ///< the figure also counts float16 on the same pipe (Turing)
  std::string note;             ///< why there is no metric
  int error = 0;                ///< CUPTI's error if its host library refused the chip
};

/// Chooses the first known tensor metric that the chip has and can sample in one pass, then every companion that still
/// fits. `availability` is the device's counter-availability image; empty: the chip's full set. The first call of a
/// process takes 0.1 to 0.6 s.
MetricChoice choose_metrics(const CuptiFunctions& cupti, const std::string& chip,
                            const std::vector<std::uint8_t>& availability);

/// Returns every chip that this CUPTI supports.
std::vector<std::string> known_chips(const CuptiFunctions& cupti);

/// What a device's counters offer.
struct Counters {
  Status state;
  std::string chip;  ///< `GH100`
  std::vector<std::uint8_t> availability;
  MetricChoice choice;
};

/// Checks whether a device's counters can be sampled. Initialises the driver first and does not call CUPTI if that
/// fails, because several of its functions crash without a driver. Does not disturb other tools.
Counters probe_counters(Driver& driver, const Cupti& cupti, int device);

/// Creates a source that samples a device's counters as chosen in `counters` (from probe_counters).
std::unique_ptr<SampleSource> make_pm_source(std::shared_ptr<const CuptiFunctions> cupti,
                                             std::shared_ptr<Driver> driver, int device, Counters counters);

/// Creates a source of this process's kernel records. Only one can run at a time, since CUPTI's callbacks are per
/// process.
std::unique_ptr<KernelSource> make_activity_source(std::shared_ptr<const CuptiFunctions> cupti);

}  // namespace binade::profiler
