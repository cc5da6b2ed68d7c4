// SPDX-License-Identifier: Apache-2.0
#include "engine/autocast/unused_findings.h"

#include "engine/policy/finding_text.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

namespace binade::autocast {

namespace {

using policy::Decision;

bool has_data(const graph::OpTraits& op) {
  return std::any_of(op.roles.begin(), op.roles.end(),
                     [](graph::Role role) { return role == graph::Role::kData || role == graph::Role::kWeight; });
}

using Sites = std::vector<const graph::Site*>;

/// Names in the model's order, whichever part they came from.
std::vector<std::string> names_of(Sites sites) {
  std::stable_sort(sites.begin(), sites.end(), [](const auto* one, const auto* other) { return one->id < other->id; });
  std::vector<std::string> names;
  names.reserve(sites.size());
  for (const graph::Site* site : sites) names.push_back(site->key.name());
  return names;
}

/// Sites that one part of the policy decides, grouped by why they take no format. A new policy visits every site, so
/// names are made only for a part that turns out to have no effect.
struct Decided {
  bool has_effect = false;
  Sites views;
  Sites writing;
  Sites without_data;

  void add(const graph::Site& site, const Decision& decision) {
    if (has_effect) return;
    const bool asks = decision.kind == Decision::Kind::kFormat || decision.kind == Decision::Kind::kPromote;
    if (decision.kind == Decision::Kind::kLeave) {
      views.push_back(&site);
    } else if (!asks || takes_a_format(site)) {
      has_effect = true;
    } else {
      (site.in_place ? writing : without_data).push_back(&site);
    }
  }

  void add(const Decided& other) {
    has_effect = has_effect || other.has_effect;
    views.insert(views.end(), other.views.begin(), other.views.end());
    writing.insert(writing.end(), other.writing.begin(), other.writing.end());
    without_data.insert(without_data.end(), other.without_data.begin(), other.without_data.end());
  }

  std::string reasons() const {
    std::string text;
    const auto say = [&text](const Sites& calls, const char* why) {
      if (calls.empty()) return;
      text += (text.empty() ? "" : "; ") + std::string(why) + " (" + policy::first_of(names_of(calls)) + ")";
    };
    say(writing, "what writes an argument computes in the dtype of that");
    say(without_data, "indices and masks are never cast");
    say(views, "nor are views");
    return text;
  }
};

/// A part of the policy as a decision tells it: a site rule, or the change of an op, with the overload.
using Part = std::tuple<int, std::string_view, std::string_view>;

Part part_of(const graph::Site& site, const Decision& decision) {
  if (decision.rule >= 0) return {decision.rule, {}, {}};
  return {decision.rule, site.key.op, site.key.overload};
}

}  // namespace

bool takes_a_format(const graph::OpTraits& op) {
  return !op.view && !op.in_place && has_data(op);
}

std::vector<policy::Finding> unused_findings(const policy::Policy& policy, const policy::Resolved& resolved,
                                             std::span<const graph::Site* const> sites) {
  struct OfPart {
    const graph::Site* first = nullptr;
    Decision decision;
    Decided decided;
  };
  std::map<Part, OfPart> parts;
  const auto look = [&parts](const graph::Site& site, const Decision& decision) {
    if (decision.rule == policy::kFromBase) return;
    OfPart& part = parts[part_of(site, decision)];
    if (part.first == nullptr) {
      part.first = &site;
      part.decision = decision;
    }
    part.decided.add(site, decision);
  };
  for (std::size_t i = 0; i < sites.size(); ++i) look(*sites[i], resolved.sites[i]);
  for (const auto& [place, decision] : resolved.calls) look(*sites[static_cast<std::size_t>(place.first)], decision);

  // One op change may apply to several overloads. Site rules come in their order, after op changes.
  std::map<std::pair<int, std::string>, Decided> places;
  for (const auto& [part, of] : parts) {
    const int rule = std::get<int>(part);
    places[{rule, rule >= 0 ? policy::place_of(policy, rule) : policy::place_of(policy, of.decision, of.first->key)}]
        .add(of.decided);
  }

  std::vector<policy::Finding> findings;
  for (const auto& [place, decided] : places) {
    if (decided.has_effect || (decided.writing.empty() && decided.without_data.empty())) continue;
    findings.push_back({policy::Finding::Severity::kWarning, place.first,
                        place.second + " gives no op call its format: " + decided.reasons() + "."});
  }
  return findings;
}

}  // namespace binade::autocast
