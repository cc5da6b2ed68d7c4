// SPDX-License-Identifier: Apache-2.0
//
// The cost of profiling: time with the monitor ÷ without it, for large kernels, for a training step, and for many tiny
// kernels, which are the worst case and have no bar.
#include "tests/bench/gpu_stages.h"
#include "tests/bench/gpu_work.h"
#include "tests/bench/ratio.h"
#include "tests/bench/training_steps.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/ones.h>

#include <chrono>
#include <functional>

namespace binade::bench::gpu {

namespace {

using Clock = std::chrono::steady_clock;

struct Way {
  const char* name;
  bool curve, kernels;
};
constexpr Way kWays[] = {{"kernel records", false, true}, {"sampling", true, false}, {"both", true, true}};
constexpr int kRounds = 9;

double seconds_of(const std::function<void()>& work) {
  work();  // warms up after a change of clocks
  wait();
  const auto start = Clock::now();
  work();
  wait();
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// `work` must take a few hundred milliseconds. It may set marks on the monitor.
void compare(const std::string& what, double bar, const std::function<void(profiler::Monitor&)>& work) {
  for (const Way& way : kWays) {
    attempt("gpu.overhead", what + ", " + way.name, [&] {
      std::vector<double> ratios;
      for (int round = 0; round < kRounds; ++round) {
        double seconds[2] = {};
        for (const int watched : {round % 2, 1 - round % 2}) {
          profiler::Monitor monitor;
          if (watched == 1) {
            monitor.start({.curve = way.curve, .kernels = way.kernels});
            if (way.curve) need(monitor.state().curve);
            if (way.kernels) need(monitor.state().ops);
          }
          seconds[watched] = seconds_of([&] { work(monitor); });
        }
        ratios.push_back(seconds[1] / seconds[0]);
      }
      if (bar > 0) {
        print_ratio("gpu.overhead", what + ", " + way.name, median_interval(ratios), bar);
      } else {
        print_ratio("gpu.overhead", what + ", " + way.name, median_interval(ratios));
      }
    });
  }
}

/// Passes the step's marks to the monitor of the round.
class Marks : public observe::SiteMarks {
 public:
  profiler::Monitor* monitor = nullptr;
  void enter(int site, observe::Part) noexcept override {
    if (monitor != nullptr) monitor->push(profiler::op_key(site, profiler::Phase::kForward));
  }
  void leave() noexcept override {
    if (monitor != nullptr) monitor->pop();
  }
};

}  // namespace

void overhead(const Machine&) {
  {
    Products products(product_case("bfloat16-4096"));
    compare("products of 4096", 1.03, [&](profiler::Monitor&) { products.run(1000); });
  }
  {
    EngineStep step(lowered_training_of("resnet", formats::kBFloat16, "cuda", 512));
    Marks marks;
    step.training().timer.set_marks(&marks);
    compare("training step, resnet bfloat16", 1.03, [&](profiler::Monitor& monitor) {
      // Without the monitor nothing is timed either: the comparison is between profiling and none.
      marks.monitor = monitor.running() ? &monitor : nullptr;
      step.stepper().set_profile({.level = monitor.running() ? "counters" : "off"});
      for (int i = 0; i < 20; ++i) step();
      marks.monitor = nullptr;
    });
  }
  const at::NoGradGuard no_history;
  at::Tensor tiny = at::ones({128}, at::TensorOptions().device(at::kCUDA));
  compare("2,000 tiny kernels", 0, [&](profiler::Monitor& monitor) {
    for (int i = 0; i < 2000; ++i) {
      monitor.push(profiler::op_key(i % 8, profiler::Phase::kForward));
      tiny.mul_(0.5);
      monitor.pop();
    }
  });
}

}  // namespace binade::bench::gpu
