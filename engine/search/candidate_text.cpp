// SPDX-License-Identifier: Apache-2.0
#include "engine/search/candidate_text.h"

#include "engine/search/risk.h"
#include "engine/words/site_text.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>
#include <vector>

namespace binade::search {

namespace {

std::string short_number(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.3g", value);
  return text.data();
}

/// `bfloat16`, or `bfloat16 for grad_weight` if the other products have formats of their own.
std::string format_text(const policy::SiteRule& rule) {
  std::string text = formats::name(rule.format);
  if (rule.products.empty()) return text;
  const char* before = " for ";
  for (const auto product : {policy::Product::kForward, policy::Product::kGradInput, policy::Product::kGradWeight}) {
    if (rule.products.of(product)) continue;
    text += before + policy::name(product);
    before = " and ";
  }
  return text;
}

}  // namespace

std::string percent(double share) {
  return short_number(share * 100) + " %";
}

std::string op_calls(std::size_t count) {
  return std::to_string(count) + (count == 1 ? " op call" : " op calls");
}

std::string changes_text(const Point& point) {
  // By format, in the order of the first op call that has it.
  std::vector<std::pair<std::string, std::vector<std::string>>> formats;
  const std::vector<policy::SiteRule>& rules = point.policy.sites;
  for (const std::string& call : point.changed) {
    const auto rule =
        std::find_if(rules.rbegin(), rules.rend(), [&call](const auto& each) { return each.match == call; });
    const std::string name = rule == rules.rend() ? std::string() : format_text(*rule);
    auto known = std::find_if(formats.begin(), formats.end(), [&name](const auto& each) { return each.first == name; });
    if (known == formats.end()) known = formats.insert(known, {name, {}});
    known->second.push_back(call);
  }
  std::string text;
  for (const auto& [format, calls] : formats) {
    text.append(text.empty() ? "" : "; ").append(words::places_text(calls));
    if (!format.empty()) text.append(" in ").append(format);
  }
  return text;
}

std::string why_saved(Goal goal, const CallEvidence& call, const Candidate& candidate) {
  const std::string format = formats::name(candidate.format);
  if (candidate.raises) {
    if (!(call.casts > 0)) return "In " + format + " the op calls around it need fewer casts.";
    return "In " + format + " it needs fewer casts; " + short_number(call.casts) + " of its arguments are cast now.";
  }
  std::string text = goal == Goal::kCasts    ? "In " + format + " it agrees with the op calls around it"
                     : goal == Goal::kMemory ? "Its results take less memory in " + format
                                             : "It takes less time in " + format;
  if (candidate.chance == Chance::kSafe) return text + "; nothing measured in one step speaks against it.";
  if (call.overflowed) return text + "; it gave values that are not finite.";
  if (call.doublings_left && *call.doublings_left < 1) {
    return text + "; " + short_number(*call.doublings_left) + " doublings were left before an overflow.";
  }
  if (call.lost > 0.01) return text + "; " + percent(call.lost) + " of its values became zero.";
  return text + "; its relative error was " + short_number(error_of(call)) + ".";
}

std::string why_taken_out(const CallEvidence& call) {
  return "With " + policy::products_text(call.now.products) + ", the relative error of its result was " +
         short_number(call.error) + ", that of its gradients " + short_number(call.gradient_error) + ".";
}

std::string why_suspected(const CallEvidence& call, const formats::Format& format, const formats::Format& low) {
  if (call.now.kind == policy::Decision::Kind::kBanned) {
    return "The base list refuses to run it; in " + formats::name(format) + " it runs.";
  }
  if (call.overflowed) return "It gave values that are not finite.";
  if (call.doublings_left && *call.doublings_left < 0) {
    return "Its largest value is " + short_number(-*call.doublings_left) + " doublings beyond the range of " +
           formats::name(low) + ".";
  }
  if (call.lost > 0) return formats::name(low) + " sets " + percent(call.lost) + " of its values to zero.";
  return "Its relative error was " + short_number(error_of(call)) + ".";
}

}  // namespace binade::search
