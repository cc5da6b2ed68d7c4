// SPDX-License-Identifier: Apache-2.0
#include "engine/observe/device_launch.h"

#include "engine/formats/error.h"
#include "engine/observe/device_image.h"

#include <dlfcn.h>

#include <ATen/DeviceAccelerator.h>

#include <map>
#include <mutex>

namespace binade::observe {

/// The functions used from libcuda.so.1. Its ABI is stable, so seven functions do not need its header.
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

  /// Returns null if the driver, or one of these functions, is missing.
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

namespace {

/// Makes a device's context current for this thread and restores the previous one. Autograd's threads may have none, or
/// that of another device.
class Current {
 public:
  Current(const DeviceKernel::Driver& driver, void* context) : driver_(driver) {
    result_ = driver_.current(&before_);
    changes_ = result_ == 0 && before_ != context;
    if (changes_) result_ = driver_.set_current(context);
  }
  ~Current() {
    if (changes_) driver_.set_current(before_);
  }
  Current(const Current&) = delete;
  Current& operator=(const Current&) = delete;
  /// The driver's error code, or 0.
  int result() const { return result_; }

 private:
  const DeviceKernel::Driver& driver_;
  void* before_ = nullptr;
  bool changes_ = false;
  int result_ = 0;
};

}  // namespace

/// One device's kernel, or the reason why there is none.
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
      why = device.str() + " is not a CUDA device";
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
    if (result == 0) {
      const Current current(*driver, kernel.context_);
      result = current.result();
      if (result == 0) result = driver->load(&module, device_image().data());
      if (result == 0) result = driver->function(&kernel.plain_, module, "binade_measure");
      if (result == 0) result = driver->function(&kernel.formats_, module, "binade_measure_formats");
      if (result == 0) result = driver->function(&kernel.fine_, module, "binade_measure_fine");
    }
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

std::int64_t row_size(formats::Depth depth) {
  static_assert(sizeof(device::Tally) % sizeof(double) == 0 && sizeof(device::FineCell) == 2 * sizeof(double));
  constexpr std::int64_t kTally = sizeof(device::Tally) / sizeof(double);
  return depth == formats::Depth::kWhatIf ? kTally + 2 * std::int64_t{device::kFineCells} : kTally;
}

std::vector<PlannedLaunch> launches_of(std::span<const at::Tensor> values, const formats::Format& watched,
                                       formats::Depth depth, const at::Tensor& rows) {
  static_assert(device::kFormats == 1 + formats::kNamedFormats.size());
  std::vector<PlannedLaunch> all;
  auto* row = static_cast<double*>(rows.mutable_data_ptr());
  for (const at::Tensor& tensor : values) {
    if (all.empty() || all.back().launch.pieces == device::kPieces) {
      device::Launch& launch = all.emplace_back().launch;
      launch = {};
      launch.formats = depth == formats::Depth::kHistogram ? 1 : device::kFormats;
      for (std::size_t i = 0; i < formats::kNamedFormats.size(); ++i) {
        launch.named[i] = device_limits(formats::kNamedFormats[i]);
      }
    }
    device::Launch& launch = all.back().launch;
    device::Piece& piece = launch.piece[launch.pieces++];
    piece.values = tensor.const_data_ptr();
    piece.count = static_cast<std::uint64_t>(tensor.numel());
    piece.tally = reinterpret_cast<device::Tally*>(row);
    piece.fine = depth == formats::Depth::kWhatIf ? reinterpret_cast<device::FineCell*>(piece.tally + 1) : nullptr;
    piece.first_block = all.back().blocks;
    piece.storage = tensor.scalar_type() == at::kHalf       ? device::Storage::kFloat16
                    : tensor.scalar_type() == at::kBFloat16 ? device::Storage::kBFloat16
                                                            : device::Storage::kFloat32;
    piece.watched = device_limits(watched);
    all.back().blocks += static_cast<std::uint32_t>((piece.count + device::kBlockValues - 1) / device::kBlockValues);
    row += row_size(depth);
  }
  return all;
}

const DeviceKernel* DeviceKernel::of(c10::Device device) {
  const LoadedKernel& loaded = LoadedKernel::of(device);
  return loaded.why.empty() ? &loaded.kernel : nullptr;
}

std::string DeviceKernel::why(c10::Device device) {
  return LoadedKernel::of(device).why;
}

void DeviceKernel::launch(const PlannedLaunch& planned) const {
  if (planned.blocks == 0) return;
  const Current current(*driver_, context_);
  int result = current.result();
  void* stream = reinterpret_cast<void*>(at::accelerator::getCurrentStream(device_.index()).native_handle());
  device::Launch argument = planned.launch;
  void* arguments[] = {&argument};
  const auto run = [&](void* function) {
    if (result != 0) return;
    result = driver_->launch(function, planned.blocks, 1, 1, device::kThreads, 1, 1, 0, stream, arguments, nullptr);
  };
  run(argument.formats == 1 ? plain_ : formats_);
  if (argument.piece[0].fine != nullptr) run(fine_);
  if (result == 0) return;
  throw Error(ErrorCode::kInternal, "The CUDA driver refuses to observe a tensor with error " + std::to_string(result),
              "Train with observe level \"off\", and report this.");
}

}  // namespace binade::observe
