// SPDX-License-Identifier: Apache-2.0
#include "engine/graph/argument_checks.h"

#include "engine/graph/memory_guard.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue_inl.h>
#include <ATen/ops/isfinite.h>
#include <ATen/ops/result_type.h>
#include <ATen/ops/scalar_tensor.h>

#include <algorithm>
#include <cstdint>
#include <iomanip>
#include <limits>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

namespace binade::graph {

namespace {

using Integers = std::vector<std::int64_t>;

std::string text(std::int64_t number) {
  return std::to_string(number);
}
std::string sizes_text(const at::Tensor& tensor) {
  std::string all;
  for (const std::int64_t size : tensor.sizes()) all += (all.empty() ? "" : ", ") + text(size);
  return "[" + all + "]";
}

/// Whether the tensor has values that can be read here: not so on a GPU, where the kernels check or compute something,
/// nor while shapes are tried out without any values.
bool readable(const at::Tensor& tensor) {
  return tensor.defined() && tensor.device().is_cpu() && tensor.layout() == at::kStrided && tensor.has_storage() &&
         !tensor.is_quantized() && !tensor.key_set().has(c10::DispatchKey::Python);
}

/// The tensor of that name that can be read; an undefined one where there is none.
at::Tensor tensor_of(const NamedArguments& arguments, const std::string& name) {
  const c10::IValue* value = arguments.find(name);
  return value != nullptr && value->isTensor() && readable(value->toTensor()) ? value->toTensor() : at::Tensor();
}
std::vector<at::Tensor> tensors_of(const NamedArguments& arguments, const std::string& name) {
  const c10::IValue* value = arguments.find(name);
  if (value == nullptr) return {};
  if (value->isTensor()) return {value->toTensor()};
  return value->isTensorList() ? value->toTensorVector() : std::vector<at::Tensor>();
}
std::int64_t integer_of(const NamedArguments& arguments, const std::string& name, std::int64_t otherwise) {
  const c10::IValue* value = arguments.find(name);
  return value != nullptr && value->isInt() ? value->toInt() : otherwise;
}
bool flag_of(const NamedArguments& arguments, const std::string& name) {
  const c10::IValue* value = arguments.find(name);
  return value != nullptr && value->isBool() && value->toBool();
}
/// The integers of a list, of a number, or of a tensor of integers.
Integers integers(const c10::IValue& value) {
  if (value.isInt()) return {value.toInt()};
  if (value.isIntList()) return value.toIntVector();
  if (!value.isTensor() || !readable(value.toTensor())) return {};
  if (!at::isIntegralType(value.toTensor().scalar_type(), true)) return {};
  const at::AutoDispatchBelowAutograd plain;
  const at::Tensor all = value.toTensor().to(at::kLong).contiguous();
  return {all.const_data_ptr<std::int64_t>(), all.const_data_ptr<std::int64_t>() + all.numel()};
}
Integers integers_of(const NamedArguments& arguments, const std::string& name) {
  const c10::IValue* value = arguments.find(name);
  return value == nullptr ? Integers() : integers(*value);
}

std::string is(const NamedArguments& arguments, const std::string& name, const std::string& what) {
  return name + " of " + arguments.op() + " " + what;
}

/// Where numbers lie that LibTorch counts to or adds to others without looking.
struct Range {
  std::string_view op;
  const char* argument;
  std::int64_t least;
  std::int64_t most;
};
constexpr std::int64_t kMany = std::int64_t{1} << 31;
constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kHighest = std::numeric_limits<std::int64_t>::max();
constexpr Range kRanges[] = {
    {"aten::_native_multi_head_attention", "num_head", 1, kHighest},
    {"aten::_transform_bias_rescale_qkv", "num_heads", 1, kHighest},
    {"aten::_transformer_encoder_layer_fwd", "num_heads", 1, kHighest},
    {"aten::center", "width", 0, kMany},
    {"aten::choose_qparams_optimized", "n_bins", 0, kMany},
    {"aten::fractional_max_pool2d", "kernel_size", 1, kMany},
    {"aten::fractional_max_pool3d", "kernel_size", 1, kMany},
    {"aten::linalg_matrix_power", "n", kLowest + 1, kHighest},
    {"aten::ljust", "width", -kMany, kMany},
    {"aten::matrix_power", "n", kLowest + 1, kHighest},
    {"aten::max_pool1d", "kernel_size", 1, kMany},
    {"aten::max_pool2d", "kernel_size", 1, kMany},
    {"aten::max_pool3d", "kernel_size", 1, kMany},
    {"aten::replication_pad1d", "padding", -kMany, kMany},
    {"aten::replication_pad2d", "padding", -kMany, kMany},
    {"aten::replication_pad3d", "padding", -kMany, kMany},
    {"aten::pad", "pad", -kMany, kMany},
    {"aten::rjust", "width", -kMany, kMany},
    {"aten::zfill", "width", -kMany, kMany},
};

std::string check_range(const NamedArguments& arguments) {
  for (const Range& range : kRanges) {
    if (range.op != arguments.op()) continue;
    for (const std::int64_t value : integers_of(arguments, range.argument)) {
      if (value >= range.least && value <= range.most) continue;
      const bool below = value < range.least;
      return is(arguments, range.argument,
                "is " + text(value) + ", " + (below ? "below " + text(range.least) : "above " + text(range.most)));
    }
  }
  return {};
}

/// LibTorch looks for an empty text for ever: it is found, and nothing is taken away.
std::string check_not_empty(const NamedArguments& arguments) {
  for (const char* const name : {"old", "separator", "substr"}) {
    const c10::IValue* value = arguments.find(name);
    if (value != nullptr && value->isString() && value->toStringRef().empty())
      return is(arguments, name, "is an empty text");
  }
  return {};
}

/// The lowest number of the dtype that two integer tensors are divided in; 0 where the processor divides another way.
std::int64_t lowest_of(const NamedArguments& arguments) {
  const c10::IValue* const a = arguments.find("self");
  const c10::IValue* const b = arguments.find("other");
  if (a == nullptr || b == nullptr || !a->isTensor() || !readable(a->toTensor())) return 0;
  if (b->isTensor() ? !readable(b->toTensor()) : !b->isInt()) return 0;
  const at::ScalarType type =
      b->isTensor() ? at::result_type(a->toTensor(), b->toTensor()) : at::result_type(a->toTensor(), b->toScalar());
  if (type == at::kInt) return std::numeric_limits<std::int32_t>::min();
  return type == at::kLong ? kLowest : 0;
}

/// Whether `bad` holds for a pair of elements that the op takes together.
template <class Bad>
bool any_pair(const NamedArguments& arguments, const Bad& bad) {
  const auto as_tensor = [](const c10::IValue& value) {
    return value.isTensor() ? value.toTensor().to(at::kLong) : at::scalar_tensor(value.toInt(), at::kLong);
  };
  const at::AutoDispatchBelowAutograd plain;
  const at::Tensor found = bad(as_tensor(*arguments.find("self")), as_tensor(*arguments.find("other")));
  return found.any().item<bool>();
}
bool holds(const Integers& all, std::int64_t number) {
  return std::find(all.begin(), all.end(), number) != all.end();
}
std::string does_not_fit(const NamedArguments& arguments, std::int64_t lowest, const std::string& divisor) {
  return "an integer result of " + arguments.op() + " does not fit its dtype (" + text(lowest) + ", " + divisor + ")";
}

/// Rounded towards zero by the processor's own division.
std::string check_truncated_division(const NamedArguments& arguments) {
  const c10::IValue* const mode = arguments.find("rounding_mode");
  if (mode == nullptr || !mode->isString() || mode->toStringRef() != "trunc") return {};
  const std::int64_t lowest = lowest_of(arguments);
  if (lowest == 0 || !holds(integers_of(arguments, "other"), -1) || !holds(integers_of(arguments, "self"), lowest))
    return {};
  const bool bad =
      any_pair(arguments, [&](const at::Tensor& a, const at::Tensor& b) { return a.eq(lowest).logical_and(b.eq(-1)); });
  return bad ? does_not_fit(arguments, lowest, "-1") : std::string();
}
/// Divides by the greatest common divisor, which is -1 for some that are taken with the lowest number.
std::string check_lcm(const NamedArguments& arguments) {
  const std::int64_t lowest = lowest_of(arguments);
  if (lowest == 0) return {};
  if (!holds(integers_of(arguments, "self"), lowest) && !holds(integers_of(arguments, "other"), lowest)) return {};
  const bool bad = any_pair(arguments, [&](const at::Tensor& a, const at::Tensor& b) {
    return a.eq(lowest).logical_or(b.eq(lowest)).logical_and(a.ne(0)).logical_and(b.ne(0));
  });
  return bad ? does_not_fit(arguments, lowest, "a number other than 0") : std::string();
}

std::string check_weight_norm(const NamedArguments& arguments) {
  const at::Tensor v = tensor_of(arguments, "v");
  const at::Tensor g = tensor_of(arguments, "g");
  const std::int64_t dim = integer_of(arguments, "dim", 0);
  if (!v.defined() || !g.defined() || v.dim() == 0 || (dim != 0 && dim != v.dim() - 1)) return {};
  if (v.size(dim) == 0) return is(arguments, "v", "has no elements: its sizes are " + sizes_text(v));
  if (g.numel() == v.size(dim)) return {};
  return is(arguments, "g",
            "has the sizes " + sizes_text(g) + ": v of " + sizes_text(v) + " takes " + text(v.size(dim)) +
                " along its dimension " + text(dim));
}

/// The sizes of the batch at each time of a packed sequence, empty where they cannot be read.
std::string check_batch_sizes(const NamedArguments& arguments) {
  const at::Tensor tensor = tensor_of(arguments, "batch_sizes");
  if (!tensor.defined()) return {};
  if (tensor.dim() != 1 || tensor.scalar_type() != at::kLong || tensor.numel() == 0) {
    return is(arguments, "batch_sizes", "is no list of int64 numbers: its sizes are " + sizes_text(tensor));
  }
  const Integers all = integers(tensor);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i] < 1) return is(arguments, "batch_sizes", "holds " + text(all[i]) + ", which is not above 0");
    if (i > 0 && all[i] > all[i - 1])
      return is(arguments, "batch_sizes", "grows from " + text(all[i - 1]) + " to " + text(all[i]));
  }
  return {};
}

std::string check_repeats(const NamedArguments& arguments) {
  const c10::IValue* const size = arguments.find("output_size");
  const at::Tensor repeats = tensor_of(arguments, "repeats");
  if (size == nullptr || !size->isInt() || !repeats.defined()) return {};
  Integers all = integers(repeats);
  const c10::IValue* const self = arguments.find("self");
  std::int64_t times = 1;
  if (self != nullptr && self->isTensor() && all.size() == 1) {
    // One number holds for every part, of the whole tensor where no dimension is given.
    const at::Tensor& tensor = self->toTensor();
    const std::int64_t rank = tensor.dim();
    const c10::IValue* const dim = arguments.find("dim");
    const std::int64_t along = dim != nullptr && dim->isInt() ? dim->toInt() : 0;
    if (dim == nullptr || !dim->isInt())
      times = tensor.numel();
    else if (rank > 0 && along >= -rank && along < rank)
      times = tensor.size(along);
  }
  std::int64_t sum = 0;
  for (const std::int64_t each : all) {
    if (each < 0) return {};  // LibTorch refuses it
    if (__builtin_add_overflow(sum, each, &sum)) return is(arguments, "repeats", "add up to more than an int64 holds");
  }
  if (__builtin_mul_overflow(sum, times, &sum)) return is(arguments, "repeats", "add up to more than an int64 holds");
  if (sum == size->toInt()) return {};
  return is(arguments, "output_size", "is " + text(size->toInt()) + ", and repeats add up to " + text(sum));
}

std::string check_embedding_bag(const NamedArguments& arguments) {
  const std::int64_t mode = integer_of(arguments, "mode", 0);
  if (mode < 0 || mode > 2) return is(arguments, "mode", "is " + text(mode) + ", which is none of 0, 1 and 2");
  const at::Tensor offsets = tensor_of(arguments, "offsets");
  const c10::IValue* const indices = arguments.find("indices");
  if (!offsets.defined() || indices == nullptr || !indices->isTensor()) return {};
  const Integers all = integers(offsets);
  if (all.empty() && flag_of(arguments, "include_last_offset")) return is(arguments, "offsets", "is empty");
  std::int64_t before = 0;
  for (const std::int64_t each : all) {
    if (each < before) return is(arguments, "offsets", "falls from " + text(before) + " to " + text(each));
    before = each;
  }
  const std::int64_t most = indices->toTensor().numel();
  if (before <= most) return {};
  return is(arguments, "offsets", "ends at " + text(before) + ", beyond the " + text(most) + " indices");
}

/// Labels are taken as an index of the classes.
std::string check_ctc_loss(const NamedArguments& arguments) {
  const c10::IValue* const scores = arguments.find("log_probs");
  const at::Tensor targets = tensor_of(arguments, "targets");
  if (scores == nullptr || !scores->isTensor() || scores->toTensor().dim() == 0 || !targets.defined()) return {};
  const std::int64_t classes = scores->toTensor().size(-1);
  const Integers lengths = integers_of(arguments, "target_lengths");
  const Integers labels = integers(targets);
  const bool padded = targets.dim() == 2;
  const std::size_t width = padded ? static_cast<std::size_t>(targets.size(1)) : 0;
  std::size_t begin = 0;
  for (std::size_t row = 0; row < lengths.size(); ++row) {
    if (padded) begin = row * width;
    const std::size_t end = begin + static_cast<std::size_t>(std::max<std::int64_t>(lengths[row], 0));
    for (std::size_t i = begin; i < std::min(end, labels.size()); ++i) {
      if (labels[i] >= 0 && labels[i] < classes) continue;
      return is(arguments, "targets",
                "holds the label " + text(labels[i]) + ", and log_probs has " + text(classes) + " classes");
    }
    begin = end;
  }
  return {};
}

/// Of each channel of the input one number.
std::string check_batch_norm(const NamedArguments& arguments) {
  const c10::IValue* const input = arguments.find("input");
  if (input == nullptr || !input->isTensor() || input->toTensor().dim() < 2) return {};
  const std::int64_t channels = input->toTensor().size(1);
  for (const char* const name : {"weight", "bias", "running_mean", "running_var"}) {
    const c10::IValue* const value = arguments.find(name);
    if (value == nullptr || !value->isTensor() || !value->toTensor().defined()) continue;
    const std::int64_t count = value->toTensor().numel();
    if (count != channels)
      return is(arguments, name, "has " + text(count) + " elements, and the input " + text(channels) + " channels");
  }
  return {};
}

/// LAPACK reads beyond its own tables.
std::string check_finite(const NamedArguments& arguments) {
  const at::Tensor self = tensor_of(arguments, "self");
  if (!self.defined() || (!self.is_floating_point() && !self.is_complex())) return {};
  const at::AutoDispatchBelowAutograd plain;
  if (at::isfinite(self).all().item<bool>()) return {};
  return is(arguments, "self", "holds an infinity or a NaN");
}

std::string check_masked_softmax(const NamedArguments& arguments) {
  const at::Tensor self = tensor_of(arguments, "self");
  if (!self.defined() || self.numel() > 0) return {};
  return is(arguments, "self", "has no elements: its sizes are " + sizes_text(self));
}

/// Its loop over the bits of `from` + 1 does not end.
std::string check_random(const NamedArguments& arguments) {
  const std::vector<at::Tensor> self = tensors_of(arguments, "self");
  if (self.size() != 1 || !self[0].is_floating_point() || integer_of(arguments, "from", 0) != kHighest) return {};
  return is(arguments, "from", "is " + text(kHighest) + ", above " + text(kHighest - 1));
}

/// Tosses coins until their number is above the count.
std::string check_binomial(const NamedArguments& arguments) {
  const at::Tensor count = tensor_of(arguments, "count");
  const at::Tensor chance = tensor_of(arguments, "prob");
  if (!count.defined() || !chance.defined()) return {};
  const at::AutoDispatchBelowAutograd plain;
  const at::Tensor none = count.ne(count);
  if (!none.any().item<bool>()) return {};
  if (!none.logical_and(chance.gt(0)).logical_and(chance.lt(1)).any().item<bool>()) return {};
  return is(arguments, "count", "holds a NaN");
}

/// The degree of a polynomial that is computed term by term.
std::string check_degree(const NamedArguments& arguments) {
  const c10::IValue* const n = arguments.find("n");
  if (n == nullptr) return {};
  double most = 0;
  if (n->isTensor()) {
    const at::Tensor tensor = tensor_of(arguments, "n");
    if (!tensor.defined() || tensor.numel() == 0 || tensor.is_complex()) return {};
    const at::AutoDispatchBelowAutograd plain;
    const at::Tensor all = tensor.to(at::kDouble);
    most = all.masked_fill(all.ne(all), 0).max().item<double>();
  } else if (n->isInt() || n->isDouble()) {
    most = n->toScalar().to<double>();
  }
  if (!(most > static_cast<double>(kMany))) return {};
  std::ostringstream number;
  number << std::setprecision(15) << most;
  return is(arguments, "n", "is " + number.str() + ", above " + text(kMany));
}

/// Padding of none is taken as six numbers.
std::string check_reflection_pad3d(const NamedArguments& arguments) {
  const c10::IValue* const padding = arguments.find("padding");
  if (padding == nullptr || !padding->isIntList() || !padding->toIntList().empty()) return {};
  return is(arguments, "padding", "has 0 numbers, and not 6");
}

std::string check_align_tensors(const NamedArguments& arguments) {
  const c10::IValue* const tensors = arguments.find("tensors");
  if (tensors == nullptr || !tensors->isTensorList() || !tensors->toTensorList().empty()) return {};
  return is(arguments, "tensors", "is empty");
}

/// The place of the other dimensions among the names.
std::string check_align_to(const NamedArguments& arguments) {
  const c10::IValue* const order = arguments.find("order");
  const c10::IValue* const index = arguments.find("ellipsis_idx");
  if (order == nullptr || !order->isList() || index == nullptr || !index->isInt()) return {};
  const auto names = static_cast<std::int64_t>(order->toListRef().size());
  if (index->toInt() >= 0 && index->toInt() <= names) return {};
  return is(arguments, "ellipsis_idx", "is " + text(index->toInt()) + ", and order has " + text(names) + " names");
}

/// Minima and maxima are written for each row, or for the whole tensor, however many there is room for.
std::string check_moving_average(const NamedArguments& arguments) {
  const at::Tensor self = tensor_of(arguments, "self");
  const Integers observed = integers_of(arguments, "observer_on");
  const at::Tensor low = tensor_of(arguments, "running_min");
  const at::Tensor high = tensor_of(arguments, "running_max");
  if (!self.defined() || !low.defined() || !high.defined() || observed == Integers{0}) return {};
  std::int64_t rows = 1;
  if (flag_of(arguments, "per_row_fake_quant")) {
    if (low.numel() == 0) return {};  // LibTorch makes room
    if (self.dim() == 0) return {};   // which LibTorch refuses
    rows = self.size(0);
  }
  for (const auto& [name, held] : {std::pair("running_min", low.numel()), std::pair("running_max", high.numel())}) {
    if (held < rows) return is(arguments, name, "has " + text(held) + " elements, and not " + text(rows));
  }
  return {};
}

/// Each part is a tensor of its own, which no allocator is asked for.
std::string check_parts(const NamedArguments& arguments) {
  constexpr std::int64_t kFew = 1'000'000;
  constexpr std::int64_t kBytes = 512;  ///< of a view, at the least
  const c10::IValue* const self = arguments.find("self");
  if (self == nullptr || !self->isTensor() || !self->toTensor().defined()) return {};
  const at::Tensor& tensor = self->toTensor();
  std::int64_t parts = 0;
  const c10::IValue* sections = arguments.find("sections");
  if (sections == nullptr) sections = arguments.find("tensor_indices_or_sections");
  if (sections != nullptr) {
    const bool one = !sections->isTensor() || sections->toTensor().dim() == 0;
    const Integers numbers = one ? integers(*sections) : Integers();
    parts = numbers.empty() ? 0 : numbers[0];
  } else {
    const std::int64_t dim = integer_of(arguments, "dim", 0);
    if (dim < -tensor.dim() || dim >= tensor.dim()) return {};
    const std::int64_t each = integer_of(arguments, "split_size", 1);
    parts = each > 0 ? tensor.size(dim) / each : 0;
  }
  if (parts <= kFew) return {};
  const std::int64_t bytes = parts > kHighest / kBytes ? kHighest : parts * kBytes;
  require_memory(static_cast<std::uint64_t>(bytes),
                 "the " + text(parts) + " tensors that " + arguments.op() + " makes take");
  return {};
}

/// How many gates the weights of a layer hold.
std::int64_t gates_of(const std::string& op) {
  if (op == "aten::lstm") return 4;
  return op == "aten::gru" ? 3 : 1;
}

/// The kernels of recurrent layers take the sizes of weights and states from the first ones.
std::string check_recurrent(const NamedArguments& arguments) {
  if (std::string wrong = check_batch_sizes(arguments); !wrong.empty()) return wrong;
  const bool packed = arguments.find("batch_sizes") != nullptr;
  const std::string name = packed ? "data" : "input";
  const std::vector<at::Tensor> inputs = tensors_of(arguments, name);
  const std::vector<at::Tensor> states = tensors_of(arguments, "hx");
  const std::vector<at::Tensor> weights = tensors_of(arguments, "params");
  if (inputs.size() != 1 || states.empty() || weights.empty()) return {};
  const at::Tensor& input = inputs[0];
  const std::int64_t rank = packed ? 2 : 3;
  if (input.dim() != rank)
    return is(arguments, name, "has the sizes " + sizes_text(input) + ", and not " + text(rank) + " dimensions");
  std::int64_t batch = packed ? 0 : input.size(flag_of(arguments, "batch_first") ? 0 : 1);
  if (packed) {
    const Integers sizes = integers_of(arguments, "batch_sizes");
    if (sizes.empty()) return {};
    batch = sizes[0];
    std::int64_t rows = 0;
    for (const std::int64_t each : sizes) {
      if (__builtin_add_overflow(rows, each, &rows)) rows = kHighest;
    }
    if (rows != input.size(0))
      return is(arguments, "batch_sizes",
                "adds up to " + text(rows) + ", and data has " + text(input.size(0)) + " rows");
  }
  const std::int64_t directions = flag_of(arguments, "bidirectional") ? 2 : 1;
  const std::int64_t layers = integer_of(arguments, "num_layers", 1);
  if (layers < 1 || layers > kMany) return is(arguments, "num_layers", "is " + text(layers));
  const auto one = static_cast<std::int64_t>(weights.size()) / (layers * directions);
  const std::int64_t plain = flag_of(arguments, "has_biases") ? 4 : 2;
  const std::string params = " tensors for " + text(layers * directions) + " layers and directions";
  if (one * layers * directions != static_cast<std::int64_t>(weights.size()) || one < plain || one > plain + 1)
    return is(arguments, "params", "has " + text(static_cast<std::int64_t>(weights.size())) + params);
  for (const at::Tensor& state : states) {
    if (state.dim() == 3 && state.size(0) == layers * directions && state.size(1) == batch) continue;
    return is(arguments, "hx",
              "has the sizes " + sizes_text(state) + ", and not [" + text(layers * directions) + ", " + text(batch) +
                  ", ...]");
  }
  const std::int64_t cells = gates_of(arguments.op()) * states.back().size(2);
  const std::int64_t output = states.front().size(2);
  for (std::int64_t layer = 0; layer < layers * directions; ++layer) {
    const at::Tensor* const of_layer = &weights[static_cast<std::size_t>(layer * one)];
    const std::int64_t width = layer < directions ? input.size(-1) : output * directions;
    const auto fits = [&](std::int64_t which, const std::vector<std::int64_t>& sizes) {
      return of_layer[which].sizes().equals(sizes);
    };
    const auto says = [&](std::int64_t which, const std::string& sizes) {
      return is(
          arguments, "params",
          "[" + text(layer * one + which) + "] has the sizes " + sizes_text(of_layer[which]) + ", and not " + sizes);
    };
    if (!fits(0, {cells, width})) return says(0, "[" + text(cells) + ", " + text(width) + "]");
    if (!fits(1, {cells, output})) return says(1, "[" + text(cells) + ", " + text(output) + "]");
    for (std::int64_t bias = 2; bias < plain; ++bias) {
      if (!fits(bias, {cells})) return says(bias, "[" + text(cells) + "]");
    }
  }
  return {};
}

struct Believed {
  std::string_view op;
  ArgumentCheck check;
};
constexpr Believed kBelieved[] = {
    {"aten::_fused_moving_avg_obs_fq_helper", check_moving_average},
    {"aten::_fused_moving_avg_obs_fq_helper_functional", check_moving_average},
    {"aten::_masked_softmax", check_masked_softmax},
    {"aten::_pad_packed_sequence", check_batch_sizes},
    {"aten::_weight_norm", check_weight_norm},
    {"aten::align_tensors", check_align_tensors},
    {"aten::align_to", check_align_to},
    {"aten::binomial", check_binomial},
    {"aten::count", check_not_empty},
    {"aten::ctc_loss", check_ctc_loss},
    {"aten::div", check_truncated_division},
    {"aten::div_", check_truncated_division},
    {"aten::divide", check_truncated_division},
    {"aten::divide_", check_truncated_division},
    {"aten::dsplit", check_parts},
    {"aten::embedding_bag", check_embedding_bag},
    {"aten::fused_moving_avg_obs_fake_quant", check_moving_average},
    {"aten::gru", check_recurrent},
    {"aten::hsplit", check_parts},
    {"aten::lcm", check_lcm},
    {"aten::lcm_", check_lcm},
    {"aten::linalg_eigvals", check_finite},
    {"aten::lstm", check_recurrent},
    {"aten::native_batch_norm", check_batch_norm},
    {"aten::random", check_random},
    {"aten::random_", check_random},
    {"aten::reflection_pad3d", check_reflection_pad3d},
    {"aten::repeat_interleave", check_repeats},
    {"aten::replace", check_not_empty},
    {"aten::rnn_relu", check_recurrent},
    {"aten::rnn_tanh", check_recurrent},
    {"aten::rsplit", check_not_empty},
    {"aten::special_laguerre_polynomial_l", check_degree},
    {"aten::special_legendre_polynomial_p", check_degree},
    {"aten::split", check_parts},
    {"aten::split_copy", check_parts},
    {"aten::tensor_split", check_parts},
    {"aten::unbind", check_parts},
    {"aten::unbind_copy", check_parts},
    {"aten::unsafe_split", check_parts},
    {"aten::vsplit", check_parts},
};

}  // namespace

const c10::IValue* NamedArguments::find(const std::string& name) const {
  const auto index = schema_.argumentIndexWithName(name);
  if (!index || stack_.size() < schema_.arguments().size()) return nullptr;
  return &torch::jit::peek(stack_, static_cast<std::size_t>(*index), schema_.arguments().size());
}

ArgumentCheck argument_check_of(const c10::FunctionSchema& schema) {
  for (const Believed& each : kBelieved) {
    if (each.op != schema.name()) continue;
    // Of the many overloads of a division, those alone that are rounded.
    if (each.check == check_truncated_division && !schema.argumentIndexWithName("rounding_mode")) return nullptr;
    return each.check;
  }
  for (const Range& range : kRanges) {
    if (range.op == schema.name() && schema.argumentIndexWithName(range.argument)) return check_range;
  }
  return nullptr;
}

}  // namespace binade::graph
