// SPDX-License-Identifier: Apache-2.0
#include "engine/policy/rule_findings.h"

#include "engine/policy/decide.h"
#include "engine/policy/finding_text.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace binade::policy {

namespace {

/// The op in a match (`aten::mm`); empty if the match names none or has a wildcard in it.
std::string op_of(const std::string& match) {
  const std::size_t slash = match.rfind('/');
  const std::string call = slash == std::string::npos ? match : match.substr(slash + 1);
  const std::size_t hash = call.find('#');
  if (hash == std::string::npos || call.find("::") == std::string::npos) return {};
  const std::string op = call.substr(0, hash);
  return op.find('*') == std::string::npos ? op : std::string();
}

/// If most rules match nothing, reports what the two models do not have in common.
void find_other_model(const Policy& policy, const std::vector<std::vector<int>>& matched,
                      std::span<const SiteKey> sites, const SiteNames& names, std::vector<Finding>& findings) {
  std::vector<std::string> missing;  // each match once, in the order of the policy
  std::size_t rules = 0;
  std::set<std::string> ops;
  std::vector<bool> spoken_of(sites.size(), false);
  for (std::size_t i = 0; i < policy.sites.size(); ++i) {
    for (const int site : matched[i]) spoken_of[static_cast<std::size_t>(site)] = true;
    if (!matched[i].empty()) continue;
    ++rules;
    const std::string& match = policy.sites[i].match;
    if (std::find(missing.begin(), missing.end(), match) == missing.end()) missing.push_back(match);
    ops.insert(op_of(match));
  }
  if (missing.size() < 2 || rules * 2 <= policy.sites.size()) return;
  std::vector<std::string> only_here;  // calls of the same ops that no rule matches
  std::size_t others = 0;
  for (std::size_t i = 0; i < sites.size(); ++i) {
    if (spoken_of[i]) continue;
    if (ops.contains(sites[i].op)) {
      only_here.push_back(names[i]);
    } else {
      ++others;
    }
  }
  std::string message = "the policy seems to be for another model: " + std::to_string(rules) + " of its " +
                        std::to_string(policy.sites.size()) +
                        " site rules match nothing. Missing here: " + first_of(missing) + ".";
  if (!only_here.empty()) message += " Present here, with the same ops: " + first_of(only_here) + ".";
  if (others > 0) {
    message += " No rule refers to " + op_calls(static_cast<int>(others)) + " of other ops.";
  }
  findings.push_back({Finding::Severity::kWarning, kFromBase, message});
}

std::string why_not_native(const Decision& decision) {
  const std::string format = formats::name(decision.format);
  const bool has_dtype = decision.format == formats::kFloat32 || decision.format == formats::kFloat16 ||
                         decision.format == formats::kBFloat16;
  if (!has_dtype && decision.format != formats::kTFloat32)
    return "no device computes in " + format + " through LibTorch";
  if (decision.backward != decision.format) return "a native op has the gradients' format of its values";
  if (decision.overflow == formats::Overflow::kSaturate) return "native " + format + " does not saturate";
  return "this device has no native " + format;
}

}  // namespace

std::vector<Finding> rule_findings(const Policy& policy, const std::vector<std::vector<int>>& matched,
                                   std::span<const SiteKey> sites, const SiteNames& names) {
  std::vector<Finding> findings;
  if (policy.sites.empty()) return findings;
  find_other_model(policy, matched, sites, names, findings);
  return findings;
}

std::vector<Finding> native_findings(const Policy& policy, const Resolved& resolved, std::span<const SiteKey> sites,
                                     const SiteNames& names) {
  const auto asks_native = [&policy](int rule) {
    const Execution asked = rule < 0 ? Execution::kAuto : policy.sites[static_cast<std::size_t>(rule)].execution;
    return (asked == Execution::kAuto ? policy.execution : asked) == Execution::kNative;
  };
  struct Emulated {
    Decision decision;
    std::vector<std::string> calls;
  };
  std::map<std::pair<int, std::string>, Emulated> found;  // by rule and place, which is the order of the policy
  const auto look = [&](const Decision& decision, std::size_t site) {
    if (decision.kind != Decision::Kind::kFormat || decision.execution != Execution::kEmulated) return;
    if (!asks_native(decision.rule)) return;
    const std::string place =
        decision.rule >= 0 ? place_of(policy, decision.rule) : place_of(policy, decision, sites[site]);
    Emulated& entry = found[{decision.rule, place}];
    if (entry.calls.empty()) entry.decision = decision;
    entry.calls.push_back(names[site]);
  };
  for (std::size_t i = 0; i < resolved.sites.size(); ++i) look(resolved.sites[i], i);
  for (const auto& [place, decision] : resolved.calls) look(decision, static_cast<std::size_t>(place.first));
  std::vector<Finding> findings;
  for (const auto& [where, emulated] : found) {
    const int calls = static_cast<int>(emulated.calls.size());
    findings.push_back({Finding::Severity::kWarning, where.first,
                        where.second + ": " + why_not_native(emulated.decision) + "; " + op_calls(calls) +
                            (calls == 1 ? " runs" : " run") + " emulated instead: " + first_of(emulated.calls) + "."});
  }
  return findings;
}

}  // namespace binade::policy
