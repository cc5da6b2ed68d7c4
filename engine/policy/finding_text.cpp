// SPDX-License-Identifier: Apache-2.0
#include "engine/policy/finding_text.h"

#include "engine/policy/near_name.h"

#include <algorithm>
#include <set>

namespace binade::policy {

namespace {

constexpr std::size_t kNamed = 3;  ///< names listed; the rest are counted

Finding note(int rule, std::string message) {
  return {Finding::Severity::kNote, rule, std::move(message)};
}
Finding warning(int rule, std::string message) {
  return {Finding::Severity::kWarning, rule, std::move(message)};
}

/// Removes underscores, because `aten::relu_` and `aten::relu` are forms of one op.
std::string without_underscores(std::string op) {
  std::erase(op, '_');
  return op;
}

/// `conv/aten::conv2d#0` for `conv::_conv_forward/aten::conv2d#0`, as the window shows it.
std::string without_method(std::string name) {
  const std::size_t slash = name.find('/');
  const std::size_t method = name.find("::");
  if (slash != std::string::npos && method < slash) name.erase(method, slash - method);
  return name;
}

}  // namespace

std::string op_calls(int count) {
  return count == 1 ? "1 op call" : std::to_string(count) + " op calls";
}

std::string short_place(int rule) {
  return "sites[" + std::to_string(rule) + "]";
}

std::string first_of(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < kNamed; ++i) text += (i == 0 ? "" : ", ") + names[i];
  if (names.size() > kNamed) text += " and " + std::to_string(names.size() - kNamed) + " more";
  return text;
}

std::string names_of(const std::vector<int>& sites, const SiteNames& names) {
  std::vector<std::string> few;  // only the first are named, the rest counted
  for (const int site : sites)
    few.push_back(few.size() < kNamed ? names[static_cast<std::size_t>(site)] : std::string());
  return first_of(few);
}

std::string place_of(const Policy& policy, int rule) {
  return short_place(rule) + " (" + policy.sites[static_cast<std::size_t>(rule)].match + ")";
}

std::string place_of(const Policy& policy, const Decision& decision, const SiteKey& site) {
  if (decision.rule >= 0) return short_place(decision.rule);
  if (decision.block >= 0) return "the model's own block";
  if (decision.rule == kFromBase) return "low";
  const std::string overload = site.op + "." + (site.overload.empty() ? "default" : site.overload);
  return "ops[\"" + (policy.ops.contains(overload) ? overload : site.op) + "\"]";
}

namespace {

Finding unmatched_op(const std::string& key, std::span<const SiteKey> sites) {
  std::set<std::string> called;
  std::set<std::string> overloads;  // of the same op
  const std::string op = key.substr(0, key.find('.'));
  for (const SiteKey& site : sites) {
    called.insert(site.op);
    if (site.op == op) overloads.insert(site.op + "." + (site.overload.empty() ? "default" : site.overload));
  }
  const std::set<std::string>& candidates = overloads.empty() ? called : overloads;
  std::vector<std::string> names(candidates.begin(), candidates.end());
  // A correctly spelt ATen op that the model lacks must not suggest a different op that looks similar: only its own
  // forms count as near.
  if (overloads.empty() && op.starts_with("aten::")) {
    std::erase_if(names,
                  [&op](const std::string& name) { return without_underscores(name) != without_underscores(op); });
  }
  std::string message = "ops[\"" + key + "\"]: this model has no op call of this op. ";
  if (!overloads.empty()) {
    message += "It has";
    for (const std::string& name : names) message += " `" + name + "`";
    message += ".";
  } else {
    message += did_you_mean(key, names);
  }
  while (message.back() == ' ') message.pop_back();
  return warning(kFromOpChange, message);
}

}  // namespace

std::vector<Finding> unmatched_ops(const std::vector<std::string>& keys, std::size_t all,
                                   std::span<const SiteKey> sites, const std::vector<std::string>& made_of_others) {
  constexpr std::size_t kMany = 10;
  if (keys.size() > kMany) {
    return {note(kFromOpChange, std::to_string(keys.size()) + " of the policy's " + std::to_string(all) +
                                    " op changes are for ops that this model does not call: " + first_of(keys) + ".")};
  }
  std::vector<Finding> findings;
  for (const std::string& key : keys) {
    Finding finding = unmatched_op(key, sites);
    if (!made_of_others.empty()) {
      finding.severity = Finding::Severity::kNote;
      finding.message += " It applies only inside composite ops that call it: " + first_of(made_of_others) + ".";
    }
    findings.push_back(std::move(finding));
  }
  return findings;
}

namespace {

/// The match that was probably meant by an op's name where a module path is expected: a rule reads `aten::mm*` as a
/// path.
std::string pattern_of_ops(const std::string& match, const SiteNames& names) {
  if (match.find('/') != std::string::npos || match.find('#') != std::string::npos) return {};
  std::string pattern = "*/" + match + "#*";
  for (const std::string& name : names.all()) {
    // A slash precedes the op in every name; the root's names get one here.
    if (matches_text(pattern, name.find('/') == std::string::npos ? "/" + name : name)) return pattern;
  }
  return match.find("::") != std::string::npos && match.starts_with("aten::") ? pattern : std::string();
}

std::string places_of(const std::vector<int>& rules, const std::string& match) {
  std::string text;
  for (std::size_t i = 0; i < rules.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == rules.size() ? " and " : ", ") + short_place(rules[i]);
  }
  return text + " (" + match + ")";
}

}  // namespace

Finding unmatched_rule(const SiteRule& rule, const std::vector<int>& rules, const SiteNames& site_names) {
  std::string message = places_of(rules, rule.match) + (rules.size() == 1 ? ": matches" : ": match");
  message += " no op call of this model. ";
  if (const std::string pattern = pattern_of_ops(rule.match, site_names); !pattern.empty()) {
    message += "A rule without a slash names modules; op calls are `" + pattern + "`.";
  } else if (rule.match.find('*') != std::string::npos) {
    message += "`*` matches any characters; a module path matches all op calls in it.";
  } else if (rule.match.find('/') != std::string::npos) {
    const auto& all = site_names.all();
    const auto full = std::find_if(all.begin(), all.end(),
                                   [&rule](const std::string& name) { return without_method(name) == rule.match; });
    message += full != all.end() ? "A rule needs the full name: `" + *full + "`." : did_you_mean(rule.match, all);
  } else {
    std::set<std::string> paths;
    for (const std::string& name : site_names.all()) {
      std::string path = name.substr(0, name.find('/'));
      path = path.substr(0, path.find("::"));
      for (std::size_t end = path.size(); end != std::string::npos && end > 0; end = path.rfind('.', end - 1)) {
        paths.insert(path.substr(0, end));
      }
    }
    message += did_you_mean(rule.match, std::vector<std::string>(paths.begin(), paths.end()));
  }
  while (message.back() == ' ') message.pop_back();
  return warning(rules.front(), message);
}

Finding refused(const Policy& policy, const std::string& op, const std::vector<std::string>& sites,
                const Decision& decision) {
  const int calls = static_cast<int>(sites.size());
  std::string message = calls == 1 ? sites.front() : op + " at " + op_calls(calls) + " (" + first_of(sites) + ")";
  if (policy.base == Base::kApexO1 && decision.rule == kFromBase) {
    message +=
        " refuses float16 arguments, as Apex does: its results need float32. Use a safe form in the model "
        "(with_logits, or without the underscore), or set a format for it.";
  } else if (decision.rule == kFromOpChange) {
    message += " refuses to run: the policy's \"ops\" ban it.";
  } else {
    message += " refuses to run: " + name(policy.base) +
               " bans it, because its gradients exceed the range of float16. Use binary_cross_entropy_with_logits in "
               "the model, or set it to float32.";
  }
  return warning(decision.rule, message);
}

std::vector<Finding> apex_notes(const Policy& policy) {
  if (policy.base != Base::kApexO2 && policy.base != Base::kApexO3) return {};
  if (policy.low == formats::kFloat16) return {};
  return {note(kFromBase, name(policy.base) + ": Apex keeps weights in float16 only, and low is " +
                              formats::name(policy.low) + "; the weights stay float32 and are cast in each forward.")};
}

Finding own_block(const BlockCount& count, Base base, const Resolved* inside) {
  const OwnBlock& block = *count.block;
  const std::string calls = std::to_string(count.calls) + (count.calls == 1 ? " op call" : " op calls");
  const std::string device = !block.list ? "" : *block.list == Base::kCpuAmp ? " for cpu" : " for cuda";
  std::string message = "The model's own autocast block" + device;
  if (!block.source.empty()) message += " at " + block.source;
  if (!count.in_force) {
    return note(kFromBase, message + " has no effect on the " + calls +
                               " inside it, as in PyTorch: the tensors are on another device (" + name(base) + ").");
  }
  if (inside->base == Base::kAllFloat32) {
    return note(kFromBase, message + " disables casts for " + calls + ". Site rules and op changes take precedence.");
  }
  return note(kFromBase, message + " decides for " + calls + ": the list " + name(inside->base) + " with " +
                             formats::name(inside->low) + ". Site rules and op changes take precedence.");
}

}  // namespace binade::policy
