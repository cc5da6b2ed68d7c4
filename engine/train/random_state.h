// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <string>
#include <utility>
#include <vector>

namespace binade::train {

/// Where LibTorch's generators stand: the CPU's and that of the device in use.
class RandomState {
 public:
  /// Takes it from the generators.
  static RandomState of(c10::Device device);

  /// Puts it back.
  void restore() const;

  /// `cpu`, `cuda:0`, each with its state as bytes: what a checkpoint keeps.
  std::vector<std::pair<std::string, at::Tensor>> named() const;
  /// The state of one device from a checkpoint; throws c10::Error for bytes that no generator takes.
  static void restore(const std::string& device, const at::Tensor& bytes);

 private:
  std::vector<std::pair<c10::Device, at::Tensor>> states_;
};

}  // namespace binade::train
