// SPDX-License-Identifier: Apache-2.0
// Shape rules of ops that rearrange elements or drop dimensions.
#include "engine/graph/shape_trial.h"

#include <algorithm>
#include <set>

namespace binade::graph {

std::optional<Sizes> ShapeTrial::viewed(const Sizes& x, const Sizes& wanted) const {
  Sizes out = wanted;
  const auto free = std::count(out.begin(), out.end(), kUnknownSize);
  if (!known_sizes(x) || free > 1) return out;
  Sizes others = out;
  std::erase(others, kUnknownSize);
  const std::int64_t held = product(others);
  if (free == 0 ? held != product(x) : held == 0 || product(x) % held != 0) throw Refused{};
  if (free == 1 && out.front() == kUnknownSize && !others.empty()) {
    // A free first dimension must keep whole examples or whole rows of them; otherwise the batch would be split.
    std::int64_t tail = 1;
    bool whole = false;
    for (std::size_t i = x.size(); i-- > 0 && !whole;) whole = (tail *= x[i]) == held;
    if (!whole) throw Refused{};
  }
  std::replace(out.begin(), out.end(), kUnknownSize, held == 0 ? 0 : product(x) / held);
  return out;
}

std::optional<Sizes> ShapeTrial::joined(const Node& node) {
  const auto found = tensor_lists_.find(node.input(0));
  const auto dim = number(node.input(1));
  if (found == tensor_lists_.end() || !dim) return std::nullopt;
  Sizes out = found->second.front();
  const std::size_t at = place_of_dim(*dim, out.size());
  if (at >= out.size()) throw Refused{};
  for (std::size_t i = 1; i < found->second.size(); ++i) {
    const Sizes& other = found->second[i];
    if (other.size() != out.size()) throw Refused{};
    for (std::size_t k = 0; k < out.size(); ++k) {
      const bool known = out[k] != kUnknownSize && other[k] != kUnknownSize;
      if (k == at) {
        out[k] = known ? out[k] + other[k] : kUnknownSize;
      } else if (known && out[k] != other[k]) {
        throw Refused{};
      } else if (!known) {
        out[k] = std::max(out[k], other[k]);
      }
    }
  }
  return out;
}

std::optional<Sizes> ShapeTrial::rearranged(const Node& node, const std::string& op, const Sizes& x) {
  const std::size_t dims = x.size();
  const auto argument = [&](std::size_t i) { return i < node.inputs().size() ? number(node.input(i)) : std::nullopt; };
  const auto at = [&](std::size_t i, std::size_t most) -> std::optional<std::size_t> {
    const auto dim = argument(i);
    if (!dim) return std::nullopt;
    const std::size_t where = place_of_dim(*dim, most);
    if (where >= most) throw Refused{};
    return where;
  };
  Sizes out = x;
  if (op == "view" || op == "reshape") {
    const auto wanted = numbers(node.input(1));
    return wanted ? viewed(x, *wanted) : std::nullopt;
  }
  if (op == "expand") {
    const auto wanted = numbers(node.input(1));
    if (!wanted || wanted->size() < dims) return std::nullopt;
    out = *wanted;
    for (std::size_t i = 0; i < dims; ++i) {
      std::int64_t& size = out[out.size() - 1 - i];
      const std::int64_t own = x[dims - 1 - i];
      if (size == kUnknownSize) size = own;  // -1 keeps the size
      if (own != 1 && own != kUnknownSize && size != kUnknownSize && size != own) throw Refused{};
    }
    return out;
  }
  if (op == "flatten") {
    const auto first = at(1, std::max<std::size_t>(dims, 1));
    const auto last = at(2, std::max<std::size_t>(dims, 1));
    if (!first || !last || *first > *last) return std::nullopt;
    const Sizes inner(x.begin() + static_cast<std::ptrdiff_t>(*first),
                      x.begin() + static_cast<std::ptrdiff_t>(*last) + 1);
    out.resize(*first);
    out.push_back(known_sizes(inner) ? product(inner) : kUnknownSize);
    out.insert(out.end(), x.begin() + static_cast<std::ptrdiff_t>(*last) + 1, x.end());
    return out;
  }
  if (op == "unsqueeze") {
    const auto where = at(1, dims + 1);
    if (!where) return std::nullopt;
    out.insert(out.begin() + static_cast<std::ptrdiff_t>(*where), 1);
    return out;
  }
  if (op == "squeeze" && node.inputs().size() == 2) {
    const auto where = at(1, dims);
    if (!where || x[*where] == kUnknownSize) return std::nullopt;
    if (x[*where] == 1) out.erase(out.begin() + static_cast<std::ptrdiff_t>(*where));
    return out;
  }
  if (op == "transpose") {
    const auto a = at(1, dims);
    const auto b = at(2, dims);
    if (!a || !b) return std::nullopt;
    std::swap(out[*a], out[*b]);
    return out;
  }
  if (op == "t" || op == "numpy_T") {
    if (dims > 2) throw Refused{};
    std::reverse(out.begin(), out.end());
    return out;
  }
  if (op == "permute") {
    const auto order = numbers(node.input(1));
    if (!order) return std::nullopt;
    if (order->size() != dims) throw Refused{};
    for (std::size_t i = 0; i < dims; ++i) {
      const std::size_t from = place_of_dim((*order)[i], dims);
      if (from >= dims) throw Refused{};
      out[i] = x[from];
    }
    return out;
  }
  if (op == "select") {
    const auto where = at(1, dims);
    if (!where) return std::nullopt;
    const auto index = argument(2);
    if (index && x[*where] != kUnknownSize &&
        place_of_dim(*index, static_cast<std::size_t>(x[*where])) >= static_cast<std::size_t>(x[*where])) {
      throw Refused{};
    }
    out.erase(out.begin() + static_cast<std::ptrdiff_t>(*where));
    return out;
  }
  if (op == "slice") {
    const auto where = at(1, dims);
    if (!where) return std::nullopt;
    const auto whole = [&](std::size_t i) { return node.input(i)->type()->kind() == c10::TypeKind::NoneType; };
    const bool all = (whole(2) || argument(2) == 0) && (whole(3) || argument(3).value_or(0) > (std::int64_t{1} << 60));
    if (!all) out[*where] = kUnknownSize;
    return out;
  }
  if (op == "mean" || op == "sum" || op == "amax" || op == "amin") {
    const auto over = node.inputs().size() > 2 ? numbers(node.input(1)) : std::nullopt;
    const auto keep = argument(2);
    if (!over || !keep) return std::nullopt;
    std::set<std::size_t> gone;
    for (const std::int64_t dim : *over) {
      if (place_of_dim(dim, dims) >= dims) throw Refused{};
      gone.insert(place_of_dim(dim, dims));
    }
    out.clear();
    for (std::size_t i = 0; i < dims; ++i) {
      if (!gone.contains(i)) out.push_back(x[i]);
      if (gone.contains(i) && *keep != 0) out.push_back(1);
    }
    return out;
  }
  return std::nullopt;
}

}  // namespace binade::graph
