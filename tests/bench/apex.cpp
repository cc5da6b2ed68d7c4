// SPDX-License-Identifier: Apache-2.0
//
// bench_apex [SAMPLE]: one training program at each of Apex's levels. O0 is the baseline of accuracy and O3 that of
// speed. Runs on the CPU and, if there is one, on a CUDA device.
#include "engine/formats/error.h"
#include "engine/host/process/open_cuda.h"
#include "tests/bench/apex_levels.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>

#include <cstdio>
#include <string>

namespace binade::bench {

namespace {

const std::string kBench = "apex.levels";

void report(const std::string& sample, const LevelOptions& options) {
  const auto all = apex_levels(sample, options);
  const LevelFigures& baseline = all.front();
  for (const LevelFigures& level : all) {
    const std::string what = sample + " " + level_name(level.level) + ", " + options.device + ", " + level.runs + ": ";
    const auto ratio = [](std::int64_t one, std::int64_t other) {
      return exactly(static_cast<double>(one) / static_cast<double>(other));
    };
    if (&level != &baseline) {
      if (level.time) {
        print_ratio(kBench, what + "time / O0", *level.time);
      } else {
        print_not_measured(kBench, what + "time / O0", "emulated", level.why_no_time);
      }
      print_ratio(kBench, what + "weights and masters / O0", ratio(level.weight_bytes, baseline.weight_bytes));
      print_ratio(kBench, what + "peak memory / O0", ratio(level.peak_bytes, baseline.peak_bytes));
    }
    print_ratio(kBench, what + "loss after " + std::to_string(options.steps) + " steps / O0's",
                exactly(level.last_loss / baseline.last_loss));
  }
}

}  // namespace

}  // namespace binade::bench

int main(int argc, char** argv) try {
  const std::string no_cuda = binade::host::open_cuda();
  at::set_num_threads(1);
  for (const std::string sample : {"resnet", "transformer"}) {
    if (argc > 1 && sample != argv[1]) continue;
    binade::bench::report(sample, {});
    if (no_cuda.empty() && at::getNumGPUs() > 0) {
      binade::bench::report(sample, {.device = "cuda", .batch = 256, .pairs = 60});
    } else {
      binade::bench::print_not_measured("apex.levels", sample + " O0 to O3, cuda: time / O0", "no-device",
                                        no_cuda.empty() ? "The driver shows no CUDA device." : no_cuda + ".");
    }
  }
  return 0;
} catch (const binade::Error& error) {
  std::fprintf(stderr, "bench_apex: %s\n  %s\n", error.what(), error.hint.c_str());
  return 1;
}
