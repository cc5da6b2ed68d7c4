// SPDX-License-Identifier: Apache-2.0
#include "engine/report/numbers.h"
#include "engine/report/sections.h"
#include "engine/report/typography.h"
#include "engine/wire/trial_basis.h"
#include "engine/words/trial_rows.h"
#include "engine/words/trial_text.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <string>

namespace binade::report {

namespace {

constexpr std::size_t kMostDrawn = 30;  // charts; a search may have made hundreds

const char* style_of(wire::TrialVerdict verdict) {
  switch (verdict) {
    case wire::TrialVerdict::kInsideNoise:
    case wire::TrialVerdict::kBetter:
      return "good";
    case wire::TrialVerdict::kWorse:
    case wire::TrialVerdict::kDiverged:
    case wire::TrialVerdict::kDoesNotRun:
      return "bad";
    case wire::TrialVerdict::kUnknown:
      break;
  }
  return "";
}

Html difference_cell(const wire::Trial& trial) {
  const auto made_none = [](const wire::TrialSeed& seed) { return seed.after.losses.empty(); };
  if (std::all_of(trial.seeds.begin(), trial.seeds.end(), made_none)) return text("none");
  if (!std::isfinite(trial.loss.mean)) return number_cell(trial.loss.mean);
  return text(minus_signs(words::loss_text(trial)));
}

Html list_of_tries(const RunContent& run) {
  Table table({{"Try"}, {"From step", true}, {"Steps", true}, {"Seeds", true}, {"Verdict"}, {"Loss"}});
  for (const wire::Trial& trial : run.tries) {
    table.add({text(trial.name), text(count_text(trial.first_step)), text(count_text(trial.steps)),
               text(count_text(std::ssize(trial.seeds))), badge(words::verdict_text(trial), style_of(trial.verdict)),
               difference_cell(trial)});
  }
  return table.html();
}

/// Differences of the losses from those of the policy before, at each step over all seeds.
struct LossDifferences {
  Envelope after;
  Envelope noise;  ///< both signs of each, so that its columns are a band around 0
};

LossDifferences differences_of(const wire::Trial& trial) {
  LossDifferences found;
  const wire::TrialBasis basis = wire::basis_of(trial);
  const auto difference = [](const wire::TrialArm& arm, const wire::TrialArm& before, std::size_t step) {
    return step < arm.losses.size() && step < before.losses.size() ? arm.losses[step] - before.losses[step]
                                                                   : std::numeric_limits<double>::quiet_NaN();
  };
  for (std::size_t i = 0; i < static_cast<std::size_t>(trial.steps); ++i) {
    const std::int64_t step = trial.first_step + static_cast<std::int64_t>(i);
    bool any = false;
    for (const wire::PairedSteps& each : basis.seeds) {
      const wire::TrialSeed& seed = trial.seeds[each.seed];
      if (i < seed.after.losses.size() && i < seed.before.losses.size()) {
        found.after.add(step, difference(seed.after, seed.before, i));
        any = true;
      }
      const double noise = difference(seed.noise, seed.before, i);
      if (!std::isfinite(noise)) continue;
      found.noise.add(step, noise);
      found.noise.add(step, -noise);
    }
    if (!any) break;
  }
  return found;
}

Html figures_of(const wire::Trial& trial) {
  Table table({{""}, {"Before", true}, {"After", true}, {"Noise", true}});
  for (const words::TrialRow& row : words::trial_rows(trial)) {
    const auto cell = [](const std::string& figure) { return text(minus_signs(typeset(figure))); };
    table.add({text(row.what), cell(row.before), cell(row.after), cell(row.noise)});
  }
  return table.empty() ? Html{} : table.html();
}

Html try_html(const wire::Trial& trial, std::size_t number) {
  const std::string id = "try-" + std::to_string(number);
  Html html = heading(3, id, trial.name.empty() ? "Try " + std::to_string(number) : trial.name);
  html += paragraph(typeset(words::sentence_of(trial)));
  const LossDifferences found = differences_of(trial);
  Chart chart{.id = id + "-loss", .title = "Difference of the loss"};
  chart.says = "Loss of the policy tried less that of the policy before, at each step on the same batch.";
  if (trial.seeds.size() > 1) chart.says += " Mean over the seeds.";
  chart.series = {{&found.after, "difference"}};
  chart.band = &found.noise;
  chart.band_name = "rounding alone";
  html += chart_html(chart, {trial.first_step, trial.first_step + std::max<std::int64_t>(0, trial.steps - 1)});
  html += figures_of(trial);
  for (const std::string& fact : words::facts_of(trial)) html += note(typeset(fact));
  html += note(trial.checkpoint.empty()
                   ? std::string("All trainings began at the start of the run.")
                   : "All trainings began with " + std::filesystem::path(trial.checkpoint).filename().string() + ".");
  return html;
}

}  // namespace

Section tries_section(const RunContent& run) {
  Section section{"tries", "Tries", {}};
  if (run.tries.empty()) {
    section.body = note("No policy was tried beside the run.");
    return section;
  }
  section.body = paragraph(
      "A Try trains two policies from one state of the run on the same batches, and the policy before once more with "
      "every parameter moved by one unit in the last place. That shows what rounding alone does: the noise.");
  section.body += list_of_tries(run);
  const std::size_t first = run.tries.size() - std::min(run.tries.size(), kMostDrawn);
  if (run.tries.size() < run.all_tries || first > 0) {
    section.body +=
        note("The table has the newest " + std::to_string(run.tries.size()) + " of " + std::to_string(run.all_tries) +
             " Tries. The newest " + std::to_string(run.tries.size() - first) + " are drawn below.");
  }
  for (std::size_t i = first; i < run.tries.size(); ++i) section.body += try_html(run.tries[i], i + 1);
  return section;
}

}  // namespace binade::report
