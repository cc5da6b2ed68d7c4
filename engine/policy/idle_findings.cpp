// SPDX-License-Identifier: Apache-2.0
#include "engine/policy/idle_findings.h"

#include "engine/policy/decide.h"
#include "engine/policy/finding_text.h"

#include <algorithm>

namespace binade::policy {

namespace {

using Severity = Finding::Severity;

bool all_views(const std::vector<int>& sites, std::span<const SitePlace> places) {
  const auto is_view = [places](int site) { return places[static_cast<std::size_t>(site)].view; };
  return !sites.empty() && !places.empty() && std::all_of(sites.begin(), sites.end(), is_view);
}

/// The end of a warning: `decides nothing: no rule casts what is a view or a cast of the model's own, as aten::to#0
/// is.`
std::string views_text(const std::vector<int>& sites, const SiteNames& names) {
  const bool one = sites.size() == 1;
  return std::string(": has no effect: rules do not cast ")
      .append(one ? "a view or a cast" : "views or casts")
      .append(" of the model itself, such as ")
      .append(names_of(sites, names))
      .append(".");
}

std::string place_of_op(std::string_view key) {
  return std::string("ops[\"").append(key).append("\"]");
}

/// Whether site rules decide all op calls of the change's op.
bool all_ruled(const ChangedOp& change, const Resolved& resolved) {
  const auto ruled = [&](int site) { return resolved.sites[static_cast<std::size_t>(site)].rule >= 0; };
  return !change.sites.empty() && std::all_of(change.sites.begin(), change.sites.end(), ruled);
}

/// Whether op changes can be compared with the base list. Not for lists that cast whole models, which treat the loss
/// differently, nor if the model has autocast blocks of its own.
bool judged_by_list(const Resolved& resolved) {
  return resolved.blocks.empty() && resolved.base != Base::kApexO2 && resolved.base != Base::kApexO3;
}

/// Whether the op calls would have the same decision without the change. A change that undoes a part of another op
/// change is needed.
bool says_what_the_list_says(const Policy& policy, const Resolved& resolved, const ChangedOp& change,
                             std::span<const SiteKey> sites, std::span<const SitePlace> places) {
  const std::size_t dot = change.key.find('.');
  const bool of_one_overload = dot != std::string_view::npos;
  if (change.sites.empty() || (of_one_overload && policy.ops.contains(std::string(change.key.substr(0, dot))))) {
    return false;
  }
  return std::all_of(change.sites.begin(), change.sites.end(), [&](int site) {
    const auto i = static_cast<std::size_t>(site);
    if (!places.empty() && places[i].inside)
      return false;  // op changes apply inside it, and its own change switches them off
    Decision of_list = decide_by_base(resolved, sites[i].op, sites[i].overload);
    of_list.rule = change.decision.rule;
    return of_list == change.decision;
  });
}

}  // namespace

std::vector<Finding> idle_rules(const Policy& policy, const std::vector<std::vector<int>>& matched,
                                std::span<const SitePlace> places, const SiteNames& names) {
  std::vector<Finding> findings;
  for (std::size_t i = 0; i < policy.sites.size(); ++i) {
    if (!all_views(matched[i], places)) continue;
    const int rule = static_cast<int>(i);
    findings.push_back({Severity::kWarning, rule, place_of(policy, rule) + views_text(matched[i], names)});
  }
  return findings;
}

std::vector<Finding> idle_op_changes(const Policy& policy, const Resolved& resolved, std::span<const ChangedOp> changes,
                                     std::span<const SiteKey> sites, std::span<const SitePlace> places,
                                     const SiteNames& names, const std::vector<std::string>& made_of_others) {
  std::vector<Finding> findings;
  std::vector<std::string> needless;
  const bool by_list = judged_by_list(resolved);
  for (const ChangedOp& change : changes) {
    if (all_views(change.sites, places)) {
      findings.push_back(
          {Severity::kWarning, kFromOpChange, place_of_op(change.key) + views_text(change.sites, names)});
    } else if (all_ruled(change, resolved)) {
      const int calls = static_cast<int>(change.sites.size());
      std::string message = place_of_op(change.key)
                                .append(": has no effect, because site rules decide ")
                                .append(calls == 1 ? "its op call" : "all its " + op_calls(calls))
                                .append(": " + names_of(change.sites, names) + ".");
      if (!made_of_others.empty()) {
        message += " It applies only inside composite ops that call it: " + first_of(made_of_others) + ".";
      }
      findings.push_back({made_of_others.empty() ? Severity::kWarning : Severity::kNote, kFromOpChange, message});
    } else if (by_list && says_what_the_list_says(policy, resolved, change, sites, places)) {
      needless.push_back(place_of_op(change.key));
    }
  }
  if (!needless.empty()) {
    findings.push_back({Severity::kNote, kFromOpChange,
                        first_of(needless) + (needless.size() == 1 ? ": repeats" : ": repeat") + " the rule of " +
                            name(policy.base) + "."});
  }
  return findings;
}

}  // namespace binade::policy
