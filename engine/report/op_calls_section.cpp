// SPDX-License-Identifier: Apache-2.0
#include "engine/policy/finding_text.h"
#include "engine/report/numbers.h"
#include "engine/report/sections.h"
#include "engine/report/typography.h"
#include "engine/words/numbers.h"
#include "engine/words/profile_text.h"

#include <algorithm>
#include <cmath>

namespace binade::report {

namespace {

constexpr std::size_t kMostOpCalls = 2000;

std::string treatment_text(const policy::Decision& decision) {
  using Kind = policy::Decision::Kind;
  switch (decision.kind) {
    case Kind::kFormat:
      return policy::format_text(decision) + (decision.execution == policy::Execution::kEmulated ? " (emulated)" : "");
    case Kind::kPromote:
      return "widest of its arguments";
    case Kind::kFollow:
      return "as its arguments";
    case Kind::kSetDtype:
    case Kind::kAppendDtype:
      return "float32 result";
    case Kind::kBanned:
      return "refuses to run";
    case Kind::kLeave:
      return "unchanged";
  }
  return {};
}

/// The format that the op call gives its output, as the newest declaration of the watched tensor has it.
std::string output_format(const RunContent& run, int site) {
  for (auto each = run.tensors.rbegin(); each != run.tensors.rend(); ++each) {
    const wire::WatchedTensor& tensor = each->second;
    if (tensor.site == site && tensor.kind == wire::WatchedTensor::Kind::kOutput && tensor.argument.empty())
      return formats::name(tensor.format);
  }
  return "";
}

double seconds_of(const TimeSums& sums) {
  return sums.forward + sums.backward + sums.accumulate;
}

/// The op calls' ids: with times the slowest first, otherwise in the order of the graph.
std::vector<std::size_t> order_of(const RunContent& run) {
  std::vector<std::size_t> order(run.sites().size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  const auto total = [&run](std::size_t site) {
    const auto found = run.times.find(static_cast<int>(site));
    return found == run.times.end() ? -1.0 : seconds_of(found->second);
  };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return total(a) > total(b); });
  return order;
}

Table timed_table() {
  return Table({{"Op call"},
                {"Format"},
                {"Calls a step", true},
                {"Forward", true},
                {"Backward", true},
                {"Share of the step", true},
                {"Tensor cores"}});
}

void add_timed(Table& table, const RunContent& run, std::size_t site, const Html& name, const Html& format) {
  const auto found = run.times.find(static_cast<int>(site));
  if (found == run.times.end()) {
    const Html none = element("span", text("did not run"), "note");
    return table.add({name, format, none, {}, {}, {}, {}});
  }
  const TimeSums& sums = found->second;
  const auto steps = static_cast<double>(std::max<std::int64_t>(1, run.profiled_steps));
  const bool known = run.profiled_seconds > 0 && std::isfinite(seconds_of(sums));
  table.add({name, format, text(number_text(sums.calls / steps)), text(duration_text(sums.forward / steps)),
             text(duration_text((sums.backward + sums.accumulate) / steps)),
             known ? text(words::percent(seconds_of(sums) / run.profiled_seconds)) : Html{},
             text(words::profile_verdict(sums.newest))});
}

}  // namespace

Section op_calls_section(const RunContent& run) {
  Section section{"op-calls", "Op calls", {}};
  if (run.sites().empty()) {
    section.body = note("Op calls were not recorded.");
    return section;
  }
  const bool timed = !run.times.empty();
  Table table = timed ? timed_table() : Table({{"Op call"}, {"Format"}, {"Output observed in"}, {"Line of the model"}});
  const std::vector<std::size_t> order = order_of(run);
  for (std::size_t i = 0; i < std::min(order.size(), kMostOpCalls); ++i) {
    const wire::SiteInfo& site = run.sites()[order[i]];
    const Html name = code(site.key.name());
    const Html format =
        order[i] < run.policy.decisions.size() ? text(treatment_text(run.policy.decisions[order[i]])) : Html{};
    if (timed) {
      add_timed(table, run, order[i], name, format);
    } else {
      table.add({name, format, text(output_format(run, site.id)), text(site.source)});
    }
  }
  section.body = paragraph(counted(static_cast<std::int64_t>(run.sites().size()), "op call", "op calls") +
                           ", with the formats of the policy in force at the end.");
  if (timed) {
    section.body += note("Times are means over " + counted(run.profiled_steps, "profiled step", "profiled steps") +
                         (run.profile ? ". " + run.profile->times.sentence : "."));
    if (std::any_of(run.times.begin(), run.times.end(), [](const auto& each) { return each.second.emulated; }))
      section.body += note(
          "The time of an emulated format is that of the emulation. It does not indicate the speed of "
          "the format.");
  } else {
    section.body += note("Times and numbers of calls were not recorded: the run was not profiled.");
  }
  section.body += table.html();
  if (order.size() > kMostOpCalls)
    section.body += note("The first " + count_text(kMostOpCalls) + " op calls are listed.");
  return section;
}

}  // namespace binade::report
