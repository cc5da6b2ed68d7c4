// SPDX-License-Identifier: Apache-2.0
#include "engine/autocast/exact_ops.h"

#include <algorithm>
#include <array>

namespace binade::autocast {

namespace {

template <std::size_t N>
bool holds(const std::array<std::string_view, N>& names, std::string_view op) {
  return std::binary_search(names.begin(), names.end(), op);
}

/// Values and gradients pass through, each at most once.
constexpr auto kBoth = std::to_array<std::string_view>({
    "aten::abs",
    "aten::abs_",
    "aten::cat",
    "aten::channel_shuffle",
    "aten::clone",
    "aten::concat",
    "aten::concatenate",
    "aten::flip",
    "aten::hstack",
    "aten::neg",
    "aten::neg_",
    "aten::pixel_shuffle",
    "aten::pixel_unshuffle",
    "aten::relu",
    "aten::relu_",
    "aten::roll",
    "aten::stack",
    "aten::vstack",
});

/// Values pass through; several results may be copies of one value, whose gradients are then summed.
constexpr auto kValues = std::to_array<std::string_view>({
    "aten::adaptive_max_pool2d",
    "aten::amax",
    "aten::amin",
    "aten::gather",
    "aten::index_select",
    "aten::masked_select",
    "aten::max",
    "aten::max_pool1d",
    "aten::max_pool2d",
    "aten::max_pool2d_with_indices",
    "aten::max_pool3d",
    "aten::maximum",
    "aten::min",
    "aten::minimum",
    "aten::repeat",
    "aten::sort",
    "aten::topk",
});

/// Whether the call is an addition or subtraction with factor 1 of tensors of one shape, which passes its gradient on
/// unchanged.
bool adds_alike(const Arguments& arguments) {
  const std::string& op = arguments.op.op;
  if (op != "aten::add" && op != "aten::add_" && op != "aten::sub" && op != "aten::sub_") return false;
  if (arguments.count() != 3 || !arguments[0].isTensor() || !arguments[1].isTensor()) return false;
  const bool once = arguments[2].isInt() && arguments[2].toInt() == 1;
  return once && arguments[0].toTensor().sizes() == arguments[1].toTensor().sizes();
}

}  // namespace

Exactness exactness_of(const Arguments& arguments) {
  static_assert(std::is_sorted(kBoth.begin(), kBoth.end()));
  static_assert(std::is_sorted(kValues.begin(), kValues.end()));
  if (holds(kBoth, arguments.op.op)) return {.values = true, .gradients = true};
  if (holds(kValues, arguments.op.op)) return {.values = true};
  return {.gradients = adds_alike(arguments)};
}

bool repeats_elements(std::string_view op) {
  constexpr auto names = std::to_array<std::string_view>(
      {"aten::as_strided", "aten::broadcast_to", "aten::expand", "aten::expand_as", "aten::unfold"});
  static_assert(std::is_sorted(names.begin(), names.end()));
  return holds(names, op);
}

}  // namespace binade::autocast
