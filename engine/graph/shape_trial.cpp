// SPDX-License-Identifier: Apache-2.0
#include "engine/graph/shape_trial.h"

#include <torch/csrc/jit/ir/constants.h>

#include <algorithm>
#include <set>
#include <string_view>

namespace binade::graph {

namespace jit = torch::jit;

namespace {

/// Ops whose result has the shape of the first argument.
const std::set<std::string>& shape_keepers() {
  static const std::set<std::string> ops{"relu",
                                         "relu_",
                                         "relu6",
                                         "sigmoid",
                                         "sigmoid_",
                                         "tanh",
                                         "tanh_",
                                         "gelu",
                                         "silu",
                                         "silu_",
                                         "mish",
                                         "elu",
                                         "leaky_relu",
                                         "leaky_relu_",
                                         "softplus",
                                         "hardtanh",
                                         "hardtanh_",
                                         "hardswish",
                                         "hardswish_",
                                         "hardsigmoid",
                                         "selu",
                                         "softmax",
                                         "log_softmax",
                                         "dropout",
                                         "dropout_",
                                         "feature_dropout",
                                         "alpha_dropout",
                                         "contiguous",
                                         "clone",
                                         "detach",
                                         "to",
                                         "type_as",
                                         "float",
                                         "exp",
                                         "log",
                                         "sqrt",
                                         "rsqrt",
                                         "abs",
                                         "neg",
                                         "clamp",
                                         "clamp_min",
                                         "clamp_max",
                                         "square",
                                         "pow",
                                         "sin",
                                         "cos",
                                         "log1p",
                                         "threshold_",
                                         "threshold",
                                         "reciprocal",
                                         "sign",
                                         "round",
                                         "floor",
                                         "erf",
                                         "masked_fill",
                                         "cumsum",
                                         "logsigmoid",
                                         "prelu",
                                         "nan_to_num",
                                         "expm1",
                                         "softsign",
                                         "zeros_like",
                                         "ones_like",
                                         "rand_like"};
  return ops;
}

constexpr const char* kRaise = "prim::RaiseException";

}  // namespace

std::optional<c10::IValue> ShapeTrial::fixed(const Value* value) const {
  if (const auto constant = jit::toIValue(value)) return *constant;
  std::vector<std::string> path;
  while (value->node()->kind() == c10::prim::GetAttr) {
    path.push_back(value->node()->s(c10::attr::name));
    value = value->node()->input(0);
  }
  const bool of_root = value->node()->kind() == c10::prim::Param && value == graph_.inputs().at(0);
  if (path.empty() || !of_root) return std::nullopt;
  c10::IValue found = self_;
  for (auto part = path.rbegin(); part != path.rend(); ++part) {
    if (!found.isObject()) return std::nullopt;
    const auto object = found.toObject();
    const auto slot = object->type()->findAttributeSlot(*part);
    if (!slot) return std::nullopt;
    found = object->getSlot(*slot);
  }
  return found;
}

std::string ShapeTrial::name_of(const Value* value) {
  std::string name;
  while (value->node()->kind() == c10::prim::GetAttr) {
    name = value->node()->s(c10::attr::name) + (name.empty() ? "" : ".") + name;
    value = value->node()->input(0);
  }
  // A recurrent layer's list of weights is named after its first one.
  constexpr std::string_view kList = "_flat_weights";
  if (name.ends_with(kList)) name.replace(name.size() - kList.size(), kList.size(), "weight_ih_l0");
  return name;
}

bool ShapeTrial::run(const Value* input, const Sizes& sizes) {
  shapes_.clear();
  lists_.clear();
  numbers_.clear();
  tensor_lists_.clear();
  met_.clear();
  shapes_[input] = sizes;
  try {
    block(*graph_.block());
  } catch (const Refused&) {
    return false;
  }
  return true;
}

void ShapeTrial::block(const jit::Block& block) {
  for (const Node* each : block.nodes()) node(*each);
}

std::optional<Sizes> ShapeTrial::shape(const Value* value) const {
  if (const auto found = shapes_.find(value); found != shapes_.end()) return found->second;
  const auto held = fixed(value);
  if (held && held->isTensor() && held->toTensor().defined()) return held->toTensor().sizes().vec();
  return std::nullopt;
}

std::optional<std::int64_t> ShapeTrial::number(const Value* value) const {
  if (const auto found = numbers_.find(value); found != numbers_.end()) return found->second;
  const auto held = fixed(value);
  if (!held) return std::nullopt;
  if (held->isInt()) return held->toInt();
  if (held->isBool()) return held->toBool() ? 1 : 0;
  return std::nullopt;
}

std::optional<Sizes> ShapeTrial::numbers(const Value* value) const {
  if (const auto found = lists_.find(value); found != lists_.end()) return found->second;
  const auto held = fixed(value);
  if (held && held->isIntList()) return held->toIntVector();
  if (held && held->isTuple()) {
    Sizes all;
    for (const c10::IValue& each : held->toTupleRef().elements()) {
      if (!each.isInt()) return std::nullopt;
      all.push_back(each.toInt());
    }
    return all;
  }
  return std::nullopt;
}

std::optional<Sizes> ShapeTrial::numbers(const Value* value, std::size_t count) const {
  auto all = numbers(value);
  if (!all) {
    const auto one = number(value);
    if (!one) return std::nullopt;
    all = Sizes{*one};
  }
  if (all->size() == 1) all->resize(count, all->front());
  return all->size() == count ? all : std::nullopt;
}

void ShapeTrial::hold(std::int64_t size, std::int64_t wanted, const Value* weight, const Sizes& of_list) {
  if (size == kUnknownSize) return;
  if (size != wanted) throw Refused{};
  const auto sizes = of_list.empty() ? shape(weight) : of_list;
  std::string name = name_of(weight);
  for (const Value* at = weight; name.empty() && !at->node()->inputs().empty();) {  // a transposed weight
    at = at->node()->input(0);
    name = name_of(at);
    if (at->node()->kind() == c10::prim::GetAttr) break;
  }
  const bool again = std::any_of(met_.begin(), met_.end(), [&](const MetWeight& each) { return each.name == name; });
  if (!again && sizes) met_.push_back({name, *sizes});
}

void ShapeTrial::branch(const Node& node) {
  const auto chosen = number(node.input(0));
  if (!chosen) return;  // the results stay unknown
  const jit::Block& taken = *node.blocks()[*chosen != 0 ? 0 : 1];
  block(taken);
  for (std::size_t i = 0; i < taken.outputs().size(); ++i) same(taken.outputs()[i], node.outputs()[i]);
}

/// Runs the body once. A value's shape is known afterwards only if the body keeps it.
void ShapeTrial::loop(const Node& node) {
  const jit::Block& body = *node.blocks()[0];
  for (std::size_t i = 1; i < body.inputs().size(); ++i) same(node.input(i + 1), body.inputs()[i]);
  block(body);
  for (std::size_t i = 0; i < node.outputs().size(); ++i) {
    const auto before = shape(body.inputs()[i + 1]);
    if (before && before == shape(body.outputs()[i + 1])) shapes_[node.outputs()[i]] = *before;
  }
}

void ShapeTrial::list(const Node& node) {
  const auto is_tensor = [&](const Value* each) {
    return each->type()->kind() == c10::TypeKind::TensorType && !numbers_.contains(each);
  };
  if (!node.inputs().empty() && is_tensor(node.input(0))) {
    std::vector<Sizes>& shapes = tensor_lists_[node.output()];
    shapes.clear();
    for (const Value* each : node.inputs()) {
      const auto sizes = shape(each);
      if (!sizes) return static_cast<void>(tensor_lists_.erase(node.output()));
      shapes.push_back(*sizes);
    }
    return;
  }
  Sizes all;
  for (const Value* each : node.inputs()) {
    if (each->type()->kind() != c10::TypeKind::IntType && !numbers_.contains(each)) return;
    all.push_back(number(each).value_or(kUnknownSize));
  }
  lists_[node.output()] = all;
}

void ShapeTrial::same(const Value* from, const Value* to) {
  if (const auto sizes = shape(from)) shapes_[to] = *sizes;
  if (const auto list = numbers(from)) lists_[to] = *list;
  if (const auto one = number(from)) numbers_[to] = *one;
}

/// Whether a value is None; empty if that is known only at run time.
std::optional<bool> ShapeTrial::is_none(const Value* value) const {
  if (value->type()->kind() == c10::TypeKind::NoneType) return true;
  if (value->type()->kind() != c10::TypeKind::OptionalType) return false;
  const auto held = fixed(value);
  return held ? std::optional(held->isNone()) : std::nullopt;
}

/// Evaluates `is`, and == and != of texts, on which scripted layers branch.
bool ShapeTrial::compared(const Node& node, const std::string& op) {
  if (op == "__is__" || op == "__isnot__") {
    const auto a = is_none(node.input(0));
    const auto b = is_none(node.input(1));
    if (a && b && (*a || *b)) numbers_[node.output()] = (*a == *b) == (op == "__is__");
    return true;
  }
  if ((op != "eq" && op != "ne") || node.input(0)->type()->kind() != c10::TypeKind::StringType) return false;
  const auto a = fixed(node.input(0));
  const auto b = fixed(node.input(1));
  if (a && b && a->isString() && b->isString()) {
    numbers_[node.output()] = (a->toStringRef() == b->toStringRef()) == (op == "eq");
  }
  return true;
}

void ShapeTrial::node(const Node& node) {
  ++work_;
  const std::string kind = node.kind().toQualString();
  if (kind == "prim::If") return branch(node);
  if (kind == kRaise) throw Refused{};
  if (kind == "prim::unchecked_cast") return same(node.input(0), node.output());
  if (kind == "prim::Loop") return loop(node);
  if (kind == "prim::ListConstruct" || kind == "prim::TupleConstruct") return list(node);
  if (kind == "prim::ListUnpack" || kind == "prim::TupleUnpack") {
    const auto all = numbers(node.input());
    if (!all) return;
    if (all->size() != node.outputs().size()) throw Refused{};
    for (std::size_t i = 0; i < all->size(); ++i) {
      if ((*all)[i] != kUnknownSize) numbers_[node.outputs()[i]] = (*all)[i];
    }
    return;
  }
  if (kind == "prim::NumToTensor" || kind == "aten::Int" || kind == "aten::IntImplicit") {
    if (const auto one = number(node.input(0))) numbers_[node.output()] = *one;
    return;
  }
  if (!kind.starts_with("aten::") || node.inputs().empty()) return;
  const std::string op = kind.substr(6);
  if (op == "size" || op == "dim" || op == "len") {
    const auto x = shape(node.input(0));
    if (op == "len" && !x) {
      if (const auto list = numbers(node.input(0))) numbers_[node.output()] = static_cast<std::int64_t>(list->size());
      return;
    }
    if (!x) return;
    if (op == "dim") {
      numbers_[node.output()] = static_cast<std::int64_t>(x->size());
    } else if (op == "len") {
      if (!x->empty() && x->front() != kUnknownSize) numbers_[node.output()] = x->front();
    } else if (node.inputs().size() == 1) {
      lists_[node.output()] = *x;
    } else if (const auto dim = number(node.input(1))) {
      const std::size_t at = place_of_dim(*dim, x->size());
      if (at >= x->size()) throw Refused{};
      if ((*x)[at] != kUnknownSize) numbers_[node.output()] = (*x)[at];
    }
    return;
  }
  if (op == "__getitem__") {
    const auto list = numbers(node.input(0));
    const auto index = number(node.input(1));
    if (!list || !index) return;
    const std::size_t at = place_of_dim(*index, list->size());
    if (at >= list->size()) throw Refused{};
    if ((*list)[at] != kUnknownSize) numbers_[node.output()] = (*list)[at];
    return;
  }
  if (node.inputs().size() == 2 && compared(node, op)) return;
  if (node.outputs().size() == 1 && node.inputs().size() >= 2) {  // integer arithmetic
    const auto a = number(node.input(0));
    const auto b = number(node.input(1));
    if (a && b) {
      const auto is = [&](std::int64_t value) { numbers_[node.output()] = value; };
      if (op == "mul") return is(*a * *b);
      if (op == "add") return is(*a + *b);
      if (op == "sub") return is(*a - *b);
      if ((op == "floordiv" || op == "floor_divide" || op == "div") && *b > 0 && *a >= 0) return is(*a / *b);
      if (op == "remainder" && *b > 0 && *a >= 0) return is(*a % *b);
      if (op == "eq") return is(*a == *b);
      if (op == "ne") return is(*a != *b);
      if (op == "lt") return is(*a < *b);
      if (op == "gt") return is(*a > *b);
      if (op == "le") return is(*a <= *b);
      if (op == "ge") return is(*a >= *b);
    }
  }
  if (op == "__not__") {
    if (const auto one = number(node.input(0))) numbers_[node.output()] = *one == 0;
    return;
  }
  if (const auto sizes = made(node, op)) shapes_[node.outputs()[0]] = *sizes;
}

std::optional<Sizes> ShapeTrial::made(const Node& node, const std::string& op) {
  if (op == "linear" || op == "addmm" || op == "matmul" || op == "mm") return multiplied(node, op);
  if (op == "embedding") {
    const auto table = shape(node.input(0));
    auto rows = shape(node.input(1));
    if (!table || !rows || table->size() != 2) return std::nullopt;
    hold(table->front(), table->front(), node.input(0));
    rows->push_back(table->back());
    return rows;
  }
  if (op == "cat" || op == "concat") return joined(node);
  const auto x = shape(node.input(0));
  const auto binary = op == "add" || op == "sub" || op == "mul" || op == "div" || op == "add_" || op == "mul_";
  if (binary) {
    const auto y = shape(node.input(1));
    const bool of_number = !node.input(1)->type()->isSubtypeOf(*c10::TensorType::get());
    if (of_number) return x;
    if (!x || !y) return std::nullopt;
    for (const std::size_t side : {0, 1}) {  // an added parameter determines sizes too
      const auto weight = fixed(node.input(side));
      if (weight && weight->isTensor() && !name_of(node.input(side)).empty() && known_sizes(side == 0 ? *y : *x)) {
        const Sizes both = broadcast(*x, *y);
        hold(1, 1, node.input(side));
        return both;
      }
    }
    return broadcast(*x, *y);
  }
  if (!x) return std::nullopt;
  if (shape_keepers().contains(op)) return x;
  if (op.starts_with("conv") || op == "_convolution") return convolved(node, op, *x);
  if (op.find("pool") != std::string::npos) return pooled(node, op, *x);
  if (op.ends_with("_norm") || op == "instance_norm") return normalised(node, op, *x);
  if (op == "lstm" || op == "gru" || op == "rnn_tanh" || op == "rnn_relu" || op.ends_with("_cell")) {
    return recurrent(node, op, *x);
  }
  return rearranged(node, op, *x);
}

std::optional<Sizes> ShapeTrial::multiplied(const Node& node, const std::string& op) {
  const bool with_bias = op == "addmm";
  const Value* const left = node.input(with_bias ? 1 : 0);
  const Value* const right = node.input(with_bias ? 2 : 1);
  auto x = shape(left);
  const auto w = shape(right);
  if (!x || !w || w->size() != 2 || x->empty()) return std::nullopt;
  if ((op == "mm" || op == "addmm") && x->size() != 2) throw Refused{};
  const bool linear = op == "linear";
  const std::int64_t in = linear ? w->back() : w->front();
  if (fixed(right) || !name_of(right).empty() || shapes_.contains(right)) hold(x->back(), in, right);
  x->back() = linear ? w->front() : w->back();
  return x;
}

Sizes ShapeTrial::broadcast(const Sizes& a, const Sizes& b) {
  Sizes all(std::max(a.size(), b.size()));
  for (std::size_t i = 0; i < all.size(); ++i) {  // from the last dimension
    const std::int64_t m = i < a.size() ? a[a.size() - 1 - i] : 1;
    const std::int64_t n = i < b.size() ? b[b.size() - 1 - i] : 1;
    if (m != n && m != 1 && n != 1 && m != kUnknownSize && n != kUnknownSize) throw Refused{};
    all[all.size() - 1 - i] = m == 1 ? n : n == 1 || m != kUnknownSize ? m : n;
  }
  return all;
}

}  // namespace binade::graph
