// SPDX-License-Identifier: Apache-2.0
#include "engine/observe/device_launch.h"

#include "engine/formats/error.h"
#include "engine/observe/device_image.h"

#include <dlfcn.h>

#include <ATen/DeviceAccelerator.h>

#include <map>
#include <mutex>

namespace binade::observe {

/// What is used of libcuda.so.1, whose interface is stable; its header is not needed for six functions.
struct DeviceKernel::Driver {
  using Result = int;
  Result (*init)(unsigned) = nullptr;
  Result (*retain)(void**, int) = nullptr;
  Result (*current)(void**) = nullptr;
  Result (*set_current)(void*) = nullptr;
  Result (*load)(void**, const void*) = nullptr;
  Result (*function)(void**, void*, const char*) = nullptr;
  Result (*launch)(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*, void**,
                   void**) = nullptr;

  /// Null where there is no driver, or one without a function of these.
  static const Driver* open() {
    static const Driver* const driver = [] {
      static Driver found;
      void* library = ::dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
      if (library == nullptr) return static_cast<const Driver*>(nullptr);
      const auto find = [&](auto& function, const char* name) {
        function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(::dlsym(library, name));
        return function != nullptr;
      };
      const bool all = find(found.init, "cuInit") && find(found.retain, "cuDevicePrimaryCtxRetain") &&
                       find(found.current, "cuCtxGetCurrent") && find(found.set_current, "cuCtxSetCurrent") &&
                       find(found.load, "cuModuleLoadData") && find(found.function, "cuModuleGetFunction") &&
                       find(found.launch, "cuLaunchKernel");
      return all ? static_cast<const Driver*>(&found) : nullptr;
    }();
    return driver;
  }
};

/// One device's kernel, or why there is none.
struct LoadedKernel {
  DeviceKernel kernel;
  std::string why;

  static const LoadedKernel& of(c10::Device device) {
    static std::mutex mutex;
    static std::map<int, LoadedKernel> all;
    const std::lock_guard lock(mutex);
    const auto [entry, is_new] = all.try_emplace(device.index());
    if (is_new) entry->second.load(device);
    return entry->second;
  }

  void load(c10::Device device) {
    if (!device.is_cuda()) {
      why = device.str() + " is no CUDA device";
      return;
    }
    if (device_image().empty()) {
      why = "this program was built without NVIDIA's compiler";
      return;
    }
    const DeviceKernel::Driver* driver = DeviceKernel::Driver::open();
    if (driver == nullptr) {
      why = "libcuda.so.1 cannot be opened";
      return;
    }
    void* module = nullptr;
    int result = driver->init(0);
    if (result == 0) result = driver->retain(&kernel.context_, device.index());
    if (result == 0) result = driver->set_current(kernel.context_);
    if (result == 0) result = driver->load(&module, device_image().data());
    if (result == 0) result = driver->function(&kernel.plain_, module, "binade_measure");
    if (result == 0) result = driver->function(&kernel.formats_, module, "binade_measure_formats");
    if (result != 0) {
      why = "the CUDA driver refuses the kernel with error " + std::to_string(result);
      return;
    }
    kernel.device_ = device;
    kernel.driver_ = driver;
  }
};

device::Limits device_limits(const formats::Format& format) {
  const formats::Limits limits = formats::limits_of(format);
  device::Limits found{};
  found.from[device::kZero] = 1;
  found.to[device::kZero] = limits.underflow + 1;
  found.from[device::kSubnormal] = limits.underflow + 1;
  found.to[device::kSubnormal] = limits.normal;
  found.from[device::kOverflow] = limits.overflow;
  found.to[device::kOverflow] = 0x7f800000u;
  return found;
}

device::Launch launch_of(std::span<const at::Tensor> values, const formats::Format& watched, formats::Depth depth,
                         device::Tally* tallies, std::uint32_t& blocks) {
  static_assert(device::kFormats == 1 + formats::kNamedFormats.size());
  device::Launch launch{};
  launch.pieces = static_cast<std::uint32_t>(values.size());
  launch.formats = depth == formats::Depth::kHistogram ? 1 : device::kFormats;
  for (std::size_t i = 0; i < formats::kNamedFormats.size(); ++i) {
    launch.named[i] = device_limits(formats::kNamedFormats[i]);
  }
  blocks = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const at::Tensor& tensor = values[i];
    device::Piece& piece = launch.piece[i];
    piece.values = tensor.const_data_ptr();
    piece.count = static_cast<std::uint64_t>(tensor.numel());
    piece.tally = tallies + i;
    piece.first_block = blocks;
    piece.storage = tensor.scalar_type() == at::kHalf       ? device::Storage::kFloat16
                    : tensor.scalar_type() == at::kBFloat16 ? device::Storage::kBFloat16
                                                            : device::Storage::kFloat32;
    piece.watched = device_limits(watched);
    blocks += static_cast<std::uint32_t>((piece.count + device::kBlockValues - 1) / device::kBlockValues);
  }
  return launch;
}

const DeviceKernel* DeviceKernel::of(c10::Device device) {
  const LoadedKernel& loaded = LoadedKernel::of(device);
  return loaded.why.empty() ? &loaded.kernel : nullptr;
}

std::string DeviceKernel::why(c10::Device device) {
  return LoadedKernel::of(device).why;
}

void DeviceKernel::launch(const device::Launch& launch, std::uint32_t blocks) const {
  if (blocks == 0) return;
  // Autograd's threads may not have made the device's context their own yet.
  void* present = nullptr;
  int result = driver_->current(&present);
  if (result == 0 && present == nullptr) result = driver_->set_current(context_);
  void* stream = reinterpret_cast<void*>(at::accelerator::getCurrentStream(device_.index()).native_handle());
  auto argument = launch;
  void* arguments[] = {&argument};
  if (result == 0) {
    result = driver_->launch(launch.formats == 1 ? plain_ : formats_, blocks, 1, 1, device::kThreads, 1, 1, 0, stream,
                             arguments, nullptr);
  }
  if (result == 0) return;
  throw Error(ErrorCode::kInternal, "The CUDA driver refuses to observe a tensor with error " + std::to_string(result),
              "Train with observe level \"off\", and report this.");
}

}  // namespace binade::observe
