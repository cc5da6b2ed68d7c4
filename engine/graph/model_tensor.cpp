// SPDX-License-Identifier: Apache-2.0
#include "engine/graph/model_tensor.h"

#include <ATen/ops/empty.h>
#include <c10/core/TensorImpl.h>

#include <string>
#include <vector>

namespace binade::graph {

namespace {

using Kind = PickleNode::Kind;

std::optional<std::vector<std::int64_t>> whole_numbers(const PickleNode& node) {
  if (node.kind != Kind::kTuple) return std::nullopt;
  std::vector<std::int64_t> numbers;
  for (const PickleNode* each : node.items) {
    if (each->kind != Kind::kInt || each->number < 0) return std::nullopt;
    numbers.push_back(each->number);
  }
  return numbers;
}

/// Whether every element is among the storage's `count` elements.
bool fits(const std::vector<std::int64_t>& sizes, const std::vector<std::int64_t>& strides, std::int64_t offset,
          std::int64_t count) {
  std::int64_t last = offset;
  std::int64_t elements = 1;
  bool empty = false;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] == 0) {
      empty = true;
      continue;
    }
    std::int64_t reach = 0;
    if (__builtin_mul_overflow(sizes[i] - 1, strides[i], &reach) || __builtin_add_overflow(last, reach, &last) ||
        __builtin_mul_overflow(elements, sizes[i], &elements)) {
      return false;
    }
  }
  return empty ? offset <= count : last < count;
}

/// Applies the flags of conjugated or negated views: {"conj": True}.
bool set_marks(const PickleNode& marks, const at::Tensor& tensor) {
  if (marks.kind != Kind::kDict) return false;
  for (std::size_t i = 0; i + 1 < marks.items.size(); i += 2) {
    const PickleNode& value = *marks.items[i + 1];
    if (marks.items[i]->kind != Kind::kText || value.kind != Kind::kBool) return false;
    if (marks.items[i]->text == "conj" && tensor.is_complex()) {
      tensor._set_conj(value.number != 0);
    } else if (marks.items[i]->text == "neg") {
      tensor._set_neg(value.number != 0);
    } else {
      return false;
    }
  }
  return true;
}

}  // namespace

std::optional<at::ScalarType> storage_dtype(std::string_view name) {
  constexpr std::string_view kPrefix = "torch.";
  constexpr std::string_view kEnding = "Storage";
  if (!name.starts_with(kPrefix) || !name.ends_with(kEnding)) return std::nullopt;
  const std::string_view dtype = name.substr(kPrefix.size(), name.size() - kPrefix.size() - kEnding.size());
  for (int i = 0; i < static_cast<int>(at::ScalarType::NumOptions); ++i) {
    const auto each = static_cast<at::ScalarType>(i);
    if (each == at::ScalarType::Undefined || at::isQIntType(each) || at::isBitsType(each)) continue;
    if (dtype == at::toString(each)) return each;
  }
  return std::nullopt;
}

std::optional<at::Tensor> make_model_tensor(const PickleNode& call,
                                            const std::function<c10::Storage(const PickleNode&)>& storage) {
  // storage, offset, sizes, strides, requires_grad, hooks, optionally flags
  if (call.items.size() < 6 || call.items.size() > 7) return std::nullopt;
  const PickleNode& of = *call.items[0];
  const PickleNode& offset = *call.items[1];
  const auto sizes = whole_numbers(*call.items[2]);
  const auto strides = whole_numbers(*call.items[3]);
  const PickleNode& requires_grad = *call.items[4];
  if (of.kind != Kind::kStorage || offset.kind != Kind::kInt || offset.number < 0 || !sizes || !strides ||
      sizes->size() != strides->size() || requires_grad.kind != Kind::kBool ||
      !fits(*sizes, *strides, offset.number, of.number)) {
    return std::nullopt;
  }
  const c10::Storage bytes = storage(of);
  const at::ScalarType dtype = storage_dtype(of.storage_class).value();
  if (requires_grad.number != 0 && !at::isFloatingType(dtype) && !at::isComplexType(dtype)) return std::nullopt;
  const at::Tensor tensor = at::empty({0}, at::TensorOptions(dtype));
  c10::TensorImpl* const whole = tensor.unsafeGetTensorImpl();
  whole->set_storage_keep_dtype(bytes);
  whole->set_storage_offset(offset.number);
  whole->set_sizes_and_strides(*sizes, *strides);
  if (call.items.size() == 7 && !set_marks(*call.items[6], tensor)) return std::nullopt;
  tensor.set_requires_grad(requires_grad.number != 0);
  return tensor;
}

}  // namespace binade::graph
