// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/resolve.h"

#include <string_view>

namespace binade::policy {

/// Decision for an op without a site, inside a composite op or in eager code. A change of the overload applies before
/// one of the whole op, and either before the base list. Site rules never apply. `op` includes its namespace
/// (`aten::mm`); an empty `overload` is the default one. Safe on any thread.
Decision decide(const Resolved& resolved, std::string_view op, std::string_view overload);

/// Whether an op is a whole recurrent layer, which cuDNN runs as one `_cudnn_rnn`.
bool is_recurrent_layer(std::string_view op);
inline constexpr std::string_view kCudnnRnn = "aten::_cudnn_rnn";

/// Whether an op is a recurrent layer that CUDA's list casts by its rule for `_cudnn_rnn`. Not so if the tensors are
/// known to be on CUDA: LibTorch calls `_cudnn_rnn` itself there, inside the layer.
bool runs_as_cudnn(const Resolved& lists, std::string_view op);

/// Decision of the base list for an op. A layer that runs_as_cudnn() gets that of `_cudnn_rnn`.
Decision decide_by_base(const Resolved& resolved, std::string_view op, std::string_view overload);

/// Decision of an op change.
Decision decide_by_change(const Resolved& resolved, const OpChange& change);

/// Decision to cast to `format`, with the execution resolved from `asked`; `rule` as in Decision::rule.
Decision decide_format(const Resolved& resolved, const formats::Format& format, Execution asked, int rule);

/// Execution of a format, never kAuto. For kAuto the policy's execution applies, and if that is kAuto too, native if
/// the device is fast at it. A format that cannot run natively is emulated even if `asked` is kNative.
Execution execution_of(const Resolved& resolved, const formats::Format& format, Execution asked);

/// Whether the device computes in the format natively and fast.
bool is_fast(const Capabilities& device, const formats::Format& format);

/// Whether a decision is logical: values are float32 in memory and rounded to the format. That is so if no dtype
/// computes in the format, its gradients have another format, or it saturates. tfloat32 is logical only where it is
/// emulated.
bool is_logical(const Decision& decision);

/// Whether a list casts the argument of this view; `decision` is that of a list or rule. The only one is
/// view_as_complex, which takes float32 on the CPU.
bool is_cast_view(std::string_view op, const Decision& decision);

/// Whether LibTorch computes in the format with a dtype: float32, float16, bfloat16.
bool has_dtype(const formats::Format& format);

}  // namespace binade::policy
