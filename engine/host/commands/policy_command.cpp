// SPDX-License-Identifier: Apache-2.0
#include "engine/host/commands/commands.h"
#include "engine/host/input/named_policy.h"
#include "engine/host/print/policy_json.h"
#include "engine/host/print/text_table.h"
#include "engine/host/process/exit_code.h"
#include "engine/policy/decision_text.h"
#include "engine/policy/finding_text.h"
#include "engine/words/decision_reasons.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

namespace binade::host {

namespace {

using nlohmann::ordered_json;

struct Shown {
  policy::Resolved resolved;
  std::vector<policy::SiteKey> keys;
  std::vector<policy::SitePlace> places;
};

Shown shown_for(const policy::Policy& policy, const std::string& model) {
  const ModelSites sites(model);
  return {sites.resolve(policy), sites.keys(), sites.places()};
}

const char* severity_text(const policy::Finding& finding) {
  return finding.severity == policy::Finding::Severity::kNote ? "note" : "warning";
}

ordered_json to_json(const policy::Finding& finding) {
  return {{"severity", severity_text(finding)}, {"rule", finding.rule}, {"message", finding.message}};
}

void print_findings(const std::vector<policy::Finding>& findings) {
  for (const policy::Finding& finding : findings) {
    std::printf("%s: %s\n", severity_text(finding), finding.message.c_str());
  }
}

void print_provenance(const policy::Provenance& from) {
  TextTable table(2);
  const auto row = [&table](const char* what, const std::string& text) {
    if (!text.empty()) table.add({what, text});
  };
  row("made by", from.made_by);
  row("date", from.date);
  row("run", from.run);
  row("step", from.step ? std::to_string(*from.step) : "");
  row("try", from.attempt);
  row("model", from.model);
  row("op calls", from.op_calls ? std::to_string(*from.op_calls) : "");
  for (const std::string& each : from.from) row("derived from", each);
  for (const std::string& each : from.evidence) row("evidence", each);
  if (!table.empty()) std::printf("\nprovenance\n%s", table.text().c_str());
}

/// Prints the policy itself: base, changes and their reasons, and where it comes from.
void print_policy(const policy::Policy& policy) {
  std::printf("%s: behaviour %s, base %s, low %s, execution %s\n%s\n",
              policy.name.empty() ? "policy without a name" : policy.name.c_str(), name(policy.behaviour).c_str(),
              name(policy.base).c_str(), formats::name(policy.low).c_str(), name(policy.execution).c_str(),
              brief(policy.base).c_str());
  TextTable ops(2);
  for (const auto& [op, change] : policy.ops) ops.add({op, policy::to_text(change)});
  if (!ops.empty()) std::printf("\nops, everywhere\n%s", ops.text().c_str());
  TextTable sites(2);
  for (std::size_t i = 0; i < policy.sites.size(); ++i) {
    const policy::SiteRule& rule = policy.sites[i];
    const std::string call = rule.call ? ", call " + std::to_string(*rule.call) : "";
    sites.add({"[" + std::to_string(i) + "] " + rule.match + call, policy::rule_text(rule),
               rule.why.empty() ? "" : "-- " + rule.why});
  }
  if (!sites.empty()) std::printf("\nsites (later rules take precedence)\n%s", sites.text().c_str());
  print_provenance(policy.provenance);
}

/// Prints the treatment of each op call and the layer that decided it; rules for single calls follow their op call.
void print_table(const policy::Policy& policy, const Shown& shown) {
  TextTable table;
  table.add({"op call", "runs in", "decided by"});
  const auto row = [&](const std::string& what, std::size_t site, const policy::Decision& decision) {
    table.add(
        {what, decision_text(decision, shown.places[site].inside), decided_by(policy, shown.keys[site], decision)});
  };
  const auto& calls = shown.resolved.calls;
  for (std::size_t i = 0; i < shown.keys.size(); ++i) {
    const int site = static_cast<int>(i);
    row(shown.keys[i].name(), i, shown.resolved.sites[i]);
    for (auto each = calls.lower_bound({site, 0}); each != calls.end() && each->first.first == site; ++each) {
      row("  only call " + std::to_string(each->first.second), i, each->second);
    }
  }
  std::printf("\n%s", table.text().c_str());
  TextTable words;
  for (const auto& [word, meaning] : words_of(shown.resolved, shown.places)) words.add({word, meaning});
  if (!words.empty()) std::printf("\n%s", words.text().c_str());
  if (!shown.resolved.findings.empty()) std::printf("\n");
}

std::vector<std::string> reasons_of(const policy::Policy& policy, const Shown& shown, std::size_t site) {
  const policy::SitePlace& place = shown.places[site];
  words::CallTraits traits{place.view, false, place.inside, {}};
  if (place.block != nullptr) traits.block = place.block->source;
  return words::decision_reasons(policy, shown.keys[site], shown.resolved.sites[site], traits);
}

/// Prints why each op call has its format, a sentence a line.
void print_reasons(const policy::Policy& policy, const Shown& shown) {
  for (std::size_t i = 0; i < shown.keys.size(); ++i) {
    const policy::Decision& decision = shown.resolved.sites[i];
    std::printf("\n%s: %s\n", shown.keys[i].name().c_str(), decision_text(decision, shown.places[i].inside).c_str());
    for (const std::string& reason : reasons_of(policy, shown, i)) std::printf("  %s\n", reason.c_str());
  }
}

/// Prints one object a line: the policy, each op call with its single calls, each finding.
void print_as_json(const policy::Policy& policy, const Shown& shown, bool explain) {
  ordered_json line{{"event", "policy"}};
  line.update(ordered_json::parse(policy::to_json(policy)));
  print_json(line);
  const auto& calls = shown.resolved.calls;
  for (std::size_t i = 0; i < shown.keys.size(); ++i) {
    const int id = static_cast<int>(i);
    ordered_json site{{"event", "site"}, {"site", shown.keys[i].name()}};
    site.update(host::to_json(policy, shown.keys[i], shown.resolved.sites[i], shown.places[i].inside));
    for (auto each = calls.lower_bound({id, 0}); each != calls.end() && each->first.first == id; ++each) {
      ordered_json call{{"call", each->first.second}};
      call.update(host::to_json(policy, shown.keys[i], each->second));
      site["calls"].push_back(std::move(call));
    }
    if (explain) site["reasons"] = reasons_of(policy, shown, i);
    print_json(site);
  }
  for (const policy::Finding& finding : shown.resolved.findings) {
    ordered_json told{{"event", "finding"}};
    told.update(to_json(finding));
    print_json(told);
  }
}

}  // namespace

int policy_check(const PolicyOptions& options) {
  const policy::Policy policy = named_policy(options.policy, "policy check POLICY [MODEL]");
  std::vector<policy::Finding> findings;
  if (!options.model.empty()) findings = shown_for(policy, options.model).resolved.findings;
  const auto warnings = std::count_if(findings.begin(), findings.end(), [](const policy::Finding& finding) {
    return finding.severity == policy::Finding::Severity::kWarning;
  });
  if (options.json) {
    ordered_json list = ordered_json::array();
    for (const policy::Finding& finding : findings) list.push_back(to_json(finding));
    print_json({{"event", "checked"}, {"file", options.policy}, {"warnings", warnings}, {"findings", list}});
  } else {
    print_findings(findings);
    std::printf("%s is a valid policy%s\n", options.policy.c_str(),
                options.model.empty() ? "; give a model to check which op calls its rules match"
                : warnings == 0       ? ", and all its rules can apply"
                                      : "; the warnings list the rules without their stated effect");
  }
  return options.strict && warnings > 0 ? kFailed : kDone;
}

int policy_show(const PolicyOptions& options) {
  const policy::Policy policy = named_policy(options.policy, "policy show POLICY [MODEL]");
  const Shown shown = options.model.empty() ? Shown{} : shown_for(policy, options.model);
  if (options.json) {
    print_as_json(policy, shown, options.explain);
    return kDone;
  }
  print_policy(policy);
  if (options.model.empty()) return kDone;
  print_table(policy, shown);
  if (options.explain) print_reasons(policy, shown);
  print_findings(shown.resolved.findings);
  return kDone;
}

}  // namespace binade::host
