// SPDX-License-Identifier: Apache-2.0
#include "engine/report/numbers.h"
#include "engine/report/sections.h"
#include "engine/report/typography.h"
#include "engine/words/diagnosis_text.h"
#include "engine/words/fix_text.h"
#include "engine/words/site_text.h"

#include <algorithm>
#include <set>

namespace binade::report {

namespace {

constexpr std::size_t kMostAttempts = 16;
constexpr std::size_t kMostLinks = 16;
constexpr std::size_t kMostRoots = 8;

/// An identifier of the code as words: `gradient_overflow` is `gradient overflow`.
std::string spaced(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

std::string values_text(const wire::ValueRange& range) {
  std::string values =
      range.largest > 0 ? number_text(range.smallest) + " to " + number_text(range.largest) : "no value other than 0";
  values += "; " + count_text(range.zeros) + " of " + count_text(range.count) + " are 0";
  if (range.infinite > 0) values += ", " + count_text(range.infinite) + " infinite";
  if (range.nan > 0) values += ", " + count_text(range.nan) + " NaN";
  return values;
}

/// The execution of the op call that was the first cause, where the op call alone does not tell it.
std::string call_of(const wire::Diagnosis& found, const wire::Root& root) {
  const auto of_one_place = [&root](const wire::Root& each) { return each.site == root.site; };
  const bool several = std::count_if(found.roots.begin(), found.roots.end(), of_one_place) > 1;
  if (root.site < 0 || (root.call <= 0 && !several)) return {};
  return ", call " + std::to_string(root.call);
}

Html roots_html(const RunContent& run, const wire::Diagnosis& found) {
  Table table({{"First cause"}, {"Where"}, {"Format"}, {"Its arguments"}});
  for (std::size_t i = 0; i < std::min(found.roots.size(), kMostRoots); ++i) {
    const wire::Root& root = found.roots[i];
    Html where = text(root.site >= 0 ? run.place(root.site) + call_of(found, root) : root.what);
    if (!root.source.empty()) where += text(", ") + code(root.source);
    if (root.rows) where += text(", " + words::rows_text(*root.rows));
    Html arguments;
    for (const wire::ValueRange& range : root.inputs)
      arguments += element("div", text(range.name + " (" + range.format + "): " + values_text(range)));
    table.add({text(typeset(words::happening_of(root, run.sites()) + (root.why ? ". " + *root.why : ""))), where,
               text(formats::name(root.format)), arguments});
  }
  return table.html();
}

/// The way of the non-finite value from its first cause.
Html chain_html(const RunContent& run, const wire::Diagnosis& found) {
  if (found.chain.empty()) return {};
  std::string path;
  for (std::size_t i = 0; i < std::min(found.chain.size(), kMostLinks); ++i)
    path += (i == 0 ? "" : " → ") + run.place(found.chain[i].site);
  if (found.chain.size() > kMostLinks)
    path += " → " + std::to_string(found.chain.size() - kMostLinks) + " more op calls";
  if (!found.ends.empty()) path += " → " + found.ends;
  return paragraph("Path of the value: " + path);
}

/// What was tried on copies of the step, and whether it stayed finite: the proof of the verdict.
Html attempts_html(const wire::Diagnosis& found) {
  if (found.evidence.empty()) return {};
  Table table({{"Tried in a replay"}, {"Loss and gradients"}});
  for (std::size_t i = 0; i < std::min(found.evidence.size(), kMostAttempts); ++i) {
    const wire::Attempt& attempt = found.evidence[i];
    table.add({text(typeset(words::change_of(attempt))),
               attempt.finite ? badge("finite", "good") : badge("not finite", "bad")});
  }
  Html html = table.html();
  if (found.evidence.size() > kMostAttempts)
    html += note("The first " + std::to_string(kMostAttempts) + " of " + std::to_string(found.evidence.size()) +
                 " attempts.");
  return html;
}

Html diagnosis_html(const RunContent& run, const wire::Diagnosis& found) {
  Html html = paragraph(typeset(words::explanation_of(found, run.sites())));
  html += roots_html(run, found) + chain_html(run, found) + attempts_html(found);
  if (const std::string fix = words::fix_of(found.fix); !fix.empty())
    html += element("p", badge("fix") + text(" " + typeset(fix)));
  for (const std::string& each : found.notes) html += note(typeset(each));
  if (found.seconds > 0)
    html += note("The replays took " + duration_text(found.seconds) + ". The training did not change.");
  if (!found.bundle.empty()) html += note("The step is saved in " + found.bundle + ".");
  return html;
}

Html event_html(const RunContent& run, const wire::Event& event, bool first_of_step) {
  const std::string anchor = first_of_step ? " id=\"event-" + std::to_string(event.step) + "\"" : "";
  Html html{"<article" + anchor + "><h3>Step " + count_text(event.step) + " "};
  html += badge(spaced(wire::name(event.kind)));
  if (event.diagnosis) {
    const bool benign = event.diagnosis->verdict == wire::Verdict::kBenign;
    html += text(" ") + badge(spaced(wire::name(event.diagnosis->verdict)), benign ? "good" : "bad");
  }
  if (event.rank) html += text(" ") + badge("rank " + std::to_string(*event.rank));
  html += {"</h3>\n"};
  html += paragraph(typeset(run.names.sentence_of(event)));
  if (event.diagnosis) {
    html += diagnosis_html(run, *event.diagnosis);
  } else if (std::holds_alternative<wire::NotFinite>(event.facts)) {
    html += note("The step was not replayed, so its cause is not proved.");
  }
  return html + Html{"</article>\n"};
}

}  // namespace

Section events_section(const RunContent& run) {
  Section section{"events", "Events", {}};
  if (run.all_events.empty()) {
    section.body = note("No event was recorded.");
    return section;
  }
  std::map<wire::Event::Kind, std::int64_t> kinds;
  for (const auto& [step, kind] : run.all_events) ++kinds[kind];
  Table table({{"Kind"}, {"Events", true}});
  for (const auto& [kind, count] : kinds) table.add({text(spaced(wire::name(kind))), text(count_text(count))});
  section.body = table.html();
  if (run.events.size() < run.all_events.size()) {
    section.body +=
        note("Below are the first " + std::to_string(RunContent::kMostEventsOfAKind) + " events of each kind, " +
             std::to_string(run.events.size()) + " of " + std::to_string(run.all_events.size()) + ".");
  }
  std::set<std::int64_t> anchored;
  for (const wire::Event& event : run.events)
    section.body += event_html(run, event, anchored.insert(event.step).second);
  return section;
}

}  // namespace binade::report
