// SPDX-License-Identifier: Apache-2.0
#include "engine/autocast/specialise.h"
#include "engine/graph/flat_graph.h"
#include "engine/graph/known_ops.h"
#include "engine/graph/samples.h"
#include "engine/host/commands.h"
#include "engine/host/decision_text.h"
#include "engine/host/exit_code.h"
#include "engine/host/read_text.h"
#include "engine/policy/finding_text.h"
#include "engine/policy/resolve.h"
#include "engine/train/device.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>

namespace binade::host {

namespace {

using nlohmann::ordered_json;

struct Shown {
  policy::Resolved resolved;
  std::vector<policy::SiteKey> keys;
};

/// Whether a rule speaks of a loss, which comes with a run and not with the model.
bool is_of_loss(const policy::SiteRule& rule) {
  const std::string& match = rule.match;
  return match == "loss" || match.starts_with("loss/") || match.starts_with("loss.") || match.starts_with("loss*");
}

Shown shown_for(const policy::Policy& policy, const std::string& model_name) {
  const graph::Model model = graph::open_model(model_name);
  const graph::FlatGraph flat(model);
  Shown shown;
  std::vector<const graph::Site*> sites;
  for (const auto& site : flat.sites()) {
    shown.keys.push_back(site->key);
    sites.push_back(site.get());
  }
  shown.resolved = autocast::resolve_for(policy, sites, train::capabilities(c10::Device(c10::kCPU)));
  for (policy::Finding& finding : shown.resolved.findings) {
    if (finding.rule < 0) continue;
    const policy::SiteRule& rule = policy.sites[static_cast<std::size_t>(finding.rule)];
    const auto matches = [&rule](const policy::SiteKey& key) { return policy::matches(rule.match, key); };
    if (!is_of_loss(rule) || std::any_of(shown.keys.begin(), shown.keys.end(), matches)) continue;
    finding.severity = policy::Finding::Severity::kNote;
    finding.message =
        policy::place_of(policy, finding.rule) + ": speaks of the loss, which comes with a run: not checked.";
  }
  return shown;
}

policy::Policy read_policy(const std::string& file) {
  policy::Policy policy = policy::parse_policy(read_text(file), file);
  graph::check_ops(policy, file);
  return policy;
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

void print_json(const ordered_json& line) {
  std::printf("%s\n", line.dump(-1, ' ', false, ordered_json::error_handler_t::replace).c_str());
}

/// The policy itself: what it starts from, what it changes, and why.
void print_policy(const policy::Policy& policy) {
  std::printf("%s: behaviour %s, base %s, low %s, execution %s\n%s\n",
              policy.name.empty() ? "policy without a name" : policy.name.c_str(), name(policy.behaviour).c_str(),
              name(policy.base).c_str(), formats::name(policy.low).c_str(), name(policy.execution).c_str(),
              brief(policy.base).c_str());
  if (!policy.ops.empty()) std::printf("\nops, everywhere\n");
  for (const auto& [op, change] : policy.ops) {
    std::printf("  %-40s %s\n", op.c_str(), policy::to_text(change).c_str());
  }
  if (!policy.sites.empty()) std::printf("\nsites, of which a later one wins\n");
  for (std::size_t i = 0; i < policy.sites.size(); ++i) {
    const policy::SiteRule& rule = policy.sites[i];
    const std::string call = rule.call ? ", call " + std::to_string(*rule.call) : "";
    std::printf("  [%zu] %-36s %s%s\n", i, (rule.match + call).c_str(), rule_text(rule).c_str(),
                rule.why.empty() ? "" : ("  -- " + rule.why).c_str());
  }
}

/// What each call of the model does, and who says so; single calls below their op call.
void print_table(const policy::Policy& policy, const Shown& shown) {
  std::printf("\n%-56s %-32s %s\n", "op call", "runs in", "decided by");
  const auto row = [&](const std::string& what, const policy::SiteKey& key, const policy::Decision& decision) {
    std::printf("%-56s %-32s %s\n", what.c_str(), decision_text(decision).c_str(),
                decided_by(policy, key, decision).c_str());
  };
  const auto& calls = shown.resolved.calls;
  for (std::size_t i = 0; i < shown.keys.size(); ++i) {
    const int site = static_cast<int>(i);
    row(shown.keys[i].name(), shown.keys[i], shown.resolved.sites[i]);
    for (auto each = calls.lower_bound({site, 0}); each != calls.end() && each->first.first == site; ++each) {
      row("  only call " + std::to_string(each->first.second), shown.keys[i], each->second);
    }
  }
  const auto words = words_of(shown.resolved);
  if (!words.empty()) std::printf("\n");
  for (const auto& [word, meaning] : words) std::printf("%-15s %s\n", word.c_str(), meaning.c_str());
  if (!shown.resolved.findings.empty()) std::printf("\n");
}

ordered_json to_json(const policy::Policy& policy, const policy::SiteKey& key, const policy::Decision& decision) {
  const bool format = decision.kind == policy::Decision::Kind::kFormat;
  ordered_json json{{"treatment", format ? "format" : decision_text(decision)},
                    {"format", format ? formats::name(decision.format) : ""},
                    {"execution", policy::name(decision.execution)},
                    {"rule", decision.rule},
                    {"decided_by", decided_by(policy, key, decision)}};
  if (format) {
    json["backward"] = formats::name(decision.backward);
    json["overflow"] = decision.overflow == formats::Overflow::kSaturate ? "saturate" : "infinity";
  }
  if (decision.rule >= 0) json["why"] = policy.sites[static_cast<std::size_t>(decision.rule)].why;
  return json;
}

/// One object a line: the policy, every op call with its single calls, every finding.
void print_as_json(const policy::Policy& policy, const Shown& shown) {
  ordered_json line{{"event", "policy"}};
  line.update(ordered_json::parse(policy::to_json(policy)));
  print_json(line);
  const auto& calls = shown.resolved.calls;
  for (std::size_t i = 0; i < shown.keys.size(); ++i) {
    const int id = static_cast<int>(i);
    ordered_json site{{"event", "site"}, {"site", shown.keys[i].name()}};
    site.update(to_json(policy, shown.keys[i], shown.resolved.sites[i]));
    for (auto each = calls.lower_bound({id, 0}); each != calls.end() && each->first.first == id; ++each) {
      ordered_json call{{"call", each->first.second}};
      call.update(to_json(policy, shown.keys[i], each->second));
      site["calls"].push_back(std::move(call));
    }
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
  const policy::Policy policy = read_policy(options.file);
  std::vector<policy::Finding> findings;
  if (!options.model.empty()) findings = shown_for(policy, options.model).resolved.findings;
  const auto warnings = std::count_if(findings.begin(), findings.end(), [](const policy::Finding& finding) {
    return finding.severity == policy::Finding::Severity::kWarning;
  });
  if (options.json) {
    ordered_json list = ordered_json::array();
    for (const policy::Finding& finding : findings) list.push_back(to_json(finding));
    print_json({{"event", "checked"}, {"file", options.file}, {"warnings", warnings}, {"findings", list}});
  } else {
    print_findings(findings);
    std::printf("%s is a valid policy%s\n", options.file.c_str(),
                options.model.empty() ? "; give a model to see what its rules match"
                : warnings == 0       ? ", and all of it can be done as it says"
                                      : "; the warnings say what is done otherwise than it may seem");
  }
  return options.strict && warnings > 0 ? kFailed : kDone;
}

int policy_show(const PolicyOptions& options) {
  const policy::Policy policy = read_policy(options.file);
  const Shown shown = options.model.empty() ? Shown{} : shown_for(policy, options.model);
  if (options.json) {
    print_as_json(policy, shown);
    return kDone;
  }
  print_policy(policy);
  if (options.model.empty()) return kDone;
  print_table(policy, shown);
  print_findings(shown.resolved.findings);
  return kDone;
}

}  // namespace binade::host
