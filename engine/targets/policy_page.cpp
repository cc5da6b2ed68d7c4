// SPDX-License-Identifier: Apache-2.0
#include "engine/targets/policy_page.h"

#include "engine/formats/printable.h"
#include "engine/policy/decision_text.h"
#include "engine/policy/finding_text.h"
#include "engine/targets/proof.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <utility>

namespace binade::targets {

namespace {

/// Text of a policy or model in one line that cannot control a terminal.
std::string page_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
  return formats::printable(text);
}

std::string page_number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.12g", value);
  return text;
}

std::string page_scaler(const wire::ScalerConfig& scaler) {
  if (!scaler.enabled) return "off";
  std::string text = "scale " + page_number(scaler.init_scale);
  if (scaler.fixed) return text + ", fixed";
  text += ", times " + page_number(scaler.growth_factor) + " after " + std::to_string(scaler.growth_interval) +
          " finite steps, times " + page_number(scaler.backoff_factor) + " after " +
          (scaler.hysteresis == 1 ? "an overflow" : std::to_string(scaler.hysteresis) + " overflows in a row");
  if (scaler.minimum > 0) text += ", at least " + page_number(scaler.minimum);
  if (scaler.maximum > 0) text += ", at most " + page_number(scaler.maximum);
  return text;
}

/// Arranges the rows of one assignment.
class PageMaker {
 public:
  explicit PageMaker(const Assignment& assignment) : assignment_(assignment), base_(table_of_base(assignment)) {}

  PolicyPage page() {
    const policy::Policy& policy = assignment_.policy;
    PolicyPage page;
    page.title = policy.name.empty() ? "Precision policy" : page_line(policy.name);
    for (const auto& [op, change] : policy.ops) page.op_changes.emplace_back(page_line(op), policy::to_text(change));
    page.modules = modules();
    std::size_t different = 0;
    for (const PolicyPage::Module& module : page.modules) different += module.different;
    page.facts = facts(different);
    page.words = policy::words_of(assignment_.table, assignment_.places);
    for (const policy::Finding& finding : assignment_.table.findings) {
      const bool note = finding.severity == policy::Finding::Severity::kNote;
      page.findings.push_back((note ? "note: " : "warning: ") + page_line(finding.message));
    }
    return page;
  }

 private:
  static policy::Resolved table_of_base(const Assignment& assignment) {
    policy::Policy base = assignment.policy;
    base.ops.clear();
    base.sites.clear();
    return policy::resolve(base, assignment.keys, assignment.table.capabilities, assignment.places);
  }

  PolicyPage::Texts facts(std::size_t different) const {
    const policy::Policy& policy = assignment_.policy;
    PolicyPage::Texts facts;
    if (!assignment_.model.empty()) facts.emplace_back("Model", page_line(assignment_.model));
    facts.emplace_back("Base list", policy::name(policy.base) + ": " + policy::brief(policy.base));
    facts.emplace_back("Low format", formats::name(policy.low));
    facts.emplace_back("Behaviour", policy::name(policy.behaviour));
    if (policy.execution != policy::Execution::kAuto) {
      facts.emplace_back("Execution", policy::name(policy.execution));
    }
    if (assignment_.scaler) facts.emplace_back("Loss scaler", page_scaler(*assignment_.scaler));
    facts.emplace_back("Op calls", policy::op_calls(assignment_.keys.size()) + ", of which " +
                                       std::to_string(different) + (different == 1 ? " differs" : " differ") +
                                       " from the base list");
    return facts;
  }

  PolicyPage::Row row(std::size_t site, std::string name, const policy::Decision& decision) const {
    const bool inside = assignment_.places[site].inside;
    PolicyPage::Row row;
    row.name = page_line(std::move(name));
    row.treatment = policy::decision_text(decision, inside);
    if (!same_treatment(decision, base_.sites[site])) row.base = policy::decision_text(base_.sites[site], inside);
    row.decided_by = policy::decided_by(assignment_.policy, assignment_.keys[site], decision);
    if (decision.rule >= 0) row.why = page_line(assignment_.policy.sites[static_cast<std::size_t>(decision.rule)].why);
    row.source = page_line(assignment_.sources[site]);
    return row;
  }

  std::vector<PolicyPage::Module> modules() const {
    std::vector<PolicyPage::Module> all;  // in the order of the model
    std::map<std::string, std::size_t> places;
    for (std::size_t i = 0; i < assignment_.keys.size(); ++i) {
      const policy::SiteKey& key = assignment_.keys[i];
      const auto [place, added] = places.emplace(key.path, all.size());
      if (added) all.push_back({key.path.empty() ? "(root)" : page_line(key.path), 0, {}});
      std::vector<PolicyPage::Row>& rows = all[place->second].rows;
      rows.push_back(row(i, key.name(), assignment_.table.sites[i]));
      const int site = static_cast<int>(i);
      const auto& calls = assignment_.table.calls;
      for (auto each = calls.lower_bound({site, 0}); each != calls.end() && each->first.first == site; ++each) {
        rows.push_back(row(i, key.name() + ", only call " + std::to_string(each->first.second), each->second));
      }
    }
    for (PolicyPage::Module& module : all) {
      const auto differs = [](const PolicyPage::Row& row) { return !row.base.empty(); };
      const auto rest = std::stable_partition(module.rows.begin(), module.rows.end(), differs);
      module.different = static_cast<std::size_t>(rest - module.rows.begin());
    }
    std::stable_partition(all.begin(), all.end(), [](const auto& module) { return module.different > 0; });
    return all;
  }

  const Assignment& assignment_;
  policy::Resolved base_;
};

}  // namespace

PolicyPage policy_page(const Assignment& assignment) {
  return PageMaker(assignment).page();
}

}  // namespace binade::targets
