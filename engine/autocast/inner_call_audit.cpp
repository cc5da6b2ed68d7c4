// SPDX-License-Identifier: Apache-2.0
#include "engine/autocast/inner_call_audit.h"

#include <ATen/autocast_mode.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <torch/library.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <mutex>
#include <sstream>

namespace binade::autocast {

namespace {

/// An autocast key that nothing else in this process uses.
constexpr c10::DispatchKey kAuditKey = c10::DispatchKey::AutocastHPU;

constexpr std::string_view kAten = "aten::";

thread_local std::set<std::string>* arrived = nullptr;
thread_local bool only_listed = true;
thread_local int depth = 0;

bool is_listed(const c10::OperatorHandle& op) {
  return op.hasKernelForDispatchKey(c10::DispatchKey::AutocastCPU) ||
         op.hasKernelForDispatchKey(c10::DispatchKey::AutocastCUDA);
}

std::string plain_name(const c10::OperatorName& name) {
  const std::string op = name.name.starts_with(kAten) ? name.name.substr(kAten.size()) : name.name;
  return name.overload_name.empty() ? op : op + "." + name.overload_name;
}

void note(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack) {
  if (arrived != nullptr && depth > 0 && (!only_listed || is_listed(op)))
    arrived->insert(plain_name(op.operator_name()));
  struct Deeper {
    Deeper() { ++depth; }
    ~Deeper() { --depth; }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;
  } const deeper;
  op.redispatchBoxed(keys & c10::DispatchKeySet(c10::DispatchKeySet::FULL_AFTER, kAuditKey), stack);
}

/// Installs the fallback, which must exist before its key is switched on.
void install() {
  static std::once_flag once;
  std::call_once(once, [] {
    // Lives as long as the process, because kernels must not be removed while a thread runs.
    static torch::Library library(torch::Library::IMPL, "_", kAuditKey, __FILE__, __LINE__);
    library.fallback(torch::CppFunction::makeFromBoxedFunction<&note>());
  });
}

std::string joined(const std::set<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : " ") + name;
  return text;
}

/// Returns whether all `calls` are among those in a `row` of the table.
bool are_among(const std::set<std::string>& calls, const std::string& row) {
  std::istringstream names(row);
  const std::set<std::string> listed{std::istream_iterator<std::string>(names), {}};
  return std::includes(listed.begin(), listed.end(), calls.begin(), calls.end());
}

std::optional<std::set<std::string>> inside(const TrialCall& call, bool listed) {
  install();
  std::set<std::string> found;
  const c10::impl::IncludeDispatchKeyGuard include(kAuditKey);
  at::autocast::set_autocast_enabled(at::kHPU, true);
  arrived = &found;
  only_listed = listed;
  bool refused = false;
  try {
    torch::jit::Stack stack = call.arguments;
    call.op.callBoxed(stack);
  } catch (const std::exception&) {
    refused = true;
  }
  arrived = nullptr;
  at::autocast::set_autocast_enabled(at::kHPU, false);
  if (refused) return std::nullopt;
  found.erase(plain_name(call.op.operator_name()));
  return found;
}

/// Calls in the table by the op's full name.
std::map<std::string, std::string> by_name(std::span<const policy::InnerCalls> table) {
  std::map<std::string, std::string> calls;
  for (const policy::InnerCalls& row : table) {
    std::string name = std::string(kAten).append(row.op);
    if (!row.overload.empty()) name.append(".").append(row.overload);
    calls[name] = row.calls;
  }
  return calls;
}

}  // namespace

std::optional<std::set<std::string>> ops_inside(const TrialCall& call) {
  return inside(call, /*listed=*/false);
}

std::optional<std::set<std::string>> listed_inside(const TrialCall& call) {
  return inside(call, /*listed=*/true);
}

InnerCallAudit audit_inner_calls(std::span<const policy::InnerCalls> table, std::span<const std::string_view> lines) {
  struct Shown {
    std::set<std::string> calls;
    bool ran = false;
    bool refused = false;
  };
  std::map<std::string, Shown> shown;
  for (const std::string_view line : lines) {
    Shown& op = shown[op_of(line)];
    for (const bool grad : {false, true}) {
      const auto call = trial_call(line, grad);
      if (!call) continue;
      const auto inside = listed_inside(*call);
      if (!inside) {
        op.refused = true;
        continue;
      }
      op.ran = true;
      op.calls.insert(inside->begin(), inside->end());
    }
  }
  std::map<std::string, std::string> rows = by_name(table);
  InnerCallAudit audit;
  for (const auto& [name, op] : shown) {
    const std::string calls = joined(op.calls);
    // A call that did not run may make the remaining calls of the table's row.
    const bool partly = op.refused && rows[name] != calls && are_among(op.calls, rows[name]);
    if (!op.ran || partly) {
      audit.refused.push_back(name);
      continue;
    }
    ++audit.ops;
    audit.calling += op.calls.empty() ? 0 : 1;
    if (rows[name] != calls) audit.differences.push_back({name, rows[name], calls});
  }
  return audit;
}

}  // namespace binade::autocast
