// SPDX-License-Identifier: Apache-2.0
#include "engine/ranks/nccl_sums.h"

#include <c10/core/DeviceGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <algorithm>
#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <thread>

namespace binade::ranks {

namespace {

using c10::impl::VirtualGuardImpl;

std::optional<int> nccl_type(at::ScalarType type) {
  switch (type) {
    case at::kInt:
      return kNcclInt32;
    case at::kLong:
      return kNcclInt64;
    case at::kHalf:
      return kNcclFloat16;
    case at::kFloat:
      return kNcclFloat32;
    case at::kDouble:
      return kNcclFloat64;
    case at::kBFloat16:
      return kNcclBfloat16;
    default:
      return std::nullopt;
  }
}

}  // namespace

std::string NcclSums::make_id(const NcclFunctions& nccl) {
  NcclId id;
  if (const int result = nccl.ncclGetUniqueId(&id); result != kNcclSuccess) {
    throw NcclFailure(nccl.ncclGetErrorString(result));
  }
  return {id.bytes.data(), id.bytes.size()};
}

NcclSums::NcclSums(const NcclFunctions& nccl, const std::string& id, int rank, int ranks, c10::Device device,
                   const Wait& wait)
    : nccl_(nccl), device_(device), stream_(VirtualGuardImpl(device.type()).getStreamFromGlobalPool(device)) {
  const c10::DeviceGuard of_device(device_);
  NcclId bytes;
  std::copy_n(id.begin(), std::min(id.size(), bytes.bytes.size()), bytes.bytes.begin());
  NcclConfig config;
  try {
    const int result = nccl_.ncclCommInitRankConfig(&comm_, ranks, bytes, rank, &config);
    if (result != kNcclInProgress) check(result);
    wait([this] { return is_ready(); });
  } catch (...) {
    abort();
    throw;
  }
}

NcclSums::~NcclSums() {
  abort();
}

void NcclSums::check(int result) const {
  if (result == kNcclSuccess) return;
  const char* const last = nccl_.ncclGetLastError(comm_);
  const std::string more = last != nullptr && *last != '\0' ? std::string(": ") + last : "";
  throw NcclFailure(nccl_.ncclGetErrorString(result) + more);
}

bool NcclSums::is_ready() const {
  int state = kNcclSuccess;
  check(nccl_.ncclCommGetAsyncError(comm_, &state));
  if (state == kNcclInProgress) return false;
  check(state);
  return true;
}

bool NcclSums::takes(const at::Tensor& values) const {
  return values.device() == device_ && values.numel() > 0 && values.is_contiguous() && nccl_type(values.scalar_type());
}

NcclSums::Sum NcclSums::sum(const at::Tensor& values, const Wait& wait) {
  if (comm_ == nullptr) throw NcclFailure("the communicator has been aborted");
  const c10::DeviceGuard of_device(device_);
  const VirtualGuardImpl device(device_.type());
  c10::Event written(device_.type());
  written.record(device.getStream(device_));
  written.block(stream_);
  // The memory of a sum that is never finished is not given to others before the stream is done with it.
  device.recordDataPtrOnStream(values.storage().data_ptr(), stream_);
  void* const data = values.mutable_data_ptr();
  const int result = nccl_.ncclAllReduce(data, data, static_cast<std::size_t>(values.numel()),
                                         *nccl_type(values.scalar_type()), kNcclSum, comm_, stream_.native_handle());
  if (result != kNcclInProgress) check(result);
  // Until then nothing is on the stream that an event could follow.
  wait([this] { return is_ready(); });
  Sum sum{values, c10::Event(device_.type())};
  sum.done.record(stream_);
  return sum;
}

void NcclSums::finish(const Sum& sum, const Wait& wait) {
  if (comm_ == nullptr) throw NcclFailure("the communicator has been aborted");
  const c10::DeviceGuard of_device(device_);
  wait([&] {
    if (sum.done.query()) return true;
    is_ready();  // a broken connection ends no sum
    return false;
  });
  sum.done.block(VirtualGuardImpl(device_.type()).getStream(device_));
}

void NcclSums::abort() noexcept {
  if (comm_ == nullptr) return;
  ncclComm* const comm = comm_;
  comm_ = nullptr;
  constexpr std::chrono::seconds kPatience{10};
  try {
    auto promise = std::make_shared<std::promise<void>>();
    const std::future<void> ended = promise->get_future();
    std::thread([promise, comm, nccl = nccl_, device = device_] {
      VirtualGuardImpl(device.type()).uncheckedSetDevice(device);
      nccl.ncclCommAbort(comm);
      promise->set_value();
    }).detach();
    ended.wait_for(kPatience);
  } catch (const std::exception&) {
    return;  // no thread: the end of the process ends the sums
  }
}

}  // namespace binade::ranks
