// SPDX-License-Identifier: Apache-2.0
#include "engine/files/pickle_names.h"

#include <algorithm>
#include <array>

namespace binade::files {

namespace {

using Value = decltype(PickleValue::value);
using Ref = PickleValue::Ref;

struct Named {
  std::string_view name;
  at::ScalarType dtype;
};

constexpr std::array<Named, 12> kStorages{{{"torch.FloatStorage", at::kFloat},
                                           {"torch.DoubleStorage", at::kDouble},
                                           {"torch.HalfStorage", at::kHalf},
                                           {"torch.BFloat16Storage", at::kBFloat16},
                                           {"torch.LongStorage", at::kLong},
                                           {"torch.IntStorage", at::kInt},
                                           {"torch.ShortStorage", at::kShort},
                                           {"torch.CharStorage", at::kChar},
                                           {"torch.ByteStorage", at::kByte},
                                           {"torch.BoolStorage", at::kBool},
                                           {"torch.ComplexFloatStorage", at::kComplexFloat},
                                           {"torch.ComplexDoubleStorage", at::kComplexDouble}}};
constexpr std::array<std::string_view, 2> kUntyped{"torch.storage.UntypedStorage", "torch.storage._UntypedStorage"};

constexpr std::array<Named, 18> kDtypeNames{{{"torch.float32", at::kFloat},
                                             {"torch.float64", at::kDouble},
                                             {"torch.float16", at::kHalf},
                                             {"torch.bfloat16", at::kBFloat16},
                                             {"torch.int64", at::kLong},
                                             {"torch.int32", at::kInt},
                                             {"torch.int16", at::kShort},
                                             {"torch.int8", at::kChar},
                                             {"torch.uint8", at::kByte},
                                             {"torch.uint16", at::kUInt16},
                                             {"torch.uint32", at::kUInt32},
                                             {"torch.uint64", at::kUInt64},
                                             {"torch.bool", at::kBool},
                                             {"torch.complex64", at::kComplexFloat},
                                             {"torch.complex128", at::kComplexDouble},
                                             {"torch.float8_e4m3fn", at::kFloat8_e4m3fn},
                                             {"torch.float8_e5m2", at::kFloat8_e5m2},
                                             {"torch.float8_e8m0fnu", at::kFloat8_e8m0fnu}}};

constexpr std::string_view kOrderedDict = "collections.OrderedDict";
constexpr std::string_view kTensor = "torch._utils._rebuild_tensor_v2";
constexpr std::string_view kTensorOfDtype = "torch._utils._rebuild_tensor_v3";
constexpr std::string_view kParameter = "torch._utils._rebuild_parameter";
constexpr std::string_view kParameterWithState = "torch._utils._rebuild_parameter_with_state";
constexpr std::string_view kTensorWithAttributes = "torch._tensor._rebuild_from_type_v2";
constexpr std::string_view kSize = "torch.Size";
constexpr std::string_view kDevice = "torch.device";
// What C++ programs write, with torch::pickle_save: a container with its type, and lists of one type.
constexpr std::string_view kTyped = "torch.jit._pickle.restore_type_tag";
constexpr std::array<std::string_view, 4> kLists{
    "torch.jit._pickle.build_intlist", "torch.jit._pickle.build_tensorlist", "torch.jit._pickle.build_doublelist",
    "torch.jit._pickle.build_boollist"};
constexpr std::array<std::string_view, 12> kOthers{kOrderedDict,
                                                   kTyped,
                                                   kTensor,
                                                   kTensorOfDtype,
                                                   kParameter,
                                                   kParameterWithState,
                                                   kTensorWithAttributes,
                                                   kSize,
                                                   kDevice,
                                                   "torch.Tensor",
                                                   "torch.nn.parameter.Parameter",
                                                   "torch.nn.parameter.Buffer"};

template <class Table>
std::optional<at::ScalarType> find(const Table& table, std::string_view name) {
  const auto found = std::find_if(table.begin(), table.end(), [&](const Named& each) { return each.name == name; });
  if (found == table.end()) return std::nullopt;
  return found->dtype;
}

template <class Names>
bool is_in(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

template <class T>
const T* as(Ref value) {
  return std::get_if<T>(&value->value);
}

std::optional<std::vector<std::int64_t>> integers(Ref value) {
  const auto* tuple = as<PickleValue::Tuple>(value);
  if (tuple == nullptr) return std::nullopt;
  std::vector<std::int64_t> all;
  for (const Ref each : tuple->items) {
    const auto* number = as<std::int64_t>(each);
    if (number == nullptr || *number < 0) return std::nullopt;
    all.push_back(*number);
  }
  return all;
}

/// The index behind the last element that a view reaches; nothing where it is beyond any storage.
std::optional<std::int64_t> end_of(const std::vector<std::int64_t>& sizes, const std::vector<std::int64_t>& strides,
                                   std::int64_t offset) {
  std::int64_t last = offset;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] == 0) return offset;
    std::int64_t reach = 0;
    if (__builtin_mul_overflow(sizes[i] - 1, strides[i], &reach) || __builtin_add_overflow(last, reach, &last)) {
      return std::nullopt;
    }
  }
  if (__builtin_add_overflow(last, 1, &last)) return std::nullopt;
  return last;
}

/// A view of a storage: storage, offset, sizes, strides.
std::optional<Value> view(const std::vector<Ref>& arguments, std::optional<at::ScalarType> dtype) {
  // A few bytes that are repeated without end would fill the memory of whoever copies the view.
  constexpr std::size_t kMostRepeated = std::size_t{1} << 30;
  const auto* storage = as<PickleValue::Storage>(arguments[0]);
  const auto* offset = as<std::int64_t>(arguments[1]);
  const auto sizes = integers(arguments[2]);
  const auto strides = integers(arguments[3]);
  if (storage == nullptr || offset == nullptr || *offset < 0 || !sizes || !strides ||
      sizes->size() != strides->size()) {
    return std::nullopt;
  }
  const at::ScalarType type = dtype.value_or(storage->dtype);
  const std::size_t element = c10::elementSize(type);
  const auto there = static_cast<std::int64_t>(storage->bytes.size() / element);
  const auto end = end_of(*sizes, *strides, *offset);
  const auto whole = tensor_bytes(*sizes, element);
  if (!end || *end > there || !whole || (*whole > storage->bytes.size() && *whole > kMostRepeated)) return std::nullopt;
  // A bool is not looked at, which would copy it: it may be neither 0 nor 1.
  const at::Tensor all =
      type == at::kBool ? raw_tensor_over(storage->bytes, type, {there}) : tensor_over(storage->bytes, type, {there});
  return all.as_strided(*sizes, *strides, *offset);
}

std::optional<Value> ordered_dict(const std::vector<Ref>& arguments) {
  PickleValue::Dict dict;
  if (arguments.empty()) return dict;
  const auto* list = as<PickleValue::List>(arguments[0]);
  if (list == nullptr) return std::nullopt;
  const auto pair_of = [](Ref item) -> const std::vector<Ref>* {
    if (const auto* inner = as<PickleValue::List>(item)) return &inner->items;
    if (const auto* inner = as<PickleValue::Tuple>(item)) return &inner->items;
    return nullptr;
  };
  for (const Ref item : list->items) {
    const auto* pair = pair_of(item);
    if (pair == nullptr || pair->size() != 2) return std::nullopt;
    dict.items.emplace_back((*pair)[0], (*pair)[1]);
  }
  return dict;
}

/// function, class, its arguments, attributes: a tensor that carries attributes; they are left out.
std::optional<Value> with_attributes(const std::vector<Ref>& arguments) {
  const auto* function = as<PickleValue::Global>(arguments[0]);
  const auto* inner = as<PickleValue::Tuple>(arguments[2]);
  if (function == nullptr || inner == nullptr || function->name == kTensorWithAttributes) return std::nullopt;
  return made(function->name, inner->items);
}

}  // namespace

std::optional<at::ScalarType> storage_dtype(std::string_view name) {
  if (std::find(kUntyped.begin(), kUntyped.end(), name) != kUntyped.end()) return at::kByte;
  return find(kStorages, name);
}

std::optional<at::ScalarType> plain_dtype(std::string_view name) {
  return find(kDtypeNames, name);
}

bool is_known_name(std::string_view name) {
  return storage_dtype(name) || plain_dtype(name) || is_in(kOthers, name) || is_in(kLists, name);
}

std::optional<Value> made(const std::string& function, const std::vector<Ref>& arguments) {
  const std::size_t count = arguments.size();
  if (function == kOrderedDict && count <= 1) return ordered_dict(arguments);
  if (function == kTensor && count >= 6) return view(arguments, std::nullopt);
  if (function == kTensorOfDtype && count >= 7) {
    const auto* dtype = as<PickleValue::Global>(arguments[6]);
    const auto known = dtype != nullptr ? plain_dtype(dtype->name) : std::nullopt;
    if (!known) return std::nullopt;
    return view(arguments, known);
  }
  if ((function == kParameter || function == kParameterWithState) && count >= 3) {
    if (const auto* tensor = as<at::Tensor>(arguments[0])) return *tensor;
  }
  if (function == kTensorWithAttributes && count == 4) return with_attributes(arguments);
  if (function == kSize && count == 1) {
    if (const auto* sizes = as<PickleValue::Tuple>(arguments[0])) return *sizes;
  }
  if (function == kDevice && count >= 1) {
    if (const auto* name = as<std::string>(arguments[0])) return *name;
  }
  if (function == kTyped && count == 2 && as<std::string>(arguments[1]) != nullptr) return arguments[0]->value;
  if (is_in(kLists, function) && count == 1) {
    if (const auto* list = as<PickleValue::List>(arguments[0])) return *list;
  }
  return std::nullopt;
}

}  // namespace binade::files
