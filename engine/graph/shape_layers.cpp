// SPDX-License-Identifier: Apache-2.0
// Shape rules of layers with windows, statistics or a state.
#include "engine/graph/shape_trial.h"

#include <torch/csrc/jit/ir/constants.h>

#include <algorithm>

namespace binade::graph {

std::optional<Sizes> ShapeTrial::convolved(const Node& node, const std::string& op, const Sizes& x) {
  const bool any = op == "_convolution" || op == "convolution";
  const Value* const weight = node.input(1);
  const auto w = shape(weight);
  if (!w || w->size() < 3) return std::nullopt;
  const std::size_t n = w->size() - 2;
  const auto transposed = any ? number(node.input(6)) : std::optional<std::int64_t>(op.starts_with("conv_transpose"));
  const auto groups = number(node.input(any ? 8 : 6));
  if (!transposed || !groups || x.size() != w->size()) {
    if (x.size() != w->size()) throw Refused{};
    return std::nullopt;
  }
  hold(x[1], *transposed != 0 ? w->front() : (*w)[1] * *groups, weight);
  Sizes out(w->size(), kUnknownSize);
  out[0] = x[0];
  out[1] = *transposed != 0 ? (*w)[1] * *groups : w->front();
  const bool own = !any && *transposed != 0;  // conv_transpose2d's order is output_padding, groups, dilation
  const auto stride = numbers(node.input(3), n);
  const auto padding = numbers(node.input(4), n);  // unknown if it is a text such as "same"
  const auto dilation = numbers(node.input(own ? 7 : 5), n);
  const auto more = own ? numbers(node.input(5), n) : any ? numbers(node.input(7), n) : Sizes(n, 0);
  if (!stride || !padding || !dilation || !more) return out;
  for (std::size_t i = 0; i < n; ++i) {
    const std::int64_t size = x[i + 2];
    if (size == kUnknownSize) continue;
    const std::int64_t reach = (*dilation)[i] * ((*w)[i + 2] - 1);
    if (*transposed != 0) {
      out[i + 2] = (size - 1) * (*stride)[i] - 2 * (*padding)[i] + reach + (*more)[i] + 1;
    } else {
      const std::int64_t room = size + 2 * (*padding)[i] - reach - 1;
      if (room < 0) throw Refused{};
      out[i + 2] = room / std::max<std::int64_t>((*stride)[i], 1) + 1;
    }
    if (out[i + 2] < 1) throw Refused{};
  }
  return out;
}

std::optional<Sizes> ShapeTrial::pooled(const Node& node, const std::string& op, const Sizes& x) {
  const auto digit = op.find_first_of("123");
  if (digit == std::string::npos || node.inputs().size() < 2) return std::nullopt;
  const auto n = static_cast<std::size_t>(op[digit] - '0');
  if (x.size() != n + 2 && x.size() != n + 1) throw Refused{};
  const std::size_t first = x.size() - n;
  Sizes out = x;
  const auto kernel = numbers(node.input(1), n);
  if (op.starts_with("adaptive")) {
    for (std::size_t i = 0; i < n; ++i) out[first + i] = kernel ? (*kernel)[i] : kUnknownSize;
    return out;
  }
  std::fill(out.begin() + static_cast<std::ptrdiff_t>(first), out.end(), kUnknownSize);
  if (!kernel || node.inputs().size() < 4) return out;
  const auto given = numbers(node.input(2));
  const auto stride = given && given->empty() ? kernel : numbers(node.input(2), n);
  const auto padding = numbers(node.input(3), n);
  const bool largest = op.starts_with("max");
  const auto dilation = largest && node.inputs().size() > 4 ? numbers(node.input(4), n) : Sizes(n, 1);
  const std::size_t ceil_at = largest ? 5 : 4;
  const auto ceil = node.inputs().size() > ceil_at ? number(node.input(ceil_at)) : 0;
  if (!stride || !padding || !dilation || !ceil) return out;
  for (std::size_t i = 0; i < n; ++i) {
    if (x[first + i] == kUnknownSize || (*stride)[i] < 1) continue;
    const std::int64_t room = x[first + i] + 2 * (*padding)[i] - (*dilation)[i] * ((*kernel)[i] - 1) - 1;
    if (room < 0) throw Refused{};
    std::int64_t made = (room + (*ceil != 0 ? (*stride)[i] - 1 : 0)) / (*stride)[i] + 1;
    if (*ceil != 0 && (made - 1) * (*stride)[i] >= x[first + i] + (*padding)[i]) --made;
    out[first + i] = made;
  }
  return out;
}

std::optional<Sizes> ShapeTrial::normalised(const Node& node, const std::string& op, const Sizes& x) {
  if (op == "layer_norm" || op == "rms_norm") {
    const auto over = numbers(node.input(1));
    if (!over) return x;
    if (over->size() > x.size()) throw Refused{};
    for (std::size_t i = 0; i < over->size(); ++i) {
      hold(x[x.size() - over->size() + i], (*over)[i], node.input(2));
    }
    return x;
  }
  const std::size_t at = op == "group_norm" ? 2 : 1;
  if (op == "batch_norm" || op == "group_norm" || op == "instance_norm") {
    const auto weight = shape(node.input(at));
    if (x.size() < 2) throw Refused{};
    if (weight && weight->size() == 1) hold(x[1], weight->front(), node.input(at));
  }
  return x;
}

std::optional<Sizes> ShapeTrial::recurrent(const Node& node, const std::string& op, const Sizes& x) {
  const bool cell = op.ends_with("_cell");
  const Value* first = nullptr;
  if (cell) {
    first = node.input(2);
  } else {
    first = node.input(2);
    if (first->node()->kind() == c10::prim::ListConstruct && !first->node()->inputs().empty()) {
      first = first->node()->input(0);
    }
  }
  auto w = shape(first);
  if (const auto list = fixed(first); !w && list && list->isTensorList() && !list->toTensorList().empty()) {
    w = list->toTensorList().get(0).sizes().vec();
  }
  if (!w || w->size() != 2) return std::nullopt;
  if (x.size() != (cell ? 2 : 3)) throw Refused{};
  hold(x.back(), w->back(), first, *w);
  Sizes out = x;
  const std::int64_t gates = op.starts_with("lstm") ? 4 : op.starts_with("gru") ? 3 : 1;
  const auto both = cell ? 0 : number(node.input(7));
  out.back() = both ? w->front() / gates * (*both != 0 ? 2 : 1) : kUnknownSize;
  return out;
}

}  // namespace binade::graph
