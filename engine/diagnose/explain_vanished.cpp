// SPDX-License-Identifier: Apache-2.0
#include "engine/diagnose/explain_vanished.h"

#include "engine/diagnose/diagnosis_parts.h"
#include "engine/diagnose/replay_experiments.h"
#include "engine/diagnose/trace.h"
#include "engine/diagnose/vanished.h"
#include "engine/diagnose/vanished_effect.h"
#include "engine/formats/error.h"
#include "engine/train/training_state_guard.h"
#include "engine/words/numbers.h"
#include "engine/words/rules_text.h"
#include "engine/words/site_text.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <set>

namespace binade::diagnose {

namespace {

constexpr int kMostRounds = 4;  // of adding calls until nothing overflows

wire::Verdict verdict_of(Cause::Fault fault) {
  if (fault == Cause::Fault::kCast) return wire::Verdict::kCastOverflow;
  return fault == Cause::Fault::kInvalid ? wire::Verdict::kInvalidOperation : wire::Verdict::kForwardOverflow;
}

const TracedCall& call_of(const Trace& trace, int call) {
  return trace.calls()[static_cast<std::size_t>(call)];
}

class VanishedExplainer {
 public:
  VanishedExplainer(Replay& replay, std::int64_t step)
      : replay_(replay), step_(step), experiments_(replay, made_.evidence, ReplayExperiments::Start::kPresent) {}

  std::optional<ExplainedVanished> run() {
    if (!replay_.run({.scale = 1, .policy = {}, .trace = &trace_}).finite()) {
      throw Error(ErrorCode::kBadRun, "the replay of the step was not finite, and the step was");
    }
    found_ = find_vanished(trace_);
    if (found_.causes.roots.empty()) return std::nullopt;
    kept_.assign(found_.causes.roots.size(), true);
    search_rules();
    if (!rules_.empty()) effect_ = effect_of(found_, trace_, rules_, replay_, failed_);
    for (std::size_t i = 0; i < kept_.size(); ++i) kept_[i] = effect_ ? is_wrong(i) : is_above(trace_, root(i));
    std::vector<silent::Unmeasured> unmeasured = not_measured();
    if (std::none_of(kept_.begin(), kept_.end(), [](bool kept) { return kept; })) {
      if (unmeasured.empty()) return std::nullopt;
      return ExplainedVanished{{}, {}, std::move(unmeasured)};
    }
    if (effect_) leave_out_what_does_no_harm();
    describe();
    std::vector<silent::VanishedSeen> all = seen();  // before the members it uses are moved from
    return ExplainedVanished{std::move(made_), std::move(all), std::move(unmeasured)};
  }

 private:
  const Cause& root(std::size_t i) const { return found_.causes.roots[i]; }
  const graph::Site& site(std::size_t i) const { return *call_of(trace_, root(i).call).site; }

  /// Returns the absorber in which a first cause does most harm; null if none.
  const Vanished::Absorber* worst_of(std::size_t i, double& wrong) const {
    const Vanished::Absorber* worst = nullptr;
    for (std::size_t k = 0; k < found_.absorbers.size(); ++k) {
      const auto& roots = found_.absorbers[k].roots;
      if (std::find(roots.begin(), roots.end(), i) == roots.end()) continue;
      if (worst != nullptr && (!effect_ || effect_->wrong[k] <= wrong)) continue;
      worst = &found_.absorbers[k];
      wrong = effect_ ? effect_->wrong[k] : 0;
    }
    return worst;
  }

  /// Returns first causes that are left out only because their effect could not be measured.
  std::vector<silent::Unmeasured> not_measured() const {
    std::vector<silent::Unmeasured> all;
    if (failed_.empty()) return all;
    for (std::size_t i = 0; i < kept_.size(); ++i) {
      if (!kept_[i]) all.push_back(unmeasured_vanished(site(i).id, failed_));
    }
    return all;
  }

  bool is_wrong(std::size_t i) const {
    double wrong = 0;
    return effect_->used && worst_of(i, wrong) != nullptr && wrong > 0;
  }

  /// Sets `rules_` to op calls in float32 with which nothing overflows. Leaves `rules_` and `failed_` empty if the same
  /// calls overflow in float32 too: their format is not at fault.
  void search_rules() {
    std::set<std::string> named;
    SiteRules rules;
    if (!add_rules(trace_, found_.causes, rules, named)) return;
    for (int round = 0; round < kMostRounds; ++round) {
      Trace trace;
      const bool finite = experiments_.run(rules, std::nullopt, &trace).finite();
      if (experiments_.failed())
        failed_ = "the step did not run with " + words::rules_text(rules) + ": " + experiments_.failure();
      const Causes left = find_vanished(trace).causes;
      experiments_.last().finite = finite && left.roots.empty();
      if (experiments_.last().finite) {
        note_largest(trace);
        rules_ = std::move(rules);
        return;
      }
      if (!finite && failed_.empty()) failed_ = "with " + words::rules_text(rules) + " the step is not finite";
      if (!finite || !add_rules(trace, left, rules, named)) return;
    }
    failed_ = "with " + std::to_string(rules.size()) + " op calls in float32 others still overflow";
  }

  /// Removes rules for harmless overflows if the step shows no others without them.
  void leave_out_what_does_no_harm() {
    std::set<std::string> harmless;
    for (std::size_t i = 0; i < kept_.size(); ++i) {
      if (!kept_[i]) harmless.insert(site(i).key.name());
    }
    for (std::size_t i = 0; i < kept_.size(); ++i) {
      if (kept_[i]) harmless.erase(site(i).key.name());
    }
    if (harmless.empty()) return;
    SiteRules fewer;
    for (const policy::SiteRule& rule : rules_) {
      if (!harmless.contains(rule.match)) fewer.push_back(rule);
    }
    Trace trace;
    if (!experiments_.run(fewer, std::nullopt, &trace).finite()) return;
    const Vanished left = find_vanished(trace);
    const bool enough = std::all_of(left.causes.roots.begin(), left.causes.roots.end(), [&](const Cause& cause) {
      return harmless.contains(call_of(trace, cause.call).site->key.name());
    });
    experiments_.last().finite = enough;
    if (enough) rules_ = std::move(fewer);
  }

  bool add_rules(const Trace& trace, const Causes& causes, SiteRules& rules, std::set<std::string>& named) const {
    const std::size_t before = rules.size();
    for (const Cause& root : causes.roots) {
      const std::string name = call_of(trace, root.call).site->key.name();
      if (!named.insert(name).second) continue;
      policy::SiteRule& rule = rules.emplace_back();
      rule.match = name;
      rule.format = formats::kFloat32;
      rule.why = "overflows at step " + std::to_string(step_);
    }
    return rules.size() > before;
  }

  /// Records the calls' largest results without overflow.
  void note_largest(const Trace& trace) {
    for (const TracedCall& call : trace.calls()) {
      for (const int result : call.results) {
        double& largest = largest_[call.site->id];
        largest = std::max(largest, trace.values()[static_cast<std::size_t>(result)].seen.largest);
      }
    }
  }

  std::string place(int call) const {
    const int id = call_of(trace_, call).site->id;
    return words::place_of(replay_.training().info.sites[static_cast<std::size_t>(id)]);
  }

  void describe() {
    Causes causes;
    for (std::size_t i = 0; i < kept_.size(); ++i) {
      if (kept_[i]) causes.roots.push_back(root(i));
    }
    causes.chain = chain_from(trace_, causes.roots.front().call);
    const auto first = static_cast<std::size_t>(std::find(kept_.begin(), kept_.end(), true) - kept_.begin());
    describe_causes(made_, trace_, causes);
    made_.verdict = verdict_of(causes.roots.front().fault);
    made_.message = explanation(causes, first);
    if (rules_.empty()) return;
    made_.fix.rules = rules_;
    made_.fix.outcome = wire::Fix::Outcome::kNoOverflow;
  }

  std::string explanation(const Causes& causes, std::size_t first) const {
    const bool invalid = causes.roots.front().fault == Cause::Fault::kInvalid;
    std::string text = "Loss and gradients are finite all the same: the ";
    text.append(invalid ? "NaN" : "infinity").append(" vanishes");
    if (causes.chain.size() > 1) text += " in " + call_of(trace_, causes.chain.back().call).site->key.name();
    text += ". No scaler skips such a step";
    if (!effect_) {
      return text +
             ", and results computed from it may be wrong: a number divided by an infinity is 0, but the result of a "
             "clamp or tanh is right. Compare one step with float32.";
    }
    double wrong = 0;
    const Vanished::Absorber* worst = worst_of(first, wrong);
    text += ", and training continues with wrong numbers: " + words::percent(wrong) + " of the result of " +
            place(worst->call) + " is wrong. The loss of this step is " + words::figure(effect_->loss) +
            "; without the overflow it is " + words::figure(effect_->mended) + ".";
    if (effect_->reaches) return text;
    return text + " So far that is harmless: the loss is off by " + words::percent(effect_->loss_off()) +
           ", and the gradients by " + words::percent(effect_->gradients) +
           " of their norm. The effect can grow as training continues.";
  }

  std::vector<silent::VanishedSeen> seen() const {
    std::vector<silent::VanishedSeen> all;
    std::set<int> sites;
    std::size_t described = 0;  // index in made_.roots
    for (std::size_t i = 0; i < kept_.size(); ++i) {
      if (!kept_[i]) continue;
      const wire::Root& as_told = made_.roots[described++];
      if (!sites.insert(site(i).id).second) continue;
      silent::VanishedSeen& one = all.emplace_back();
      one.site = site(i).id;
      one.format = as_told.format;
      one.measured = step_;
      one.fix = made_.fix;
      if (const auto found = largest_.find(one.site); found != largest_.end() && found->second > 0) {
        one.largest = found->second;
      }
      double wrong = 0;
      const Vanished::Absorber* worst = worst_of(i, wrong);
      if (worst != nullptr) one.where = place(worst->call);
      one.unmeasured = failed_;
      if (!effect_) continue;
      one.wrong = wrong;
      one.harmless = !effect_->reaches;
      one.loss = effect_->loss;
      one.mended = effect_->mended;
    }
    return all;
  }

  Replay& replay_;
  const std::int64_t step_;
  wire::Diagnosis made_;
  ReplayExperiments experiments_;
  Trace trace_;
  Vanished found_;
  std::vector<bool> kept_;  ///< by first cause
  SiteRules rules_;
  std::map<int, double> largest_;  ///< by site
  std::optional<VanishedEffect> effect_;
  std::string failed_;  ///< why effect_ is missing although it was to be measured
};

}  // namespace

silent::Unmeasured unmeasured_vanished(int site, std::string why) {
  return {wire::SilentFault::Kind::kVanishedOverflow, site, "what the overflow changes", std::move(why)};
}

std::optional<ExplainedVanished> explain_vanished(Replay& replay, std::int64_t step) {
  const auto start = std::chrono::steady_clock::now();
  const train::TrainingStateGuard guard(replay.training());
  std::optional<ExplainedVanished> made = VanishedExplainer(replay, step).run();
  if (made) {
    made->diagnosis.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  return made;
}

}  // namespace binade::diagnose
