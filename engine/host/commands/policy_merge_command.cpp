// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/output_file.h"
#include "engine/host/commands/commands.h"
#include "engine/host/commands/saved_policy.h"
#include "engine/host/input/named_policy.h"
#include "engine/host/print/policy_json.h"
#include "engine/host/print/text_table.h"
#include "engine/host/process/exit_code.h"
#include "engine/policy_tools/merge.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>

namespace binade::host {

namespace {

using policy_tools::Conflict;
using policy_tools::Merged;
using policy_tools::Side;

std::optional<Side> preferred(const std::string& text) {
  if (text.empty()) return std::nullopt;
  return text == "theirs" ? Side::kTheirs : Side::kMine;
}

void print_conflicts(const PolicyMergeOptions& options, const std::vector<Conflict>& conflicts) {
  if (options.json) {
    for (const Conflict& each : conflicts) {
      print_json({{"event", "conflict"},
                  {"place", each.place},
                  {"base", each.base},
                  {"mine", each.mine},
                  {"theirs", each.theirs},
                  {"decided", each.decided}});
    }
    return;
  }
  if (conflicts.empty()) return;
  const auto or_nothing = [](const std::string& text) { return text.empty() ? "-" : text; };
  TextTable table;
  table.add({"conflict", options.base, options.mine, options.theirs, ""});
  for (const Conflict& each : conflicts) {
    table.add({each.place, or_nothing(each.base), or_nothing(each.mine), or_nothing(each.theirs),
               each.decided ? options.prefer : "open"});
  }
  std::printf("%s\n", table.text().c_str());
}

}  // namespace

int policy_merge(const PolicyMergeOptions& options) {
  constexpr const char* kUsage = "policy merge BASE MINE THEIRS [MODEL] --out FILE";
  refuse_existing(options.out, "--out");
  const policy::Policy base = named_policy(options.base, kUsage);
  const policy::Policy mine = named_policy(options.mine, kUsage);
  const policy::Policy theirs = named_policy(options.theirs, kUsage);
  std::optional<ModelSites> model;
  policy_tools::ModelCalls calls;
  if (!options.model.empty()) calls = model.emplace(options.model).calls();
  Merged merged = policy_tools::merge(base, mine, theirs, preferred(options.prefer), model ? &calls : nullptr);
  print_conflicts(options, merged.conflicts);

  const bool complete = merged.is_complete();
  const auto open = std::count_if(merged.conflicts.begin(), merged.conflicts.end(),
                                  [](const Conflict& each) { return !each.decided; });
  const std::string changes = changes_text(merged.policy);
  if (complete) {
    if (model) {
      merged.policy.provenance.evidence.emplace_back(
          "Every op call of the model has the treatment of the side that changed it.");
    }
    save_policy(std::move(merged.policy), options.out, {options.model, calls.size()},
                {options.base, options.mine, options.theirs});
  }
  if (options.json) {
    nlohmann::ordered_json line{{"event", "merged"},
                                {"policy", options.out},
                                {"written", complete},
                                {"conflicts", merged.conflicts.size()},
                                {"open", open}};
    if (model) line["op_calls"] = calls.size();
    print_json(line);
  } else if (complete) {
    std::printf("%s: %s\n", options.out.c_str(), changes.c_str());
    if (model) std::printf("All %zu op calls of %s were compared.\n", calls.size(), options.model.c_str());
  } else {
    std::printf("Open conflicts: %td. Nothing was written. %s\n", open,
                options.prefer.empty() ? "Change one side, or decide all of them with --prefer mine or --prefer theirs."
                                       : "The preferred rules do not give these op calls the treatment of the side "
                                         "that changed it. Change one side.");
  }
  return complete ? kDone : kFailed;
}

}  // namespace binade::host
