// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace binade::autocast {

/// A call of an op with small arguments on the CPU, which LibTorch 2.11 runs.
struct TrialCall {
  c10::OperatorHandle op;
  torch::jit::Stack arguments;
};

/// Calls of the ops that are kernels of their own, one JSON object each; compiled in from
/// resources/ops/trial_calls.jsonl, whose README says what a line holds.
std::span<const std::string_view> trial_lines();

/// `aten::norm.Scalar`, the op that a line calls.
std::string op_of(std::string_view line);

/// The call of a line. `grad`: floating-point tensors require gradients. Nothing where the LibTorch that is loaded has
/// no such op, or the op takes other arguments there.
std::optional<TrialCall> trial_call(std::string_view line, bool grad);

}  // namespace binade::autocast
