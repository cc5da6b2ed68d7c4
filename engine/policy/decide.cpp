// SPDX-License-Identifier: Apache-2.0
#include "engine/policy/decide.h"

namespace binade::policy {

namespace {

using Kind = Decision::Kind;

/// Decision without a format of its own. Tensors of the low format may pass through, so it has their execution.
Decision of_kind(const Resolved& resolved, Kind kind, int rule) {
  Decision decision;
  decision.kind = kind;
  if (kind == Kind::kPromote) {
    decision.format = resolved.low;
    decision.backward = formats::default_backward(resolved.low);
    decision.overflow = formats::default_overflow(resolved.low);
  }
  decision.execution = execution_of(resolved, resolved.low, Execution::kAuto);
  decision.rule = rule;
  return decision;
}

}  // namespace

bool has_dtype(const formats::Format& format) {
  return format == formats::kFloat32 || format == formats::kBFloat16 || format == formats::kFloat16;
}

bool is_cast_view(std::string_view op, const Decision& decision) {
  return op == "aten::view_as_complex" && decision.rule == kFromBase && decision.kind == Kind::kFormat &&
         decision.format == formats::kFloat32;
}

bool is_logical(const Decision& decision) {
  if (decision.backward != decision.format || decision.overflow == formats::Overflow::kSaturate) return true;
  if (decision.format == formats::kTFloat32) return decision.execution == Execution::kEmulated;
  return !has_dtype(decision.format);
}

bool is_fast(const Capabilities& device, const formats::Format& format) {
  if (format == formats::kFloat16) return device.native_float16;
  if (format == formats::kBFloat16) return device.native_bfloat16;
  if (format == formats::kTFloat32) return device.native_tfloat32;
  return format == formats::kFloat32;
}

Execution execution_of(const Resolved& resolved, const formats::Format& format, Execution asked) {
  if (format == formats::kFloat32) return Execution::kNative;
  if (asked == Execution::kAuto) asked = resolved.execution;
  if (asked == Execution::kEmulated) return asked;
  const bool fast = is_fast(resolved.capabilities, format);
  const bool possible = fast || has_dtype(format);  // a slow dtype still runs if the policy requests native execution
  return (asked == Execution::kNative ? possible : fast) ? Execution::kNative : Execution::kEmulated;
}

Decision decide_format(const Resolved& resolved, const formats::Format& format, Execution asked, int rule) {
  Decision decision;
  decision.kind = Kind::kFormat;
  decision.format = format;
  decision.backward = formats::default_backward(format);
  decision.overflow = formats::default_overflow(format);
  decision.execution = execution_of(resolved, format, asked);
  decision.rule = rule;
  return decision;
}

bool is_recurrent_layer(std::string_view op) {
  return op == "aten::lstm" || op == "aten::gru" || op == "aten::rnn_tanh" || op == "aten::rnn_relu" ||
         op == "aten::mkldnn_rnn_layer";
}

bool runs_as_cudnn(const Resolved& lists, std::string_view op) {
  return lists.base == Base::kCudaAmp && lists.capabilities.list != Base::kCudaAmp && is_recurrent_layer(op);
}

Decision decide_by_base(const Resolved& resolved, std::string_view op, std::string_view overload) {
  if (runs_as_cudnn(resolved, op)) return decide_by_base(resolved, kCudnnRnn, {});
  const auto in_format = [&resolved](const formats::Format& format) {
    return decide_format(resolved, format, Execution::kAuto, kFromBase);
  };
  switch (rule_for(resolved.base, op, overload)) {
    case CastRule::kLower:
      return in_format(resolved.low);
    case CastRule::kCustom: {  // _cudnn_rnn: float16 upstream, in a bfloat16 region too; upstream has no others
      const bool as_pytorch = resolved.behaviour == Behaviour::kPyTorch211 && resolved.low == formats::kBFloat16;
      return in_format(as_pytorch ? formats::kFloat16 : resolved.low);
    }
    case CastRule::kFloat32:
      return in_format(formats::kFloat32);
    case CastRule::kSetDtype:
      return of_kind(resolved, Kind::kSetDtype, kFromBase);
    case CastRule::kAppendDtype:
      return of_kind(resolved, Kind::kAppendDtype, kFromBase);
    case CastRule::kPromote:
      return of_kind(resolved, Kind::kPromote, kFromBase);
    case CastRule::kBanned:
      return of_kind(resolved, Kind::kBanned, kFromBase);
    case CastRule::kNone:
      break;
  }
  return of_kind(resolved, Kind::kFollow, kFromBase);
}

Decision decide_by_change(const Resolved& resolved, const OpChange& change) {
  if (const auto* format = std::get_if<formats::Format>(&change)) {
    return decide_format(resolved, *format, Execution::kAuto, kFromOpChange);
  }
  switch (std::get<Treatment>(change)) {
    case Treatment::kLow:
      return decide_format(resolved, resolved.low, Execution::kAuto, kFromOpChange);
    case Treatment::kPromote:
      return of_kind(resolved, Kind::kPromote, kFromOpChange);
    case Treatment::kFollow:
      return of_kind(resolved, Kind::kFollow, kFromOpChange);
    case Treatment::kBanned:
      break;
  }
  return of_kind(resolved, Kind::kBanned, kFromOpChange);
}

Decision decide(const Resolved& resolved, std::string_view op, std::string_view overload) {
  if (!resolved.ops.empty()) {
    const std::string whole(op);
    auto found = resolved.ops.find(whole + "." + (overload.empty() ? "default" : std::string(overload)));
    if (found == resolved.ops.end()) found = resolved.ops.find(whole);
    if (found == resolved.ops.end() && runs_as_cudnn(resolved, op)) found = resolved.ops.find(std::string(kCudnnRnn));
    if (found != resolved.ops.end()) return decide_by_change(resolved, found->second);
  }
  return decide_by_base(resolved, op, overload);
}

}  // namespace binade::policy
