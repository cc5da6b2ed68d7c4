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

}  // namespace

Why why_of_slope(const Trace& trace, const Cause& cause) {
  if (!cause.backward || cause.call < 0 || cause.node < 0 || cause.fault == Cause::Fault::kSum) return {};
  const TracedCall& call = trace.calls()[static_cast<std::size_t>(cause.call)];
  const TracedNode& node = trace.nodes()[static_cast<std::size_t>(cause.node)];
  std::string op = call.site->op;
  if (op.ends_with('_')) op.pop_back();
  const auto row = std::find_if(kSteep.begin(), kSteep.end(), [&op](const auto& each) { return each.first == op; });
  if (row == kSteep.end()) return {};
  if (op == "aten::pow" && (call.numbers.empty() || call.numbers.back() >= 1)) return {};
  const auto use = std::find_if(call.uses.begin(), call.uses.end(), [&](const TracedUse& each) {
    return call.site->argument_names[each.argument] == row->second;
  });
  if (use == call.uses.end()) return {};
  const observe::Values& given = use->cast ? *use->cast : trace.values()[static_cast<std::size_t>(use->value)].seen;
  if (given.zeros == 0 || given.count == 0) return {};
  // The gradient must be non-finite only where the argument is 0.
  for (const observe::Values& out : node.out) {
    const std::int64_t bad = out.nan + out.infinite();
    if (bad == 0) continue;
    const std::int64_t times = std::max<std::int64_t>(1, out.count / given.count);
    if (bad > given.zeros * times) return {};
    return {Why::Kind::kSlopeAtZero, std::string(row->second), given.zeros, given.count};
  }
  return {};
}

}  // namespace binade::diagnose
