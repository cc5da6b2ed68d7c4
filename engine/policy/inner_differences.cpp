// SPDX-License-Identifier: Apache-2.0
#include "engine/policy/inner_differences.h"

#include "engine/policy/decide.h"
#include "engine/policy/decision_text.h"
#include "engine/policy/inner_reach.h"

#include <set>
#include <string_view>

namespace binade::policy {

namespace {

/// Apex patches functions of Python, so its lists do not reach inside an op.
bool reaches_inside(Base base) {
  return base == Base::kCudaAmp || base == Base::kCpuAmp;
}

std::string_view overload_in(std::string_view key) {
  const std::size_t dot = key.find('.');
  const std::string_view overload = dot == std::string_view::npos ? std::string_view() : key.substr(dot + 1);
  return overload == "default" ? std::string_view() : overload;
}

bool same_lists(const Resolved& a, const Resolved& b) {
  return a.base == b.base && a.low == b.low && a.low_execution == b.low_execution && a.execution == b.execution;
}

void add_listed(std::set<std::string>& keys, Base base) {
  if (!reaches_inside(base)) return;
  for (const OpRow& row : rows(base)) {
    keys.insert("aten::" + std::string(row.op) + (row.overload.empty() ? "" : "." + std::string(row.overload)));
  }
}

/// The ops that two policies may treat differently: those with a change and, if their lists differ, those on a list.
std::set<std::string> ops_to_compare(const Resolved& first, const Resolved& second) {
  std::set<std::string> keys;
  for (const Resolved* each : {&first, &second}) {
    for (const auto& [key, change] : each->ops) keys.insert(key);
    if (!same_lists(first, second)) add_listed(keys, each->base);
  }
  return keys;
}

}  // namespace

Decision treatment_inside(const Resolved& table, const Decision& decision, const std::string& key) {
  const Resolved& lists = table.lists_of(decision);
  Decision inner = decide(lists, std::string_view(key).substr(0, key.find('.')), overload_in(key));
  if (inner.rule != kFromBase || reaches_inside(lists.base)) return inner;
  inner = Decision();
  inner.kind = Decision::Kind::kFollow;
  return inner;
}

std::vector<InnerDifference> inner_differences(const SiteKey& site, const SitePlace& place, const TwoDecisions& of) {
  std::vector<InnerDifference> found;
  const Resolved& first = of.first.lists_of(of.of_first);
  const Resolved& second = of.second.lists_of(of.of_second);
  for (const std::string& key : ops_to_compare(first, second)) {
    if (!op_change_reaches_inside(key, site, place, of.first, of.of_first) ||
        !op_change_reaches_inside(key, site, place, of.second, of.of_second)) {
      continue;
    }
    const Decision a = treatment_inside(of.first, of.of_first, key);
    const Decision b = treatment_inside(of.second, of.of_second, key);
    if (decision_text(a) != decision_text(b)) found.push_back({key, a, b});
  }
  return found;
}

}  // namespace binade::policy
