// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/ranks/nccl.h"

#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>
#include <c10/core/Event.h>
#include <c10/core/Stream.h>

#include <functional>
#include <stdexcept>
#include <string>

namespace binade::ranks {

/// NCCL reported an error: its text for `what()`.
struct NcclFailure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Sums over all ranks of tensors on a GPU, by NCCL on a stream of its own. NCCL's calls do not block, so a rank that
/// is gone holds up no thread: the caller gives each function a way to wait. Not c10d::ProcessGroupNCCL, which connects
/// in calls that block, has threads that may end the process, and whose C++ interface changes with LibTorch's versions.
///
/// Every rank must call the same functions in the same order. One thread at a time.
class NcclSums {
 public:
  /// Returns once the function that it is given returns true. What it throws ends the call.
  using Wait = std::function<void(const std::function<bool()>& done)>;

  /// Returns the bytes that one rank makes and by which all connect. Throws NcclFailure.
  static std::string make_id(const NcclFunctions& nccl);

  /// Connects all ranks. Throws NcclFailure.
  NcclSums(const NcclFunctions& nccl, const std::string& id, int rank, int ranks, c10::Device device, const Wait& wait);
  /// As abort().
  ~NcclSums();
  NcclSums(const NcclSums&) = delete;
  NcclSums& operator=(const NcclSums&) = delete;

  /// Whether sum() can sum these values. Depends on device, layout and dtype only.
  bool takes(const at::Tensor& values) const;

  /// A sum in progress. Keeps the memory of the values.
  struct Sum {
    at::Tensor values;
    c10::Event done;
  };
  /// Starts to replace `values` by their sum, once what the current stream does with them is done. Throws NcclFailure.
  Sum sum(const at::Tensor& values, const Wait& wait);
  /// Waits for a sum; later operations of the current stream see it. Throws NcclFailure, and an exception of LibTorch
  /// if the GPU itself has failed.
  void finish(const Sum& sum, const Wait& wait);

  /// Ends all sums in progress, whose values are then undefined; no later one may start. Returns after a few seconds
  /// even if NCCL does not. Does not throw.
  void abort() noexcept;

 private:
  void check(int result) const;
  /// Whether NCCL has carried out the last call. Throws NcclFailure.
  bool is_ready() const;

  NcclFunctions nccl_;
  c10::Device device_;
  c10::Stream stream_;
  ncclComm* comm_ = nullptr;
};

}  // namespace binade::ranks
