// SPDX-License-Identifier: Apache-2.0
#include "engine/autocast/traced_findings.h"

#include "engine/policy/finding_text.h"
#include "engine/policy/op_lists.h"

#include <map>
#include <string>

namespace binade::autocast {

namespace {

/// The op that a scripted model calls where a traced one calls `op`; empty if both call the same. Tracing records the
/// one op that all convolutions call.
std::string_view scripted_twin(std::string_view op) {
  return op == "aten::_convolution" || op == "aten::convolution" ? "conv2d" : std::string_view();
}

}  // namespace

std::vector<policy::Finding> traced_findings(const policy::Resolved& resolved,
                                             std::span<const graph::Site* const> sites) {
  std::map<std::pair<std::string, policy::Base>, std::vector<std::string>> untouched;  // names of op calls, by op and
                                                                                       // list
  for (std::size_t i = 0; i < sites.size(); ++i) {
    const policy::Decision& decision = resolved.sites[i];
    if (decision.kind != policy::Decision::Kind::kFollow || decision.rule != policy::kFromBase) continue;
    const std::string_view twin = scripted_twin(sites[i]->op);
    const policy::Base list = resolved.lists_of(decision).base;
    if (twin.empty() || policy::rule_for(list, twin, {}) == policy::CastRule::kNone) continue;
    untouched[{sites[i]->op, list}].push_back(sites[i]->key.name());
  }
  std::vector<policy::Finding> findings;
  for (const auto& [what, names] : untouched) {
    const auto& [op, list] = what;
    std::string text = names.size() == 1 ? "1 op call is " : std::to_string(names.size()).append(" op calls are ");
    text.append(op).append(", which a traced model has where a scripted one has conv1d to conv3d: ");
    text.append(policy::first_of(names)).append(". PyTorch's list ").append(policy::name(list));
    text.append(
        " names those and not this op, so its arguments are not cast. (A pass of TorchScript's own, on by default in "
        "PyTorch, casts it there.) \"ops\": {\"");
    text.append(op).append("\": \"low\"} casts it here.");
    findings.push_back({policy::Finding::Severity::kNote, policy::kFromBase, std::move(text)});
  }
  return findings;
}

}  // namespace binade::autocast
