// SPDX-License-Identifier: Apache-2.0
#include "engine/policy/execution_notes.h"

#include "engine/policy/decide.h"
#include "engine/policy/finding_text.h"
#include "engine/policy/rule_text.h"

#include <algorithm>
#include <string>
#include <utility>

namespace binade::policy {

namespace {

/// Places in the policy that request one format, each with its op calls, in the order of the model.
class Asked {
 public:
  void add(const std::string& place, int rule, const std::string& call) {
    if (places_.empty()) rule_ = rule;
    if (rule != rule_) rule_ = kFromBase;
    auto same = std::find_if(places_.begin(), places_.end(), [&](const auto& each) { return each.first == place; });
    if (same == places_.end()) same = places_.insert(same, {place, {}});
    if (same->second.empty() || same->second.back() != call) same->second.push_back(call);
  }

  /// `low, sites[3]`
  std::string places() const {
    std::string text;
    for (const auto& [place, calls] : places_) text += (text.empty() ? "" : ", ") + place;
    return text;
  }
  /// `low: a, b, c and 4 more; sites[3]: d`
  std::string calls() const {
    std::string text;
    for (const auto& [place, calls] : places_) text += (text.empty() ? "" : "; ") + place + ": " + first_of(calls);
    return text;
  }
  int rule() const { return std::max(rule_, kFromBase); }

 private:
  std::vector<std::pair<std::string, std::vector<std::string>>> places_;
  int rule_ = kFromBase;
};

/// Requested formats by name, in the order of the model.
using Groups = std::vector<std::pair<std::string, Asked>>;

Asked& group_of(Groups& groups, const std::string& what) {
  for (auto& [name, asked] : groups) {
    if (name == what) return asked;
  }
  return groups.emplace_back(what, Asked()).second;
}

/// The rule that a note on all groups belongs to; kFromBase if they have several.
int rule_of(const Groups& groups) {
  const int first = groups.front().second.rule();
  const auto same = [first](const auto& group) { return group.second.rule() == first; };
  return std::all_of(groups.begin(), groups.end(), same) ? first : kFromBase;
}

}  // namespace

std::vector<Finding> execution_notes(const Policy& policy, const Resolved& resolved, std::span<const SiteKey> sites,
                                     std::span<const SitePlace> places, const SiteNames& names) {
  Groups logical;
  Groups stored;  // in a dtype that holds the format; which ops compute in float32 depends on the op
  std::vector<std::pair<formats::Format, int>> slow;
  const auto look = [&](const Decision& decision, std::size_t site, const std::string& call) {
    if (decision.kind != Decision::Kind::kFormat || (!places.empty() && places[site].view)) return;
    const std::string place = place_of(policy, decision, sites[site]);
    if (is_logical(decision)) {
      group_of(logical, format_text(decision)).add(place, decision.rule, names[site] + call);
    } else if (decision.execution == Execution::kEmulated) {
      group_of(stored, formats::name(decision.format)).add(place, decision.rule, names[site] + call);
    } else if (!is_fast(resolved.capabilities, decision.format)) {
      const auto same =
          std::find_if(slow.begin(), slow.end(), [&](const auto& each) { return each.first == decision.format; });
      ++(same != slow.end() ? *same : slow.emplace_back(decision.format, 0)).second;
    }
  };
  for (std::size_t i = 0; i < resolved.sites.size(); ++i) look(resolved.sites[i], i, "");
  for (const auto& [at, decision] : resolved.calls) {
    look(decision, static_cast<std::size_t>(at.first), ", call " + std::to_string(at.second));
  }

  std::vector<Finding> notes;
  const auto note = [&notes](int rule, std::string message) {
    notes.push_back({Finding::Severity::kNote, rule, std::move(message)});
  };
  if (!stored.empty()) {
    std::string message = "emulated:";
    for (const auto& [format, asked] : stored) {
      message += (message.back() == ':' ? " " : ", ") + format + " (" + asked.places() + ")";
    }
    note(rule_of(stored), message +
                              ". Values are stored in this format; matrix and convolution ops compute in float32 and "
                              "round. Their times do not indicate native speed.");
  }
  for (const auto& [format, calls] : slow) {
    note(kFromBase, formats::name(format) + " runs native at " + op_calls(calls) +
                        ", as requested; this device has no fast " + formats::name(format) +
                        ", so native execution is slow.");
  }
  if (!logical.empty()) {
    std::string message = "emulated:";
    for (const auto& [format, asked] : logical) {
      message += (message.back() == ':' ? " " : "; ") + format + " (" + asked.calls() + ")";
    }
    note(rule_of(logical),
         message +
             ". Values are stored in float32 and rounded after every op. Their times do not indicate native speed.");
  }
  return notes;
}

}  // namespace binade::policy
