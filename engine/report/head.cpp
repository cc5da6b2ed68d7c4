// SPDX-License-Identifier: Apache-2.0
#include "engine/report/numbers.h"
#include "engine/report/sections.h"
#include "engine/report/typography.h"
#include "engine/words/scale_text.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace binade::report {

namespace {

/// Key figures as a row of tiles.
class Tiles {
 public:
  void add(const std::string& name, const std::string& value, bool bad = false) {
    items_ += bad ? "<li class=\"bad\"><span>" : "<li><span>";
    items_ += text(name).markup + "</span><b>" + text(value).markup + "</b></li>\n";
  }
  Html html() const { return {"<ul class=\"tiles\">\n" + items_ + "</ul>\n"}; }

 private:
  std::string items_;
};

Html damage_html(const record::Damage& damage) {
  if (damage.empty()) return {};
  Html list;
  for (const std::string& line : damage.lines()) list += element("li", text(line));
  Html box = paragraph("Parts of the run file could not be read: " +
                       counted(static_cast<std::int64_t>(damage.count()), "fault", "faults") +
                       ". The report leaves them out, and covers the rest.");
  box += element("ul", list);
  if (damage.count() > damage.lines().size()) {
    box += note(count_text(static_cast<std::int64_t>(damage.count() - damage.lines().size())) +
                " further faults are not listed.");
  }
  return element("div", box, "alert");
}

Html outcome_html(const RunContent& run) {
  if (!run.finished)
    return badge("not finished", "bad") +
           text(" The recording ends before the run did: the engine was killed, or it is still recording.");
  const wire::Finished& finished = *run.finished;
  const bool well = finished.outcome == wire::Outcome::kCompleted;
  Html outcome = badge(wire::name(finished.outcome), well ? "good" : finished.message.empty() ? "" : "bad");
  if (!finished.message.empty()) outcome += text(" " + finished.message);
  if (!finished.hint.empty()) outcome += text(" " + finished.hint);
  return outcome;
}

/// The newest values by which a run is judged.
void add_results(Tiles& tiles, const RunContent& run) {
  if (run.last) {
    tiles.add("Last loss", number_text(run.last->loss), !std::isfinite(run.last->loss));
    tiles.add("Last loss scale", scale_label(run.last->scale));
  }
  if (run.evaluations.empty()) return;
  const wire::Evaluated& newest = run.evaluations.back();
  if (std::isfinite(newest.accuracy)) tiles.add("Accuracy, last evaluation", number_text(newest.accuracy * 100) + " %");
  if (std::isfinite(newest.loss)) tiles.add("Loss, last evaluation", number_text(newest.loss));
}

}  // namespace

Html head_of(const RunContent& run, const record::Damage& damage) {
  const std::string file = std::filesystem::path(run.file).filename().string();
  const bool named = run.started && !run.started->config.name.empty();
  Html head = element("h1", text(named ? run.started->config.name : file));
  head += note("Report of the run file " + file);
  head += damage_html(damage);
  if (!run.started) return head + paragraph("The file contains no run: the engine ended before training began.");
  const wire::RunConfig& config = run.started->config;
  if (!config.caption.empty()) head += paragraph(config.caption);
  head += element("p", outcome_html(run));
  Tiles tiles;
  tiles.add("Steps",
            count_text(run.steps) + (run.last_step + 1 < config.steps ? " of " + count_text(config.steps) : ""));
  add_results(tiles, run);
  const auto not_finite = static_cast<std::int64_t>(run.non_finite_steps.size());
  tiles.add("Non-finite steps", count_text(not_finite));
  if (!run.silent.empty()) {
    const wire::SilentReport& newest = run.silent.rbegin()->second;
    const bool known = wire::verdict_of(newest) != wire::SilentVerdict::kNotKnownYet;
    tiles.add("Silent faults", known ? std::to_string(newest.faults.size()) : "not known", !newest.faults.empty());
  }
  tiles.add("Time in steps", duration_text(run.seconds));
  head += tiles.html();
  return head;
}

StepRange range_of(const RunContent& run) {
  return {run.first_step, std::max(run.first_step, run.last_step)};
}

}  // namespace binade::report
