// SPDX-License-Identifier: Apache-2.0
#include "engine/report/numbers.h"
#include "engine/report/sections.h"
#include "engine/report/typography.h"
#include "engine/words/cast_text.h"
#include "engine/words/numbers.h"

#include <algorithm>
#include <cmath>

namespace binade::report {

namespace {

constexpr std::size_t kMostCasts = 40;

struct CastTotals {
  double casts = 0;
  double saved = 0;
  double bytes = 0;
  double seconds = 0;

  explicit CastTotals(const wire::CastLedger& ledger) {
    for (const wire::CastLine& line : ledger.lines) {
      casts += line.casts;
      saved += line.saved;
      bytes += line.bytes;
      seconds += line.seconds;
    }
  }
};

Html totals_table(const RunContent& run) {
  Table table({{"Policy", true},
               {"Steps counted"},
               {"Casts a step", true},
               {"Avoided by the cache", true},
               {"Bytes written", true},
               {"Time", true},
               {"Share of the step", true}});
  for (const auto& [revision, ledger] : run.casts) {
    const CastTotals totals(ledger);
    const bool known = ledger.step_seconds > 0 && std::isfinite(totals.seconds);
    table.add({text(std::to_string(revision)),
               text(count_text(ledger.first_step) + " to " + count_text(ledger.last_step)),
               text(number_text(totals.casts)), text(number_text(totals.saved)), text(bytes_text(totals.bytes)),
               text(duration_text(totals.seconds)),
               known ? text(words::percent(totals.seconds / ledger.step_seconds)) : Html{}});
  }
  return table.html();
}

Html lines_table(const RunContent& run, const wire::CastLedger& ledger) {
  std::vector<const wire::CastLine*> lines;
  for (const wire::CastLine& line : ledger.lines) lines.push_back(&line);
  std::stable_sort(lines.begin(), lines.end(),
                   [](const wire::CastLine* a, const wire::CastLine* b) { return a->bytes > b->bytes; });
  Table table({{"Argument"},
               {"From"},
               {"To"},
               {"Casts a step", true},
               {"Bytes", true},
               {"Time", true},
               {"Cause"},
               {"Edit that removes it"}});
  for (std::size_t i = 0; i < std::min(lines.size(), kMostCasts); ++i) {
    const wire::CastLine& line = *lines[i];
    const auto at = static_cast<std::size_t>(std::max(0, line.site));
    const std::string op = at < run.sites().size() ? run.sites()[at].key.op : std::string();
    const std::string place = run.place(line.site);
    table.add({text(line.argument.empty() ? "inside " + place : line.argument + " of " + place),
               text(formats::name(line.from)), text(formats::name(line.to)), text(number_text(line.casts)),
               text(bytes_text(line.bytes)), text(duration_text(line.seconds)), text(words::cast_cause(line, op)),
               text(words::cast_edit(line))});
  }
  Html html = table.html();
  if (lines.size() > kMostCasts)
    html += note("The " + std::to_string(kMostCasts) + " casts that write the most bytes, of " +
                 std::to_string(lines.size()) + ".");
  return html;
}

}  // namespace

Section casts_section(const RunContent& run) {
  Section section{"casts", "Casts", {}};
  if (run.casts.empty()) {
    section.body = note("The costs of casts were not recorded.");
    return section;
  }
  section.body = paragraph(
      "What casts cost in a mean step, for each revision of the policy. On a GPU, the time is that "
      "to launch them.");
  section.body += totals_table(run);
  const wire::CastLedger& newest = run.casts.rbegin()->second;
  if (newest.lines.empty()) return section;
  section.body += heading(3, "casts-lines", "Casts of the newest policy");
  section.body += lines_table(run, newest);
  return section;
}

}  // namespace binade::report
