// SPDX-License-Identifier: Apache-2.0
#include "engine/observe/own_cast.h"

#include <ATen/core/Tensor.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace binade::observe {

namespace {

constexpr std::array<std::pair<std::string_view, std::size_t>, 10> kConversions{{
    {"aten::to", 0},
    {"aten::_to_copy", 0},
    {"aten::type_as", 0},
    {"aten::copy_", 1},
    {"aten::copy", 1},
    {"aten::_autocast_to_reduced_precision", 0},
    {"aten::_autocast_to_full_precision", 0},
    {"aten::_cast_Half", 0},
    {"aten::_cast_Float", 0},
    {"aten::_cast_Double", 0},
}};

/// Returns the argument with this name; nullopt if the op has none.
std::optional<std::size_t> argument_named(const graph::OpTraits& op, std::string_view name) {
  const auto found = std::find(op.argument_names.begin(), op.argument_names.end(), name);
  if (found == op.argument_names.end()) return std::nullopt;
  return static_cast<std::size_t>(found - op.argument_names.begin());
}

/// Returns `source` as a new float32 tensor, otherwise like `asked`. A copy, since later writes must not reach the
/// source.
at::Tensor widened_copy(const at::Tensor& source, const at::Tensor& asked, std::optional<at::MemoryFormat> order) {
  return source.to(asked.options().dtype(at::kFloat), /*non_blocking=*/false, /*copy=*/true, order);
}

}  // namespace

std::optional<std::size_t> converted_argument(const graph::OpTraits& op) {
  const auto found =
      std::find_if(kConversions.begin(), kConversions.end(), [&op](const auto& row) { return row.first == op.op; });
  return found == kConversions.end() || found->second >= op.inputs ? std::nullopt : std::optional(found->second);
}

bool can_be_lifted(const graph::OpTraits& op) {
  return converted_argument(op) == std::size_t{0} && !op.in_place;
}

void LiftedCasts::before(graph::Call& call) {
  if (!sites_.contains(call.site.id)) return;
  hand_on_ = [inputs = call.site.inputs](graph::Stack& stack) {
    c10::IValue kept = stack[stack.size() - inputs];
    stack.resize(stack.size() - inputs);
    stack.push_back(std::move(kept));
  };
  call.operation = &hand_on_;
}

bool narrows(at::ScalarType from, at::ScalarType to) {
  return at::isReducedFloatingType(to) && from != to && !at::isComplexType(from);
}

void LiftedNarrowings::before(graph::Call& call) {
  source_ = at::Tensor();
  const graph::Site& site = call.site;
  if (!can_be_lifted(site) || site.outputs != 1 || !call.argument(0).isTensor()) return;
  source_ = call.argument(0).toTensor();
  if (!lifting_ || !source_.defined()) return;
  std::optional<at::MemoryFormat> order;
  if (const auto at = argument_named(site, "memory_format"); at && !call.argument(*at).isNone()) {
    order = call.argument(*at).toMemoryFormat();
  }
  // Runs the op itself first: its result has the requested dtype, device and layout for every overload.
  lifting_op_ = [this, source = source_, order, id = site.id, op = call.operation](graph::Stack& stack) {
    (*op)(stack);
    const at::Tensor asked = stack.back().toTensor();
    if (!asked.defined() || !narrows(source.scalar_type(), asked.scalar_type())) return;
    stack.back() = widened_copy(source, asked, order);
    lifted_.insert(id);
  };
  call.operation = &lifting_op_;
}

void LiftedNarrowings::note(const graph::Site& site, const at::Tensor& result) {
  if (result.defined() && at::isReducedFloatingType(result.scalar_type())) {
    low_.emplace(site.id, result.scalar_type());
  }
}

void LiftedNarrowings::after(graph::Call& call) {
  const graph::Site& site = call.site;
  const at::Tensor source = std::exchange(source_, at::Tensor());
  lifting_op_ = {};
  // A view keeps the format of its base, and so does a conversion that changes nothing.
  if (site.view && !source.defined()) return;
  for (std::size_t i = 0; i < site.outputs; ++i) {
    const c10::IValue& result = call.result(i);
    if (result.isTensor() && result.toTensor().defined()) {
      if (source.defined() && !narrows(source.scalar_type(), result.toTensor().scalar_type())) continue;
      note(site, result.toTensor());
    }
    if (!result.isTensorList()) continue;
    for (const at::Tensor& tensor : result.toTensorVector()) note(site, tensor);
  }
}

}  // namespace binade::observe
