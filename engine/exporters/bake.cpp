// SPDX-License-Identifier: Apache-2.0
#include "engine/exporters/bake.h"

#include "engine/autocast/plan.h"
#include "engine/exporters/cast_nodes.h"
#include "engine/exporters/expressible.h"
#include "engine/exporters/late_casts.h"
#include "engine/exporters/observed_casts.h"
#include "engine/exporters/site_nodes.h"
#include "engine/exporters/site_plans.h"
#include "engine/exporters/tensors.h"
#include "engine/exporters/uncertain_dtypes.h"
#include "engine/formats/error.h"
#include "engine/graph/flat_graph.h"
#include "engine/graph/inliner.h"
#include "engine/graph/own_blocks.h"
#include "engine/graph/wrapped_nodes.h"
#include "engine/policy/decide.h"

#include <ATen/core/grad_mode.h>
#include <torch/csrc/jit/api/function_impl.h>
#include <torch/csrc/jit/api/module.h>

#include <algorithm>

namespace binade::exporters {

namespace jit = torch::jit;

namespace {

using at::ScalarType;
using autocast::Plan;
using Action = Plan::Action;

/// Returns a copy of the flat graph that may be modified.
std::shared_ptr<jit::Graph> copy_of(const graph::FlatGraph& flat) {
  auto copy = std::make_shared<jit::Graph>();
  // cloneFrom() does not modify its source, but takes it as non-const.
  copy->block()->cloneFrom(const_cast<jit::Graph&>(flat.graph()).block(), nullptr);
  return copy;
}

bool casts_inside(const policy::Resolved& table) {
  return !table.ops.empty() || !policy::rows(table.base).empty();
}

/// Returns the casts for one argument of a composite op, with `composite_casts` replacing the rules inside the op.
ArgumentCasts at_boundary(const ArgumentCasts& seen, graph::Role role, const CompositeCasts& composite_casts) {
  const bool castable = role == graph::Role::kData || role == graph::Role::kWeight;
  if (!composite_casts.arguments || !castable) return seen;
  ArgumentCasts casts;
  casts.was_none = seen.was_none;
  for (const auto& [from, to] : seen.tensors) {
    const bool eligible = at::isFloatingType(from) && from != at::kDouble;
    casts.tensors.emplace(from, eligible ? *composite_casts.arguments : from);
  }
  return casts;
}

/// Rewrites one graph.
class Baker {
 public:
  Baker(jit::Graph& graph, const jit::Module& module, const graph::FlatGraph& flat, const policy::Resolved& table,
        const UncertainDtypes& uncertain, const ObservedCasts& seen, targets::Findings& findings)
      : flat_(flat),
        table_(table),
        plans_(flat, table),
        uncertain_(uncertain),
        seen_(seen),
        findings_(findings),
        graph_(graph),
        nodes_(graph, module, written_parameters(graph, module)),
        late_(graph, nodes_, table, findings) {}

  void run() {
    std::size_t site = 0;
    each_node(graph_.block(), [&](jit::Node* node) {
      fix_interface(node);
      if (const graph::BlockMark mark = graph::mark_of(*node); mark.block != nullptr) {
        innermost_ = mark.enters ? mark.block : mark.block->outer;
        node->destroy();
      } else if (graph::is_site(*node)) {
        rewrite(node, site++);
      } else if (!answer(node) && node->kind() == graph::completed_future_symbol()) {
        throw Error(ErrorCode::kBadModel, "A fork's result is kept and waited for later: this cannot be exported",
                    "Wait for each fork where it is used, or take the forks out of the model.");
      }
    });
    nodes_.warn_in_autocast();
  }

  const CastNodes& nodes() const { return nodes_; }

 private:
  static std::set<const void*> written_parameters(jit::Graph& graph, const jit::Module& module) {
    std::set<const void*> written;
    const CastNodes values(graph, module, {});
    each_node(graph.block(), [&](jit::Node* node) {
      if (!graph::is_site(*node)) return;
      const std::vector<graph::Role> roles = graph::traits_of(node->schema()).roles;
      for (std::size_t i = 0; i < std::min(roles.size(), node->inputs().size()); ++i) {
        if (roles[i] != graph::Role::kWritten) continue;
        const at::Tensor parameter = values.parameter(node->input(i));
        if (parameter.defined()) written.insert(parameter.unsafeGetTensorImpl());
      }
    });
    return written;
  }

  /// Replaces an interface type of an attribute by the concrete class found there (rule R7). The flat graph reaches
  /// into that class, and TorchScript would not load the file otherwise.
  static void fix_interface(const jit::Node* node) {
    if (node->kind() != c10::prim::GetAttr) return;
    const auto concrete = node->output()->type()->cast<c10::ClassType>();
    const auto owner = node->input(0)->type()->cast<c10::ClassType>();
    if (!concrete || !owner) return;
    const std::string& attribute = node->s(c10::attr::name);
    if (owner->getAttribute(attribute)->kind() != c10::TypeKind::InterfaceType) return;
    owner->unsafeChangeAttributeType(attribute, concrete);
  }

  /// Replaces a query of autocast's state by the policy's answer, since autocast is not active when the file runs.
  bool answer(jit::Node* node) {
    const std::string_view kind = node->kind().toQualString();
    const bool cuda = kind == "aten::is_autocast_enabled" && node->inputs().empty();
    if (!cuda && kind != "aten::is_autocast_cpu_enabled") return false;
    const policy::Base device = cuda ? policy::Base::kCudaAmp : policy::Base::kCpuAmp;
    const jit::WithInsertPoint here(node);
    node->output()->replaceAllUsesWith(graph_.insertConstant(table_.answers_enabled(device, innermost_)));
    node->destroy();
    return true;
  }

  void rewrite(jit::Node* node, std::size_t index) {
    const graph::Site& site = *flat_.sites()[index];
    const Plan plan = plans_.of(index);
    const SiteCasts& seen = seen_.at(index);
    if (seen.calls == 0) return late_.write(node, site, plan, /*ran=*/false);
    const bool uncertain = uncertain_.reach(*node);
    if (uncertain && !seen.composite && looks_anyway(plan, site, seen)) return late_.write(node, site, plan, true);
    if (seen.composite && uncertain && !seen.composite_casts.elsewhere) report_uncertain(site);
    for (std::size_t i = 0; i < seen.arguments.size(); ++i) {
      const ArgumentCasts casts =
          seen.composite ? at_boundary(seen.arguments[i], site.roles[i], seen.composite_casts) : seen.arguments[i];
      if (casts.filled && casts.left_empty) {
        node->replaceInput(i, nodes_.filled_dtype(node, node->input(0), node->input(i)));
      } else if (casts.filled) {
        node->replaceInput(i, nodes_.dtype(node, at::kFloat));
      }
      const std::optional<ScalarType> to = casts.target();
      const std::optional<ScalarType> always = cast_to(plan, seen);
      const bool may_need_one = uncertain && always && to == always && uncertain_.contains(node->input(i));
      if (!casts.casts() && !may_need_one) continue;
      if (!to) return late_.write(node, site, plan, true);  // calls disagree
      const bool shared = keeps_casts(site.own_block) && !(seen.composite && seen.not_as_they_came.contains(i));
      node->replaceInput(i, nodes_.cast(node, node->input(i), *to, !casts.was_none, shared));
    }
    if (!seen.redirected.empty()) late_.redirect_norm(node, seen.redirected);
    if (seen.composite) cast_results(node, seen.composite_casts);
  }

  void report_uncertain(const graph::Site& site) {
    findings_.add(targets::Finding::Kind::kInexpressible,
                  "what comes to these calls has another dtype where a branch or a loop goes otherwise than with "
                  "these inputs, and no cast around them does then what the policy does inside them: they are cast "
                  "as with these",
                  site.key.name());
  }

  /// Returns the dtype to which a site's rule, or a composite op's replacement, casts; nullopt if the arguments
  /// decide.
  static std::optional<ScalarType> cast_to(const Plan& plan, const SiteCasts& seen) {
    if (seen.composite) return seen.composite_casts.arguments;
    return plan.action == Action::kCast || plan.action == Action::kCudnnRnn ? std::optional(plan.precision.dtype)
                                                                            : std::nullopt;
  }

  /// Returns whether a site must check dtypes at run time because its arguments may have other dtypes than observed.
  /// Casts to a fixed dtype need no check, nor do arguments that are not cast.
  static bool looks_anyway(const Plan& plan, const graph::Site& site, const SiteCasts& seen) {
    switch (plan.action) {
      case Action::kPromote:
      case Action::kWiden:
      case Action::kSetDtype:
      case Action::kAppendDtype:
        return true;
      case Action::kNothing:  // except for promotions that are written as casts
        return !site.in_place && std::any_of(seen.arguments.begin(), seen.arguments.end(),
                                             [](const ArgumentCasts& casts) { return casts.casts(); });
      default:
        return false;
    }
  }

  void cast_results(jit::Node* node, const CompositeCasts& composite_casts) {
    if (!composite_casts.arguments || composite_casts.results.size() != node->outputs().size()) return;
    for (std::size_t i = 0; i < node->outputs().size(); ++i) {
      jit::Value* output = node->outputs()[i];
      if (composite_casts.results[i] == ScalarType::Undefined || !output->type()->isSubtypeOf(*c10::TensorType::get()))
        continue;
      const jit::WithInsertPoint here(node->next());
      jit::Value* to = graph_.insertConstant(static_cast<std::int64_t>(composite_casts.results[i]));
      jit::Value* cast = graph_.insert(c10::aten::to, {output, to, false, false, c10::IValue()});
      output->replaceAllUsesAfterNodeWith(cast->node(), cast);
    }
  }

  const graph::FlatGraph& flat_;
  const policy::Resolved& table_;
  const SitePlans plans_;
  const UncertainDtypes& uncertain_;
  const ObservedCasts& seen_;
  targets::Findings& findings_;
  jit::Graph& graph_;
  CastNodes nodes_;
  LateCasts late_;
  const policy::OwnBlock* innermost_ = nullptr;
};

/// Returns, per site, the arguments whose dtypes may differ from the observed ones.
OtherDtypes others_of(jit::Graph& graph, const UncertainDtypes& uncertain, const SitePlans& plans) {
  OtherDtypes others;
  others.dtypes = plans.dtypes();
  each_node(graph.block(), [&](jit::Node* node) {
    if (graph::mark_of(*node).block != nullptr || !graph::is_site(*node)) return;
    std::vector<std::size_t>& arguments = others.arguments.emplace_back();
    for (std::size_t i = 0; i < node->inputs().size(); ++i) {
      if (uncertain.contains(node->input(i))) arguments.push_back(i);
    }
  });
  return others;
}

/// Runs a copy of the model on the inputs in train mode, in eval mode, and in eval mode without gradients, where
/// LibTorch's transformer layers take a different path. Returns the number of sites that ran.
int observe(const graph::Model& model, const std::vector<std::vector<c10::IValue>>& inputs, ObservedCasts& seen) {
  const KeepRandomState afterwards;
  const graph::Model copy = reloaded(model);
  graph::FlatGraph flat(copy);
  for (const auto& [train, gradients] : {std::pair(true, true), {false, true}, {false, false}}) {
    copy.train(train);
    const at::AutoGradMode mode(gradients);
    for (const std::vector<c10::IValue>& given : inputs) {
      std::vector<c10::IValue> arguments;
      for (const c10::IValue& value : given) arguments.push_back(value.deepcopy());
      seen.observe([&](std::span<graph::SiteHook* const> hooks) { flat.run(std::move(arguments), hooks); });
    }
  }
  int executed = 0;
  for (std::size_t i = 0; i < flat.sites().size(); ++i) executed += seen.at(i).calls > 0;
  return executed;
}

/// Returns the table in which composite ops that no casts around the op reproduce have their arguments cast to the low
/// format, as by a rule for the op call. Null if there is no such op.
std::shared_ptr<const policy::Resolved> with_casts_around(const policy::Resolved& table, const graph::FlatGraph& flat,
                                                          const ObservedCasts& seen, targets::Findings& findings) {
  std::shared_ptr<policy::Resolved> nearest;
  for (std::size_t i = 0; i < flat.sites().size(); ++i) {
    if (!seen.at(i).composite || seen.at(i).composite_casts.exact) continue;
    if (nearest == nullptr) nearest = std::make_shared<policy::Resolved>(table);
    const policy::Decision inside = table.sites[i];
    const policy::Resolved& lists = table.lists_of(inside);
    nearest->sites[i] = policy::decide_format(lists, lists.low, policy::Execution::kNative, inside.rule);
    nearest->sites[i].block = inside.block;
    findings.add(targets::Finding::Kind::kInexpressible,
                 "what these calls are made of is cast on its own, which no cast around them replaces: their "
                 "arguments are cast to " +
                     formats::name(lists.low),
                 flat.sites()[i]->key.name());
  }
  return nearest;
}

void note_methods(const jit::Module& module, targets::Findings& findings) {
  for (const jit::Method& method : module.get_methods()) {
    if (method.name() == "forward") continue;
    findings.add(targets::Finding::Kind::kNote,
                 "only forward has casts; the method " + method.name() + " is unchanged");
  }
}

}  // namespace

bool Baked::exact() const {
  return std::none_of(findings.begin(), findings.end(), [](const targets::Finding& finding) {
    return finding.kind == targets::Finding::Kind::kInexpressible;
  });
}

Baked bake(const graph::Model& model, const policy::Resolved& resolved,
           const std::vector<std::vector<c10::IValue>>& inputs) {
  Baked baked{.model = reloaded(model), .table = nullptr, .findings = {}};
  const jit::Module& module = baked.model.module();
  const graph::FlatGraph flat(baked.model);
  baked.sites = static_cast<int>(flat.sites().size());
  if (resolved.sites.size() != flat.sites().size()) {
    throw Error(ErrorCode::kBadPolicy,
                "The table has " + std::to_string(resolved.sites.size()) + " op calls, the model " +
                    std::to_string(flat.sites().size()),
                "Resolve the policy for this model.");
  }
  const std::shared_ptr<jit::Graph> graph = copy_of(flat);
  targets::Findings findings;
  baked.table = expressible(resolved, flat.sites(), findings);
  if (casts_inside(*baked.table)) {
    for (const std::string& call : flat.opaque()) {
      findings.add(targets::Finding::Kind::kInexpressible, call + ", which stays without casts");
    }
  }
  std::unique_ptr<const UncertainDtypes> uncertain;
  std::unique_ptr<ObservedCasts> seen;
  for (std::shared_ptr<const policy::Resolved> table = baked.table; table != nullptr;) {
    baked.table = table;
    const SitePlans plans(flat, *table);
    uncertain = std::make_unique<UncertainDtypes>(*graph, plans.casts_to(*graph));
    seen = std::make_unique<ObservedCasts>(table, flat.sites().size(), others_of(*graph, *uncertain, plans));
    baked.executed = observe(model, inputs, *seen);
    table = with_casts_around(*table, flat, *seen, findings);  // ops that follow then see other dtypes, so observe
                                                               // again
  }
  Baker baker(*graph, module, flat, *baked.table, *uncertain, *seen, findings);
  baker.run();
  graph->lint();
  baked.casts = baker.nodes().casts();
  baked.looked_at = baker.nodes().looked_at();
  if (baked.executed < baked.sites) {
    findings.add(targets::Finding::Kind::kNote,
                 std::to_string(baked.sites - baked.executed) + " of " + std::to_string(baked.sites) +
                     " op calls did not run with these inputs: the file checks their dtypes "
                     "when they run");
  }
  note_methods(module, findings);

  jit::GraphFunction& forward = jit::toGraphFunction(module.get_method("forward").function());
  forward.graph()->block()->clear();
  forward.graph()->block()->cloneFrom(graph->block(), nullptr);
  forward.clear_optimized_graphs();
  baked.findings = findings.list();
  return baked;
}

}  // namespace binade::exporters
