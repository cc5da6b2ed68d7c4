// SPDX-License-Identifier: Apache-2.0
#include "engine/report/numbers.h"
#include "engine/report/sections.h"
#include "engine/report/typography.h"
#include "engine/words/numbers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <span>

namespace binade::report {

namespace {

constexpr std::size_t kMostDifferences = 20;
constexpr std::size_t kMostItems = 300;
constexpr std::size_t kMostEvaluations = 200;

Html edit_html(const PolicyEdit& edit) {
  if (edit.differences.empty()) return text("The same policy was applied again.");
  Html list;
  for (std::size_t i = 0; i < std::min(edit.differences.size(), kMostDifferences); ++i) {
    const policy::Difference& each = edit.differences[i];
    list += element("div", code(each.place) + text(": " + (each.first.empty() ? "none" : each.first) + " → " +
                                                   (each.second.empty() ? "none" : each.second)));
  }
  if (edit.differences.size() > kMostDifferences) {
    list += element("div", text(std::to_string(edit.differences.size() - kMostDifferences) + " further differences"),
                    "note");
  }
  return list + element("div",
                        text(counted(static_cast<std::int64_t>(edit.op_calls), "op call runs", "op calls run") +
                             " differently since."),
                        "note");
}

Html scaler_html(const wire::ScalerChanged& change) {
  const wire::ScalerConfig& scaler = change.scaler;
  std::string words = scaler.id.empty() ? "" : "Scaler " + scaler.id + ": ";
  if (!scaler.enabled) return text(words + "switched off.");
  words += "scale " + scale_label(change.scale);
  if (scaler.fixed) return text(words + ", fixed.");
  words += "; growth " + number_text(scaler.growth_factor) + " every " +
           counted(scaler.growth_interval, "step", "steps") + ", back-off " + number_text(scaler.backoff_factor);
  if (scaler.hysteresis > 1) words += " after " + count_text(scaler.hysteresis) + " overflows in a row";
  if (scaler.minimum > 0) words += ", at least " + scale_label(scaler.minimum);
  if (scaler.maximum > 0) words += ", at most " + scale_label(scaler.maximum);
  return text(words + ".");
}

void add_item(Table& table, const HistoryItem& item) {
  if (const auto* edit = std::get_if<PolicyEdit>(&item)) {
    table.add(
        {text(count_text(edit->step)), text("policy, revision " + std::to_string(edit->revision)), edit_html(*edit)});
  } else if (const auto* change = std::get_if<wire::ScalerChanged>(&item)) {
    table.add({text(count_text(change->step)), text("loss scaler"), scaler_html(*change)});
  } else if (const auto* rewound = std::get_if<wire::Rewound>(&item)) {
    table.add({text(count_text(rewound->step)), text("rewind"),
               text("The run went back to this step, to the state in ") + code(rewound->file)});
  } else if (const auto* note = std::get_if<wire::Note>(&item)) {
    table.add({text(count_text(note->step)), text("note"), text(note->text.empty() ? "removed" : note->text)});
  }
}

std::string date_text(std::int64_t seconds) {
  const auto time = static_cast<std::time_t>(seconds);
  std::tm date{};
  std::array<char, 64> written{};
  if (::gmtime_r(&time, &date) == nullptr) return "";
  const std::size_t size = std::strftime(written.data(), written.size(), "%Y-%m-%d %H:%M:%S UTC", &date);
  return {written.data(), size};
}

Html checkpoints_html(const RunContent& run) {
  if (run.checkpoints.empty()) return note("No checkpoint was recorded.");
  Table table({{"Step", true}, {"File"}, {"Reason"}, {"Size", true}, {"Loss before it", true}, {"Saved"}});
  for (const wire::CheckpointInfo& each : run.checkpoints) {
    table.add({text(count_text(each.step)), code(std::filesystem::path(each.file).filename().string()),
               text(each.reason), text(bytes_text(static_cast<double>(each.bytes))),
               each.loss ? number_cell(*each.loss) : Html{}, text(date_text(each.saved))});
  }
  Html html = table.html();
  if (run.checkpoints.size() < run.all_checkpoints)
    html += note("The newest " + std::to_string(run.checkpoints.size()) + " of " + std::to_string(run.all_checkpoints) +
                 ".");
  return html;
}

Html evaluations_html(const RunContent& run) {
  if (run.evaluations.empty()) return note("No evaluation was recorded.");
  Table table({{"After step", true}, {"Loss", true}, {"Accuracy", true}});
  const std::size_t shown = std::min(run.evaluations.size(), kMostEvaluations);
  for (const wire::Evaluated& each : std::span(run.evaluations).last(shown)) {
    // NaN is what an evaluation without classes or losses has: no figure, rather than a fault.
    table.add({text(count_text(each.step)), std::isnan(each.loss) ? text("none") : number_cell(each.loss),
               std::isnan(each.accuracy) ? text("none") : text(number_text(each.accuracy * 100) + " %")});
  }
  Html html = table.html();
  if (shown < run.evaluations.size())
    html += note("The newest " + std::to_string(shown) + " of " + std::to_string(run.evaluations.size()) + ".");
  return html;
}

Html comparison_html(const RunContent& run) {
  if (!run.comparison) return note("No step was compared with float32.");
  const wire::Float32Comparison& found = *run.comparison;
  return paragraph("Step " + count_text(found.step) + ": loss " + number_text(found.loss) + " under the policy, " +
                   number_text(found.float32_loss) + " in float32, at scale " + scale_label(found.scale) + ".");
}

Html log_html(const RunContent& run) {
  if (run.log.empty()) return note("No warning was recorded.");
  Table table({{"Level"}, {"Message"}});
  for (const wire::LogLine& line : run.log) table.add({text(line.level), text(line.text)});
  Html html = table.html();
  if (run.log.size() < run.all_log)
    html += note("The first " + std::to_string(run.log.size()) + " of " + std::to_string(run.all_log) + ".");
  return html;
}

}  // namespace

Section history_section(const RunContent& run) {
  Section section{"history", "History", {}};
  section.body = heading(3, "edits", "Edits");
  if (run.history.empty()) {
    section.body += paragraph("Nothing was edited: the policy and the loss scaler are those that the run began with.");
  } else {
    Table table({{"From step", true}, {"What"}, {"Change"}});
    for (std::size_t i = 0; i < std::min(run.history.size(), kMostItems); ++i) add_item(table, run.history[i]);
    section.body += table.html();
    if (run.history.size() > kMostItems)
      section.body +=
          note("The first " + std::to_string(kMostItems) + " of " + std::to_string(run.history.size()) + ".");
  }
  section.body += heading(3, "evaluations", "Evaluations") + evaluations_html(run);
  section.body += heading(3, "comparison", "Comparison with float32") + comparison_html(run);
  section.body += heading(3, "checkpoints", "Checkpoints") + checkpoints_html(run);
  section.body += heading(3, "log", "Warnings and errors") + log_html(run);
  return section;
}

}  // namespace binade::report
