// SPDX-License-Identifier: Apache-2.0
#include "engine/host/print/rank_report.h"

#include "engine/host/print/text_table.h"
#include "engine/words/rank_text.h"

#include <utility>

namespace binade::host {

std::string ranks_text(const wire::RankTotals& totals) {
  TextTable table(2);
  table.add(words::rank_columns());
  for (auto& row : words::rank_rows(totals)) table.add(std::move(row));
  std::string rows = table.text();
  rows.pop_back();  // the end of the last line
  return words::straggler_text(totals) + "\n" + rows;
}

nlohmann::ordered_json ranks_json(const wire::RankTotals& totals) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  const auto steps = static_cast<double>(totals.steps());
  for (const wire::RankTotal& total : totals.ranks()) {
    nlohmann::ordered_json rank{{"rank", list.size()},
                                {"busy_seconds", total.busy / steps},
                                {"waited_seconds", total.wait / steps},
                                {"behind_seconds", total.behind / steps},
                                {"last_share", static_cast<double>(total.last) / steps},
                                {"overflowed_steps", total.overflowed}};
    if (total.measured > 0) rank["tensor_percent"] = total.tensor / static_cast<double>(total.measured);
    list.push_back(std::move(rank));
  }
  return list;
}

}  // namespace binade::host
