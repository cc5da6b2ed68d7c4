// SPDX-License-Identifier: Apache-2.0
#include "engine/observe/own_cast.h"

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

}  // namespace binade::observe
