// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <string>
#include <utility>
#include <vector>

namespace binade::train {

/// State of LibTorch's generators: the CPU's and that of the device in use.
class RandomState {
 public:
  /// Reads the state.
  static RandomState of(c10::Device device);

  /// Restores the state.
  void restore() const;

  /// The states as bytes by device, `cpu`, `cuda:0`, for a checkpoint.
  std::vector<std::pair<std::string, at::Tensor>> named() const;
  /// Restores one device's state from a checkpoint. Throws c10::Error for invalid bytes.
  static void restore(const std::string& device, const at::Tensor& bytes);

 private:
  std::vector<std::pair<c10::Device, at::Tensor>> states_;
};

}  // namespace binade::train
