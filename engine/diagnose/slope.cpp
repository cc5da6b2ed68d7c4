// SPDX-License-Identifier: Apache-2.0
#include "engine/diagnose/slope.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace binade::diagnose {

namespace {

/// Ops and the argument at whose 0 their derivative is infinite; for a power only with an exponent below 1.
constexpr std::array<std::pair<std::string_view, std::string_view>, 11> kSteep{{{"aten::sqrt", "self"},
                                                                                {"aten::rsqrt", "self"},
                                                                                {"aten::log", "self"},
                                                                                {"aten::log2", "self"},
                                                                                {"aten::log10", "self"},
                                                                                {"aten::reciprocal", "self"},
                                                                                {"aten::pow", "self"},
                                                                                {"aten::div", "other"},
                                                                                {"aten::true_divide", "other"},
                                                                                {"aten::divide", "other"},
                                                                                {"aten::addcdiv", "tensor2"}}};

/// How many places of the argument whose slope is infinite at 0 are 0; `why` is about them then. 0: it has none.
std::int64_t steep_zeros(const Trace& trace, const TracedCall& call, InvalidOperation& why) {
  std::string op = call.site->op;
  if (op.ends_with('_')) op.pop_back();
  const auto row = std::find_if(kSteep.begin(), kSteep.end(), [&op](const auto& each) { return each.first == op; });
  if (row == kSteep.end()) return 0;
  if (op == "aten::pow" && (call.numbers.empty() || call.numbers.back() >= 1)) return 0;
  const auto use = std::find_if(call.uses.begin(), call.uses.end(), [&](const TracedUse& each) {
    return call.site->argument_names[each.argument] == row->second;
  });
  if (use == call.uses.end()) return 0;
  const observe::Values& given = use->cast ? *use->cast : trace.values()[static_cast<std::size_t>(use->value)].seen;
  why = {InvalidOperation::Kind::kSlopeAtZero, std::string(row->second), given.zeros, given.count};
  return given.zeros;
}

}  // namespace

InvalidOperation find_invalid_backward(const Trace& trace, const Cause& cause) {
  if (!cause.backward || cause.call < 0 || cause.node < 0 || cause.fault == Cause::Fault::kSum) return {};
  const TracedCall& call = trace.calls()[static_cast<std::size_t>(cause.call)];
  const TracedNode& node = trace.nodes()[static_cast<std::size_t>(cause.node)];
  if (node.part == TracedNode::Part::kCast) return {};  // what a cast makes infinite was too large for it
  InvalidOperation at_zero;
  const std::int64_t zeros = steep_zeros(trace, call, at_zero);
  // Where the call has no finite result its slope is none either, though what was made of that result is masked.
  const bool no_result = call.in_float64 && call.in_float64->why.known();
  const std::int64_t without =
      no_result ? call.in_float64->nan + call.in_float64->positive_infinity + call.in_float64->negative_infinity : 0;
  // The gradient is not finite at these places, and nowhere else.
  for (const observe::Values& out : node.out) {
    const std::int64_t bad = out.nan + out.infinite();
    if (bad == 0) continue;
    const std::int64_t times = zeros > 0 ? std::max<std::int64_t>(1, out.count / at_zero.of) : 1;
    if (zeros > 0 && bad <= zeros * times) return at_zero;
    return no_result && bad <= without + zeros * times ? call.in_float64->why : InvalidOperation{};
  }
  return {};
}

}  // namespace binade::diagnose
