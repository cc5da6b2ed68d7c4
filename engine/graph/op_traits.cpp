// SPDX-License-Identifier: Apache-2.0
#include "engine/graph/op_traits.h"

#include "engine/graph/argument_roles.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/enum_tag.h>
#include <ATen/core/jit_type.h>

#include <algorithm>

namespace binade::graph {

namespace {

/// Whether an op consists of other ops that autocast lists may name. The two fast paths have kernels of their own but
/// call listed ops.
bool is_composite(const OpTraits& op) {
  if (op.op == "aten::_transformer_encoder_layer_fwd" || op.op == "aten::_native_multi_head_attention") return true;
  const auto handle = c10::Dispatcher::singleton().findSchema({op.op, op.overload});
  return handle && handle->hasKernelForDispatchKey(c10::DispatchKey::CompositeImplicitAutograd);
}

/// Whether the argument is a `ScalarType?`, which is an int on the stack.
bool is_optional_dtype(const c10::Argument& argument) {
  const auto optional = argument.real_type()->cast<c10::OptionalType>();
  return optional && optional->getElementType()->kind() == c10::TypeKind::ScalarTypeType;
}

bool is_optional_tensor(const c10::Argument& argument) {
  const auto optional = argument.real_type()->cast<c10::OptionalType>();
  return optional && optional->getElementType()->kind() == c10::TypeKind::TensorType;
}

}  // namespace

OpTraits traits_of(const c10::FunctionSchema& schema) {
  OpTraits op;
  op.op = schema.name();
  op.overload = schema.overload_name();
  op.roles = roles_of(schema);
  op.inputs = schema.arguments().size();
  op.outputs = schema.returns().size();
  for (const c10::Argument& argument : schema.arguments()) {
    op.argument_names.push_back(argument.name());
    op.takes_dtype.push_back(is_optional_dtype(argument));
    op.optional_tensor.push_back(is_optional_tensor(argument));
    if (argument.alias_info() == nullptr) continue;
    (argument.alias_info()->isWrite() ? op.in_place : op.view) = true;
  }
  op.mixed = takes_mixed_precision(op.op);
  op.composite = is_composite(op);
  return op;
}

std::optional<bool> draws_numbers(const OpTraits& op) {
  const auto handle = c10::Dispatcher::singleton().findSchema({op.op, op.overload});
  return handle ? std::optional(handle->hasTag(at::Tag::nondeterministic_seeded)) : std::nullopt;
}

bool is_one_of(std::string_view op, std::initializer_list<std::string_view> ops) {
  return std::find(ops.begin(), ops.end(), op) != ops.end();
}

}  // namespace binade::graph
