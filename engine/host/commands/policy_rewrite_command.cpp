// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/output_file.h"
#include "engine/host/commands/commands.h"
#include "engine/host/commands/saved_policy.h"
#include "engine/host/input/named_policy.h"
#include "engine/host/print/policy_json.h"
#include "engine/host/process/exit_code.h"
#include "engine/policy_tools/minimise.h"

#include <nlohmann/json.hpp>

#include <cstdio>

namespace binade::host {

namespace {

using nlohmann::ordered_json;
using policy_tools::Dropped;
using policy_tools::Generalised;

std::size_t rules_in(const policy::Policy& policy) {
  return policy.sites.size() + policy.ops.size();
}

std::string joined_names(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += "  " + text + "\n";
  return all;
}

void print_changes(const std::vector<Dropped>& dropped, const std::vector<Generalised::Pattern>& patterns, bool json) {
  for (const Dropped& each : dropped) {
    if (json) {
      print_json({{"event", "dropped"}, {"what", each.what}, {"why", each.why}});
    } else {
      std::printf("left out %s\n  %s\n", each.what.c_str(), each.why.c_str());
    }
  }
  for (const Generalised::Pattern& each : patterns) {
    if (json) {
      print_json(
          {{"event", "pattern"}, {"match", each.match}, {"replaced", each.replaced}, {"op_calls", each.op_calls}});
    } else {
      std::printf("%s, with %zu op calls of the model, replaces\n%s", each.match.c_str(), each.op_calls,
                  joined_names(each.replaced).c_str());
    }
  }
}

/// Writes the result and prints the last line; `numbers` begins its JSON form.
void save(const PolicyRewriteOptions& options, const policy::Policy& before, policy::Policy after, std::size_t op_calls,
          const ordered_json& numbers) {
  const std::size_t rules = rules_in(after);
  after.provenance = before.provenance;
  after.provenance.evidence.emplace_back(
      "Every op call of the model runs as under the policy that it was derived from.");
  save_policy(std::move(after), options.out, {options.model, op_calls}, {options.policy});
  if (options.json) {
    ordered_json line = numbers;
    line.update({{"file", options.policy},
                 {"model", options.model},
                 {"policy", options.out},
                 {"op_calls", op_calls},
                 {"rules_before", rules_in(before)},
                 {"rules", rules}});
    print_json(line);
    return;
  }
  std::printf("%s: from %zu to %zu rules and op changes. All %zu op calls of %s run as before.\n", options.out.c_str(),
              rules_in(before), rules, op_calls, options.model.c_str());
}

}  // namespace

int policy_minimise(const PolicyRewriteOptions& options) {
  refuse_existing(options.out, "--out");
  const policy::Policy before = named_policy(options.policy, "policy minimise POLICY MODEL --out FILE");
  const ModelSites model(options.model);
  policy_tools::Minimised result = policy_tools::minimise(before, model.calls());
  print_changes(result.dropped, result.patterns, options.json);
  save(options, before, std::move(result.policy), model.keys().size(),
       {{"event", "minimised"}, {"dropped", result.dropped.size()}, {"patterns", result.patterns.size()}});
  return kDone;
}

int policy_generalise(const PolicyRewriteOptions& options) {
  refuse_existing(options.out, "--out");
  const policy::Policy before = named_policy(options.policy, "policy generalise POLICY MODEL --out FILE");
  const ModelSites model(options.model);
  Generalised result = policy_tools::generalise(before, model.calls());
  print_changes({}, result.patterns, options.json);
  save(options, before, std::move(result.policy), model.keys().size(),
       {{"event", "generalised"}, {"patterns", result.patterns.size()}});
  return kDone;
}

}  // namespace binade::host
