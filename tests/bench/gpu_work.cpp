// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/gpu_work.h"

#include "engine/formats/error.h"

#include <dlfcn.h>
#include <nlohmann/json.hpp>

#include <ATen/Context.h>
#include <ATen/DeviceAccelerator.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/randn.h>

#include <chrono>
#include <cstdio>
#include <thread>

namespace binade::bench::gpu {

namespace {

using Clock = std::chrono::steady_clock;

/// Returns a function of the CUDA runtime, which LibTorch has loaded.
template <class Function>
Function runtime(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, name));
}

}  // namespace

const std::vector<ProductCase>& product_cases() {
  static const std::vector<ProductCase> all{
      {"bfloat16-8192", 8192, at::kBFloat16, false}, {"bfloat16-4096", 4096, at::kBFloat16, false},
      {"bfloat16-2048", 2048, at::kBFloat16, false}, {"float16-8192", 8192, at::kHalf, false},
      {"tfloat32-4096", 4096, at::kFloat, true},     {"float32-2048", 2048, at::kFloat, false}};
  return all;
}

const ProductCase& product_case(const std::string& name) {
  for (const ProductCase& each : product_cases()) {
    if (name == each.name) return each;
  }
  throw Error(ErrorCode::kUsage, "no product " + name, "There are bfloat16-8192 to float32-2048.");
}

Products::Products(const ProductCase& of) : case_(of) {
  const auto options = at::TensorOptions().device(at::kCUDA).dtype(of.dtype);
  a_ = at::randn({of.size, of.size}, options);
  b_ = at::randn({of.size, of.size}, options);
}

void Products::run(int count) {
  const at::NoGradGuard no_history;
  at::globalContext().setAllowTF32CuBLAS(case_.tf32);
  for (int i = 0; i < count; ++i) c_ = at::mm(a_, b_);
  at::globalContext().setAllowTF32CuBLAS(false);
}

double Products::operations() const {
  return 2.0 * static_cast<double>(case_.size) * static_cast<double>(case_.size) * static_cast<double>(case_.size);
}

void wait() {
  at::accelerator::synchronizeDevice(0);
}

int device_attribute(int attribute) {
  const auto get = runtime<int (*)(int*, int, int)>("cudaDeviceGetAttribute");
  int value = 0;
  return get != nullptr && get(&value, attribute, 0) == 0 ? value : 0;
}

void profiler_range(bool on) {
  const auto set = runtime<int (*)()>(on ? "cudaProfilerStart" : "cudaProfilerStop");
  if (set != nullptr) set();
}

int busy(Products& products, double seconds) {
  products.run(3);
  wait();
  const auto start = Clock::now();
  int count = 3;
  while (std::chrono::duration<double>(Clock::now() - start).count() < seconds) {
    products.run(8);
    wait();
    count += 8;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return count;
}

std::optional<double> mean_of(const std::vector<profiler::Bin>& bins, profiler::Channel channel, double above) {
  double sum = 0, weight = 0;
  for (const profiler::Bin& bin : bins) {
    const auto value = static_cast<double>(bin.values[channel]);
    if (!(static_cast<double>(bin.values[profiler::Channel::kSmActive]) > above) || !(value >= 0)) continue;
    sum += value * bin.covered;
    weight += bin.covered;
  }
  if (weight <= 0) return std::nullopt;
  return sum / weight;
}

void print(const nlohmann::ordered_json& line) {
  std::printf("%s\n", line.dump().c_str());
  std::fflush(stdout);
}

}  // namespace binade::bench::gpu
