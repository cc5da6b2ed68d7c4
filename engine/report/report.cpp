// SPDX-License-Identifier: Apache-2.0
#include "engine/report/report.h"

#include "engine/report/sections.h"

#include <filesystem>

namespace binade::report {

namespace {

std::string title_of(const RunContent& run) {
  if (run.started && !run.started->config.name.empty()) return run.started->config.name + " – Binade run report";
  return std::filesystem::path(run.file).filename().string() + " – Binade run report";
}

}  // namespace

Report make_report(const std::string& run_file, const std::function<bool(std::int64_t steps)>& go_on) {
  Report report;
  const record::RunReader reader(run_file, report.damage);
  const auto asked = [&](std::int64_t steps) {
    report.complete = report.complete && (!go_on || go_on(steps));
    return report.complete;
  };
  const RunContent run = read_content(reader, run_file, asked);
  if (!report.complete) return report;
  const Observed observed = read_observed(reader, run, asked);
  if (!report.complete) return report;
  report.steps = run.steps;
  report.events = run.all_events.size();
  report.ranks = run.ranks;
  std::vector<Section> sections{charts_section(run)};
  if (run.ranks.steps() > 0) sections.push_back(ranks_section(run));
  for (const auto& section :
       {headroom_section(run, observed), gradients_section(run, observed), op_calls_section(run), casts_section(run),
        non_finite_section(run), silent_section(run), events_section(run), history_section(run), tries_section(run),
        policy_section(run), environment_section(run), repeat_section(run)}) {
    sections.push_back(section);
  }
  report.html = page_of(title_of(run), head_of(run, report.damage), sections);
  return report;
}

}  // namespace binade::report
