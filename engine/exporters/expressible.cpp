// SPDX-License-Identifier: Apache-2.0
#include "engine/exporters/expressible.h"

#include "engine/autocast/matrix_ops.h"
#include "engine/policy/decide.h"

namespace binade::exporters {

namespace {

using policy::Decision;
using policy::Execution;
constexpr auto kInexpressible = targets::Finding::Kind::kInexpressible;

bool concerns_format(const Decision& decision) {
  return decision.kind == Decision::Kind::kFormat || decision.kind == Decision::Kind::kPromote;
}

/// Changes the decision to one that a dtype implements. Returns a description of the change, or an empty string.
std::string simplify(Decision& decision) {
  if (!concerns_format(decision)) return {};
  const std::string format = formats::name(decision.format);
  std::string change;
  if (!decision.products.empty()) {
    change = "TorchScript has no formats of products (" + policy::products_text(decision.products) +
             "): these calls run in " + format;
    decision.products = {};
  }
  if (!policy::has_dtype(decision.format)) {
    change = format + " is not a dtype that TorchScript can compute in: these calls stay in float32";
    decision.format = formats::kFloat32;
  } else if (decision.backward != decision.format) {
    change = "gradients in " + formats::name(decision.backward) + " beside values in " + format +
             " need rounding that TorchScript does not have: gradients are in " + format;
  } else if (decision.overflow == formats::Overflow::kSaturate) {
    change = format + " does not saturate in TorchScript: what overflows becomes infinite";
  } else if (change.empty() && decision.execution == Execution::kEmulated && decision.kind == Decision::Kind::kFormat) {
    change = format + " is not emulated in TorchScript: these calls run natively in it";
  }
  decision.backward = decision.format;
  decision.overflow = formats::default_overflow(decision.format);
  decision.execution = Execution::kNative;
  return change;
}

/// Does the same for the lists that apply inside composite ops.
void simplify_lists(policy::Resolved& lists) {
  lists.execution = Execution::kNative;
  lists.low_execution = Execution::kNative;
  lists.capabilities.native_bfloat16 = lists.capabilities.native_float16 = true;
  if (!policy::has_dtype(lists.low)) lists.low = formats::kFloat32;
  for (auto& [op, change] : lists.ops) {
    auto* format = std::get_if<formats::Format>(&change);
    if (format != nullptr && !policy::has_dtype(*format)) *format = formats::kFloat32;
  }
}

/// Returns whether ops inside a composite site are rounded by emulation.
bool emulates_inside(const policy::Resolved& lists, const Decision& decision, const graph::Site& site) {
  return decision.kind == Decision::Kind::kFollow && site.composite && autocast::is_rounded_at_boundary(site.op) &&
         !policy::rows(lists.base).empty() &&
         (lists.low_execution == Execution::kEmulated || !policy::has_dtype(lists.low));
}

}  // namespace

std::shared_ptr<const policy::Resolved> expressible(const policy::Resolved& resolved,
                                                    const std::vector<std::unique_ptr<graph::Site>>& sites,
                                                    targets::Findings& findings) {
  auto table = std::make_shared<policy::Resolved>(resolved);
  for (const auto& [place, decision] : resolved.calls) {
    const auto site = static_cast<std::size_t>(place.first);
    if (sites[site]->in_loop) {
      findings.add(kInexpressible,
                   "a rule for a single call of an op call in a loop: every call follows the rule for the others",
                   sites[site]->key.name());
    } else if (place.second == 0) {
      table->sites[site] = decision;
    }
  }
  table->calls.clear();
  for (std::size_t i = 0; i < table->sites.size(); ++i) {
    const std::string name = sites[i]->key.name();
    if (emulates_inside(resolved.lists_of(table->sites[i]), table->sites[i], *sites[i])) {
      findings.add(kInexpressible, "what these calls are made of is emulated, which TorchScript has no word for", name);
    }
    const std::string change = simplify(table->sites[i]);
    if (!change.empty()) findings.add(kInexpressible, change, name);
  }
  simplify_lists(*table);
  for (policy::Resolved& block : table->blocks) simplify_lists(block);
  return table;
}

}  // namespace binade::exporters
