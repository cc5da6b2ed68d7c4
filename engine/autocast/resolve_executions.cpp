// SPDX-License-Identifier: Apache-2.0
#include "engine/autocast/resolve_executions.h"

#include "engine/autocast/matrix_ops.h"
#include "engine/autocast/traced_findings.h"
#include "engine/autocast/unused_findings.h"
#include "engine/policy/decide.h"
#include "engine/policy/inner_calls.h"

namespace binade::autocast {

namespace {

/// Decision for an LSTM and similar ops under a low format without a dtype; see is_rounded_at_boundary().
void round_boundary(const policy::Resolved& resolved, policy::Decision& decision, const graph::OpTraits& op) {
  if (decision.kind != policy::Decision::Kind::kFollow || decision.rule != policy::kFromBase || !op.composite) return;
  if (!is_rounded_at_boundary(op.op)) return;
  const policy::Resolved& lists = resolved.lists_of(decision);
  policy::Decision low = policy::decide_format(lists, lists.low, policy::Execution::kAuto, policy::kFromBase);
  if (policy::rows(lists.base).empty() || !policy::is_logical(low)) return;
  low.block = decision.block;
  decision = low;
}

/// A recurrent layer that imitates cuDNN's computes in float32 and is rounded.
void emulate_cudnn(const policy::Resolved& resolved, policy::Decision& decision, const graph::OpTraits& op) {
  if (decision.kind != policy::Decision::Kind::kFormat || decision.rule >= 0) return;
  if (decision.format == formats::kFloat32 || !policy::runs_as_cudnn(resolved.lists_of(decision), op.op)) return;
  const std::string overload = op.op + "." + (op.overload.empty() ? "default" : op.overload);
  if (decision.rule == policy::kFromOpChange && (resolved.ops.contains(overload) || resolved.ops.contains(op.op)))
    return;  // not by the rule of `_cudnn_rnn`
  decision.execution = policy::Execution::kEmulated;
}

/// Adds one note on the recurrent layers that imitate cuDNN's.
void report_recurrent_layers(policy::Resolved& resolved, std::span<const graph::Site* const> sites) {
  int count = 0;
  std::string first;
  for (std::size_t i = 0; i < sites.size(); ++i) {
    const policy::Decision& decision = resolved.sites[i];
    if (decision.kind != policy::Decision::Kind::kFormat || decision.rule >= 0 || policy::is_logical(decision))
      continue;
    if (decision.format == formats::kFloat32 || !policy::runs_as_cudnn(resolved.lists_of(decision), sites[i]->op))
      continue;
    if (count++ == 0) first = sites[i]->key.name() + " in " + formats::name(decision.format);
  }
  if (count == 0) return;
  resolved.findings.push_back(
      {policy::Finding::Severity::kNote, policy::kFromBase,
       (count == 1 ? "1 op call is a recurrent layer" : std::to_string(count) + " op calls are recurrent layers") +
           ", which cuDNN runs on CUDA: " + first +
           ". Here inputs, states and weights are cast and results rounded as there; what is computed inside is "
           "float32, where cuDNN rounds after every time step."});
}

/// Adds one note on the sites that are rounded at their boundary, because an LSTM is commonly seen as many ops.
void report_boundaries(policy::Resolved& resolved, std::span<const graph::Site* const> sites) {
  int count = 0;
  std::string first;
  for (std::size_t i = 0; i < sites.size(); ++i) {
    const policy::Decision& decision = resolved.sites[i];
    if (decision.kind != policy::Decision::Kind::kFormat || !policy::is_logical(decision)) continue;
    if (!sites[i]->composite || !is_rounded_at_boundary(sites[i]->op)) continue;
    if (count++ == 0) first = sites[i]->key.name() + " to " + formats::name(decision.format);
  }
  if (count == 0) return;
  const std::string calls = count == 1 ? "1 op call is" : std::to_string(count) + " op calls are";
  resolved.findings.push_back({policy::Finding::Severity::kNote, policy::kFromBase,
                               calls + " made of many ops and rounded as one, at the boundary: " + first +
                                   ". What is computed inside is float32."});
}

/// Whether a composite op consists of ops that are on no list: normalisation, dropout, pooling, changes of shape. Op
/// changes inside them are not worth reporting.
bool calls_unlisted_ops_only(std::string_view op) {
  for (const char* part :
       {"dropout", "pool", "batch_norm", "instance_norm", "pad", "upsample", "stack", "contiguous"}) {
    if (op.find(part) != std::string_view::npos) return true;
  }
  return false;
}

/// Whether an op's kernel is known to call ops that both of PyTorch's lists name, whichever the policy uses. Calls of
/// concatenation alone are not worth reporting.
bool is_known_to_call_listed(const graph::OpTraits& op) {
  const policy::InnerCalls* row = policy::inner_calls_of(op.op, op.overload);
  return row != nullptr && row->calls != "?" && policy::calls_listed(policy::Base::kCpuAmp, op.op, op.overload) &&
         policy::calls_listed(policy::Base::kCudaAmp, op.op, op.overload);
}

}  // namespace

void fit(const policy::Resolved& resolved, policy::Decision& decision, const graph::OpTraits& op) {
  round_boundary(resolved, decision, op);
  emulate_cudnn(resolved, decision, op);
  if (op.view && !op.in_place && !policy::is_cast_view(op.op, decision)) {
    decision.kind = policy::Decision::Kind::kLeave;
    decision.execution = policy::Execution::kNative;
  } else if (decision.execution != policy::Execution::kNative && !policy::is_logical(decision) &&
             !is_matrix_op(op.op)) {
    decision.execution = policy::Execution::kNative;
  }
}

void resolve_executions(policy::Resolved& resolved, std::span<const graph::Site* const> sites) {
  for (std::size_t i = 0; i < sites.size(); ++i) {
    fit(resolved, resolved.sites[i], *sites[i]);
  }
  for (auto& [place, decision] : resolved.calls) fit(resolved, decision, *sites[static_cast<std::size_t>(place.first)]);
  report_boundaries(resolved, sites);
  report_recurrent_layers(resolved, sites);
}

policy::SitePlace place_of(const graph::Site& site) {
  const bool view = site.view && !site.in_place;
  return {.block = site.own_block,
          .repeats = site.in_loop,
          .inside = !view && (site.composite ? !calls_unlisted_ops_only(site.op) : is_known_to_call_listed(site)),
          .view = view};
}

policy::Resolved resolve_for(const policy::Policy& policy, std::span<const graph::Site* const> sites,
                             const policy::Capabilities& capabilities) {
  std::vector<policy::SiteKey> keys;
  keys.reserve(sites.size());
  std::vector<policy::SitePlace> places;
  places.reserve(sites.size());
  for (const graph::Site* site : sites) {
    keys.push_back(site->key);
    places.push_back(place_of(*site));
  }
  policy::Resolved resolved = policy::resolve(policy, keys, capabilities, places);
  resolve_executions(resolved, sites);
  for (policy::Finding& finding : unused_findings(policy, resolved, sites)) {
    resolved.findings.push_back(std::move(finding));
  }
  for (policy::Finding& finding : traced_findings(resolved, sites)) resolved.findings.push_back(std::move(finding));
  return resolved;
}

}  // namespace binade::autocast
