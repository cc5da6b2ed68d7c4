// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/error.h"
#include "engine/host/commands/commands.h"
#include "engine/host/commands/policy_diff_of_three.h"
#include "engine/host/commands/site_differences.h"
#include "engine/host/input/named_policy.h"
#include "engine/host/print/policy_json.h"
#include "engine/host/print/text_table.h"
#include "engine/host/process/exit_code.h"
#include "engine/policy/decision_text.h"
#include "engine/policy/differences.h"

#include <cstdio>

namespace binade::host {

namespace {

using nlohmann::ordered_json;

void print_differences(const PolicyDiffOptions& options, const std::vector<policy::Difference>& differences) {
  if (differences.empty()) {
    std::printf("%s and %s are equivalent.\n", options.first.c_str(), options.second.c_str());
    return;
  }
  const auto or_nothing = [](const std::string& text) { return text.empty() ? "-" : text; };
  TextTable table;
  table.add({"", options.first, options.second});
  for (const policy::Difference& each : differences) {
    table.add({each.place, or_nothing(each.first), or_nothing(each.second)});
  }
  std::printf("%s", table.text().c_str());
}

void print_sites(const PolicyDiffOptions& options, const std::vector<SiteDifference>& sites, std::size_t of) {
  if (!sites.empty()) {
    TextTable table;
    table.add({"op call", options.first, options.second, "decided by"});
    for (const SiteDifference& each : sites) {
      table.add({each.name(), each.first_text(), each.second_text(), each.first_by + "; " + each.second_by});
    }
    std::printf("\n%s", table.text().c_str());
  }
  std::size_t whole = 0;
  for (const SiteDifference& each : sites) whole += each.call ? 0 : 1;
  const std::size_t single = sites.size() - whole;
  if (sites.empty()) {
    std::printf("\nAll %zu op calls of %s run identically under both policies.\n", of, options.model.c_str());
    return;
  }
  std::printf("\n%zu of %zu op calls of %s run differently%s.\n", whole, of, options.model.c_str(),
              single == 0 ? "" : (", and in " + std::to_string(single) + " more a single call").c_str());
}

}  // namespace

int policy_diff(const PolicyDiffOptions& given) {
  PolicyDiffOptions options = given;
  if (names_policy(options.third)) return policy_diff_of_three(options);
  if (!options.third.empty()) {
    if (!options.model.empty()) {
      throw Error(ErrorCode::kUsage, options.third + " is not a policy, but a model follows it",
                  "Give two or three policies and at most one model.");
    }
    options.model = options.third;
  }
  constexpr const char* kUsage = "policy diff POLICY OTHER [MODEL]";
  const policy::Policy first = named_policy(options.first, kUsage);
  const policy::Policy second = named_policy(options.second, kUsage);
  const std::vector<policy::Difference> differences = policy::differences(first, second);
  std::vector<SiteDifference> sites;
  std::size_t of = 0;
  if (!options.model.empty()) {
    const ModelSites model(options.model);
    sites = site_differences(model, first, second);
    of = model.keys().size();
  }
  if (options.json) {
    for (const policy::Difference& each : differences) {
      print_json({{"event", "difference"}, {"place", each.place}, {"first", each.first}, {"second", each.second}});
    }
    for (const SiteDifference& each : sites) {
      ordered_json line{{"event", "site"}, {"site", each.site.name()}};
      if (each.call) line["call"] = *each.call;
      line["first"] = to_json(first, each.site, each.first, each.inside);
      line["second"] = to_json(second, each.site, each.second, each.inside);
      for (const policy::InnerDifference& inner : each.inner) {
        line["inside"].push_back({{"op", inner.op},
                                  {"first", policy::decision_text(inner.first)},
                                  {"second", policy::decision_text(inner.second)}});
      }
      print_json(line);
    }
    ordered_json last{{"event", "compared"}, {"differences", differences.size()}};
    if (!options.model.empty()) last.update({{"op_calls", of}, {"otherwise", sites.size()}});
    print_json(last);
  } else {
    print_differences(options, differences);
    if (!options.model.empty()) print_sites(options, sites, of);
  }
  const bool same = options.model.empty() ? differences.empty() : sites.empty();
  return options.strict && !same ? kFailed : kDone;
}

}  // namespace binade::host
