// SPDX-License-Identifier: Apache-2.0
#include "engine/policy/decide.h"
#include "engine/policy/lint.h"
#include "engine/policy/lint_text.h"

#include <map>
#include <set>

namespace binade::policy {

namespace {

using enum Finding::Severity;

/// Calls `use(decision, site, call)` for all decisions for a format; `call` is ", call 2" for a single call.
template <class Use>
void each_format(const Lint& lint, const Use& use) {
  const auto look = [&use](const Decision& decision, std::size_t site, const std::string& call) {
    if (decision.kind == Decision::Kind::kFormat) use(decision, site, call);
  };
  for (std::size_t i = 0; i < lint.resolved.sites.size(); ++i) look(lint.resolved.sites[i], i, "");
  for (const auto& [at, decision] : lint.resolved.calls) {
    look(decision, static_cast<std::size_t>(at.first), ", call " + std::to_string(at.second));
  }
}

std::string why_not_native(const Decision& decision) {
  const std::string format = formats::name(decision.format);
  if (!has_dtype(decision.format) && decision.format != formats::kTFloat32)
    return "no device computes in " + format + " through LibTorch";
  if (decision.backward != decision.format) return "a native op has the gradients' format of its values";
  if (decision.overflow == formats::Overflow::kSaturate) return "native " + format + " does not saturate";
  return "this device has no native " + format;
}

void lint_native(const Lint& lint) {
  const auto asks_native = [&lint](int rule) {
    const Execution asked = rule < 0 ? Execution::kAuto : lint.policy.sites[static_cast<std::size_t>(rule)].execution;
    return (asked == Execution::kAuto ? lint.policy.execution : asked) == Execution::kNative;
  };
  // Reason and op calls, by rule and place.
  std::map<std::pair<int, std::string>, std::pair<std::string, Names>> emulated;
  each_format(lint, [&](const Decision& decision, std::size_t site, const std::string&) {
    const int rule = decision.rule;
    if (decision.execution != Execution::kEmulated || !asks_native(rule)) return;
    const std::string place =
        rule >= 0 ? place_of(lint.policy, rule) : place_of(lint.policy, decision, lint.sites[site]);
    auto& [why, calls] = emulated[{rule, place}];
    if (calls.empty()) why = why_not_native(decision);
    calls.push_back(lint.names[site]);
  });
  for (const auto& [where, found] : emulated) {
    const auto& [why, calls] = found;
    lint.add(kWarning, where.first,
             where.second + ": " + why + "; " + op_calls(calls.size()) + by_count(calls.size(), " runs", " run") +
                 " emulated instead: " + first_of(calls) + ".");
  }
}

/// Emulated formats in the order of the model, each with the places in the policy that request it and their op calls.
struct Emulated {
  InOrder<std::string, InOrder<std::string, Names>> groups;
  std::set<int> rules;  ///< that the note belongs to; kFromBase for all parts that are no rules

  void add(const std::string& format, const std::string& place, int rule, const std::string& call) {
    Names& calls = groups[format][place];
    if (calls.empty() || calls.back() != call) calls.push_back(call);
    rules.insert(std::max(rule, kFromBase));
  }

  /// Adds a note with the formats and their places, and with the op calls if `names_calls`.
  void report(const Lint& lint, bool names_calls, const char* end) const {
    if (groups.empty()) return;
    const std::string separator = names_calls ? "; " : ", ";
    std::string all;
    for (const auto& [format, places] : groups) {
      std::string asked;
      for (const auto& [place, calls] : places) {
        asked += (asked.empty() ? "" : separator) + place + (names_calls ? ": " + first_of(calls) : "");
      }
      all += (all.empty() ? "" : separator) + format + " (" + asked + ")";
    }
    lint.add(kNote, rules.size() == 1 ? *rules.begin() : kFromBase,
             "emulated: " + all + ". " + end + " Their times do not indicate native speed.");
  }
};

}  // namespace

void lint_execution(const Lint& lint) {
  lint_native(lint);
  Emulated logical;
  Emulated stored;  // in a dtype that holds the format; which ops compute in float32 depends on the op
  InOrder<formats::Format, std::size_t> slow;
  each_format(lint, [&](const Decision& decision, std::size_t site, const std::string& call) {
    if (!lint.places.empty() && lint.places[site].view) return;
    const auto place = [&] { return place_of(lint.policy, decision, lint.sites[site]); };
    if (is_logical(decision)) {
      logical.add(format_text(decision), place(), decision.rule, lint.names[site] + call);
    } else if (decision.execution == Execution::kEmulated) {
      stored.add(formats::name(decision.format), place(), decision.rule, lint.names[site] + call);
    } else if (!is_fast(lint.resolved.capabilities, decision.format)) {
      ++slow[decision.format];
    }
  });
  stored.report(lint, false,
                "Values are stored in this format; matrix and convolution ops compute in float32 and round.");
  for (const auto& [format, calls] : slow) {
    lint.add(kNote, kFromBase,
             formats::name(format) + " runs native at " + op_calls(calls) + ", as requested; this device has no fast " +
                 formats::name(format) + ", so native execution is slow.");
  }
  logical.report(lint, true, "Values are stored in float32 and rounded after every op.");
}

}  // namespace binade::policy
