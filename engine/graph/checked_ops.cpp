// SPDX-License-Identifier: Apache-2.0
#include "engine/graph/checked_ops.h"

#include "engine/formats/error.h"
#include "engine/graph/argument_checks.h"
#include "engine/graph/op_safety.h"
#include "engine/graph/source_line.h"
#include "engine/graph/wrapped_nodes.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/ivalue_inl.h>
#include <c10/core/Layout.h>
#include <c10/core/MemoryFormat.h>
#include <c10/core/ScalarType.h>
#include <torch/csrc/jit/ir/ir.h>
#include <torch/csrc/jit/runtime/operator.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace binade::graph {

namespace jit = torch::jit;

namespace {

/// Fault of two integers, as the end of a sentence; null if the processor can divide them.
using IntegerCheck = const char* (*)(std::int64_t, std::int64_t);

constexpr const char* kByZero = "integer division by zero";
constexpr const char* kDoesNotFit = "the integer result of a division does not fit 64 bits";

bool overflows(std::int64_t dividend, std::int64_t divisor) {
  return dividend == std::numeric_limits<std::int64_t>::min() && divisor == -1;
}
const char* check_division(std::int64_t dividend, std::int64_t divisor) {
  if (divisor == 0) return kByZero;
  return overflows(dividend, divisor) ? kDoesNotFit : nullptr;
}
/// A gcd with 0 is valid: it is the other number.
const char* check_gcd(std::int64_t a, std::int64_t b) {
  return overflows(a, b) || overflows(b, a) ? kDoesNotFit : nullptr;
}

struct Divider {
  std::string_view op;
  IntegerCheck check;
};
constexpr std::array kDividers = {
    Divider{"aten::floordiv", check_division}, Divider{"aten::remainder", check_division},
    Divider{"aten::divmod", check_division},   Divider{"aten::__round_to_zero_floordiv", check_division},
    Divider{"aten::gcd", check_gcd},
};

/// An argument given as a number, which LibTorch uses as an index of a table.
struct Enumerator {
  std::size_t position;
  std::string name;
  const char* is;  ///< what the number has to be
  std::int64_t count;
};

/// Checks for the arguments of one overload.
struct Checks {
  std::string op;
  std::size_t arguments = 0;
  IntegerCheck division = nullptr;
  std::vector<Enumerator> enumerators;
  ArgumentCheck believed = nullptr;  ///< check for this op alone
  std::shared_ptr<const c10::FunctionSchema> schema;

  bool any() const { return division != nullptr || believed != nullptr || !enumerators.empty(); }
};

const c10::Type& without_optional(const c10::Type& type) {
  const auto* optional = type.castRaw<c10::OptionalType>();
  return optional == nullptr ? type : *optional->getElementType();
}

bool may_be_integer(const c10::Argument& argument) {
  const c10::TypeKind kind = argument.type()->kind();
  return kind == c10::TypeKind::IntType || kind == c10::TypeKind::NumberType;
}

bool is_integer(const c10::Argument& argument) {
  return without_optional(*argument.type()).kind() == c10::TypeKind::IntType;
}

Checks checks_of(const c10::FunctionSchema& schema) {
  Checks checks{schema.name(), schema.arguments().size(), nullptr, {}, argument_check_of(schema), nullptr};
  if (checks.believed != nullptr) checks.schema = std::make_shared<c10::FunctionSchema>(schema);
  const auto add_dtype = [&](std::size_t i) {
    checks.enumerators.push_back(
        {i, schema.arguments()[i].name(), "dtype", static_cast<int>(c10::ScalarType::NumOptions)});
  };
  for (std::size_t i = 0; i < schema.arguments().size(); ++i) {
    const c10::Argument& argument = schema.arguments()[i];
    switch (without_optional(*argument.real_type()).kind()) {
      case c10::TypeKind::ScalarTypeType:
        add_dtype(i);
        break;
      case c10::TypeKind::LayoutType:
        checks.enumerators.push_back({i, argument.name(), "layout", static_cast<int>(c10::Layout::NumOptions)});
        break;
      case c10::TypeKind::MemoryFormatType:
        checks.enumerators.push_back(
            {i, argument.name(), "memory format", static_cast<int>(c10::MemoryFormat::NumOptions)});
        break;
      default:
        // Some TorchScript overloads declare their dtype as a plain integer.
        if (argument.name() == "dtype" && is_integer(argument)) add_dtype(i);
        break;
    }
  }
  const auto* const divider =
      std::find_if(kDividers.begin(), kDividers.end(), [&](const Divider& each) { return each.op == schema.name(); });
  if (divider != kDividers.end() && checks.arguments == 2 && may_be_integer(schema.arguments()[0]) &&
      may_be_integer(schema.arguments()[1])) {
    checks.division = divider->check;
  }
  return checks;
}

void check(const Checks& checks, const std::string& source, const Stack& stack) {
  if (stack.size() < checks.arguments) return;
  for (const Enumerator& each : checks.enumerators) {
    const c10::IValue& value = jit::peek(stack, each.position, checks.arguments);
    if (!value.isInt() || (value.toInt() >= 0 && value.toInt() < each.count)) continue;
    // The caller that runs the op adds its source line.
    throw std::runtime_error(each.name + " of " + checks.op + " is " + std::to_string(value.toInt()) +
                             ", which is no " + each.is);
  }
  if (checks.believed != nullptr) {
    const std::string wrong = checks.believed(NamedArguments(*checks.schema, stack));
    if (!wrong.empty()) throw std::runtime_error(wrong);
  }
  if (checks.division == nullptr) return;
  const c10::IValue& dividend = jit::peek(stack, 0, 2);
  const c10::IValue& divisor = jit::peek(stack, 1, 2);
  if (!dividend.isInt() || !divisor.isInt()) return;
  if (const char* const why = checks.division(dividend.toInt(), divisor.toInt())) {
    const Error error(
        ErrorCode::kBadModel,
        checks.op + (source.empty() ? "" : " at " + source) + ": " + why + " (" + std::to_string(dividend.toInt()) +
            ", " + std::to_string(divisor.toInt()) + ")",
        "LibTorch would end the process there. Check the divisor in the model's code, or the sizes of the inputs that "
        "it is computed from.");
    keep_error(error);
    throw Error(error);
  }
}

jit::Operation behind_checks(const Checks& checks, const std::string& source, jit::Operation operation) {
  return [checks, source, operation = std::move(operation)](Stack& stack) mutable {
    check(checks, source, stack);
    operation(stack);
  };
}

struct Original {
  std::shared_ptr<jit::Operator> op;
  Checks checks;
};

/// Identifies an overload. Schemas are not compared as text, because parsing a printed schema reorders its alias sets.
std::string key_of(const c10::FunctionSchema& schema) {
  std::string key = c10::toString(schema.operator_name()) + "(";
  for (const c10::Argument& argument : schema.arguments()) key += argument.type()->annotation_str() + ",";
  return key;
}

/// Original ops that only TorchScript has, by key; the function that creates an operation from a node cannot hold
/// state.
std::map<std::string, Original>& originals() {
  static std::map<std::string, Original> all;
  return all;
}

jit::Operation make_checked(const jit::Node* node) {
  const Original& original = originals().at(key_of(node->getOperator().schema()));
  return behind_checks(original.checks, source_of(*node), original.op->getOperation(node));
}

jit::Operator checked(const std::shared_ptr<jit::Operator>& original, const Checks& checks) {
  const c10::FunctionSchema& schema = original->schema();
  if (original->isC10Op()) {
    const auto handle = c10::Dispatcher::singleton().findSchema(schema.operator_name());
    if (!handle) throw Error(ErrorCode::kInternal, "The op " + checks.op + " is gone");
    return {*handle, behind_checks(checks, "", original->getOperation())};
  }
  originals().emplace(key_of(schema), Original{original, checks});
  return {c10::toString(schema), make_checked, original->aliasAnalysisKind()};
}

}  // namespace

void check_ops() {
  // Nodes compiled earlier, such as those of samples and of LibTorch's own texts, refer to their op by address.
  static std::vector<std::shared_ptr<jit::Operator>> kept;
  std::set<c10::Symbol> symbols;
  for (const auto& each : jit::getAllOperators()) {
    if (safety_of(each->schema().name()) != OpSafety::kComputes) continue;  // no model runs those
    if (checks_of(each->schema()).any()) symbols.insert(c10::Symbol::fromQualString(each->schema().name()));
  }
  for (const c10::Symbol symbol : symbols) {
    // The order of an op's overloads decides which one a call resolves to, so all are re-registered in the same order.
    const std::vector<std::shared_ptr<jit::Operator>> overloads = jit::getAllOperatorsFor(symbol);
    for (const auto& overload : overloads) {
      kept.push_back(overload);
      jit::deregisterOperator(overload->schema());
    }
    for (const auto& overload : overloads) {
      const Checks checks = checks_of(overload->schema());
      jit::registerOperator(checks.any() ? checked(overload, checks) : jit::Operator(*overload));
    }
  }
}

}  // namespace binade::graph
