// SPDX-License-Identifier: Apache-2.0
#include "engine/autocast/plan.h"

#include "engine/formats/error.h"
#include "engine/policy/inner_calls.h"

#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace binade::autocast {

namespace {

using Kind = policy::Decision::Kind;
using Action = Plan::Action;

bool is_pytorchs_list(policy::Base base) {
  return base == policy::Base::kCudaAmp || base == policy::Base::kCpuAmp;
}

/// Whether any rule applies to the ops inside a composite op.
bool has_op_rules(const policy::Resolved& resolved) {
  return !resolved.ops.empty() || !policy::rows(resolved.base).empty();
}

/// Ops made of others that refuse arguments of several dtypes before they call any of these: what their inner ops are
/// cast to comes too late. Those that call one of them (inner, allclose, cartesian_prod) need no row.
bool refuses_mixed(const std::string& op) {
  static constexpr std::array<std::string_view, 6> kOps{"aten::bilinear", "aten::chain_matmul",
                                                        "aten::isclose",  "aten::linalg_multi_dot",
                                                        "aten::meshgrid", "aten::tensordot"};
  return std::find(kOps.begin(), kOps.end(), op) != kOps.end();
}

Action follow(const policy::Resolved& resolved, const policy::Decision& decision, const graph::OpTraits& op,
              bool edited) {
  const bool by_base = decision.rule == policy::kFromBase;
  // Inside a composite the op rules decide; a person's own word on it holds inside too.
  if (op.composite && by_base && has_op_rules(resolved)) {
    const bool widens = resolved.behaviour == policy::Behaviour::kFixed && refuses_mixed(op.op);
    return widens ? Action::kWiden : Action::kInside;
  }
  if (by_base && !edited && resolved.behaviour == policy::Behaviour::kPyTorch211) return Action::kNothing;
  return op.mixed || op.in_place ? Action::kNothing : Action::kWiden;
}

/// Whether the kernel of an op without a decision may call ops that the policy has rules for. The calls of other
/// libraries' ops are unknown.
bool may_call_listed(const policy::Resolved& resolved, const policy::Decision& decision, const graph::OpTraits& op) {
  if (decision.rule != policy::kFromBase || op.composite) return false;
  if (op.op.starts_with("aten::")) return policy::calls_listed(resolved, op.op, op.overload);
  return !op.op.starts_with("prim::") && (is_pytorchs_list(resolved.base) || !resolved.ops.empty());
}

}  // namespace

Plan plan_for(const policy::Resolved& resolved, const policy::Decision& decision, const graph::OpTraits& op,
              bool edited) {
  Plan plan;
  plan.rule = decision.rule;
  plan.protect = decision.rule != policy::kFromBase || !is_pytorchs_list(resolved.base);
  plan.precision = precision_of(decision, op);
  switch (decision.kind) {
    case Kind::kLeave:
      plan.action = Action::kNothing;
      break;
    case Kind::kFormat:
      plan.action =
          op.op == "aten::_cudnn_rnn" && plan.precision.dtype != at::kFloat ? Action::kCudnnRnn : Action::kCast;
      if (!decision.products.empty()) plan.operands = product_operands(op);
      if (plan.operands) {
        plan.action = Action::kProducts;
        plan.products = decision.products;
      }
      break;
    case Kind::kPromote:
      plan.action = Action::kPromote;
      break;
    case Kind::kFollow:
      plan.action = follow(resolved, decision, op, edited);
      plan.inside = (op.composite && decision.rule == policy::kFromBase && has_op_rules(resolved)) ||
                    may_call_listed(resolved, decision, op);
      break;
    case Kind::kSetDtype:
      plan.action = Action::kSetDtype;
      break;
    case Kind::kAppendDtype:
      plan.action = with_dtype(op) == nullptr ? Action::kNothing : Action::kAppendDtype;
      break;
    case Kind::kBanned:
      plan.action = Action::kRefuse;
      plan.only_float16 = decision.rule == policy::kFromBase && resolved.base == policy::Base::kApexO1;
      break;
  }
  return plan;
}

bool is_edited(const policy::Resolved& resolved) {
  const auto by_person = [](const policy::Decision& decision) { return decision.rule != policy::kFromBase; };
  return !resolved.ops.empty() || !resolved.calls.empty() ||
         std::any_of(resolved.sites.begin(), resolved.sites.end(), by_person);
}

void refuse(const graph::OpTraits& op, int rule, const std::string& place) {
  if (rule != policy::kFromBase) {
    throw Error(ErrorCode::kBadPolicy, place + "the policy's \"ops\" ban " + op.op,
                place.empty() ? "Take the ban out of the policy's \"ops\", or give the op a format there."
                              : "Remove the ban from the policy, or give this call a separate format.");
  }
  // In a region, calls have no names.
  const std::string what = place.empty() ? "the op, under \"ops\"," : "this call";
  if (op.in_place) {
    throw Error(
        ErrorCode::kBadPolicy, place + "Cannot call in-place function " + op.op + " with fp16 arguments.",
        std::string("Its result needs float32, but the tensor that it writes is float16: use the form without the "
                    "underscore, or give ")
            .append(what)
            .append(" a format."));
  }
  throw Error(ErrorCode::kBadPolicy,
              place + "torch.nn.functional.binary_cross_entropy and torch.nn.BCELoss are unsafe to autocast.",
              "Its backward makes gradients that float16 cannot hold, also where the forward runs in float32. Many "
              "models put a sigmoid right before it: use binary_cross_entropy_with_logits (BCEWithLogitsLoss) for "
              "both, which is safe, or give " +
                  what + " the format float32.");
}

const graph::Operation* with_dtype(const graph::OpTraits& op) {
  // norm.Scalar has no variant with a plain Scalar and a dtype, so p becomes an optional.
  struct Row {
    const char* overload;
    graph::Operation operation;
  };
  const auto calling = [](const char* target) {
    return [target](graph::Stack& stack, std::size_t inputs) {
      const at::Tensor& self = stack[stack.size() - inputs].toTensor();
      const bool widens = self.is_floating_point() && self.scalar_type() != at::kDouble;
      stack.emplace_back(static_cast<std::int64_t>(widens ? at::kFloat : self.scalar_type()));
      c10::Dispatcher::singleton().findSchemaOrThrow("aten::norm", target).callBoxed(&stack);
    };
  };
  static const Row rows[] = {
      {"Scalar", [call = calling("ScalarOpt_dtype")](graph::Stack& stack) { call(stack, 2); }},
      {"ScalarOpt_dim", [call = calling("ScalarOpt_dim_dtype")](graph::Stack& stack) { call(stack, 4); }},
      {"names_ScalarOpt_dim", [call = calling("names_ScalarOpt_dim_dtype")](graph::Stack& stack) { call(stack, 4); }},
  };
  if (op.op != "aten::norm") return nullptr;
  for (const Row& row : rows) {
    if (op.overload == row.overload) return &row.operation;
  }
  return nullptr;
}

}  // namespace binade::autocast
