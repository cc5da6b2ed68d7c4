// SPDX-License-Identifier: Apache-2.0
//
// What the recipes share: a small model, its data, and lines that say whether a claim holds.
#pragma once

#include <ATen/Context.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/mse_loss.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/zeros.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <vector>

namespace recipe {

/// Two linear layers.
struct Model {
  explicit Model(std::uint64_t seed = 1, std::int64_t inputs = 8, std::int64_t outputs = 4) {
    at::manual_seed(seed);
    first = (at::randn({16, inputs}) * 0.3).set_requires_grad(true);
    bias = at::zeros({16}).set_requires_grad(true);
    second = (at::randn({outputs, 16}) * 0.3).set_requires_grad(true);
  }
  at::Tensor operator()(const at::Tensor& input) const {
    return at::linear(at::relu(at::linear(input, first, bias)), second);
  }
  std::vector<at::Tensor> parameters() const { return {first, bias, second}; }

  at::Tensor first, bias, second;
};

/// `count` examples; the same for the same seed.
struct Data {
  explicit Data(std::int64_t count = 32, std::uint64_t seed = 7) {
    at::manual_seed(seed);
    input = at::randn({count, 8});
    target = at::randn({count, 4});
  }
  at::Tensor input, target;
};

inline void zero_gradients(const std::vector<at::Tensor>& parameters) {
  for (const at::Tensor& parameter : parameters) parameter.mutable_grad().reset();
}

inline std::vector<at::Tensor> gradients(const std::vector<at::Tensor>& parameters) {
  std::vector<at::Tensor> all;
  for (const at::Tensor& parameter : parameters) all.push_back(parameter.grad().clone());
  return all;
}

inline std::vector<at::Tensor> values(const std::vector<at::Tensor>& parameters) {
  std::vector<at::Tensor> all;
  for (const at::Tensor& parameter : parameters) all.push_back(parameter.detach().clone());
  return all;
}

inline bool equal(const std::vector<at::Tensor>& a, const std::vector<at::Tensor>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!a[i].equal(b[i])) return false;
  }
  return a.size() == b.size();
}

/// The largest difference, as a share of the largest magnitude in `b`.
inline double difference(const std::vector<at::Tensor>& a, const std::vector<at::Tensor>& b) {
  double most = 0;
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    most = std::max(most, (a[i] - b[i]).abs().max().item<double>());
    largest = std::max(largest, b[i].abs().max().item<double>());
  }
  return most / largest;
}

/// Claims, one line each; main returns result().
class Checks {
 public:
  void operator()(bool holds, const char* claim) {
    std::printf("%s: %s()\n", holds ? "PASS   " : "FAIL!  ", claim);
    std::fflush(stdout);
    failed_ = failed_ || !holds;
  }
  int result() const { return failed_ ? 1 : 0; }

 private:
  bool failed_ = false;
};

/// Runs a recipe; an exception is told and fails it.
inline int run(const std::function<void(Checks&)>& recipe) {
  Checks checks;
  try {
    recipe(checks);
  } catch (const c10::Error& error) {
    std::fprintf(stderr, "%s\n", error.what_without_backtrace());
    return 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return checks.result();
}

}  // namespace recipe
