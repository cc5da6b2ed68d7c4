// SPDX-License-Identifier: Apache-2.0
#include "engine/graph/argument_checks.h"

#include "engine/graph/memory_guard.h"
#include "engine/graph/recurrent_checks.h"

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

/// Range of an argument that LibTorch uses unchecked as a loop count or in sums.
struct Range {
  std::string_view op;
  const char* argument;
  std::int64_t least;
  std::int64_t most;
};
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
    for (const std::int64_t value : arguments.integers(range.argument)) {
      if (value >= range.least && value <= range.most) continue;
      const bool below = value < range.least;
      return arguments.fault(
          range.argument, "is " + std::to_string(value) + ", " +
                              (below ? "below " + std::to_string(range.least) : "above " + std::to_string(range.most)));
    }
  }
  return {};
}

/// LibTorch searches for an empty text forever: it is found without consuming anything.
std::string check_not_empty(const NamedArguments& arguments) {
  for (const char* const name : {"old", "separator", "substr"}) {
    const c10::IValue* value = arguments.find(name);
    if (value != nullptr && value->isString() && value->toStringRef().empty())
      return arguments.fault(name, "is an empty text");
  }
  return {};
}

/// Lowest value of the dtype in which two integer tensors are divided; 0 if the processor's division is not used.
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

/// Whether `bad` holds for a pair of elements that the op combines.
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
  return "an integer result of " + arguments.op() + " does not fit its dtype (" + std::to_string(lowest) + ", " +
         divisor + ")";
}

/// The lowest integer divided by -1 traps in the processor.
std::string check_truncated_division(const NamedArguments& arguments) {
  const c10::IValue* const mode = arguments.find("rounding_mode");
  if (mode == nullptr || !mode->isString() || mode->toStringRef() != "trunc") return {};
  const std::int64_t lowest = lowest_of(arguments);
  if (lowest == 0 || !holds(arguments.integers("other"), -1) || !holds(arguments.integers("self"), lowest)) return {};
  const bool bad =
      any_pair(arguments, [&](const at::Tensor& a, const at::Tensor& b) { return a.eq(lowest).logical_and(b.eq(-1)); });
  return bad ? does_not_fit(arguments, lowest, "-1") : std::string();
}
/// Dividing by the greatest common divisor traps, since that can be -1 if one of the numbers is the lowest integer.
std::string check_lcm(const NamedArguments& arguments) {
  const std::int64_t lowest = lowest_of(arguments);
  if (lowest == 0) return {};
  if (!holds(arguments.integers("self"), lowest) && !holds(arguments.integers("other"), lowest)) return {};
  const bool bad = any_pair(arguments, [&](const at::Tensor& a, const at::Tensor& b) {
    return a.eq(lowest).logical_or(b.eq(lowest)).logical_and(a.ne(0)).logical_and(b.ne(0));
  });
  return bad ? does_not_fit(arguments, lowest, "a number other than 0") : std::string();
}

std::string check_weight_norm(const NamedArguments& arguments) {
  const at::Tensor v = arguments.tensor("v");
  const at::Tensor g = arguments.tensor("g");
  const std::int64_t dim = arguments.integer("dim", 0);
  if (!v.defined() || !g.defined() || v.dim() == 0 || (dim != 0 && dim != v.dim() - 1)) return {};
  if (v.size(dim) == 0) return arguments.fault("v", "has no elements: its sizes are " + sizes_text(v));
  if (g.numel() == v.size(dim)) return {};
  return arguments.fault("g", "has the sizes " + sizes_text(g) + ": v of " + sizes_text(v) + " takes " +
                                  std::to_string(v.size(dim)) + " along its dimension " + std::to_string(dim));
}

std::string check_repeats(const NamedArguments& arguments) {
  const c10::IValue* const size = arguments.find("output_size");
  const at::Tensor repeats = arguments.tensor("repeats");
  if (size == nullptr || !size->isInt() || !repeats.defined()) return {};
  Integers all = integers(repeats);
  const c10::IValue* const self = arguments.find("self");
  std::int64_t times = 1;
  if (self != nullptr && self->isTensor() && all.size() == 1) {
    // A single number applies to every part, or to the whole tensor if no dimension is given.
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
    if (each < 0) return {};  // rejected by LibTorch
    if (__builtin_add_overflow(sum, each, &sum))
      return arguments.fault("repeats", "add up to more than an int64 holds");
  }
  if (__builtin_mul_overflow(sum, times, &sum)) return arguments.fault("repeats", "add up to more than an int64 holds");
  if (sum == size->toInt()) return {};
  return arguments.fault("output_size",
                         "is " + std::to_string(size->toInt()) + ", and repeats add up to " + std::to_string(sum));
}

std::string check_embedding_bag(const NamedArguments& arguments) {
  const std::int64_t mode = arguments.integer("mode", 0);
  if (mode < 0 || mode > 2)
    return arguments.fault("mode", "is " + std::to_string(mode) + ", which is none of 0, 1 and 2");
  const at::Tensor offsets = arguments.tensor("offsets");
  const c10::IValue* const indices = arguments.find("indices");
  if (!offsets.defined() || indices == nullptr || !indices->isTensor()) return {};
  const Integers all = integers(offsets);
  if (all.empty() && arguments.flag("include_last_offset")) return arguments.fault("offsets", "is empty");
  std::int64_t before = 0;
  for (const std::int64_t each : all) {
    if (each < before)
      return arguments.fault("offsets", "falls from " + std::to_string(before) + " to " + std::to_string(each));
    before = each;
  }
  const std::int64_t most = indices->toTensor().numel();
  if (before <= most) return {};
  return arguments.fault("offsets",
                         "ends at " + std::to_string(before) + ", beyond the " + std::to_string(most) + " indices");
}

/// LibTorch uses labels as unchecked indices of the classes.
std::string check_ctc_loss(const NamedArguments& arguments) {
  const c10::IValue* const scores = arguments.find("log_probs");
  const at::Tensor targets = arguments.tensor("targets");
  if (scores == nullptr || !scores->isTensor() || scores->toTensor().dim() == 0 || !targets.defined()) return {};
  const std::int64_t classes = scores->toTensor().size(-1);
  const Integers lengths = arguments.integers("target_lengths");
  const Integers labels = integers(targets);
  const bool padded = targets.dim() == 2;
  const std::size_t width = padded ? static_cast<std::size_t>(targets.size(1)) : 0;
  std::size_t begin = 0;
  for (std::size_t row = 0; row < lengths.size(); ++row) {
    if (padded) begin = row * width;
    const std::size_t end = begin + static_cast<std::size_t>(std::max<std::int64_t>(lengths[row], 0));
    for (std::size_t i = begin; i < std::min(end, labels.size()); ++i) {
      if (labels[i] >= 0 && labels[i] < classes) continue;
      return arguments.fault("targets", "holds the label " + std::to_string(labels[i]) + ", and log_probs has " +
                                            std::to_string(classes) + " classes");
    }
    begin = end;
  }
  return {};
}

/// weight, bias, running_mean and running_var have one element per channel of the input.
std::string check_batch_norm(const NamedArguments& arguments) {
  const c10::IValue* const input = arguments.find("input");
  if (input == nullptr || !input->isTensor() || input->toTensor().dim() < 2) return {};
  const std::int64_t channels = input->toTensor().size(1);
  for (const char* const name : {"weight", "bias", "running_mean", "running_var"}) {
    const c10::IValue* const value = arguments.find(name);
    if (value == nullptr || !value->isTensor() || !value->toTensor().defined()) continue;
    const std::int64_t count = value->toTensor().numel();
    if (count != channels)
      return arguments.fault(
          name, "has " + std::to_string(count) + " elements, and the input " + std::to_string(channels) + " channels");
  }
  return {};
}

/// LAPACK's eigenvalue routines read out of bounds for infinities and NaNs.
std::string check_finite(const NamedArguments& arguments) {
  const at::Tensor self = arguments.tensor("self");
  if (!self.defined() || (!self.is_floating_point() && !self.is_complex())) return {};
  const at::AutoDispatchBelowAutograd plain;
  if (at::isfinite(self).all().item<bool>()) return {};
  return arguments.fault("self", "holds an infinity or a NaN");
}

std::string check_masked_softmax(const NamedArguments& arguments) {
  const at::Tensor self = arguments.tensor("self");
  if (!self.defined() || self.numel() > 0) return {};
  return arguments.fault("self", "has no elements: its sizes are " + sizes_text(self));
}

/// LibTorch's loop over the bits of `from` + 1 does not end.
std::string check_random(const NamedArguments& arguments) {
  const std::vector<at::Tensor> self = arguments.tensors("self");
  if (self.size() != 1 || !self[0].is_floating_point() || arguments.integer("from", 0) != kHighest) return {};
  return arguments.fault("from", "is " + std::to_string(kHighest) + ", above " + std::to_string(kHighest - 1));
}

/// For a NaN count, LibTorch's sampling loop does not end.
std::string check_binomial(const NamedArguments& arguments) {
  const at::Tensor count = arguments.tensor("count");
  const at::Tensor chance = arguments.tensor("prob");
  if (!count.defined() || !chance.defined()) return {};
  const at::AutoDispatchBelowAutograd plain;
  const at::Tensor none = count.ne(count);
  if (!none.any().item<bool>()) return {};
  if (!none.logical_and(chance.gt(0)).logical_and(chance.lt(1)).any().item<bool>()) return {};
  return arguments.fault("count", "holds a NaN");
}

/// The polynomial of degree n is computed term by term.
std::string check_degree(const NamedArguments& arguments) {
  const c10::IValue* const n = arguments.find("n");
  if (n == nullptr) return {};
  double most = 0;
  if (n->isTensor()) {
    const at::Tensor tensor = arguments.tensor("n");
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
  return arguments.fault("n", "is " + number.str() + ", above " + std::to_string(kMany));
}

/// LibTorch reads six numbers even from an empty padding.
std::string check_reflection_pad3d(const NamedArguments& arguments) {
  const c10::IValue* const padding = arguments.find("padding");
  if (padding == nullptr || !padding->isIntList() || !padding->toIntList().empty()) return {};
  return arguments.fault("padding", "has 0 numbers, and not 6");
}

std::string check_align_tensors(const NamedArguments& arguments) {
  const c10::IValue* const tensors = arguments.find("tensors");
  if (tensors == nullptr || !tensors->isTensorList() || !tensors->toTensorList().empty()) return {};
  return arguments.fault("tensors", "is empty");
}

/// LibTorch uses ellipsis_idx unchecked as a position among the names.
std::string check_align_to(const NamedArguments& arguments) {
  const c10::IValue* const order = arguments.find("order");
  const c10::IValue* const index = arguments.find("ellipsis_idx");
  if (order == nullptr || !order->isList() || index == nullptr || !index->isInt()) return {};
  const auto names = static_cast<std::int64_t>(order->toListRef().size());
  if (index->toInt() >= 0 && index->toInt() <= names) return {};
  return arguments.fault(
      "ellipsis_idx", "is " + std::to_string(index->toInt()) + ", and order has " + std::to_string(names) + " names");
}

/// LibTorch writes a minimum and a maximum per row, or for the whole tensor, without checking the sizes of the outputs.
std::string check_moving_average(const NamedArguments& arguments) {
  const at::Tensor self = arguments.tensor("self");
  const Integers observed = arguments.integers("observer_on");
  const at::Tensor low = arguments.tensor("running_min");
  const at::Tensor high = arguments.tensor("running_max");
  if (!self.defined() || !low.defined() || !high.defined() || observed == Integers{0}) return {};
  std::int64_t rows = 1;
  if (arguments.flag("per_row_fake_quant")) {
    if (low.numel() == 0) return {};  // LibTorch allocates them
    if (self.dim() == 0) return {};   // rejected by LibTorch
    rows = self.size(0);
  }
  for (const auto& [name, held] : {std::pair("running_min", low.numel()), std::pair("running_max", high.numel())}) {
    if (held < rows)
      return arguments.fault(name, "has " + std::to_string(held) + " elements, and not " + std::to_string(rows));
  }
  return {};
}

/// Each part is a tensor object, whose memory does not come from the guarded allocator.
std::string check_parts(const NamedArguments& arguments) {
  constexpr std::int64_t kFew = 1'000'000;
  constexpr std::int64_t kBytes = 512;  ///< minimum size of a view's tensor object
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
    const std::int64_t dim = arguments.integer("dim", 0);
    if (dim < -tensor.dim() || dim >= tensor.dim()) return {};
    const std::int64_t each = arguments.integer("split_size", 1);
    parts = each > 0 ? tensor.size(dim) / each : 0;
  }
  if (parts <= kFew) return {};
  const std::int64_t bytes = parts > kHighest / kBytes ? kHighest : parts * kBytes;
  require_memory(static_cast<std::uint64_t>(bytes),
                 "the " + std::to_string(parts) + " tensors that " + arguments.op() + " makes take");
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

ArgumentCheck argument_check_of(const c10::FunctionSchema& schema) {
  for (const Believed& each : kBelieved) {
    if (each.op != schema.name()) continue;
    // Only the overloads of a division that round take rounding_mode.
    if (each.check == check_truncated_division && !schema.argumentIndexWithName("rounding_mode")) return nullptr;
    return each.check;
  }
  for (const Range& range : kRanges) {
    if (range.op == schema.name() && schema.argumentIndexWithName(range.argument)) return check_range;
  }
  return nullptr;
}

}  // namespace binade::graph
