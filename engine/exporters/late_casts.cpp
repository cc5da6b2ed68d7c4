// SPDX-License-Identifier: Apache-2.0
#include "engine/exporters/late_casts.h"

#include "engine/autocast/matrix_ops.h"
#include "engine/autocast/resolve_executions.h"
#include "engine/exporters/site_plans.h"
#include "engine/graph/dtype_format.h"

#include <torch/csrc/jit/ir/ir.h>

#include <algorithm>

namespace binade::exporters {

namespace jit = torch::jit;

using at::ScalarType;
using Action = autocast::Plan::Action;

namespace {

bool lists_tensors(const std::vector<jit::Value*>& values) {
  return std::any_of(values.begin(), values.end(),
                     [](const jit::Value* value) { return value->type()->kind() == c10::TypeKind::ListType; });
}

/// Returns the arguments that the plan may cast.
std::vector<std::size_t> castable(const jit::Node& node, const graph::Site& site, const autocast::Plan& plan) {
  std::vector<std::size_t> arguments;
  for (std::size_t i = 0; i < node.inputs().size(); ++i) {
    const graph::Role role = site.roles[i];
    if (role == graph::Role::kOther) continue;
    if (!plan.protect || role == graph::Role::kData || role == graph::Role::kWeight) arguments.push_back(i);
  }
  return arguments;
}

}  // namespace

void LateCasts::write(jit::Node* node, const graph::Site& site, const Plan& plan, bool ran) {
  const std::vector<std::size_t> arguments = castable(*node, site, plan);
  std::vector<jit::Value*> tensors;
  for (const std::size_t i : arguments) tensors.push_back(node->input(i));
  jit::Value* to = nullptr;
  switch (plan.action) {
    case Action::kCast:
    case Action::kProducts:  // has lost its products before: see expressible()
    case Action::kCudnnRnn:
      if (site.in_place) return;
      for (const std::size_t i : arguments) cast(node, i, plan.precision.dtype, site);
      return;
    case Action::kPromote:
      to = nodes_.promoted(node, tensors, plan.precision.dtype);
      break;
    case Action::kNothing:
      if (!ran || site.in_place) return;
      [[fallthrough]];  // the op promotes implicitly, and that promotion is written as a cast
    case Action::kWiden:
      if (site.composite && plan.inside) return leave_composite(node, site, arguments);
      if (tensors.size() < 2 && !lists_tensors(tensors)) return;
      to = nodes_.widest(node, tensors);
      break;
    case Action::kSetDtype:
      for (std::size_t i = 0; i < node->inputs().size(); ++i) {
        if (site.takes_dtype[i]) node->replaceInput(i, nodes_.filled_dtype(node, node->input(0), node->input(i)));
      }
      return;
    case Action::kAppendDtype:
      redirect_norm(node, {});
      return;
    case Action::kRefuse:
      refuse(node, site, plan);
      return;
    case Action::kInside:
      leave_composite(node, site, arguments);
      return;
  }
  for (const std::size_t i : arguments) node->replaceInput(i, nodes_.cast_if_eligible(node, node->input(i), to));
}

/// A parameter's dtype is known even here. A shared cast sums its gradients with those of its other uses.
void LateCasts::cast(jit::Node* node, std::size_t argument, ScalarType to, const graph::Site& site) {
  jit::Value* value = node->input(argument);
  const bool known = nodes_.parameter(value).defined();
  node->replaceInput(argument, known ? nodes_.cast(node, value, to, /*there=*/true, keeps_casts(site.own_block))
                                     : nodes_.cast_if_eligible(node, value, nodes_.dtype(node, to)));
}

/// Without a call to try, which casts replace the rules inside the op is unknown. Ops that compute matrix
/// products get their arguments cast to the low dtype. Most other ops call no listed op.
void LateCasts::leave_composite(jit::Node* node, const graph::Site& site, const std::vector<std::size_t>& arguments) {
  const policy::Resolved& lists = table_.lists_of(table_.sites[static_cast<std::size_t>(site.id)]);
  const ScalarType low = graph::dtype_of(lists.low);
  if (autocast::is_rounded_at_boundary(site.op) && !policy::rows(lists.base).empty() && low != ScalarType::Undefined) {
    for (const std::size_t i : arguments) cast(node, i, low, site);
    findings_.add(targets::Finding::Kind::kInexpressible,
                  "these calls did not run with these inputs, and no trial tells which casts around them do what the "
                  "policy does inside them: their arguments are cast to " +
                      formats::name(lists.low),
                  site.key.name());
  } else if (autocast::place_of(site).inside) {
    findings_.add(targets::Finding::Kind::kNote,
                  "these calls are made of other ops and did not run with these inputs: in the file nothing is cast "
                  "inside them",
                  site.key.name());
  }
}

void LateCasts::redirect_norm(jit::Node*& node, const std::set<ScalarType>& dtypes) {
  std::vector<jit::Value*> inputs(node->inputs().begin(), node->inputs().end());
  inputs.push_back(dtypes.size() == 1 ? nodes_.dtype(node, *dtypes.begin()) : nodes_.norm_dtype(node, node->input(0)));
  jit::Node* with_dtype = graph_.create(c10::aten::norm, inputs, 1);
  with_dtype->copyMetadata(node);
  with_dtype->insertBefore(node);
  node->output()->replaceAllUsesWith(with_dtype->output());
  node->destroy();
  node = with_dtype;
}

void LateCasts::refuse(jit::Node* node, const graph::Site& site, const Plan& plan) {
  if (plan.only_float16) {
    findings_.add(targets::Finding::Kind::kInexpressible,
                  "these calls refuse float16 under the policy; in the file they run", site.key.name());
    return;
  }
  const jit::WithInsertPoint here(node);
  graph_.insert(c10::prim::RaiseException,
                {site.key.name() + ": the policy that this file was made with bans " + site.op, c10::IValue()});
  findings_.add(targets::Finding::Kind::kNote, "these calls are banned: the file raises an exception there",
                site.key.name());
}

}  // namespace binade::exporters
