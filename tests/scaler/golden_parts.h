// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/scaler/grad_scaler.h"
#include "tests/scaler/golden.h"
#include "tests/scaler/parameters.h"
#include "tests/scaler/sgd.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/tensor.h>

namespace binade::test {

using scaler::GradScaler;
using scaler::Options;
using Numbers = std::vector<double>;

inline void add(Numbers& numbers, const at::Tensor& tensor) {
  const at::Tensor line = tensor.detach().to(at::kDouble).flatten().contiguous();
  numbers.insert(numbers.end(), line.const_data_ptr<double>(), line.const_data_ptr<double>() + line.numel());
}

template <class... Tensors>
Numbers flat(const Tensors&... tensors) {
  Numbers numbers;
  (add(numbers, tensors), ...);
  return numbers;
}

inline scaler::Options upstream(Options options = {}) {
  options.behaviour = scaler::Behaviour::kPytorch211;
  return options;
}

/// The table's usual scene: two ones, a rate of 0.1, a scale of 4 that has been used once, gradients given.
struct Scene {
  explicit Scene(const std::vector<float>& gradients = {4, 4}, Options options = {.init_scale = 4},
                 at::ScalarType dtype = at::kFloat)
      : parameter(leaf(at::ones({static_cast<std::int64_t>(gradients.size())}, dtype))),
        optimizer({parameter}, 0.1),
        scaler(upstream(options)) {
    scaler.scale(at::ones({1}));
    give(gradients);
  }
  void give(const std::vector<float>& gradients) {
    parameter.mutable_grad() = at::tensor(gradients).to(parameter.scalar_type());
  }
  double scale() const { return scaler.get_scale(); }
  double tracker() const { return static_cast<double>(scaler.get_growth_tracker()); }

  at::Tensor parameter;
  PlainSgd optimizer;
  GradScaler scaler;
};

}  // namespace binade::test
