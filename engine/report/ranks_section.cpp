// SPDX-License-Identifier: Apache-2.0
#include "engine/report/numbers.h"
#include "engine/report/sections.h"
#include "engine/words/rank_text.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <numeric>

namespace binade::report {

namespace {

constexpr std::size_t kMostRanks = 64;

/// The ranks, the one that delays the others first.
std::vector<std::size_t> by_delay(const wire::RankTotals& totals) {
  std::vector<std::size_t> order(totals.ranks().size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater(),
                           [&](std::size_t rank) { return totals.ranks()[rank].behind; });
  return order;
}

Html table_of(const RunContent& run) {
  std::vector<Table::Column> columns;
  for (std::string title : words::rank_columns()) {
    title.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(title.front())));
    columns.push_back({title, true});
  }
  columns.push_back({"Computer"});
  columns.push_back({"Device"});
  Table table(columns);
  const auto rows = words::rank_rows(run.ranks);
  const std::vector<std::size_t> order = by_delay(run.ranks);
  for (std::size_t i = 0; i < std::min(order.size(), kMostRanks); ++i) {
    std::vector<Html> cells;
    for (const std::string& cell : rows[order[i]]) cells.push_back(text(cell));
    const bool known = run.started && order[i] < run.started->ranks.size();
    cells.push_back(text(known ? run.started->ranks[order[i]].host : ""));
    cells.push_back(text(known ? run.started->ranks[order[i]].device : ""));
    table.add(cells);
  }
  Html html = table.html();
  if (order.size() > kMostRanks) {
    html += note("The " + std::to_string(kMostRanks) + " slowest of " +
                 count_text(static_cast<std::int64_t>(order.size())) + " ranks.");
  }
  return html;
}

}  // namespace

Section ranks_section(const RunContent& run) {
  Section section{"ranks", "Ranks", {}};
  section.body = paragraph(words::straggler_text(run.ranks));
  section.body += table_of(run);
  Chart times{.id = "rank-times", .title = "Time of the ranks", .edits = edits_of(run)};
  times.says =
      "Forward and backward of the slowest and of the fastest rank in milliseconds, without waits for other ranks.";
  times.may_use_powers = true;
  times.series = {{&run.slowest_rank, "slowest rank"}, {&run.fastest_rank, "fastest rank", "s2"}};
  section.body += chart_html(times, range_of(run));
  section.body += note(
      "A step of all ranks takes as long as that of the slowest one. Casts and times of op calls are those of rank 0. "
      "All other figures of this page are of all ranks together.");
  return section;
}

}  // namespace binade::report
