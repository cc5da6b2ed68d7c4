// SPDX-License-Identifier: Apache-2.0
#include "tests/autocast_oracle/cast_plan.h"

#include <ATen/core/jit_type.h>
#include <torch/library.h>

namespace binade::test {

using nlohmann::json;

namespace {

struct Received {
  std::string op;
  json arguments = json::array();  ///< positional, as `cast` writes them
  json keywords = json::object();
};

thread_local Received* receiver = nullptr;

/// Ends a call whose arguments have been seen.
struct Seen {};

bool isDtype(const c10::TypePtr& type) {
  if (const auto optional = type->cast<c10::OptionalType>()) return isDtype(optional->getElementType());
  return type->kind() == c10::TypeKind::ScalarTypeType;
}

json describe(const c10::IValue& value, const c10::TypePtr& type) {
  if (value.isTensor()) return value.toTensor().defined() ? json(nameOf(value.toTensor().scalar_type())) : json();
  if (value.isTensorList() || (value.isList() && !value.isIntList() && !value.isDoubleList() && !value.isBoolList())) {
    json list = json::array();
    for (const c10::IValue& each : value.toListRef()) {
      if (!each.isTensor() && !each.isNone()) return {};
      list.push_back(describe(each, type));
    }
    return list;
  }
  if (isDtype(type) && value.isInt()) return {{"scalar_type", nameOf(static_cast<at::ScalarType>(value.toInt()))}};
  return {};
}

/// The last values of `stack` are the arguments of `op`.
Received describe(const c10::OperatorHandle& op, const torch::jit::Stack& stack) {
  const c10::FunctionSchema& schema = op.schema();
  Received received;
  received.op = fullName(schema.name(), schema.overload_name());
  const std::size_t count = schema.arguments().size();
  for (std::size_t i = 0; i < count; ++i) {
    const c10::Argument& argument = schema.arguments()[i];
    const json told = describe(stack[stack.size() - count + i], argument.real_type());
    if (!argument.kwarg_only()) {
      received.arguments.push_back(told);
    } else if (!told.is_null()) {
      received.keywords[argument.name()] = told;
    }
  }
  return received;
}

void see(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  *receiver = describe(op, *stack);
  throw Seen{};
}

/// The recording drops trailing arguments that have their default.
json withoutTrailingNulls(json list) {
  while (!list.empty() && list.back().is_null()) list.erase(list.size() - 1);
  return list;
}

}  // namespace

std::set<std::string> plannedOps() {
  std::set<std::string> ops;
  for (const json& row : oracleRows()) {
    if (!row.contains("cast")) continue;
    ops.insert(fullName(row["op"], row["overload"]));
    if (row["cast"].contains("op")) ops.insert(row["cast"]["op"].get<std::string>());
  }
  return ops;
}

CastPlan::CastPlan(c10::DispatchKey key, const std::set<std::string>& ops)
    : kernels_(std::make_unique<torch::Library>(torch::Library::IMPL, "aten", key, __FILE__, __LINE__)) {
  for (const std::string& op : ops) {
    kernels_->impl(op.c_str(), torch::CppFunction::makeFromBoxedFunction<&see>());
  }
}

CastPlan::~CastPlan() = default;

json CastPlan::untouched(const RowCall& call) {
  const Received given = describe(call.op, call.arguments);
  return {{"op", given.op}, {"args", given.arguments}, {"kwargs", given.keywords}};
}

std::string CastPlan::difference(const json& cast, const RowCall& call) const {
  Received received;
  receiver = &received;
  Answer answer;
  try {
    answer = call.run();
  } catch (const Seen&) {
    answer.ok = true;
  }
  receiver = nullptr;
  if (cast.contains("error")) {
    if (answer.ok) return "is not refused";
    return answer.error_type == cast["error_type"] && answer.error == cast["error"]
               ? std::string()
               : "refused with " + answer.error_type + ": " + answer.error;
  }
  if (!answer.ok) return "fails: " + answer.error;
  if (received.op != cast["op"]) return "runs " + received.op + " in place of " + cast["op"].get<std::string>();
  if (withoutTrailingNulls(received.arguments) != withoutTrailingNulls(cast["args"])) {
    return "receives " + received.arguments.dump() + " in place of " + cast["args"].dump();
  }
  if (received.keywords != cast["kwargs"]) {
    return "receives " + received.keywords.dump() + " in place of " + cast["kwargs"].dump();
  }
  return {};
}

}  // namespace binade::test
