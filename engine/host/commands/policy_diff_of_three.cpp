// SPDX-License-Identifier: Apache-2.0
#include "engine/host/commands/policy_diff_of_three.h"

#include "engine/host/commands/site_differences.h"
#include "engine/host/input/named_policy.h"
#include "engine/host/print/policy_json.h"
#include "engine/host/print/text_table.h"
#include "engine/host/process/exit_code.h"
#include "engine/policy/differences.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace binade::host {

namespace {

/// A line of the comparison: what each policy states at a place, or how each runs an op call.
struct Row {
  std::string place;
  std::string base;
  std::string mine;
  std::string theirs;
  bool by_mine = false;
  bool by_theirs = false;

  /// Which side changed the base.
  const char* changed() const {
    if (!by_theirs) return "mine";
    if (!by_mine) return "theirs";
    return without_index(mine) == without_index(theirs) ? "both" : "conflict";
  }

  /// `[3] float16` is the same as `[4] float16`: the sides may have added rules before it.
  static std::string_view without_index(std::string_view text) {
    return text.starts_with("[") ? text.substr(std::min(text.find(']'), text.size())) : text;
  }
};

using Rows = std::vector<Row>;

/// Adds what one side changed. A place may occur more than once in each side's list, in order.
template <class Changes, class Place, class First, class Second>
void add_side(Rows& rows, const Changes& changes, bool mine, const Place& place, const First& first,
              const Second& second) {
  for (const auto& change : changes) {
    auto row = std::find_if(rows.begin(), rows.end(), [&](const Row& each) {
      return each.place == place(change) && !(mine ? each.by_mine : each.by_theirs);
    });
    if (row == rows.end()) {
      const std::string base = first(change);
      row = rows.insert(rows.end(), {place(change), base, base, base, false, false});
    }
    (mine ? row->mine : row->theirs) = second(change);
    (mine ? row->by_mine : row->by_theirs) = true;
  }
}

Rows rows_of(const policy::Policy& base, const policy::Policy& mine, const policy::Policy& theirs) {
  Rows rows;
  for (const bool is_mine : {true, false}) {
    add_side(
        rows, policy::differences(base, is_mine ? mine : theirs), is_mine,
        [](const policy::Difference& each) { return each.place; },
        [](const policy::Difference& each) { return each.first; },
        [](const policy::Difference& each) { return each.second; });
  }
  return rows;
}

Rows rows_of_calls(const ModelSites& model, const policy::Policy& base, const policy::Policy& mine,
                   const policy::Policy& theirs) {
  Rows rows;
  for (const bool is_mine : {true, false}) {
    add_side(
        rows, site_differences(model, base, is_mine ? mine : theirs), is_mine,
        [](const SiteDifference& each) { return each.name(); },
        [](const SiteDifference& each) { return each.first_text(); },
        [](const SiteDifference& each) { return each.second_text(); });
  }
  return rows;
}

void print_rows(const PolicyDiffOptions& options, const Rows& rows, const char* what) {
  if (rows.empty()) return;
  const auto or_nothing = [](const std::string& text) { return text.empty() ? "-" : text; };
  TextTable table;
  table.add({what, options.first, options.second, options.third, "changed by"});
  for (const Row& row : rows) {
    table.add({row.place, or_nothing(row.base), or_nothing(row.mine), or_nothing(row.theirs), row.changed()});
  }
  std::printf("%s\n", table.text().c_str());
}

void print_rows_as_json(const Rows& rows, const char* event, const char* place) {
  for (const Row& row : rows) {
    print_json({{"event", event},
                {place, row.place},
                {"base", row.base},
                {"mine", row.mine},
                {"theirs", row.theirs},
                {"changed", row.changed()}});
  }
}

std::size_t conflicts_in(const Rows& rows) {
  return static_cast<std::size_t>(std::count_if(
      rows.begin(), rows.end(), [](const Row& row) { return std::string_view(row.changed()) == "conflict"; }));
}

}  // namespace

int policy_diff_of_three(const PolicyDiffOptions& options) {
  constexpr const char* kUsage = "policy diff BASE MINE THEIRS [MODEL]";
  const policy::Policy base = named_policy(options.first, kUsage);
  const policy::Policy mine = named_policy(options.second, kUsage);
  const policy::Policy theirs = named_policy(options.third, kUsage);
  const Rows rows = rows_of(base, mine, theirs);
  Rows calls;
  std::size_t of = 0;
  if (!options.model.empty()) {
    const ModelSites model(options.model);
    calls = rows_of_calls(model, base, mine, theirs);
    of = model.keys().size();
  }
  if (options.json) {
    print_rows_as_json(rows, "difference", "place");
    print_rows_as_json(calls, "site", "site");
    nlohmann::ordered_json last{{"event", "compared"}, {"differences", rows.size()}, {"conflicts", conflicts_in(rows)}};
    if (!options.model.empty()) {
      last.update({{"op_calls", of}, {"otherwise", calls.size()}, {"conflicting_calls", conflicts_in(calls)}});
    }
    print_json(last);
  } else {
    print_rows(options, rows, "");
    print_rows(options, calls, "op call");
    if (rows.empty()) std::printf("The three policies are equivalent.\n");
    if (!rows.empty()) std::printf("%zu differences, %zu in conflict.\n", rows.size(), conflicts_in(rows));
    if (!options.model.empty()) {
      std::printf("%zu of %zu op calls of %s run differently, %zu in conflict.\n", calls.size(), of,
                  options.model.c_str(), conflicts_in(calls));
    }
  }
  const bool same = options.model.empty() ? rows.empty() : calls.empty();
  return options.strict && !same ? kFailed : kDone;
}

}  // namespace binade::host
