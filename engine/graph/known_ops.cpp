// SPDX-License-Identifier: Apache-2.0
#include "engine/graph/known_ops.h"

#include "engine/formats/error.h"
#include "engine/policy/near_name.h"

#include <ATen/core/dispatch/Dispatcher.h>

#include <map>
#include <set>
#include <vector>

namespace binade::graph {

namespace {

constexpr std::string_view kAten = "aten::";

/// Overloads of each ATen operator, with the names used in policies: `default` for the one without a name.
const std::map<std::string, std::set<std::string>>& aten_ops() {
  static const auto all = [] {
    std::map<std::string, std::set<std::string>> ops;
    for (const c10::OperatorName& known : c10::Dispatcher::singleton().getAllOpNames()) {
      if (!known.name.starts_with(kAten)) continue;
      ops[known.name].insert(known.overload_name.empty() ? "default" : known.overload_name);
    }
    return ops;
  }();
  return all;
}

/// `known` are names without `aten::`.
[[noreturn]] void refuse(const std::string& source, const std::string& key, const std::vector<std::string>& known) {
  const auto near = policy::nearest_name(std::string_view(key).substr(kAten.size()), known);
  throw Error(ErrorCode::kBadPolicy, source + ": ops[\"" + key + "\"]: this LibTorch has no such operator",
              (near ? "Did you mean \"" + std::string(kAten) + *near + "\"? " : "") +
                  "binade-engine inspect lists the operators that a model calls.");
}

}  // namespace

void check_ops(const policy::Policy& policy, const std::string& source) {
  for (const auto& [key, change] : policy.ops) {
    if (!key.starts_with(kAten)) continue;
    const std::size_t dot = key.find('.');
    const auto found = aten_ops().find(key.substr(0, dot));
    std::vector<std::string> known;
    if (found == aten_ops().end()) {
      for (const auto& [op, overloads] : aten_ops()) known.push_back(op.substr(kAten.size()));
      refuse(source, key, known);
    }
    if (dot == std::string::npos || found->second.contains(key.substr(dot + 1))) continue;
    for (const std::string& overload : found->second)
      known.push_back(found->first.substr(kAten.size()) + "." + overload);
    refuse(source, key, known);
  }
}

}  // namespace binade::graph
