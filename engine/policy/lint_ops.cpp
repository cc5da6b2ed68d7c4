// SPDX-License-Identifier: Apache-2.0
#include "engine/policy/decide.h"
#include "engine/policy/inner_reach.h"
#include "engine/policy/lint.h"
#include "engine/policy/lint_text.h"
#include "engine/policy/near_name.h"

#include <algorithm>
#include <set>

namespace binade::policy {

namespace {

using enum Finding::Severity;

constexpr std::size_t kManyKeys = 10;  ///< more unmatched op changes than these are reported together

std::string place_of_op(const std::string& key) {
  return "ops[\"" + key + "\"]";
}

/// Removes underscores, because `aten::relu_` and `aten::relu` are forms of one op.
std::string without_underscores(std::string op) {
  std::erase(op, '_');
  return op;
}

/// Whether a text is the other one with one letter left out: `aten::glu` and `aten::gelu`.
bool lacks_one_letter(const std::string& shorter, const std::string& longer) {
  if (shorter.size() + 1 != longer.size()) return false;
  const auto [end, rest] = std::mismatch(shorter.begin(), shorter.end(), longer.begin());
  return std::equal(end, shorter.end(), rest + 1);
}

/// Whether an op may be meant by the name of another op: forms of one op, or one letter more or less. A different
/// letter is a different op, as in `aten::relu` and `aten::gelu`.
bool may_be_meant(const std::string& named, const std::string& called) {
  const std::string a = without_underscores(named);
  const std::string b = without_underscores(called);
  return a == b || lacks_one_letter(a, b) || lacks_one_letter(b, a);
}

/// End of a finding if the model has composite ops that may call the op of a change: it applies inside them, if only
/// the base decides for them. Empty otherwise.
std::string inside_others(const Lint& lint, const std::string& key) {
  InOrder<std::string, int> ops;
  for (std::size_t i = 0; i < lint.places.size(); ++i) {
    if (!lint.places[i].inside) continue;
    if (op_change_reaches_inside(key, lint.sites[i], lint.places[i], lint.resolved, lint.resolved.sites[i]))
      ++ops[lint.sites[i].op];
  }
  Names names;
  for (const auto& [op, calls] : ops) names.push_back(op);
  return names.empty() ? std::string()
                       : " It applies only inside composite ops, if one of these calls it: " + first_of(names) + ".";
}

std::string hint_on_op(const std::string& key, std::span<const SiteKey> sites) {
  std::set<std::string> called;
  std::set<std::string> overloads;  // of the same op
  const std::string op = key.substr(0, key.find('.'));
  for (const SiteKey& site : sites) {
    called.insert(site.op);
    if (site.op == op) overloads.insert(site.op + "." + (site.overload.empty() ? "default" : site.overload));
  }
  if (!overloads.empty()) {
    std::string text = "It has";
    for (const std::string& name : overloads) text += " `" + name + "`";
    return text + ".";
  }
  // A correctly spelt ATen op that the model lacks must not suggest any op that looks similar.
  Names names(called.begin(), called.end());
  if (op.starts_with("aten::")) {
    std::erase_if(names, [&op](const std::string& name) { return !may_be_meant(op, name); });
  }
  return did_you_mean(key, names);
}

/// Whether the op calls would have the same decision without the change. A change that undoes a part of another op
/// change is needed.
bool repeats_list(const Lint& lint, const std::string& key, const OpChange& change, const std::vector<int>& sites) {
  // Lists that cast whole models treat the loss differently. The model's own blocks have lists of their own.
  const Base base = lint.resolved.base;
  if (!lint.resolved.blocks.empty() || base == Base::kApexO2 || base == Base::kApexO3) return false;
  const std::size_t dot = key.find('.');
  if (dot != std::string::npos && lint.policy.ops.contains(key.substr(0, dot))) return false;
  const Decision changed = decide_by_change(lint.resolved, change);
  return std::all_of(sites.begin(), sites.end(), [&](int site) {
    const auto i = static_cast<std::size_t>(site);
    // Op changes apply inside a composite op; its own change switches them off.
    if (!lint.places.empty() && lint.places[i].inside) return false;
    Decision of_list = decide_by_base(lint.resolved, lint.sites[i].op, lint.sites[i].overload);
    of_list.rule = changed.rule;
    return of_list == changed;
  });
}

std::string ban_text(const Lint& lint, const std::string& op, const Names& calls, const Decision& decision) {
  const std::string what =
      calls.size() == 1 ? calls.front() : op + " at " + op_calls(calls.size()) + " (" + first_of(calls) + ")";
  if (lint.policy.base == Base::kApexO1 && decision.rule == kFromBase) {
    return what +
           " refuses float16 arguments, as Apex does: its results need float32. Use a safe form in the model "
           "(with_logits, or without the underscore), or set a format for it.";
  }
  if (decision.rule == kFromOpChange) return what + " refuses to run: the policy's \"ops\" ban it.";
  return what + " refuses to run: " + name(lint.policy.base) +
         " bans it, because its gradients exceed the range of float16. Use binary_cross_entropy_with_logits in the "
         "model, or set it to float32.";
}

}  // namespace

void lint_blocks(const Lint& lint) {
  InOrder<std::pair<const OwnBlock*, int>, std::size_t> counts;  // op calls by block and its lists
  for (std::size_t i = 0; i < lint.places.size(); ++i) {
    const OwnBlock* const block = lint.places[i].block;
    const int lists = lint.resolved.sites[i].block;
    if (block != nullptr) ++counts[{lists < 0 ? block : block_in_force(block, lint.resolved.device()), lists}];
  }
  for (const auto& [where, count] : counts) {
    const OwnBlock& block = *where.first;
    const std::string device = !block.list ? "" : *block.list == Base::kCpuAmp ? " for cpu" : " for cuda";
    const std::string calls = op_calls(count);
    std::string message = "The model's own autocast block" + device;
    if (!block.source.empty()) message += " at " + block.source;
    if (where.second < 0) {
      lint.add(kNote, kFromBase,
               message + " has no effect on the " + calls +
                   " inside it, as in PyTorch: the tensors are on another device (" + name(lint.policy.base) + ").");
      continue;
    }
    const Resolved& inside = lint.resolved.blocks[static_cast<std::size_t>(where.second)];
    message += inside.base == Base::kAllFloat32
                   ? " disables casts for " + calls
                   : " decides for " + calls + ": the list " + name(inside.base) + " with " + formats::name(inside.low);
    lint.add(kNote, kFromBase, message + ". Site rules and op changes take precedence.");
  }
}

void lint_unmatched_ops(const Lint& lint) {
  if (lint.sites.empty()) return;  // no model to compare with
  Names keys;
  auto matched = lint.changed.begin();
  for (const auto& [key, change] : lint.policy.ops) {
    if ((matched++)->empty()) keys.push_back(key);
  }
  if (keys.size() > kManyKeys) {
    lint.add(kNote, kFromOpChange,
             std::to_string(keys.size()) + " of the policy's " + std::to_string(lint.policy.ops.size()) +
                 " op changes are for ops that this model does not call: " + first_of(keys) + ".");
    return;
  }
  for (const std::string& key : keys) {
    const std::string inside = inside_others(lint, key);
    const std::string message =
        place_of_op(key) + ": this model has no op call of this op. " + hint_on_op(key, lint.sites);
    lint.add(inside.empty() ? kWarning : kNote, kFromOpChange, without_end_spaces(message) + inside);
  }
}

void lint_bans(const Lint& lint) {
  const auto& decisions = lint.resolved.sites;
  std::vector<std::pair<std::size_t, Names>> banned;  // a first site, and all of the same op and decision
  for (std::size_t i = 0; i < decisions.size(); ++i) {
    if (decisions[i].kind != Decision::Kind::kBanned) continue;
    auto same = std::find_if(banned.begin(), banned.end(), [&](const auto& each) {
      return lint.sites[each.first].op == lint.sites[i].op && decisions[each.first] == decisions[i];
    });
    if (same == banned.end()) same = banned.insert(same, {i, {}});
    same->second.push_back(lint.names[i]);
  }
  for (const auto& [first, calls] : banned) {
    lint.add(kWarning, decisions[first].rule, ban_text(lint, lint.sites[first].op, calls, decisions[first]));
  }
}

void lint_apex(const Lint& lint) {
  const Policy& policy = lint.policy;
  if ((policy.base != Base::kApexO2 && policy.base != Base::kApexO3) || policy.low == formats::kFloat16) return;
  lint.add(kNote, kFromBase,
           name(policy.base) + ": Apex keeps weights in float16 only, and low is " + formats::name(policy.low) +
               "; the weights stay float32 and are cast in each forward.");
}

void lint_unused_ops(const Lint& lint) {
  const auto by_rule = [&](int site) { return lint.resolved.sites[static_cast<std::size_t>(site)].rule >= 0; };
  Names needless;
  auto matched = lint.changed.begin();
  for (const auto& [key, change] : lint.policy.ops) {
    const std::vector<int>& sites = *matched++;
    if (sites.empty()) continue;
    if (lint.all_views(sites)) {
      lint.add(kWarning, kFromOpChange, place_of_op(key) + views_text(sites.size(), lint.first_names(sites)));
    } else if (std::all_of(sites.begin(), sites.end(), by_rule)) {
      const std::string inside = inside_others(lint, key);
      lint.add(inside.empty() ? kWarning : kNote, kFromOpChange,
               place_of_op(key) + " has no effect, because site rules decide " + all_calls(sites.size()) + ": " +
                   lint.first_names(sites) + "." + inside);
    } else if (repeats_list(lint, key, change, sites)) {
      needless.push_back(place_of_op(key));
    }
  }
  if (needless.empty()) return;
  lint.add(kNote, kFromOpChange,
           first_of(needless) + by_count(needless.size(), " repeats the rule of ", " repeat the rule of ") +
               name(lint.policy.base) + ".");
}

}  // namespace binade::policy
