// SPDX-License-Identifier: Apache-2.0
#include "engine/host/commands/site_differences.h"

#include "engine/policy/decide.h"

#include <map>
#include <set>

namespace binade::host {

namespace {

/// Returns whether two decisions have the same effect. A base that casts nothing leaves its ops alone until a rule
/// lowers one; then they follow their arguments. Both have the same effect unless a lower format arrives.
bool same(policy::Decision a, policy::Decision b) {
  for (policy::Decision* each : {&a, &b}) {
    if (each->kind == policy::Decision::Kind::kLeave) each->kind = policy::Decision::Kind::kFollow;
  }
  return decision_text(a) == decision_text(b);
}

/// Returns the one kernel to which an op passes its arguments; lists and op changes may name it too. nullopt for an op
/// made of several.
std::optional<std::string> kernel_of(const std::string& op) {
  static const std::map<std::string, std::string> kernels{{"aten::group_norm", "aten::native_group_norm"},
                                                          {"aten::layer_norm", "aten::native_layer_norm"},
                                                          {"aten::log_softmax", "aten::_log_softmax"},
                                                          {"aten::softmax", "aten::_softmax"}};
  const auto found = kernels.find(op);
  return found == kernels.end() ? std::nullopt : std::optional(found->second);
}

/// Returns whether an op made of other ops runs like one that follows its arguments: it has one kernel, and the lists
/// leave that kernel alone.
bool follows(const policy::Resolved& table, const policy::SiteKey& site, const policy::Decision& decision) {
  const std::optional<std::string> kernel = kernel_of(site.op);
  return kernel && policy::decide(table.lists_of(decision), *kernel, {}).kind == policy::Decision::Kind::kFollow;
}

/// The text of one side: that of the op call, or that of the ops inside it.
std::string side_text(const SiteDifference& of, const policy::Decision& whole,
                      policy::Decision policy::InnerDifference::*side) {
  if (of.inner.empty()) return decision_text(whole, of.inside);
  const policy::InnerDifference& first = of.inner.front();
  const std::size_t others = of.inner.size() - 1;
  return "inside: " + first.op + " " + decision_text(first.*side) +
         (others == 0 ? "" : " (" + std::to_string(others) + " more)");
}

/// The layers that decided for an op inside an op call.
std::string inner_by(const policy::Policy& policy, const std::string& op, const policy::Decision& decision) {
  const std::size_t dot = op.find('.');
  policy::SiteKey key;
  key.op = op.substr(0, dot);
  if (dot != std::string::npos) key.overload = op.substr(dot + 1);
  return decided_by(policy, key, decision);
}

}  // namespace

std::string SiteDifference::first_text() const {
  return side_text(*this, first, &policy::InnerDifference::first);
}

std::string SiteDifference::second_text() const {
  return side_text(*this, second, &policy::InnerDifference::second);
}

std::vector<SiteDifference> site_differences(const ModelSites& model, const policy::Policy& first,
                                             const policy::Policy& second) {
  const policy::Resolved a = model.resolve(first);
  const policy::Resolved b = model.resolve(second);
  std::vector<SiteDifference> all;
  for (std::size_t i = 0; i < model.keys().size(); ++i) {
    const int site = static_cast<int>(i);
    const policy::SiteKey& key = model.keys()[i];
    const auto look = [&](std::optional<int> call, const policy::Decision& in_a, const policy::Decision& in_b) {
      const bool inside_a = is_inside(in_a, model.places()[i].inside);
      const bool inside_b = is_inside(in_b, model.places()[i].inside);
      const bool as_before = inside_a == inside_b || follows(inside_a ? a : b, key, inside_a ? in_a : in_b);
      if (same(in_a, in_b) && as_before) {
        const std::vector<policy::InnerDifference> inner =
            policy::inner_differences(key, model.places()[i], {a, b, in_a, in_b});
        if (inner.empty()) return;
        const policy::InnerDifference& one = inner.front();
        all.push_back({key, call, in_a, in_b, inner_by(first, one.op, one.first), inner_by(second, one.op, one.second),
                       model.places()[i].inside, inner});
        return;
      }
      all.push_back({key, call, in_a, in_b, decided_by(first, key, in_a), decided_by(second, key, in_b),
                     model.places()[i].inside});
    };
    look(std::nullopt, a.sites[i], b.sites[i]);
    std::set<int> single;
    for (const policy::Resolved* each : {&a, &b}) {
      for (auto at = each->calls.lower_bound({site, 0}); at != each->calls.end() && at->first.first == site; ++at) {
        single.insert(at->first.second);
      }
    }
    for (const int call : single) look(call, a.decision_for(site, call), b.decision_for(site, call));
  }
  return all;
}

}  // namespace binade::host
