// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/host/verify/verify.h"

#include <string>
#include <utility>
#include <vector>

namespace binade::host {

/// Enables LibTorch's own autocast for the device of a comparison, which must be off before, while it lives. Does
/// nothing if the options name no dtype.
class NativeAutocast {
 public:
  explicit NativeAutocast(const VerifyOptions& options);
  ~NativeAutocast();
  NativeAutocast(const NativeAutocast&) = delete;
  NativeAutocast& operator=(const NativeAutocast&) = delete;

 private:
  bool on_;
  c10::DeviceType device_;
  at::ScalarType dtype_before_ = at::kBFloat16;
};

/// Parameters and buffers of a model between two steps.
struct ModelState {
  std::vector<at::Tensor> parameters;
  std::vector<at::Tensor> buffers;
};

/// One of the two trainings that verify() compares: a model, the outputs of its last forward and their loss.
struct Side {
  graph::Model model;
  std::vector<std::pair<std::string, at::Tensor>> parameters;
  std::vector<std::pair<std::string, at::Tensor>> buffers;
  std::vector<at::Tensor> outputs;
  at::Tensor loss;

  /// Moves `loaded` to `device`.
  Side(const graph::Model& loaded, c10::Device device);

  /// Makes a loss of the outputs of forward (the sum of their mean squares) and computes its gradients. Throws
  /// Error{kBadModel} if no output is floating-point or an output cannot be used, and what backward throws as an Error.
  void backward(const VerifyOptions& options, const c10::IValue& output);
  /// Applies one step of gradient descent.
  void step();

  /// Returns copies of all parameters and buffers.
  ModelState state() const;
  /// Copies the values of `state` into parameters and buffers.
  void restore(const ModelState& state);
  /// Returns each parameter's gradient (not a copy); undefined if it has none.
  std::vector<at::Tensor> gradients() const;
};

/// Makes both copies equal, and comparisons meaningful: all-zero parameters are drawn anew, batch norms are warmed up.
void prepare(Side& reference, Side& other, const VerifyOptions& options);

/// Returns 0 if bits, dtypes and shapes are equal. Otherwise returns the largest absolute difference, or a tiny
/// positive number if only dtype, sign of zero or NaN bits differ.
double difference(const at::Tensor& a, const at::Tensor& b);

}  // namespace binade::host
