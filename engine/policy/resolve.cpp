// SPDX-License-Identifier: Apache-2.0
#include "engine/policy/resolve.h"

#include "engine/policy/decide.h"
#include "engine/policy/lint.h"
#include "engine/policy/site_match.h"
#include "engine/policy/sites_by_path.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace binade::policy {

namespace {

using Kind = Decision::Kind;

/// With fewer rules than these, ordering the sites takes longer than a look at each of them.
constexpr std::size_t kManyRules = 16;

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
    const Lint lint{policy_, sites_, places_, names_, matched_, changed_, out_};
    apply_blocks();
    lint_blocks(lint);
    apply_op_changes();
    lint_unmatched_ops(lint);
    if (policy_.sites.size() >= kManyRules) by_path_.emplace(sites_);
    for (std::size_t i = 0; i < policy_.sites.size(); ++i) apply_rule(static_cast<int>(i));
    leave_views();
    leave_or_follow();
    lint_unmatched_rules(lint);
    lint_bans(lint);
    lint_apex(lint);
    lint_rules(lint);
    lint_unused_ops(lint);
    lint_execution(lint);
    lint_products(lint);
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
    std::map<const OwnBlock*, int> tables;
    for (std::size_t i = 0; i < places_.size(); ++i) {
      const OwnBlock* const block = block_in_force(places_[i].block, device);
      if (block == nullptr) continue;
      const auto [table, added] = tables.try_emplace(block, static_cast<int>(out_.blocks.size()));
      if (added) out_.blocks.push_back(table_of(*block, device));
      Decision& decision = out_.sites[i];
      decision = decide_by_base(out_.blocks[static_cast<std::size_t>(table->second)], sites_[i].op, sites_[i].overload);
      decision.block = table->second;
    }
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
    for (const auto& [key, change] : policy_.ops) {
      const std::size_t dot = key.find('.');
      const std::string op = key.substr(0, dot);
      std::string overload = dot == std::string::npos ? std::string() : key.substr(dot + 1);
      if (overload == "default") overload.clear();
      const Decision decision = decide_by_change(out_, change);
      std::vector<int>& changed = changed_.emplace_back();
      for (std::size_t i = 0; i < sites_.size(); ++i) {
        if (!is_changed(i, op) || (dot != std::string::npos && sites_[i].overload != overload)) continue;
        out_.sites[i] = decision;
        changed.push_back(static_cast<int>(i));
      }
    }
  }

  /// Whether a change of `op` is for a site: it calls that op, or is a recurrent layer that runs as `op` does.
  bool is_changed(std::size_t site, std::string_view op) const {
    if (sites_[site].op == op) return true;
    return op == kCudnnRnn && runs_as_cudnn(out_.lists_of(out_.sites[site]), sites_[site].op);
  }

  Decision decide_rule(const SiteRule& rule, int index) const {
    Decision decision = decide_format(out_, rule.format, rule.execution, index);
    if (rule.backward) decision.backward = *rule.backward;
    if (rule.overflow) decision.overflow = *rule.overflow;
    decision.products = rule.products;
    // No device that LibTorch drives here multiplies operands with scales.
    if (is_logical(decision) || !decision.products.empty()) decision.execution = Execution::kEmulated;
    return decision;
  }

  /// The sites that a match is for, in ascending order.
  std::vector<int> matched_by(const std::string& match) const {
    std::optional<std::vector<int>> sites = by_path_ ? by_path_->candidates(match) : std::nullopt;
    if (!sites) {
      sites.emplace(sites_.size());
      std::iota(sites->begin(), sites->end(), 0);
    }
    const SiteMatch matches_rule(match);
    std::erase_if(*sites, [&](int site) { return !matches_rule(sites_, static_cast<std::size_t>(site), names_); });
    return std::move(*sites);
  }

  void apply_rule(int index) {
    const SiteRule& rule = policy_.sites[static_cast<std::size_t>(index)];
    const Decision with_products = decide_rule(rule, index);
    SiteRule ordinary_rule = rule;
    ordinary_rule.products = {};
    const Decision ordinary = decide_rule(ordinary_rule, index);
    matched_.push_back(matched_by(rule.match));
    for (const int site : matched_.back()) {
      const auto i = static_cast<std::size_t>(site);
      const bool quantizes = !rule.products.empty() && has_products(sites_[i].op, sites_[i].overload);
      const Decision& decision = quantizes ? with_products : ordinary;
      if (rule.call) {
        out_.calls[{site, *rule.call}] = decision;
        continue;
      }
      out_.sites[i] = decision;
      // A later rule wins, also over earlier ones for single calls.
      out_.calls.erase(out_.calls.lower_bound({site, 0}), out_.calls.lower_bound({site + 1, 0}));
    }
  }

  /// Under a base that casts nothing, sites are left alone as long as none produces a lower format. Once one does, an
  /// op whose arguments differ in format takes the widest; it could not run otherwise.
  void leave_or_follow() {
    if (!casts_nothing()) return;
    const auto casts = [](const Resolved& block) { return block.base != Base::kAllFloat32; };
    if (std::any_of(out_.blocks.begin(), out_.blocks.end(), casts)) return;
    const auto lowers = [](const Decision& decision) {
      return decision.kind == Kind::kFormat &&
             (decision.format != formats::kFloat32 || is_logical(decision) || !decision.products.empty());
    };
    if (std::any_of(out_.sites.begin(), out_.sites.end(), lowers)) return;
    if (std::any_of(out_.calls.begin(), out_.calls.end(), [&](const auto& call) { return lowers(call.second); }))
      return;
    for (Decision& decision : out_.sites) {
      if (decision.rule == kFromBase) decision = Decision{};
    }
  }

  /// A view keeps the format of its argument, whatever a list or rule says.
  void leave_views() {
    for (std::size_t i = 0; i < places_.size(); ++i) {
      if (places_[i].view && !is_cast_view(sites_[i].op, out_.sites[i])) leave(out_.sites[i]);
    }
    for (auto& [place, decision] : out_.calls) {
      const auto site = static_cast<std::size_t>(place.first);
      if (site < places_.size() && places_[site].view) leave(decision);
    }
  }

  /// Keeps the origin of the decision.
  static void leave(Decision& decision) {
    Decision left;
    left.rule = decision.rule;
    left.block = decision.block;
    decision = left;
  }

  const Policy& policy_;
  std::span<const SiteKey> sites_;
  const Capabilities& capabilities_;
  std::span<const SitePlace> places_;
  SiteNames names_;
  std::optional<SitesByPath> by_path_;     ///< with many rules
  std::vector<std::vector<int>> matched_;  ///< by site rule: the sites it matches
  std::vector<std::vector<int>> changed_;  ///< by op change: the sites that it matches
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
