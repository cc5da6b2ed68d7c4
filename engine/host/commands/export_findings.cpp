// SPDX-License-Identifier: Apache-2.0
#include "engine/host/commands/export_findings.h"

#include "engine/host/input/named_policy.h"
#include "engine/host/print/policy_json.h"
#include "engine/policy/finding_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace binade::host {

namespace {

using targets::Finding;

constexpr std::size_t kCallsOfNote = 3;
constexpr std::size_t kCallsOfDeviation = 20;

std::string line_of(const Finding& finding) {
  const bool note = finding.kind == Finding::Kind::kNote;
  const std::size_t most = note ? kCallsOfNote : kCallsOfDeviation;
  std::string text = (note ? "note: " : "cannot express: ") + finding.message;
  for (std::size_t i = 0; i < std::min(finding.sites.size(), most); ++i) {
    text += (i == 0 ? ": " : ", ") + finding.sites[i];
  }
  if (finding.sites.size() > most) text += " and " + std::to_string(finding.sites.size() - most) + " more";
  return text;
}

}  // namespace

void print_findings(const std::vector<Finding>& findings, bool json, std::FILE* out) {
  for (const Finding& finding : findings) {
    if (json) {
      print_json({{"event", "finding"},
                  {"kind", finding.kind == Finding::Kind::kNote ? "note" : "inexpressible"},
                  {"message", finding.message},
                  {"sites", finding.sites}});
    } else {
      std::fprintf(out, "%s\n", line_of(finding).c_str());
    }
  }
}

bool deviates(const std::vector<Finding>& findings) {
  return std::any_of(findings.begin(), findings.end(),
                     [](const Finding& finding) { return finding.kind == Finding::Kind::kInexpressible; });
}

std::vector<Finding> notes_of(const policy::Policy& policy, const policy::Resolved& table) {
  std::vector<Finding> notes;
  for (const policy::Finding& finding : table.findings) {
    const bool of_loss = finding.rule >= 0 && speaks_of_loss(policy.sites[static_cast<std::size_t>(finding.rule)]);
    if (!of_loss) notes.push_back({Finding::Kind::kNote, finding.message, {}});
  }
  return notes;
}

std::vector<std::string> left_out(const policy::Policy& policy, const policy::Resolved& table) {
  std::vector<std::string> rules;
  for (std::size_t i = 0; i < policy.sites.size(); ++i) {
    const int rule = static_cast<int>(i);
    const auto goes_by_it = [rule](const policy::Decision& decision) { return decision.rule == rule; };
    if (!speaks_of_loss(policy.sites[i])) continue;
    // A module of the model has that name.
    if (std::any_of(table.sites.begin(), table.sites.end(), goes_by_it)) continue;
    rules.push_back(policy::place_of(policy, rule) + ": " + policy::rule_text(policy.sites[i]));
  }
  return rules;
}

}  // namespace binade::host
