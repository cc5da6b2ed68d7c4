// SPDX-License-Identifier: Apache-2.0
#include "engine/policy/resolve.h"

#include "engine/policy/decide.h"
#include "engine/policy/execution_notes.h"
#include "engine/policy/finding_text.h"
#include "engine/policy/idle_findings.h"
#include "engine/policy/overlap_findings.h"
#include "engine/policy/rule_findings.h"
#include "engine/policy/site_match.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace binade::policy {

namespace {

using Kind = Decision::Kind;

/// The loss is not part of the model: Apex's model casts do not apply to it and give it float32.
bool belongs_to_loss(const SiteKey& site) {
  return site.path == "loss" || site.path.starts_with("loss.");
}

class Resolver {
 public:
  Resolver(const Policy& policy, std::span<const SiteKey> sites, const Capabilities& capabilities,
           std::span<const SitePlace> places)
      : policy_(policy), sites_(sites), capabilities_(capabilities), places_(places), names_(sites) {}

  Resolved run() {
    out_.behaviour = policy_.behaviour;
    out_.base = policy_.base;
    out_.ops = policy_.ops;
    out_.execution = policy_.execution;
    out_.capabilities = capabilities_;
    out_.low = policy_.low;
    out_.low_execution = execution_of(out_, out_.low, Execution::kAuto);
    apply_base();
    apply_blocks();
    apply_op_changes();
    for (std::size_t i = 0; i < policy_.sites.size(); ++i) apply_rule(static_cast<int>(i));
    leave_or_follow();
    report();
    return std::move(out_);
  }

 private:
  bool casts_nothing() const { return policy_.base == Base::kAllFloat32 || policy_.base == Base::kApexO0; }
  bool casts_whole_model() const { return policy_.base == Base::kApexO2 || policy_.base == Base::kApexO3; }

  Decision from_base(const SiteKey& site) const {
    if (casts_whole_model() && belongs_to_loss(site)) {
      return decide_format(out_, formats::kFloat32, Execution::kAuto, kFromBase);
    }
    return decide_by_base(out_, site.op, site.overload);  // if the base casts nothing, see leave_or_follow()
  }

  void apply_base() {
    out_.sites.reserve(sites_.size());
    // A model has thousands of sites but only a few dozen ops, so decisions are kept by op and overload.
    std::unordered_map<std::string_view, std::vector<std::pair<const SiteKey*, Decision>>> known;
    for (const SiteKey& site : sites_) {
      if (casts_whole_model()) {  // the site's path matters too
        out_.sites.push_back(from_base(site));
        continue;
      }
      auto& overloads = known[site.op];
      auto found = std::find_if(overloads.begin(), overloads.end(),
                                [&site](const auto& each) { return each.first->overload == site.overload; });
      if (found == overloads.end()) found = overloads.insert(found, {&site, from_base(site)});
      out_.sites.push_back(found->second);
    }
  }

  /// Sites in one of the model's own autocast blocks use that block's list, as in eager PyTorch.
  void apply_blocks() {
    const std::optional<Base> device = out_.device();
    std::vector<BlockCount> counts;  // in the order of the sites
    std::map<const OwnBlock*, int> tables;
    for (std::size_t i = 0; i < places_.size(); ++i) {
      const OwnBlock* const innermost = places_[i].block;
      if (innermost == nullptr) continue;
      const OwnBlock* block = block_in_force(innermost, device);
      count(counts, block == nullptr ? innermost : block, block != nullptr);
      if (block == nullptr) continue;
      const auto [table, added] = tables.try_emplace(block, static_cast<int>(out_.blocks.size()));
      if (added) out_.blocks.push_back(table_of(*block, device));
      Decision& decision = out_.sites[i];
      decision = decide_by_base(out_.blocks[static_cast<std::size_t>(table->second)], sites_[i].op, sites_[i].overload);
      decision.block = table->second;
    }
    for (const BlockCount& each : counts) {
      const auto table = tables.find(each.block);
      out_.findings.push_back(own_block(
          each, policy_.base, table == tables.end() ? nullptr : &out_.blocks[static_cast<std::size_t>(table->second)]));
    }
  }

  static void count(std::vector<BlockCount>& counts, const OwnBlock* block, bool in_force) {
    for (BlockCount& each : counts) {
      if (each.block != block || each.in_force != in_force) continue;
      ++each.calls;
      return;
    }
    counts.push_back({block, 1, in_force});
  }

  /// Lists that apply inside a block, as a table without sites.
  Resolved table_of(const OwnBlock& block, std::optional<Base> device) const {
    const BlockLists lists = policy::lists_of(block, policy_.base, policy_.low, device);
    Resolved table;
    table.behaviour = out_.behaviour;
    table.ops = out_.ops;
    table.execution = out_.execution;
    table.capabilities = out_.capabilities;
    table.base = lists.list;
    table.low = lists.low;
    table.low_execution = execution_of(table, table.low, Execution::kAuto);
    return table;
  }

  /// Changes of whole ops apply first, those of one overload after them; the map has this order, because a key sorts
  /// before its extensions.
  void apply_op_changes() {
    std::vector<std::string> unmatched;
    for (const auto& [key, change] : policy_.ops) {
      const std::size_t dot = key.find('.');
      const std::string op = key.substr(0, dot);
      std::string overload = dot == std::string::npos ? std::string() : key.substr(dot + 1);
      if (overload == "default") overload.clear();
      const Decision decision = decide_by_change(out_, change);
      ChangedOp& changed = changed_.emplace_back(ChangedOp{key, decision, {}});
      for (std::size_t i = 0; i < sites_.size(); ++i) {
        if (sites_[i].op != op || (dot != std::string::npos && sites_[i].overload != overload)) continue;
        out_.sites[i] = decision;
        changed.sites.push_back(static_cast<int>(i));
      }
      if (changed.sites.empty()) unmatched.push_back(key);
    }
    if (sites_.empty()) return;  // no model to compare with
    const std::vector<Finding> findings = unmatched_ops(unmatched, policy_.ops.size(), sites_, made_of_other_ops());
    out_.findings.insert(out_.findings.end(), findings.begin(), findings.end());
  }

  /// Composite ops inside which op changes apply, each once: only the base decides for them.
  std::vector<std::string> made_of_other_ops() const {
    std::vector<std::string> ops;
    for (std::size_t i = 0; i < places_.size(); ++i) {
      if (!places_[i].inside || out_.sites[i].kind != Kind::kFollow || out_.sites[i].rule != kFromBase) continue;
      if (std::find(ops.begin(), ops.end(), sites_[i].op) == ops.end()) ops.push_back(sites_[i].op);
    }
    return ops;
  }

  Decision decide_rule(const SiteRule& rule, int index) const {
    Decision decision = decide_format(out_, rule.format, rule.execution, index);
    if (rule.backward) decision.backward = *rule.backward;
    if (rule.overflow) decision.overflow = *rule.overflow;
    if (is_logical(decision)) decision.execution = Execution::kEmulated;
    return decision;
  }

  void apply_rule(int index) {
    const SiteRule& rule = policy_.sites[static_cast<std::size_t>(index)];
    const Decision decision = decide_rule(rule, index);
    std::vector<int>& matched = matched_.emplace_back();
    const SiteMatch matches_rule(rule.match);
    for (std::size_t i = 0; i < sites_.size(); ++i) {
      if (!matches_rule(sites_, i, names_)) continue;
      const int site = static_cast<int>(i);
      matched.push_back(site);
      if (rule.call) {
        out_.calls[{site, *rule.call}] = decision;
        continue;
      }
      out_.sites[i] = decision;
      // A later rule wins, also over earlier ones for single calls.
      out_.calls.erase(out_.calls.lower_bound({site, 0}), out_.calls.lower_bound({site + 1, 0}));
    }
  }

  /// One finding for all rules with the same match that differ in their call.
  void report_unmatched() {
    std::map<std::string_view, std::vector<int>> rules;
    for (std::size_t i = 0; i < matched_.size(); ++i) {
      if (matched_[i].empty()) rules[policy_.sites[i].match].push_back(static_cast<int>(i));
    }
    for (std::size_t i = 0; i < matched_.size(); ++i) {
      const auto same = rules.find(policy_.sites[i].match);
      if (same == rules.end() || same->second.front() != static_cast<int>(i)) continue;
      out_.findings.push_back(unmatched_rule(policy_.sites[i], same->second, names_));
    }
  }

  /// Under a base that casts nothing, sites are left alone as long as none produces a lower format. Once one does, an
  /// op whose arguments differ in format takes the widest; it could not run otherwise.
  void leave_or_follow() {
    if (!casts_nothing()) return;
    const auto casts = [](const Resolved& block) { return block.base != Base::kAllFloat32; };
    if (std::any_of(out_.blocks.begin(), out_.blocks.end(), casts)) return;
    const auto lowers = [](const Decision& decision) {
      return decision.kind == Kind::kFormat && (decision.format != formats::kFloat32 || is_logical(decision));
    };
    if (std::any_of(out_.sites.begin(), out_.sites.end(), lowers)) return;
    if (std::any_of(out_.calls.begin(), out_.calls.end(), [&](const auto& call) { return lowers(call.second); }))
      return;
    for (Decision& decision : out_.sites) {
      if (decision.rule == kFromBase) decision = Decision{};
    }
  }

  /// One finding per op, in the order of the sites.
  void report_banned() {
    struct Banned {
      std::size_t first;
      std::vector<std::string> names;
    };
    std::vector<Banned> all;
    for (std::size_t i = 0; i < out_.sites.size(); ++i) {
      if (out_.sites[i].kind != Kind::kBanned) continue;
      auto same = std::find_if(all.begin(), all.end(), [&](const Banned& each) {
        return sites_[each.first].op == sites_[i].op && out_.sites[each.first] == out_.sites[i];
      });
      if (same == all.end()) same = all.insert(same, {i, {}});
      same->names.push_back(names_[i]);
    }
    for (const Banned& each : all) {
      out_.findings.push_back(refused(policy_, sites_[each.first].op, each.names, out_.sites[each.first]));
    }
  }

  void report() {
    report_unmatched();
    report_banned();
    const auto append = [this](std::vector<Finding> notes) {
      out_.findings.insert(out_.findings.end(), std::move_iterator(notes.begin()), std::move_iterator(notes.end()));
    };
    append(apex_notes(policy_));
    append(rule_findings(policy_, matched_, sites_, names_));
    append(overlap_findings(policy_, out_, matched_, names_));
    append(call_findings(policy_, matched_, places_, names_));
    append(idle_rules(policy_, matched_, places_, names_));
    if (!changed_.empty()) {
      append(idle_op_changes(policy_, out_, changed_, sites_, places_, names_, made_of_other_ops()));
    }
    append(native_findings(policy_, out_, sites_, names_));
    append(execution_notes(policy_, out_, sites_, places_, names_));
  }

  const Policy& policy_;
  std::span<const SiteKey> sites_;
  const Capabilities& capabilities_;
  std::span<const SitePlace> places_;
  SiteNames names_;
  std::vector<std::vector<int>> matched_;  ///< by site rule: the sites it matches
  std::vector<ChangedOp> changed_;         ///< one per op change
  Resolved out_;
};

}  // namespace

bool Resolved::answers_enabled(Base asked, const OwnBlock* innermost) const {
  const std::optional<Base> here = device();
  if (here && *here != asked) return false;  // nothing is cast on that device
  const OwnBlock* block = block_in_force(innermost, asked);
  return block == nullptr ? base == asked : policy::lists_of(*block, base, low, here).list != Base::kAllFloat32;
}

Resolved resolve(const Policy& policy, std::span<const SiteKey> sites, const Capabilities& capabilities,
                 std::span<const SitePlace> places) {
  return Resolver(policy, sites, capabilities, places).run();
}

}  // namespace binade::policy
