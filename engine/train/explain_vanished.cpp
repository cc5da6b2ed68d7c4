// SPDX-License-Identifier: Apache-2.0
#include "engine/train/explain_vanished.h"

#include "engine/observe/trace.h"
#include "engine/observe/vanished.h"
#include "engine/train/diagnosis_parts.h"
#include "engine/train/tries.h"

#include <chrono>
#include <set>

namespace binade::train {

namespace {

using observe::Cause;
using observe::Causes;
using observe::Trace;

constexpr int kMostRounds = 4;  // of widening calls until nothing overflows

wire::Verdict verdict_of(Cause::Fault fault) {
  if (fault == Cause::Fault::kCast) return wire::Verdict::kCastOverflow;
  return fault == Cause::Fault::kInvalid ? wire::Verdict::kInvalidOperation : wire::Verdict::kForwardOverflow;
}

std::string explanation_of(const Causes& causes, const Trace& trace) {
  const bool invalid = causes.roots.front().fault == Cause::Fault::kInvalid;
  std::string text = "Loss and gradients are finite all the same: the ";
  text.append(invalid ? "NaN" : "infinity").append(" vanishes");
  if (causes.chain.size() > 1) {
    text += " in " + trace.calls()[static_cast<std::size_t>(causes.chain.back().call)].site->key.name();
  }
  return text +
         ". No scaler skips such a step, and what was computed from it may be wrong: divided by an infinity, every "
         "number is 0; a clamp or a tanh gives what it would have given. Compare one step with float32.";
}

class Explainer {
 public:
  Explainer(Replay& replay, std::int64_t step) : replay_(replay), step_(step), tries_(replay, made_.evidence) {}

  std::optional<wire::Diagnosis> run() {
    Trace trace;
    if (!replay_.run({.scale = 1, .policy = {}, .trace = &trace}).finite()) return std::nullopt;
    const Causes causes = observe::find_vanished(trace);
    if (causes.roots.empty()) return std::nullopt;
    describe_causes(made_, trace, causes);
    made_.verdict = verdict_of(causes.roots.front().fault);
    made_.explanation = explanation_of(causes, trace);
    widen(causes, trace);
    return std::move(made_);
  }

 private:
  void widen(const Causes& causes, const Trace& first) {
    SiteRules rules;
    std::set<std::string> named;
    if (!add_rules(first, causes, rules, named)) return;
    for (int round = 0; round < kMostRounds; ++round) {
      Trace trace;
      const bool finite = tries_.run(rules, std::nullopt, &trace).finite();
      const Causes left = observe::find_vanished(trace);
      made_.evidence.back().finite = finite && left.roots.empty();
      if (made_.evidence.back().finite) {
        made_.fix.rules = rules;
        made_.fix.text = "With " + text_of(rules) + " nothing overflows in this batch.";
        return;
      }
      if (!finite || !add_rules(trace, left, rules, named)) return;
    }
  }

  bool add_rules(const Trace& trace, const Causes& causes, SiteRules& rules, std::set<std::string>& named) const {
    const std::size_t before = rules.size();
    for (const Cause& root : causes.roots) {
      const std::string name = trace.calls()[static_cast<std::size_t>(root.call)].site->key.name();
      if (!named.insert(name).second) continue;
      policy::SiteRule& rule = rules.emplace_back();
      rule.match = name;
      rule.format = formats::kFloat32;
      rule.why = "overflows at step " + std::to_string(step_);
    }
    return rules.size() > before;
  }

  Replay& replay_;
  const std::int64_t step_;
  wire::Diagnosis made_;
  Tries tries_;
};

}  // namespace

std::optional<wire::Diagnosis> explain_vanished(Replay& replay, std::int64_t step) {
  const auto start = std::chrono::steady_clock::now();
  const Replay::Aside aside(replay);
  std::optional<wire::Diagnosis> made = Explainer(replay, step).run();
  if (made) made->seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return made;
}

}  // namespace binade::train
