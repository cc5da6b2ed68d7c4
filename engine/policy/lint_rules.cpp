// SPDX-License-Identifier: Apache-2.0
#include "engine/policy/lint.h"
#include "engine/policy/lint_text.h"
#include "engine/policy/near_name.h"
#include "engine/policy/recipes.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace binade::policy {

namespace {

using enum Finding::Severity;

/// `conv/aten::conv2d#0` for `conv::_conv_forward/aten::conv2d#0`, as the window shows it.
std::string without_method(std::string name) {
  const std::size_t slash = name.find('/');
  const std::size_t method = name.find("::");
  if (slash != std::string::npos && method < slash) name.erase(method, slash - method);
  return name;
}

/// The match that was probably meant by an op's name where a module path is expected: a rule reads `aten::mm*` as a
/// path.
std::string pattern_of_ops(const std::string& match, const SiteNames& names) {
  if (match.find('/') != std::string::npos || match.find('#') != std::string::npos) return {};
  std::string pattern = "*/" + match + "#*";
  for (const std::string& name : names.all()) {
    // A slash precedes the op in every name; the root's names get one here.
    if (matches_text(pattern, name.find('/') == std::string::npos ? "/" + name : name)) return pattern;
  }
  return match.starts_with("aten::") ? pattern : std::string();
}

/// Paths of all modules with sites, and of the modules around them.
Names module_paths(const SiteNames& names) {
  std::set<std::string> paths;
  for (const std::string& name : names.all()) {
    std::string path = name.substr(0, name.find('/'));
    path = path.substr(0, path.find("::"));
    for (std::size_t end = path.size(); end != std::string::npos && end > 0; end = path.rfind('.', end - 1)) {
      paths.insert(path.substr(0, end));
    }
  }
  return {paths.begin(), paths.end()};
}

std::string hint_on_match(const std::string& match, std::span<const SiteKey> sites, const SiteNames& names) {
  if (const std::string captured = match_in_captured(match, sites); !captured.empty()) {
    return "Did you mean \"" + captured + "\"?";
  }
  if (const std::string pattern = pattern_of_ops(match, names); !pattern.empty()) {
    return "A rule without a slash names modules; op calls are `" + pattern + "`.";
  }
  const bool names_module = match.find('/') == std::string::npos;
  if (match.find('*') != std::string::npos) {  // the name that is near with its asterisks counted as edits
    return (names_module ? did_you_mean(match, module_paths(names)) : did_you_mean(match, names.all())) +
           "`*` matches any characters; a module path matches all op calls in it.";
  }
  if (names_module) return did_you_mean(match, module_paths(names));
  for (const std::string& name : names.all()) {
    if (without_method(name) == match) return "A rule needs the full name: `" + name + "`.";
  }
  return did_you_mean(match, names.all());
}

/// The op in a match (`aten::mm`); empty if the match names none or has a wildcard in it.
std::string op_of(const std::string& match) {
  const std::string call = match.substr(match.rfind('/') + 1);  // npos + 1 is 0
  const std::size_t hash = call.find('#');
  if (hash == std::string::npos || call.find("::") == std::string::npos) return {};
  const std::string op = call.substr(0, hash);
  return op.find('*') == std::string::npos ? op : std::string();
}

/// Whether a rule is for the loss of the other kind of run (one loss or several) while its counterpart for this kind
/// matched, or is reported itself. No run matches both.
bool serves_other_kind_of_run(const Lint& lint, std::size_t rule) {
  constexpr std::string_view kOne = "loss/";
  constexpr std::string_view kSeveral = "loss.*/";
  const std::string& match = lint.policy.sites[rule].match;
  const std::string_view mine = match.starts_with(kOne) ? kOne : kSeveral;
  if (!match.starts_with(mine)) return false;
  const std::string other = std::string(mine == kOne ? kSeveral : kOne).append(match.substr(mine.size()));
  for (std::size_t i = 0; i < lint.matched.size(); ++i) {
    if (lint.policy.sites[i].match == other && (!lint.matched[i].empty() || i < rule)) return true;
  }
  return false;
}

/// Whether a rule that matches nothing belongs to a recipe that matches other op calls of the model.
bool serves_other_ops(const Lint& lint, std::size_t rule) {
  if (!is_of_recipe(lint.policy.sites[rule])) return false;
  for (std::size_t i = 0; i < lint.matched.size(); ++i) {
    if (!lint.matched[i].empty() && is_of_recipe(lint.policy.sites[i])) return true;
  }
  return false;
}

/// If most rules match nothing, reports what the two models do not have in common.
void lint_other_model(const Lint& lint) {
  const std::size_t all = lint.policy.sites.size();
  InOrder<std::string, int> missing;  // rules by match
  std::size_t rules = 0;
  std::set<std::string> ops;
  std::vector<bool> has_rule(lint.sites.size(), false);
  for (std::size_t i = 0; i < all; ++i) {
    for (const int site : lint.matched[i]) has_rule[static_cast<std::size_t>(site)] = true;
    if (!lint.matched[i].empty() || serves_other_kind_of_run(lint, i)) continue;
    ++rules;
    ++missing[lint.policy.sites[i].match];
    ops.insert(op_of(lint.policy.sites[i].match));
  }
  if (missing.size() < 2 || rules * 2 <= all) return;
  Names matches;
  for (const auto& [match, count] : missing) matches.push_back(match);
  Names only_here;  // calls of the same ops that no rule matches
  std::size_t others = 0;
  for (std::size_t i = 0; i < lint.sites.size(); ++i) {
    if (has_rule[i]) continue;
    if (ops.contains(lint.sites[i].op)) {
      only_here.push_back(lint.names[i]);
    } else {
      ++others;
    }
  }
  std::string message = "the policy seems to be for another model: " + std::to_string(rules) + " of its " +
                        std::to_string(all) + " site rules match nothing. Missing here: " + first_of(matches) + ".";
  if (!only_here.empty()) message += " Present here, with the same ops: " + first_of(only_here) + ".";
  if (others > 0) message += " No rule refers to " + op_calls(others) + " of other ops.";
  lint.add(kWarning, kFromBase, message);
}

bool same_outcome(const SiteRule& a, const SiteRule& b) {
  return a.format == b.format && a.backward == b.backward && a.execution == b.execution && a.overflow == b.overflow &&
         a.products == b.products;
}

/// Reports a rule that the later rule with the same match and call makes superfluous.
void lint_repetition(const Lint& lint, int earlier, int later) {
  const SiteRule& lost = lint.policy.sites[static_cast<std::size_t>(earlier)];
  const SiteRule& won = lint.policy.sites[static_cast<std::size_t>(later)];
  const std::string place = place_of(lint.policy, later);
  if (same_outcome(lost, won)) {
    lint.add(kNote, later, place + " is equivalent to " + short_place(earlier) + "; remove one of them.");
    return;
  }
  const int first = lint.matched[static_cast<std::size_t>(earlier)].front();
  lint.add(kWarning, later,
           place + " sets " + rule_text(won) + " where " + short_place(earlier) + " sets " + rule_text(lost) +
               "; the later rule takes precedence, first at " + lint.names[static_cast<std::size_t>(first)] + ".");
}

/// Index of the rule that wins at a site for what a rule for `call` matches: that rule or a later one.
int winner_at(const Resolved& resolved, std::optional<int> call, int site) {
  const auto found = call ? resolved.calls.find({site, *call}) : resolved.calls.end();
  return found != resolved.calls.end() ? found->second.rule : resolved.sites[static_cast<std::size_t>(site)].rule;
}

std::string later_rules(const std::set<int>& rules) {
  Names places;
  for (const int rule : rules) places.push_back(short_place(rule));
  return by_count(rules.size(), "the later rule ", "the later rules ") + first_of(places);
}

/// Reports what later rules take over from a rule, unless they agree with it.
void lint_taken_over(const Lint& lint, int index, const std::vector<int>& matched) {
  const SiteRule& rule = lint.policy.sites[static_cast<std::size_t>(index)];
  std::set<int> winners;
  std::set<int> other_winners;
  std::vector<int> otherwise;  // sites where the winning rule requests something else
  bool decides = false;
  for (const int site : matched) {
    const int winner = winner_at(lint.resolved, rule.call, site);
    if (winner <= index) {
      decides = true;
      continue;
    }
    winners.insert(winner);
    if (same_outcome(rule, lint.policy.sites[static_cast<std::size_t>(winner)])) continue;
    other_winners.insert(winner);
    otherwise.push_back(site);
  }
  const std::string place = place_of(lint.policy, index);
  if (!decides) {
    lint.add(kWarning, index,
             place + " has no effect, because " + later_rules(winners) +
                 by_count(winners.size(), " takes precedence for ", " take precedence for ") +
                 all_calls(matched.size()) + ": " + lint.first_names(matched) + ".");
  } else if (!otherwise.empty()) {
    const std::size_t others = other_winners.size();
    lint.add(kNote, index,
             place + " sets " + rule_text(rule) + ", but " + later_rules(other_winners) +
                 by_count(others, " differs", " differ") + " at " + std::to_string(otherwise.size()) + " of its " +
                 op_calls(matched.size()) + " and " + by_count(others, "wins: ", "win: ") +
                 lint.first_names(otherwise) + ".");
  }
}

/// The last rule with a match and call.
using LastRules = std::map<std::pair<std::string_view, std::optional<int>>, std::size_t>;

LastRules last_rules(const Lint& lint) {
  LastRules last;
  for (std::size_t i = 0; i < lint.policy.sites.size(); ++i) {
    last[{lint.policy.sites[i].match, lint.policy.sites[i].call}] = i;
  }
  return last;
}

void lint_overlap(const Lint& lint, const LastRules& last, std::size_t rule) {
  const SiteRule& own = lint.policy.sites[rule];
  const std::size_t later = last.at({own.match, own.call});
  if (later > rule) {
    lint_repetition(lint, static_cast<int>(rule), static_cast<int>(later));
  } else {
    lint_taken_over(lint, static_cast<int>(rule), lint.matched[rule]);
  }
}

void lint_call(const Lint& lint, int rule, const std::vector<int>& matched) {
  const int call = lint.policy.sites[static_cast<std::size_t>(rule)].call.value_or(0);
  if (call == 0 || lint.places.empty()) return;
  std::vector<int> once;
  for (const int site : matched) {
    if (!lint.places[static_cast<std::size_t>(site)].repeats) once.push_back(site);
  }
  if (once.empty()) return;
  const bool all = once.size() == matched.size();
  lint.add(all ? kWarning : kNote, rule,
           place_of(lint.policy, rule) + ": call " + std::to_string(call) + " never occurs at " +
               (all ? "" : std::to_string(once.size()) + " of its " + op_calls(matched.size()) + ", ") +
               lint.first_names(once) + by_count(once.size(), ", which is", ", which are") +
               " not in a loop: forward runs " + by_count(once.size(), "it", "each") + " once, as call 0." +
               (all ? " The rule has no effect." : ""));
}

}  // namespace

void lint_unmatched_rules(const Lint& lint) {
  InOrder<std::string, std::vector<int>> rules;  // by match; such rules differ in their call
  for (std::size_t i = 0; i < lint.matched.size(); ++i) {
    if (!lint.matched[i].empty() || serves_other_kind_of_run(lint, i) || serves_other_ops(lint, i)) continue;
    rules[lint.policy.sites[i].match].push_back(static_cast<int>(i));
  }
  for (const auto& [match, same] : rules) {
    std::string places;
    for (const int rule : same) {
      places += (places.empty() ? "" : rule == same.back() ? " and " : ", ") + short_place(rule);
    }
    lint.add(kWarning, same.front(),
             without_end_spaces(places + " (" + match + ")" + by_count(same.size(), " matches", " match") +
                                " no op call of this model. " + hint_on_match(match, lint.sites, lint.names)));
  }
}

void lint_rules(const Lint& lint) {
  lint_other_model(lint);
  const std::size_t rules = lint.matched.size();
  const LastRules last = last_rules(lint);
  for (std::size_t i = 0; i < rules; ++i) {
    if (!lint.matched[i].empty()) lint_overlap(lint, last, i);
  }
  for (std::size_t i = 0; i < rules; ++i) lint_call(lint, static_cast<int>(i), lint.matched[i]);
  for (std::size_t i = 0; i < rules; ++i) {
    if (!lint.all_views(lint.matched[i])) continue;
    const int rule = static_cast<int>(i);
    lint.add(kWarning, rule,
             place_of(lint.policy, rule) + views_text(lint.matched[i].size(), lint.first_names(lint.matched[i])));
  }
}

}  // namespace binade::policy
