// SPDX-License-Identifier: Apache-2.0
//
// bench_trial_verdicts: how often a Try of one seed judges an edit rightly, of 20 edits that are known to be harmless
// and 20 that are known to harm.
#include "engine/wire/enum_text.h"
#include "tests/bench/ratio.h"
#include "tests/bench/temporary_folder.h"
#include "tests/planted/check_case.h"
#include "tests/planted/planted_case.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <optional>
#include <string>
#include <vector>

namespace binade::bench {

namespace {

constexpr std::size_t kCases = 20;  // one edit of each sort in each
constexpr std::int64_t kSteps = 60;
constexpr std::int64_t kSeeds = 10;  // of the Try that shows that an edit stays inside the noise

/// An edit without harm, and how that is known.
struct Harmless {
  enum Sort { kRepeated, kView, kHigher, kSorts };
  Sort sort = kRepeated;
  std::string call;
  formats::Format format;
};

bool is_among(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// An edit of that sort under `policy`: a rule that repeats the format of a matrix product, a rule of float32 for a
/// view, whose numbers are its argument's, or a matrix product in float32.
std::optional<Harmless> harmless_edit(const train::Training& training, const test::PlantedCase& planted,
                                      const policy::Policy& policy, Harmless::Sort sort) {
  const auto resolved = train::resolve(training, policy, 0);
  for (const graph::Site* site : training.sites) {
    const policy::Decision& decision = resolved->sites[static_cast<std::size_t>(site->id)];
    const std::string name = site->key.name();
    const bool is_low = decision.kind == policy::Decision::Kind::kFormat && decision.format == policy.low;
    if (sort == Harmless::kView ? !site->view : !is_low || is_among(planted.known, name)) continue;
    return Harmless{sort, name, sort == Harmless::kRepeated ? policy.low : formats::kFloat32};
  }
  return std::nullopt;
}

policy::Policy with_rule(policy::Policy policy, const Harmless& edit) {
  policy::SiteRule& rule = policy.sites.emplace_back();
  rule.match = edit.call;
  rule.format = edit.format;
  return policy;
}

/// Whether the edit has no harm: the same losses to the bit, or inside the noise of ten seeds.
bool is_harmless(trial::Trials& trials, const policy::Policy& before, const policy::Policy& after,
                 Harmless::Sort sort) {
  const std::int64_t seeds = sort == Harmless::kHigher ? kSeeds : 1;
  const wire::Trial known = trials.run({.before = before, .after = after, .steps = kSteps, .seeds = seeds});
  if (sort == Harmless::kHigher) return test::holds(known.verdict);
  return known.seeds.front().before.losses == known.seeds.front().after.losses;
}

struct Score {
  int harmless = 0;  ///< edits that are known to be
  int harmful = 0;
  int right = 0;
  int false_alarms = 0;
};

void miss(const std::string& name, const std::string& edit, const std::string& what) {
  std::fprintf(stderr, "trial.verdicts: %s, %s: %s\n", name.c_str(), edit.c_str(), what.c_str());
}

void judge_harmless(const test::PlantedCase& planted, trial::Trials& trials, const policy::Policy& good,
                    Harmless::Sort sort, Score& score) {
  std::optional<Harmless> edit = harmless_edit(trials.training(), planted, good, sort);
  if (!edit) edit = harmless_edit(trials.training(), planted, good, Harmless::kRepeated);
  if (!edit) return miss(planted.name, "no harmless edit", "not judged");
  const policy::Policy after = with_rule(good, *edit);
  const std::string words = edit->call + " in " + formats::name(edit->format);
  if (!is_harmless(trials, good, after, edit->sort)) return miss(planted.name, words, "not known to be harmless");
  ++score.harmless;
  const wire::TrialVerdict verdict = trials.run({.before = good, .after = after, .steps = kSteps}).verdict;
  if (test::holds(verdict)) {
    ++score.right;
  } else {
    miss(planted.name, words, std::string(wire::word(verdict)));
  }
  if (test::fails(verdict)) ++score.false_alarms;
}

void judge_harmful(const test::PlantedCase& planted, trial::Trials& trials, const policy::Policy& good,
                   std::size_t removed, Score& score) {
  ++score.harmful;
  std::vector<std::string> others = planted.known;
  others.erase(others.begin() + static_cast<std::ptrdiff_t>(removed));
  const policy::Policy after = test::withFloat32(planted.run.policy, others);
  const wire::TrialVerdict verdict = trials.run({.before = good, .after = after, .steps = kSteps}).verdict;
  if (test::fails(verdict)) {
    ++score.right;
  } else {
    miss(planted.name, "without the rule of " + planted.known[removed], std::string(wire::word(verdict)));
  }
}

void run() {
  const TemporaryFolder folder;
  Score score;
  for (std::size_t i = 0; i < kCases; ++i) {
    const std::size_t number = i * test::plantedCases() / kCases;  // over all models
    const test::PlantedCase planted = test::plantedCase(number, folder.path());
    trial::Trials trials(planted.run, "");
    const policy::Policy good = test::withFloat32(planted.run.policy, planted.known);
    judge_harmless(planted, trials, good, static_cast<Harmless::Sort>(i % Harmless::kSorts), score);
    judge_harmful(planted, trials, good, i % planted.known.size(), score);
  }
  const std::string bench = "trial.verdicts";
  const auto edits = static_cast<double>(kCases);
  print_figure(bench, "edits known to be harmless", exactly(score.harmless), "edits", edits, false);
  print_figure(bench, "edits known to harm", exactly(score.harmful), "edits", edits, false);
  print_figure(bench, "right verdicts", exactly(score.right), "edits", 38, false);
  print_figure(bench, "harmless edits called worse or diverged", exactly(score.false_alarms), "edits", 1);
}

}  // namespace

}  // namespace binade::bench

int main() try {
  at::set_num_threads(1);  // the models are too small to share
  binade::bench::run();
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "bench_trial_verdicts: %s\n", error.what());
  return 1;
}
