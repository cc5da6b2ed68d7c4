// SPDX-License-Identifier: Apache-2.0
#include "engine/policy/base_policy.h"
#include "engine/policy/differences.h"
#include "engine/policy/finding_text.h"
#include "engine/report/numbers.h"
#include "engine/report/sections.h"

#include <algorithm>

namespace binade::report {

namespace {

constexpr std::size_t kMostRules = 500;

/// The base list alone, with its own low format.
policy::Policy unedited(const policy::Policy& edited) {
  policy::Policy base = policy::base_policy(policy::name(edited.base)).value_or(policy::Policy{});
  base.name = edited.name;  // a name is no deviation
  return base;
}

Html deviations_html(const policy::Policy& edited) {
  const std::vector<policy::Difference> all = policy::differences(unedited(edited), edited);
  if (all.empty()) return paragraph("The policy is its base list, unchanged.");
  Table table({{"Place"}, {"Base"}, {"This policy"}});
  for (std::size_t i = 0; i < std::min(all.size(), kMostRules); ++i)
    table.add({code(all[i].place), text(all[i].first.empty() ? "none" : all[i].first),
               text(all[i].second.empty() ? "none" : all[i].second)});
  return table.html();
}

Html rules_html(const RunContent& run) {
  const policy::Policy& policy = run.policy.policy;
  Html html;
  if (!policy.ops.empty()) {
    Table ops({{"Op"}, {"Treatment"}});
    for (const auto& [op, change] : policy.ops) ops.add({code(op), text(policy::to_text(change))});
    html += ops.html();
  }
  if (policy.sites.empty()) return html + paragraph("No rule for single op calls.");
  std::vector<std::int64_t> decided(policy.sites.size(), 0);
  for (const policy::Decision& decision : run.policy.decisions) {
    if (decision.rule >= 0 && static_cast<std::size_t>(decision.rule) < decided.size())
      ++decided[static_cast<std::size_t>(decision.rule)];
  }
  Table rules({{"Rule", true}, {"Op calls"}, {"Runs in"}, {"Decides for", true}, {"Why"}});
  for (std::size_t i = 0; i < std::min(policy.sites.size(), kMostRules); ++i) {
    const policy::SiteRule& rule = policy.sites[i];
    const std::string match = rule.match + (rule.call ? ", call " + std::to_string(*rule.call) : "");
    // Decisions are per op call, so those of a rule for one of its executions are not counted.
    const std::string count = rule.call ? "one call" : counted(decided[i], "op call", "op calls");
    rules.add({text(std::to_string(i)), code(match), text(policy::rule_text(rule)), text(count), text(rule.why)});
  }
  html += rules.html();
  if (policy.sites.size() > kMostRules)
    html += note("The first " + std::to_string(kMostRules) + " of " + std::to_string(policy.sites.size()) + " rules.");
  return html;
}

Html findings_html(const wire::PolicyApplied& applied) {
  if (applied.findings.empty()) return {};
  Table table({{"Finding"}, {"Place"}, {"Message"}});
  for (std::size_t i = 0; i < std::min(applied.findings.size(), kMostRules); ++i) {
    const policy::Finding& each = applied.findings[i];
    const bool warning = each.severity == policy::Finding::Severity::kWarning;
    table.add({badge(warning ? "warning" : "note", warning ? "bad" : ""),
               each.rule >= 0 ? code(policy::short_place(each.rule)) : Html{}, text(each.message)});
  }
  return heading(3, "findings", "Findings") + table.html();
}

}  // namespace

Section policy_section(const RunContent& run) {
  Section section{"policy", "Policy in force", {}};
  if (!run.started) {
    section.body = note("A policy was not recorded.");
    return section;
  }
  const policy::Policy& policy = run.policy.policy;
  FactTable facts;
  if (!policy.name.empty()) facts.add("Name", text(policy.name));
  facts.add("Base", code(policy::name(policy.base)) + text(" – " + policy::brief(policy.base)));
  facts.add("Low format", text(formats::name(policy.low)));
  facts.add("Execution", text(policy::name(policy.execution)));
  facts.add("Behaviour", text(policy::name(policy.behaviour)));
  facts.add("In force",
            text("since step " + count_text(run.policy.step) + ", revision " + std::to_string(run.policy.revision)));
  if (!policy.provenance.attempt.empty()) facts.add("Try", text(policy.provenance.attempt));
  if (!policy.provenance.run.empty()) facts.add("Tuned in", text(policy.provenance.run));
  for (const std::string& sentence : policy.provenance.evidence) facts.add("Evidence", text(sentence));
  section.body = facts.html();
  section.body += heading(3, "rules", "Rules") + rules_html(run);
  section.body += heading(3, "deviations", "Deviations from the base") + deviations_html(policy);
  section.body += findings_html(run.policy);
  return section;
}

}  // namespace binade::report
