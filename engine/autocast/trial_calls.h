// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace binade::autocast {

/// A call of an op with small arguments on the CPU that succeeds in LibTorch 2.11.
struct TrialCall {
  c10::OperatorHandle op;
  torch::jit::Stack arguments;
};

/// Trial calls of the ops with kernels of their own, one JSON object each. Compiled in from
/// resources/ops/trial_calls.jsonl, whose README describes a line.
std::span<const std::string_view> trial_lines();

/// Name of the op that a line calls: `aten::norm.Scalar`.
std::string op_of(std::string_view line);

/// The call of a line. With `grad`, floating-point tensors require gradients. Empty if the loaded LibTorch lacks the op
/// or it takes other arguments.
std::optional<TrialCall> trial_call(std::string_view line, bool grad);

}  // namespace binade::autocast
