// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

#include <functional>
#include <string>
#include <vector>

namespace binade::test {

/// What an op gave: its results, or what it threw.
struct Answer {
  bool ok = true;
  std::string error_type;  ///< the Python class of the exception: RuntimeError, NotImplementedError, ValueError
  std::string error;       ///< first line of its text
  torch::jit::Stack results;
};

/// What `run` gives. Every c10 and standard exception becomes an answer.
Answer answerOf(const std::function<torch::jit::Stack()>& run);

/// One call of the oracle: an op and its arguments.
///
/// The oracle (tests/data/autocast) has what PyTorch 2.11 answered to 9,318 calls, on the CPU and, without a GPU, on
/// its CUDA key. Every row is replayed under `behaviour: pytorch-2.11`.
/// - Of CPU rows, results, errors, bits and gradients must be as recorded, and equal LibTorch's own autocast here.
/// - Of CUDA rows, the test checks what the op receives below the rules, as seen by a kernel on the autograd key of
/// meta
///   tensors.
/// - exceptions.csv lists the rows that have no answer without a GPU, with reason and number.
/// - A row that is planted wrong must be reported.
struct RowCall {
  c10::OperatorHandle op;
  torch::jit::Stack arguments;

  /// Calls the op through the dispatcher. Every c10 and standard exception becomes an answer.
  Answer run() const;
};

/// The rows of the oracle: every answer that PyTorch 2.11 gave, one JSON object each.
const std::vector<nlohmann::json>& oracleRows();

/// `aten::norm.Scalar`; no dot for the default overload.
std::string fullName(const std::string& op, const std::string& overload);

at::ScalarType dtypeOf(const std::string& name);
std::string nameOf(at::ScalarType dtype);

/// How the tensors of a row are made.
struct TensorsOf {
  c10::DeviceType device = c10::kCPU;      ///< kMeta has no data; else the row's, or ones where it has none
  bool named = true;                       ///< give tensors the dimension names that the row has
  bool require_grad = false;               ///< of every floating tensor
  at::ScalarType float32_as = at::kFloat;  ///< what the row's float32 tensors are
};

/// The call that a row describes; arguments not listed take their default.
RowCall callOf(const nlohmann::json& row, const TensorsOf& make = {});

/// Every tensor among `values`, in order, those of lists and tuples too.
std::vector<at::Tensor> tensorsIn(const torch::jit::Stack& values);

}  // namespace binade::test
