// SPDX-License-Identifier: Apache-2.0
#include "engine/autocast/autocast.h"

#include "engine/autocast/emulation.h"
#include "engine/formats/error.h"

#include <ATen/core/dispatch/Dispatcher.h>

namespace binade::autocast {

using Kind = policy::Decision::Kind;

namespace {

Arguments arguments_of(const graph::Call& call) {
  return {call.stack, call.site.inputs, call.site.roles};
}

/// The dtype of the argument that the op writes, or Undefined.
at::ScalarType written_dtype(const graph::Call& call) {
  for (std::size_t i = 0; i < call.site.inputs; ++i) {
    if (call.site.roles[i] == graph::Role::kWritten && call.argument(i).isTensor()) {
      return call.argument(i).toTensor().scalar_type();
    }
  }
  return at::ScalarType::Undefined;
}

/// A ban is the base list's (binary_cross_entropy on CUDA) or a person's own.
[[noreturn]] void refuse(const graph::Call& call, const policy::Decision& decision) {
  const std::string call_name = call.site.key.name() + ": ";
  if (decision.rule == policy::kFromBase) {
    throw Error(ErrorCode::kBadModel,
                call_name + call.site.op +
                    " is unsafe in a low format: its backward makes gradients that float16 cannot hold",
                "Use its with_logits form, which is safe, or give this call the format float32.");
  }
  throw Error(ErrorCode::kBadPolicy, call_name + "the policy's \"ops\" ban " + call.site.op,
              "Take the ban out of the policy, or give this call a format of its own.");
}

/// norm(x, p) has no dtype argument of its own: PyTorch sends it to the overload that has one (amp.md 2.3).
const graph::Operation& norm_with_dtype(std::size_t inputs) {
  static const auto call_overload = [](const char* overload, graph::Stack& stack) {
    c10::Dispatcher::singleton().findSchemaOrThrow("aten::norm", overload).callBoxed(&stack);
  };
  const auto wanted = [](const c10::IValue& self) {
    const at::Tensor& tensor = self.toTensor();
    return static_cast<std::int64_t>(eligible(tensor) ? at::kFloat : tensor.scalar_type());
  };
  static const graph::Operation whole = [wanted](graph::Stack& stack) {  // norm.Scalar(self, p)
    stack.emplace_back(wanted(stack[stack.size() - 2]));
    call_overload("ScalarOpt_dtype", stack);
  };
  static const graph::Operation along = [wanted](graph::Stack& stack) {  // norm.ScalarOpt_dim(self, p, dim, keepdim)
    stack.emplace_back(wanted(stack[stack.size() - 4]));
    call_overload("ScalarOpt_dim_dtype", stack);
  };
  return inputs == 2 ? whole : along;
}

}  // namespace

void Autocast::set_policy(std::shared_ptr<const policy::Resolved> policy) {
  policy_ = std::move(policy);
}

void Autocast::begin() {
  cache_.clear();
}
void Autocast::end() {
  cache_.clear();
  region_.reset();
  round_to_ = at::ScalarType::Undefined;
}

void Autocast::before(graph::Call& call) {
  const policy::Decision& decision = policy_->decision_for(call.site.id, call.index);
  switch (decision.kind) {
    case Kind::kLeave:
      break;
    case Kind::kFormat:
      cast_to(call, decision);
      break;
    case Kind::kPromote: {
      const Arguments arguments = arguments_of(call);
      const bool strict = policy_->behaviour == policy::Behaviour::kPyTorch211;
      cast_all(arguments, promoted(arguments, dtype_of(decision.format), strict, call.site.op), cache_);
      break;
    }
    case Kind::kFollow:
      follow(call, decision);
      break;
    case Kind::kSetDtype:
      set_dtype(arguments_of(call), call.site.argument_names);
      break;
    case Kind::kAppendDtype:
      append_dtype(call);
      break;
    case Kind::kBanned:
      refuse(call, decision);
  }
}

void Autocast::cast_to(graph::Call& call, const policy::Decision& decision) {
  const Arguments arguments = arguments_of(call);
  at::ScalarType dtype = dtype_of(decision.format);
  // What is written cannot change its dtype; the other arguments go along with it.
  const at::ScalarType written = call.site.in_place ? written_dtype(call) : at::ScalarType::Undefined;
  if (written != at::ScalarType::Undefined) dtype = written;
  cast_all(arguments, dtype, cache_);
  if (decision.execution == policy::Execution::kEmulated && dtype != at::kFloat &&
      written == at::ScalarType::Undefined) {
    to_float32(arguments, dtype);
    round_to_ = dtype;
  }
}

void Autocast::follow(graph::Call& call, const policy::Decision& decision) {
  // Inside a composite the lists decide, where there are any; a person's own word on it holds inside too.
  if (call.site.composite && decision.rule == policy::kFromBase && !policy::rows(policy_->base).empty()) {
    region_.emplace(*policy_, cache_);
    return;
  }
  if (call.site.mixed || call.site.in_place) return;
  const Arguments arguments = arguments_of(call);
  const at::ScalarType widest = widest_if_mixed(arguments);
  if (widest != at::ScalarType::Undefined) cast_all(arguments, widest, cache_);
}

void Autocast::append_dtype(graph::Call& call) {
  if (call.site.op == "aten::norm" && (call.site.inputs == 2 || call.site.inputs == 4)) {
    call.operation = &norm_with_dtype(call.site.inputs);
  }
}

void Autocast::after(graph::Call& call) {
  region_.reset();
  if (round_to_ == at::ScalarType::Undefined) return;
  round_results(call.stack, call.site.outputs, round_to_);
  round_to_ = at::ScalarType::Undefined;
}

void Autocast::failed(graph::Call& /*call*/, const std::exception& /*error*/) {
  region_.reset();
  round_to_ = at::ScalarType::Undefined;
}

}  // namespace binade::autocast
