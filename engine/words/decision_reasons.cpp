// SPDX-License-Identifier: Apache-2.0
#include "engine/words/decision_reasons.h"

#include "engine/policy/decide.h"
#include "engine/policy/finding_text.h"
#include "engine/policy/op_lists.h"

namespace binade::words {

namespace {

using Kind = policy::Decision::Kind;
using policy::CastRule;

/// What a base list does with an op.
std::string by_list(const policy::Policy& policy, const policy::SiteKey& site, const policy::Decision& decision,
                    const CallTraits& traits) {
  const std::string list = "The base list " + policy::name(policy.base);
  if (decision.rule == policy::kFromBase && decision.kind == Kind::kLeave)
    return traits.view ? list + " casts no arguments of views." : list + " casts nothing here.";
  const bool whole_model = policy.base == policy::Base::kApexO2 || policy.base == policy::Base::kApexO3;
  if (whole_model && (site.path == "loss" || site.path.starts_with("loss.")))
    return list + " casts the model and not the loss, which runs in float32.";
  if (policy.base == policy::Base::kCudaAmp && decision.kind == Kind::kFormat && policy::is_recurrent_layer(site.op)) {
    const formats::Format& format = decision.rule == policy::kFromBase ? decision.format : policy.low;
    return list + " runs " + site.op + " by its rule for " + std::string(policy::kCudnnRnn) + ", in " +
           formats::name(format) + ".";
  }
  switch (policy::rule_for(policy.base, site.op, site.overload)) {
    case CastRule::kLower:
    case CastRule::kCustom:
      return list + " runs " + site.op + " in the low format, " + formats::name(policy.low) + ".";
    case CastRule::kFloat32:
      return list + " runs " + site.op + " in float32.";
    case CastRule::kPromote:
      return list + " casts the arguments of " + site.op + " to the widest of their formats.";
    case CastRule::kSetDtype:
    case CastRule::kAppendDtype:
      return list + " lets " + site.op + " return float32 unless the model sets a dtype.";
    case CastRule::kBanned:
      return list + " refuses " + site.op + ".";
    case CastRule::kNone:
      break;
  }
  if (traits.inside)
    return list + " does not name " + site.op + ". It is composed of other ops, which follow the list.";
  return list + " does not name " + site.op +
         ": it computes in the format of its arguments, in the widest one if they differ.";
}

/// The key in `ops` that applies to an op call; empty: none.
std::string changed_op(const policy::Policy& policy, const policy::SiteKey& site) {
  const std::string exact = site.op + "." + (site.overload.empty() ? "default" : site.overload);
  if (policy.ops.contains(exact)) return exact;
  return policy.ops.contains(site.op) ? site.op : std::string();
}

std::string by_change(const policy::Policy& policy, const std::string& op) {
  return "ops[\"" + op + "\"] of the policy sets " + policy::to_text(policy.ops.at(op)) +
         " for every call of the op without a site rule.";
}

std::string by_rule(const policy::Policy& policy, int rule) {
  const policy::SiteRule& set = policy.sites[static_cast<std::size_t>(rule)];
  std::string text = policy::place_of(policy, rule) + " of the policy sets " + policy::rule_text(set) + ".";
  if (!set.why.empty()) text += " Its reason: " + set.why + ".";
  return text;
}

void add_layers_below(std::vector<std::string>& reasons, const policy::Policy& policy, const policy::SiteKey& site,
                      const policy::Decision& decision, const CallTraits& traits) {
  const std::string overruled = "Overruled: ";
  for (int rule = decision.rule - 1; rule >= 0; --rule) {
    const policy::SiteRule& earlier = policy.sites[static_cast<std::size_t>(rule)];
    if (!earlier.call && policy::matches(earlier.match, site)) reasons.push_back(overruled + by_rule(policy, rule));
  }
  const std::string op = changed_op(policy, site);
  if (decision.rule >= 0 && !op.empty()) reasons.push_back(overruled + by_change(policy, op));
  if (!traits.block.empty()) reasons.push_back(overruled + "the model's own autocast block at " + traits.block + ".");
  reasons.push_back(overruled + by_list(policy, site, decision, traits));
}

void add_execution(std::vector<std::string>& reasons, const policy::Policy& policy, const policy::Decision& decision) {
  if (decision.kind != Kind::kFormat || decision.execution != policy::Execution::kEmulated) return;
  const bool asked = decision.rule >= 0 &&
                     policy.sites[static_cast<std::size_t>(decision.rule)].execution == policy::Execution::kEmulated;
  const std::string format = formats::name(decision.format);
  if (asked) {
    reasons.push_back("It is emulated because the rule asks for it.");
  } else if (policy.execution == policy::Execution::kEmulated) {
    reasons.push_back("It is emulated because the policy asks for it.");
  } else if (policy::is_logical(decision)) {
    reasons.push_back("It is emulated: values are stored in float32 and rounded to " + format + ".");
  } else {
    reasons.push_back("It is emulated because this device does not compute fast in " + format + ".");
  }
}

}  // namespace

std::vector<std::string> decision_reasons(const policy::Policy& policy, const policy::SiteKey& site,
                                          const policy::Decision& decision, const CallTraits& traits) {
  std::vector<std::string> reasons;
  const bool from_rule = decision.rule >= 0 && static_cast<std::size_t>(decision.rule) < policy.sites.size();
  const std::string op = changed_op(policy, site);
  const bool from_change = decision.rule == policy::kFromOpChange && !op.empty();
  if (from_rule || from_change) {
    reasons.push_back(from_rule ? by_rule(policy, decision.rule) : by_change(policy, op));
    add_layers_below(reasons, policy, site, decision, traits);
  } else if (decision.block >= 0) {
    reasons.push_back("The model's own autocast block" + (traits.block.empty() ? "" : " at " + traits.block) +
                      " decides, with a list of its own.");
  } else {
    reasons.push_back(by_list(policy, site, decision, traits));
  }
  const bool asks = decision.kind == Kind::kFormat || decision.kind == Kind::kPromote;
  if (asks && traits.in_place) reasons.push_back("It writes an argument, so it computes in that argument's format.");
  for (std::size_t i = 0; i < policy.sites.size(); ++i) {
    const policy::SiteRule& rule = policy.sites[i];
    const bool later = static_cast<int>(i) > decision.rule;
    if (rule.call && later && policy::matches(rule.match, site))
      reasons.push_back(by_rule(policy, static_cast<int>(i)) + " It concerns execution " + std::to_string(*rule.call) +
                        " of a forward only.");
  }
  add_execution(reasons, policy, decision);
  return reasons;
}

}  // namespace binade::words
