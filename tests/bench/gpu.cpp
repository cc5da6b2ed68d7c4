// SPDX-License-Identifier: Apache-2.0
//
// bench_gpu [--out DIR] [MEASUREMENT...]: measurements that need a GPU, one JSON object a line.
// bench_gpu [--out DIR] states: what can be measured here, and why the rest cannot.
// bench_gpu product CASE | step SAMPLE: the work alone, for ncu to profile between cudaProfilerStart and -Stop.
// bench_gpu work SECONDS | watch SECONDS: work without profiling, or profiling without work, to be run concurrently.
// A measurement whose requirements are not met gives one line with state and reason, and the exit code 77.
#include "engine/formats/error.h"
#include "engine/host/process/open_cuda.h"
#include "engine/observe/device_launch.h"
#include "tests/bench/gpu_stages.h"
#include "tests/bench/gpu_work.h"

#include <nlohmann/json.hpp>

#include <ATen/Context.h>

#include <chrono>
#include <cstdio>
#include <map>
#include <string>
#include <thread>
#include <vector>

namespace binade::bench::gpu {

namespace {

using Run = void (*)(const Machine&);

const std::map<std::string, Run>& runs() {
  static const std::map<std::string, Run> all{
      {"together", together},   {"order", order},       {"agree", agree},       {"overhead", overhead},
      {"intervals", intervals}, {"sites", sites},       {"libtorch", libtorch}, {"gpm", gpm},
      {"record", record},       {"autocast", autocast}, {"observe", observe}};
  return all;
}

void product_for_ncu(const std::string& name) {
  Products products(product_case(name));
  products.run(3);
  wait();
  profiler_range(true);
  products.run(3);
  wait();
  profiler_range(false);
}

void work(double seconds) {
  Products products(product_case("bfloat16-4096"));
  busy(products, seconds);
}

/// Prints what sampling measures, or why it measures nothing. Does no work itself.
void watch(double seconds) {
  profiler::Monitor monitor;
  monitor.start({.kernels = false});
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  const profiler::Monitor::State state = monitor.state();
  nlohmann::ordered_json line{{"bench", "gpu.watch"},
                              {"case", "a process that only samples"},
                              {"counters", std::string(name(state.counters.code))},
                              {"reason", state.counters.sentence},
                              {"samples", state.samples.samples}};
  if (const auto percent = mean_of(monitor.take_bins(), profiler::Channel::kTensor, -1)) line["percent"] = *percent;
  print(line);
}

int usage() {
  std::fprintf(stderr,
               "bench_gpu [--out DIR] [MEASUREMENT...|states] | product CASE | step SAMPLE | work S | watch S\n");
  for (const Measurement& each : measurements()) std::fprintf(stderr, "  %-10s %s\n", each.name, each.question);
  return 2;
}

/// Does work for ncu to profile. Must not use CUPTI, whose counters ncu holds.
int do_work(const std::string& what, const std::string& argument, const std::string& no_cuda) {
  const std::unique_ptr<profiler::Driver> driver = profiler::open_driver();
  Machine machine;
  machine.ready.cuda = profiler::look_at_device(driver.get(), 0);
  machine.no_cuda = no_cuda;
  if (const auto lacking = missing(machine, {Need::kCuda}); !lacking.empty()) {
    std::fprintf(stderr, "bench_gpu: %s\n", lacking.front().sentence.c_str());
    return kNotMeasured;
  }
  if (what == "product") product_for_ncu(argument);
  if (what == "step") step_for_ncu(argument);
  if (what == "work") work(std::stod(argument));
  if (what == "watch") watch(std::stod(argument));
  return 0;
}

}  // namespace

int main_of(std::vector<std::string> arguments) {
  std::string no_cuda = host::open_cuda();
  if (no_cuda.empty() && at::getNumGPUs() == 0) no_cuda = "LibTorch shows no CUDA device";
  if (arguments.size() == 2 &&
      (arguments[0] == "product" || arguments[0] == "step" || arguments[0] == "work" || arguments[0] == "watch")) {
    return do_work(arguments[0], arguments[1], no_cuda);
  }
  std::string folder = "recordings";
  if (arguments.size() >= 2 && arguments[0] == "--out") {
    folder = arguments[1];
    arguments.erase(arguments.begin(), arguments.begin() + 2);
  }
  const bool states = arguments == std::vector<std::string>{"states"};
  for (const std::string& wanted : arguments) {
    if (!states && runs().count(wanted) == 0) return usage();
  }
  Machine machine = look_at(profiler::open_parts(), no_cuda, states || need_counters(arguments));
  machine.folder = folder;
  if (machine.ready.cuda.ok() && machine.no_cuda.empty()) {
    machine.no_kernel = observe::DeviceKernel::why(c10::Device(c10::kCUDA, 0));
  }
  if (states || arguments.empty()) print(probe_line(machine));
  return make(
      machine, states ? std::vector<std::string>() : arguments,
      [&](const Measurement& each) {
        if (!states) runs().at(each.name)(machine);
      },
      print);
}

}  // namespace binade::bench::gpu

int main(int argc, char** argv) try {
  return binade::bench::gpu::main_of({argv + 1, argv + argc});
} catch (const std::exception& error) {
  std::fprintf(stderr, "bench_gpu: %s\n", error.what());
  return 1;
}
