// SPDX-License-Identifier: Apache-2.0
#include "tests/ranks/stand_in_gpu.h"

#include "tests/support/places.h"

#include <dlfcn.h>

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <c10/core/TensorImpl.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <torch/library.h>

#include <optional>
#include <stdexcept>
#include <string>

namespace binade::test {

namespace {

constexpr c10::StreamId kOfNccl = 7;

template <class Result>
Result fromStandIn(const char* name) {
  const auto function = reinterpret_cast<Result (*)()>(::dlsym(RTLD_DEFAULT, name));
  return function != nullptr ? function() : Result{};
}

/// An event on the stream of NCCL has the number of sums before it.
struct StandInEvent {
  std::uint64_t sums = 0;
};

class StandInGuard final : public c10::impl::DeviceGuardImplInterface {
 public:
  c10::DeviceType type() const override { return c10::kCUDA; }
  c10::Device exchangeDevice(c10::Device /*device*/) const override { return getDevice(); }
  c10::Device getDevice() const override { return {c10::kCUDA, 0}; }
  void setDevice(c10::Device /*device*/) const override {}
  void uncheckedSetDevice(c10::Device /*device*/) const noexcept override {}
  c10::Stream getStream(c10::Device device) const override { return c10::Stream(c10::Stream::UNSAFE, device, 0); }
  c10::Stream getStreamFromGlobalPool(c10::Device device, bool /*high*/) const override {
    return c10::Stream(c10::Stream::UNSAFE, device, kOfNccl);
  }
  c10::Stream exchangeStream(c10::Stream stream) const override { return getStream(stream.device()); }
  void* getStreamNativeHandle(const c10::Stream /*stream*/) const override { return nullptr; }
  c10::DeviceIndex deviceCount() const noexcept override { return 1; }
  void record(void** event, const c10::Stream& stream, const c10::DeviceIndex /*device*/,
              const c10::EventFlag /*flag*/) const override {
    if (*event == nullptr) *event = new StandInEvent;
    static_cast<StandInEvent*>(*event)->sums =
        stream.id() == kOfNccl ? fromStandIn<std::uint64_t>("standInEnqueued") : 0;
  }
  void block(void* /*event*/, const c10::Stream& /*stream*/) const override {}
  bool queryEvent(void* event) const override {
    return event == nullptr || fromStandIn<std::uint64_t>("standInDone") >= static_cast<StandInEvent*>(event)->sums;
  }
  void destroyEvent(void* event, const c10::DeviceIndex /*device*/) const noexcept override {
    delete static_cast<StandInEvent*>(event);
  }
};

at::Tensor emptyOnGpu(c10::IntArrayRef size, std::optional<at::ScalarType> type, std::optional<at::Layout> /*layout*/,
                      std::optional<at::Device> /*device*/, std::optional<bool> /*pinned*/,
                      std::optional<at::MemoryFormat> /*format*/) {
  auto* const memory = new at::Tensor(at::empty(size, type.value_or(at::kFloat)));
  c10::DataPtr data(
      memory->mutable_data_ptr(), memory, [](void* tensor) { delete static_cast<at::Tensor*>(tensor); },
      c10::Device(c10::kCUDA, 0));
  c10::Storage storage(c10::Storage::use_byte_size_t(), memory->nbytes(), std::move(data), nullptr, false);
  at::Tensor tensor = at::detail::make_tensor<c10::TensorImpl>(
      std::move(storage), c10::DispatchKeySet(c10::DispatchKey::CUDA), memory->dtype());
  tensor.unsafeGetTensorImpl()->set_sizes_contiguous(size);
  return tensor;
}

at::Tensor& fillOnGpu(at::Tensor& self, const at::Scalar& value) {
  for (std::int64_t i = 0; i < self.numel(); ++i) {
    if (self.scalar_type() == at::kDouble) {
      self.mutable_data_ptr<double>()[i] = value.toDouble();
    } else {
      self.mutable_data_ptr<float>()[i] = value.toFloat();
    }
  }
  return self;
}

at::Scalar firstOnGpu(const at::Tensor& self) {
  return self.scalar_type() == at::kDouble ? at::Scalar(*self.const_data_ptr<double>())
                                           : at::Scalar(*self.const_data_ptr<float>());
}

}  // namespace

void standInForGpus() {
  static const c10::impl::DeviceGuardImplRegistrar guard(c10::kCUDA, new StandInGuard);
  static torch::Library library(torch::Library::IMPL, "aten", c10::DispatchKey::CUDA, __FILE__, __LINE__);
  library.impl("empty.memory_format", &emptyOnGpu);
  library.impl("fill_.Scalar", &fillOnGpu);
  library.impl("_local_scalar_dense", &firstOnGpu);
}

void standInForNccl() {
  if (::dlopen(BINADE_BIN_DIR "/stand_in_nccl.so", RTLD_NOW | RTLD_GLOBAL) == nullptr) {
    throw std::runtime_error(::dlerror());
  }
}

std::uint64_t sumsByNccl() {
  return fromStandIn<std::uint64_t>("standInEnqueued");
}

int abortsOfNccl() {
  return fromStandIn<int>("standInAborts");
}

}  // namespace binade::test
