// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/resolve.h"
#include "engine/policy/site_match.h"

#include <span>
#include <string>
#include <vector>

namespace binade::policy {

/// A policy and a model while resolve() applies one to the other. The functions below add their findings to `resolved`.
struct Lint {
  const Policy& policy;
  std::span<const SiteKey> sites;
  std::span<const SitePlace> places;  ///< as for resolve()
  const SiteNames& names;
  const std::vector<std::vector<int>>& matched;  ///< by site rule: the sites that it matches
  const std::vector<std::vector<int>>& changed;  ///< by op change: the sites that it matches
  Resolved& resolved;

  void add(Finding::Severity severity, int rule, std::string message) const;
  /// first_of() for sites; makes only the names that it returns.
  std::string first_names(const std::vector<int>& some) const;
  /// Whether all of `some` are views or the model's own casts, which no rule casts. False if positions are unknown.
  bool all_views(const std::vector<int>& some) const;
};

/// Notes on the effect of the model's own autocast blocks. Called before op changes apply.
void lint_blocks(const Lint& lint);

/// Findings on op changes that match no site: one note if they are more than ten. Otherwise a warning each, or a note
/// if the model has composite ops, inside which the change applies. Called before site rules apply.
void lint_unmatched_ops(const Lint& lint);

/// A warning for each match of site rules that matches no site.
void lint_unmatched_rules(const Lint& lint);

/// A warning for each op that will refuse to run.
void lint_bans(const Lint& lint);

/// A note if a policy departs from the optimization level of Apex that it starts from.
void lint_apex(const Lint& lint);

/// Findings on site rules:
/// - a warning that the policy seems made for another model, if most of its rules match nothing;
/// - rules from which later rules take op calls over. A warning if nothing is left of a rule, or if two rules with the
///   same match differ. A note if they agree, or if a later rule overrides a part of an earlier one;
/// - rules for a call after the first, at op calls that run once per forward. How often a loop runs is not known here;
///   training reports that;
/// - a warning for rules that match only views.
void lint_rules(const Lint& lint);

/// Findings on op changes without effect. A warning if they match only views. A warning if site rules decide all their
/// op calls, or a note if the model has composite ops. One note on all changes that repeat the base list.
void lint_unused_ops(const Lint& lint);

/// Findings on rules that name products: a warning if no op call that a rule matches has any, or if the hardware does
/// not multiply the formats; a note if some op calls have none, and one on how the products are computed.
void lint_products(const Lint& lint);

/// A warning on each part of the policy that requests native execution where it is not possible. Notes on emulated
/// execution, and on native execution that the device is slow at.
void lint_execution(const Lint& lint);

}  // namespace binade::policy
