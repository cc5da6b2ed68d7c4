// SPDX-License-Identifier: Apache-2.0
//
// Records hardware output as test data: samples and kernels, and CUPTI's raw buffers.
#include "engine/formats/error.h"
#include "tests/bench/gpu_dump.h"
#include "tests/bench/gpu_stages.h"
#include "tests/bench/gpu_work.h"
#include "tests/profiler/recording.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>

namespace binade::bench::gpu {

void record(const Machine& machine) {
  std::filesystem::create_directories(machine.folder);
  profiler::Parts parts = profiler::open_parts();
  const auto cupti = dumping(parts.cupti.functions, machine.folder);
  const profiler::Counters counters = profiler::probe_counters(*parts.driver, parts.cupti, 0);
  need(counters.state);
  profiler::Recording recording;
  recording.chip = counters.chip;
  recording.metric = counters.choice.metrics.front().name;
  recording.note = "bench_gpu record on " + machine.ready.device + ": bfloat16 products of 4096, then float32 of 2048";
  auto kernels = profiler::make_activity_source(cupti);
  need(kernels->start());
  profiler::DeviceCurve curve(profiler::make_pm_source(cupti, parts.driver, 0, counters),
                              {.interval = std::chrono::microseconds(100)});
  need(curve.status());
  int site = 0;
  for (const char* each : {"bfloat16-4096", "float32-2048"}) {
    Products products(product_case(each));
    kernels->push(profiler::op_key(site++, profiler::Phase::kForward));
    busy(products, 0.05);
    kernels->pop();
  }
  curve.stop();
  for (int i = 0; i < 6; ++i) {
    kernels->flush();
    const auto taken = kernels->take();
    recording.kernels.insert(recording.kernels.end(), taken.begin(), taken.end());
  }
  kernels->stop();
  recording.names = kernels->names();
  recording.samples = curve.take_samples();
  const std::string file = machine.folder + "/" + counters.chip + ".recording";
  std::ofstream out(file);
  write(out, recording);
  out.close();
  if (!out) throw Error(ErrorCode::kBadFile, file + " cannot be written", "Give another --out folder.");
  print({{"bench", "gpu.record"},
         {"case", file},
         {"samples", recording.samples.size()},
         {"kernels", recording.kernels.size()},
         {"pass", !recording.samples.empty() && !recording.kernels.empty()}});
}

}  // namespace binade::bench::gpu
