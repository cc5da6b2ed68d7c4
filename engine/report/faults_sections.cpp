// SPDX-License-Identifier: Apache-2.0
#include "engine/report/numbers.h"
#include "engine/report/sections.h"
#include "engine/report/typography.h"
#include "engine/words/numbers.h"
#include "engine/words/silent_text.h"

#include <algorithm>
#include <set>

namespace binade::report {

namespace {

constexpr std::size_t kMostFaults = 100;

Html faults_table(const RunContent& run, const wire::SilentReport& report) {
  Table table({{"Fault"}, {"How much", true}, {"Format"}, {"Seen"}, {"Next step"}});
  for (std::size_t i = 0; i < std::min(report.faults.size(), kMostFaults); ++i) {
    const wire::SilentFault& fault = report.faults[i];
    const std::string amount =
        (fault.bound ? "at most " : "") + words::percent(fault.amount) + " " + words::silent_unit(fault);
    table.add({text(typeset(words::silent_sentence(fault, run.sites()))), text(amount),
               text(formats::name(fault.format)),
               text(count_text(fault.seen) + " of " + counted(fault.observed_steps, "step", "steps") + ", " +
                    count_text(fault.first_step) + " to " + count_text(fault.last_step)),
               text(typeset(words::silent_next(fault, run.sites())))});
  }
  Html html = table.html();
  if (report.faults.size() > kMostFaults)
    html += note("The " + std::to_string(kMostFaults) + " worst of " + std::to_string(report.faults.size()) + ".");
  return html;
}

Html report_html(const RunContent& run, const wire::SilentReport& report) {
  const std::string basis = counted(report.observed_steps, "step", "steps") + " of " + count_text(report.steps()) +
                            " were examined (" + count_text(report.first_step) + " to " + count_text(report.last_step) +
                            ").";
  Html html;
  switch (wire::verdict_of(report)) {
    case wire::SilentVerdict::kFaults:
      html += note(basis) + faults_table(run, report);
      break;
    case wire::SilentVerdict::kNone:
      html += paragraph("No silent fault was found. " + basis);
      break;
    case wire::SilentVerdict::kNotKnownYet:
      html += paragraph("Not known: too few steps were examined. " + basis);
      break;
  }
  if (report.hidden.empty()) return html;
  Html gaps;
  for (const wire::SilentGap& gap : report.hidden)
    gaps += element("li", text(typeset(words::silent_gap(gap, run.sites()))));
  return html + paragraph("Not known, and why:") + element("ul", gaps);
}

}  // namespace

Section non_finite_section(const RunContent& run) {
  Section section{"non-finite", "Non-finite steps", {}};
  if (run.steps == 0) {
    section.body = note("No step was recorded.");
    return section;
  }
  if (run.non_finite_steps.empty()) {
    section.body =
        paragraph("The loss and every gradient were finite in all " + count_text(run.steps) + " recorded steps.");
    return section;
  }
  const auto count = static_cast<std::int64_t>(run.non_finite_steps.size());
  section.body = paragraph("In " + count_text(count) + " of " + counted(run.steps, "step", "steps") + " (" +
                           words::percent(static_cast<double>(count) / static_cast<double>(run.steps)) +
                           ") the loss or a gradient was not finite, or the step was skipped.");
  std::set<std::int64_t> with_event;
  for (const wire::Event& event : run.events) with_event.insert(event.step);
  Table table({{"Step", true},
               {"Loss", true},
               {"Gradient norm", true},
               {"Loss scale", true},
               {"Next scale", true},
               {"Optimizer"},
               {"Event"}});
  for (const wire::StepRecord& step : run.non_finite) {
    const std::string number = std::to_string(step.step);
    const Html link =
        with_event.contains(step.step) ? Html{"<a href=\"#event-" + number + "\">explained below</a>"} : Html{};
    table.add({text(count_text(step.step)), number_cell(step.loss), number_cell(step.gradient_norm),
               text(scale_label(step.scale)), text(scale_label(step.next_scale)),
               text(step.stepped ? "stepped" : "skipped"), link});
  }
  section.body += table.html();
  if (run.non_finite.size() < run.non_finite_steps.size())
    section.body += note("The first " + std::to_string(run.non_finite.size()) + " are listed.");
  return section;
}

Section silent_section(const RunContent& run) {
  Section section{"silent-faults", "Silent faults", {}};
  if (run.silent.empty()) {
    section.body = note("A search for faults without an infinity was not recorded.");
    return section;
  }
  const bool several = run.silent.size() > 1;
  for (auto report = run.silent.rbegin(); report != run.silent.rend(); ++report) {
    const std::string revision = std::to_string(report->first);
    if (several) section.body += heading(3, "silent-" + revision, "Policy revision " + revision);
    section.body += report_html(run, report->second);
  }
  return section;
}

}  // namespace binade::report
