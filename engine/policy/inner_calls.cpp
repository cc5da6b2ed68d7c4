// SPDX-License-Identifier: Apache-2.0
#include "engine/policy/inner_calls.h"

#include <algorithm>
#include <string>
#include <tuple>

namespace binade::policy {

namespace {

constexpr InnerCalls kInnerTable[] = {
#include "inner_calls.inc"
};

constexpr std::string_view kUnknown = "?";
constexpr std::string_view kAten = "aten::";

bool calls_before(const InnerCalls& a, const InnerCalls& b) {
  return std::tie(a.op, a.overload) < std::tie(b.op, b.overload);
}

struct Name {
  std::string_view op;
  std::string_view overload;
};

/// Whether `holds` returns true for any op in `calls`.
template <class Holds>
bool any_call(std::string_view calls, Holds holds) {
  while (!calls.empty()) {
    const std::string_view full = calls.substr(0, calls.find(' '));
    calls.remove_prefix(std::min(full.size() + 1, calls.size()));
    const std::size_t dot = full.find('.');
    if (holds(Name{full.substr(0, dot), dot == std::string_view::npos ? std::string_view() : full.substr(dot + 1)})) {
      return true;
    }
  }
  return false;
}

bool has_change(const Resolved& resolved, const Name& name) {
  const std::string op = std::string(kAten).append(name.op);
  return resolved.ops.contains(op) ||
         resolved.ops.contains(op + "." + (name.overload.empty() ? "default" : std::string(name.overload)));
}

}  // namespace

std::span<const InnerCalls> inner_calls() {
  return kInnerTable;
}

const InnerCalls* inner_calls_of(std::string_view op, std::string_view overload) {
  if (!op.starts_with(kAten)) return nullptr;
  op.remove_prefix(kAten.size());
  const InnerCalls key{op, overload, {}, false};
  const auto found = std::lower_bound(std::begin(kInnerTable), std::end(kInnerTable), key, calls_before);
  return found != std::end(kInnerTable) && !calls_before(key, *found) ? found : nullptr;
}

bool calls_op(const InnerCalls& row, std::string_view op) {
  if (row.calls == kUnknown) return true;
  return op.starts_with(kAten) &&
         any_call(row.calls, [name = op.substr(kAten.size())](const Name& each) { return each.op == name; });
}

bool calls_listed(Base base, std::string_view op, std::string_view overload) {
  if (base != Base::kCudaAmp && base != Base::kCpuAmp) return false;
  const InnerCalls* row = inner_calls_of(op, overload);
  if (row == nullptr) return false;
  if (row->calls == kUnknown) return true;
  // The table was measured with the CPU's kernels.
  if (base == Base::kCudaAmp && row->own_on_cuda) return false;
  return any_call(row->calls,
                  [base](const Name& each) { return rule_for(base, each.op, each.overload) != CastRule::kNone; });
}

bool calls_listed(const Resolved& resolved, std::string_view op, std::string_view overload) {
  if (calls_listed(resolved.base, op, overload)) return true;
  if (resolved.ops.empty()) return false;
  const InnerCalls* row = inner_calls_of(op, overload);
  if (row == nullptr) return false;
  return row->calls == kUnknown || any_call(row->calls, [&](const Name& each) { return has_change(resolved, each); });
}

}  // namespace binade::policy
