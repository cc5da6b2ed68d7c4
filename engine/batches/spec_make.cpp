// SPDX-License-Identifier: Apache-2.0
#include "engine/batches/spec.h"
#include "engine/formats/error.h"

#include <ATen/core/Dict.h>
#include <ATen/core/List.h>
#include <ATen/core/ivalue_inl.h>
#include <ATen/core/jit_type.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>

#include <algorithm>

namespace binade::batches {

namespace {

constexpr std::int64_t kBelow = 10;  // default limit, small enough for any table of classes

at::Tensor drawn(const TensorSpec& spec, const at::Generator& generator) {
  if (c10::isFloatingType(spec.dtype)) {
    if (!spec.below) return at::randn(spec.shape, generator).to(spec.dtype);
    return at::rand(spec.shape, generator).mul_(*spec.below).to(spec.dtype);
  }
  std::int64_t below = spec.below.value_or(kBelow);
  if (spec.dtype == at::kBool) below = 2;
  return at::randint(below, spec.shape, generator, at::TensorOptions().dtype(at::kLong)).to(spec.dtype);
}

at::Tensor given(const TensorSpec& spec) {
  const bool real = c10::isFloatingType(spec.dtype);
  at::Tensor flat = at::empty({static_cast<std::int64_t>(spec.values.size())}, real ? at::kDouble : at::kLong);
  for (std::size_t i = 0; i < spec.values.size(); ++i) {
    if (real) {
      flat.mutable_data_ptr<double>()[i] = spec.values[i].toDouble();
    } else {
      flat.mutable_data_ptr<std::int64_t>()[i] = spec.values[i].toLong();
    }
  }
  return flat.to(spec.dtype).reshape(spec.shape);
}

/// Returns a value's type; for tensors without dtype and shape, which may differ between members of a container.
c10::TypePtr type_of(const c10::IValue& value) {
  if (value.isTensor()) return c10::TensorType::get();
  return value.type();
}

/// Returns the common type of all values; `what` names the container in the error message.
c10::TypePtr common_type(const std::vector<c10::IValue>& values, const std::string& what) {
  c10::TypePtr type = type_of(values.front());
  const bool alike =
      std::all_of(values.begin(), values.end(), [&](const c10::IValue& value) { return *type_of(value) == *type; });
  if (!alike) {
    throw Error(ErrorCode::kUsage, what + " have different types",
                "All values of a TorchScript list or dictionary must have one type: all tensors, or all integers.");
  }
  return type;
}

std::vector<c10::IValue> values_of(const std::vector<Spec>& members, const at::Generator& generator) {
  std::vector<c10::IValue> values;
  for (const Spec& member : members) values.push_back(make(member, generator));
  return values;
}

c10::IValue list_of(const std::vector<Spec>& members, const at::Generator& generator) {
  if (members.empty()) return c10::List<at::Tensor>();
  std::vector<c10::IValue> values = values_of(members, generator);
  c10::impl::GenericList list(common_type(values, "The members of list(...)"));
  for (c10::IValue& value : values) list.push_back(std::move(value));
  return list;
}

c10::IValue dict_of(const std::vector<Entry>& entries, const at::Generator& generator) {
  if (entries.empty()) return c10::Dict<std::string, at::Tensor>();
  std::vector<c10::IValue> values;
  for (const Entry& entry : entries) values.push_back(make(entry.value, generator));
  c10::impl::GenericDict dict(c10::StringType::get(), common_type(values, "The values of dict(...)"));
  for (std::size_t i = 0; i < entries.size(); ++i) dict.insert_or_assign(entries[i].key, std::move(values[i]));
  return dict;
}

}  // namespace

c10::IValue make(const Spec& spec, const at::Generator& generator) {
  return std::visit(
      [&](const auto& value) -> c10::IValue {
        using Value = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<Value, Spec::None>) {
          return {};
        } else if constexpr (std::is_same_v<Value, TensorSpec>) {
          return value.values.empty() ? drawn(value, generator) : given(value);
        } else if constexpr (std::is_same_v<Value, Spec::List>) {
          return list_of(value.members, generator);
        } else if constexpr (std::is_same_v<Value, Spec::Tuple>) {
          return c10::ivalue::Tuple::create(values_of(value.members, generator));
        } else if constexpr (std::is_same_v<Value, Spec::Dict>) {
          return dict_of(value.entries, generator);
        } else {
          return value;
        }
      },
      spec.value);
}

}  // namespace binade::batches
