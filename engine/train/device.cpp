// SPDX-License-Identifier: Apache-2.0
#include "engine/train/device.h"

#include "engine/formats/error.h"
#include "engine/formats/file_refusal.h"

#include <dlfcn.h>

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/cpu/Utils.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <array>

namespace binade::train {

namespace {

/// Returns an attribute of CUDA device 0, or 0. Uses the CUDA runtime that LibTorch's CPU library has loaded.
int cuda_attribute(int attribute) {
  using Function = int (*)(int*, int, int);
  const auto get = reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, "cudaDeviceGetAttribute"));
  int value = 0;
  return get != nullptr && get(&value, attribute, 0) == 0 ? value : 0;
}

/// Why CUDA's runtime finds no device, such as `no CUDA-capable device is detected`; empty if it does not say.
std::string why_no_cuda() {
  const auto count = reinterpret_cast<int (*)(int*)>(dlsym(RTLD_DEFAULT, "cudaGetDeviceCount"));
  const auto text = reinterpret_cast<const char* (*)(int)>(dlsym(RTLD_DEFAULT, "cudaGetErrorString"));
  int devices = 0;
  const int code = count != nullptr && text != nullptr ? count(&devices) : 0;
  return code == 0 ? "" : std::string(text(code)) + " (CUDA error " + std::to_string(code) + ")";
}

std::string cuda_name() {
  using Function = int (*)(char*, int, int);
  std::array<char, 256> name{};
  if (void* driver = dlopen("libcuda.so.1", RTLD_NOW)) {
    const auto get = reinterpret_cast<Function>(dlsym(driver, "cuDeviceGetName"));
    if (get != nullptr && get(name.data(), static_cast<int>(name.size()) - 1, 0) == 0) return name.data();
  }
  return "CUDA device";
}

constexpr int kCapabilityMajor = 75;  // cudaDevAttrComputeCapabilityMajor

}  // namespace

c10::Device open_device(const std::string& name, int gpu) {
  if (name == "cpu") return {c10::kCPU};
  if (name != "cuda")
    throw Error(ErrorCode::kBadRun, "device is \"" + name + "\", which is unknown", "Use cpu or cuda.").at("device");
  if (at::getNumGPUs() == 0) {
    const std::string why = why_no_cuda();
    throw Error(
        ErrorCode::kBadRun, "device is cuda, but no CUDA device is usable here" + (why.empty() ? why : ": " + why),
        std::string("Use cpu, or check that an NVIDIA driver and LibTorch's CUDA libraries are installed.") +
            (is_confined()
                 ? " This engine is confined, which can be the cause: `binade-engine train` without --confined is not."
                 : ""))
        .at("device");
  }
  if (static_cast<std::size_t>(gpu) >= at::getNumGPUs()) {
    throw Error(ErrorCode::kBadRun,
                "device is cuda, and this rank needs GPU " + std::to_string(gpu) + " of its computer, which has " +
                    std::to_string(at::getNumGPUs()),
                "Start as many ranks on a computer as it has GPUs. LOCAL_RANK is the number of the GPU, from 0.")
        .at("device");
  }
  const c10::Device device(c10::kCUDA, static_cast<c10::DeviceIndex>(gpu));
  if (gpu > 0) c10::impl::VirtualGuardImpl(c10::kCUDA).setDevice(device);
  return device;
}

policy::Capabilities capabilities(c10::Device device) {
  policy::Capabilities can;
  if (device.is_cuda()) {
    can.native_float16 = true;
    can.list = policy::Base::kCudaAmp;
    can.native_bfloat16 = can.native_tfloat32 = cuda_attribute(kCapabilityMajor) >= 8;
    return can;
  }
  const auto known = at::cpu::get_cpu_capabilities();
  const auto has = [&known](const char* name) {
    const auto found = known.find(name);
    return found != known.end() && found->second.isBool() && found->second.toBool();
  };
  can.native_bfloat16 = has("avx512_bf16") || has("amx_bf16");
  can.native_float16 = has("avx512_fp16") || has("amx_fp16");
  return can;
}

std::string describe(c10::Device device) {
  if (device.is_cuda()) return cuda_name();
  const int threads = at::get_num_threads();
  return "CPU, " + std::to_string(threads) + (threads == 1 ? " thread" : " threads");
}

void seed(std::uint64_t seed) {
  at::manual_seed(seed);
}

Deterministic::Deterministic() {
  at::Context& context = at::globalContext();
  algorithms_ = context.deterministicAlgorithms();
  warn_only_ = context.deterministicAlgorithmsWarnOnly();
  fill_ = context.deterministicFillUninitializedMemory();
  cudnn_ = context.deterministicCuDNN();
  benchmark_ = context.benchmarkCuDNN();
  // Warnings only: an op without a deterministic kernel may still run, rather than prevent the training.
  context.setDeterministicAlgorithms(true, /*warn_only=*/true);
  context.setDeterministicFillUninitializedMemory(false);
  context.setDeterministicCuDNN(true);
  context.setBenchmarkCuDNN(false);
}

Deterministic::~Deterministic() {
  at::Context& context = at::globalContext();
  context.setDeterministicAlgorithms(algorithms_, warn_only_);
  context.setDeterministicFillUninitializedMemory(fill_);
  context.setDeterministicCuDNN(cudnn_);
  context.setBenchmarkCuDNN(benchmark_);
}

}  // namespace binade::train
