// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/host/verify.h"

#include <string>
#include <utility>
#include <vector>

namespace binade::host {

/// LibTorch's own CPU autocast, the oracle, while it lives; nothing without a dtype.
class NativeAutocast {
 public:
  explicit NativeAutocast(std::optional<at::ScalarType> dtype);
  ~NativeAutocast();
  NativeAutocast(const NativeAutocast&) = delete;
  NativeAutocast& operator=(const NativeAutocast&) = delete;

 private:
  bool on_;
  at::ScalarType dtype_before_ = at::kBFloat16;
};

/// The values of a model between two steps.
struct ModelState {
  std::vector<at::Tensor> parameters;
  std::vector<at::Tensor> buffers;
};

/// One of the trainings that verify compares: a model, the outputs of its last forward and their loss.
struct Side {
  graph::Model model;
  std::vector<std::pair<std::string, at::Tensor>> parameters;
  std::vector<std::pair<std::string, at::Tensor>> buffers;
  std::vector<at::Tensor> outputs;
  at::Tensor loss;

  explicit Side(graph::Model loaded);

  /// Takes the loss of what forward gave, and its gradients. Throws Error{kBadModel} where nothing makes a loss.
  void backward(const VerifyOptions& options, const c10::IValue& output);
  /// Takes one step of gradient descent.
  void step();

  ModelState state() const;
  void restore(const ModelState& state);
  /// A handle to each parameter's gradient; undefined where it got none.
  std::vector<at::Tensor> gradients() const;
};

/// Makes the copies equal, with nothing in them that would make a comparison vacuous: all-zero parameters are drawn,
/// and batch norms warmed up.
void prepare(Side& reference, Side& other, const VerifyOptions& options);

/// 0 where all bits, dtypes and shapes are equal; else the largest difference, above 0 also where no number differs.
double difference(const at::Tensor& a, const at::Tensor& b);

}  // namespace binade::host
