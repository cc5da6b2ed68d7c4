// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/site_match.h"
#include "engine/policy_tools/effect.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace binade::policy_tools {

/// A policy's rules applied to a model, in a form that answers questions about single rules quickly. Deviations of
/// whole policies are found by deviations(), which resolves them anew. `model` must outlive the object.
class RuleTable {
 public:
  static constexpr int kBelow = -1;  ///< in place of a rule: the base list and the op changes

  /// A place that a rule can decide for: an op call, or a single execution of it that some rule names.
  struct Slot {
    std::size_t site = 0;
    std::optional<int> call;
  };

  RuleTable(const policy::Policy& policy, const ModelCalls& model);

  const ModelCalls& model() const { return model_; }
  const std::vector<Slot>& slots() const { return slots_; }
  /// Indices of the slots that a rule matches, in order.
  const std::vector<std::size_t>& matched(std::size_t rule) const { return matched_[rule]; }
  /// Op calls that a pattern matches, by index.
  std::vector<std::size_t> sites_of(const std::string& match) const;

  /// The rule that decides for a slot, among those that are not removed and come before `before`; kBelow if none does.
  int winner(std::size_t slot, std::size_t before) const;
  int winner(std::size_t slot) const { return winner(slot, policy_.sites.size()); }
  void remove(std::size_t rule) { removed_[rule] = true; }
  bool is_removed(std::size_t rule) const { return removed_[rule]; }

  /// Whether a slot runs the same under two of its rules, each of which may be kBelow.
  bool same(std::size_t slot, int rule, int other) const;
  /// Whether two rules request the same, whatever they match.
  bool same_request(std::size_t rule, std::size_t other) const;
  /// Whether the policy gives all executions of an op call, or only the one that `rule` names if it names one, what
  /// `rule` requests. Removed rules count as removed.
  bool gives_what(std::size_t rule, std::size_t site) const;

 private:
  const Effect& effect(std::size_t slot, int rule) const;

  policy::Policy policy_;
  const ModelCalls& model_;
  policy::SiteNames names_;
  std::vector<Slot> slots_;
  std::vector<std::vector<std::size_t>> slots_of_site_;  ///< first the op call itself
  std::vector<std::vector<std::size_t>> matched_;        ///< by rule
  std::vector<std::vector<std::size_t>> rules_;          ///< by slot, in the order of the policy
  std::vector<std::size_t> request_;                     ///< by rule: index in requests_
  std::vector<Effect> requests_;
  std::vector<Effect> below_;  ///< by site
  std::vector<bool> removed_;
};

}  // namespace binade::policy_tools
