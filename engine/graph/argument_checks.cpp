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
#include <optional>
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
    {"aten::_pad_enum", "pad", -kMany, kMany},
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

/// Two integer operands, `self` and `other`, as the op's kernel receives them: converted to the dtype of the result.
struct IntegerPair {
  at::Tensor self;          ///< int64, holding values of the result's dtype
  at::Tensor other;         ///< int64, holding values of the result's dtype
  std::int64_t lowest = 0;  ///< the lowest value of that dtype
};

/// Nothing where the op computes in no 32-bit or 64-bit integers, or where its operands cannot be read.
std::optional<IntegerPair> integer_pair(const NamedArguments& arguments) {
  const c10::IValue* const a = arguments.find("self");
  const c10::IValue* const b = arguments.find("other");
  if (a == nullptr || b == nullptr || !a->isTensor() || !readable(a->toTensor())) return std::nullopt;
  if (b->isTensor() ? !readable(b->toTensor()) : !b->isInt()) return std::nullopt;
  const at::AutoDispatchBelowAutograd plain;
  const at::ScalarType type =
      b->isTensor() ? at::result_type(a->toTensor(), b->toTensor()) : at::result_type(a->toTensor(), b->toScalar());
  if (type != at::kInt && type != at::kLong) return std::nullopt;
  const at::Tensor other = b->isTensor() ? b->toTensor() : at::scalar_tensor(b->toInt(), at::kLong);
  return IntegerPair{a->toTensor().to(type).to(at::kLong), other.to(type).to(at::kLong),
                     type == at::kInt ? std::numeric_limits<std::int32_t>::min() : kLowest};
}

std::string does_not_fit(const NamedArguments& arguments, std::int64_t lowest, const std::string& divisor) {
  return "an integer result of " + arguments.op() + " does not fit its dtype (" + std::to_string(lowest) + ", " +
         divisor + ")";
}

bool holds_anywhere(const at::Tensor& condition) {
  return condition.any().item<bool>();
}

/// The processor's division traps where the quotient does not fit: the lowest number by -1.
std::string check_truncated_division(const NamedArguments& arguments) {
  const c10::IValue* const mode = arguments.find("rounding_mode");
  if (mode == nullptr || !mode->isString() || mode->toStringRef() != "trunc") return {};
  const std::optional<IntegerPair> pair = integer_pair(arguments);
  if (!pair) return {};
  const at::AutoDispatchBelowAutograd plain;
  const at::Tensor by = pair->other.eq(-1);
  const at::Tensor from = pair->self.eq(pair->lowest);
  if (!holds_anywhere(by) || !holds_anywhere(from) || !holds_anywhere(from.logical_and(by))) return {};
  return does_not_fit(arguments, pair->lowest, "-1");
}

/// lcm divides by the greatest common divisor, which is -1 for some numbers paired with the lowest.
std::string check_lcm(const NamedArguments& arguments) {
  const std::optional<IntegerPair> pair = integer_pair(arguments);
  if (!pair) return {};
  const at::AutoDispatchBelowAutograd plain;
  const at::Tensor a = pair->self.eq(pair->lowest);
  const at::Tensor b = pair->other.eq(pair->lowest);
  if (!holds_anywhere(a) && !holds_anywhere(b)) return {};
  if (!holds_anywhere(a.logical_or(b).logical_and(pair->self.ne(0)).logical_and(pair->other.ne(0)))) return {};
  return does_not_fit(arguments, pair->lowest, "a number other than 0");
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

/// weight, bias and the running statistics have one element per channel; without statistics, `training` computes them.
std::string check_batch_norm(const NamedArguments& arguments) {
  const c10::IValue* const input = arguments.find("input");
  if (input == nullptr || !input->isTensor() || input->toTensor().dim() < 2) return {};
  const std::int64_t channels = input->toTensor().size(1);
  const auto given = [&](const char* name) {
    const c10::IValue* const value = arguments.find(name);
    return value != nullptr && value->isTensor() && value->toTensor().defined();
  };
  for (const char* const name : {"weight", "bias", "running_mean", "running_var"}) {
    if (!given(name)) continue;
    const std::int64_t count = arguments.find(name)->toTensor().numel();
    if (count != channels)
      return arguments.fault(name, "has " + std::to_string(count) + " elements, and the input has " +
                                       std::to_string(channels) + " channels");
  }
  for (const char* const name : {"running_mean", "running_var"}) {
    if (!arguments.flag("training") && !given(name)) return arguments.fault(name, "is None, and training is False");
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

/// The Hurwitz zeta function, and polygamma through it, adds a term for each step of 1 from its argument up to 0. Whole
/// numbers are poles and return at once, as NaN and infinities do.
std::string check_poles_below(const NamedArguments& arguments, const char* name) {
  const c10::IValue* const value = arguments.find(name);
  if (value == nullptr || !(value->isTensor() || value->isDouble())) return {};
  const at::Tensor given =
      value->isTensor() ? arguments.tensor(name) : at::scalar_tensor(value->toDouble(), at::kDouble);
  if (!given.defined() || given.numel() == 0 || !given.is_floating_point()) return {};
  const at::AutoDispatchBelowAutograd plain;
  const at::Tensor all = given.to(at::kDouble);
  const at::Tensor at_once = all.eq(all.floor()).logical_or(at::isfinite(all).logical_not());
  const double least = all.masked_fill(at_once, 0).min().item<double>();
  if (least >= -static_cast<double>(kMany)) return {};
  std::ostringstream number;
  number << std::setprecision(17) << least;
  return arguments.fault(name, "is " + number.str() + ", below " + std::to_string(-kMany));
}
std::string check_zeta(const NamedArguments& arguments) {
  return check_poles_below(arguments, "other");
}
std::string check_polygamma(const NamedArguments& arguments) {
  return arguments.integer("n", 0) < 2 ? std::string() : check_poles_below(arguments, "self");
}

/// Grouped queries divide the heads of the query by those of key and value.
std::string check_grouped_heads(const NamedArguments& arguments) {
  if (!arguments.flag("enable_gqa")) return {};
  for (const char* const name : {"key", "value"}) {
    const c10::IValue* const value = arguments.find(name);
    if (value == nullptr || !value->isTensor() || value->toTensor().dim() < 3) continue;
    if (value->toTensor().size(-3) == 0)
      return arguments.fault(name, "has no heads: its sizes are " + sizes_text(value->toTensor()));
  }
  return {};
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

/// The number of tensors that a splitting op makes; 0 where its lists have named each part.
std::int64_t parts_of(const NamedArguments& arguments, const at::Tensor& tensor) {
  for (const char* const name : {"sections", "tensor_indices_or_sections"}) {
    const c10::IValue* const sections = arguments.find(name);
    if (sections == nullptr) continue;
    const Integers numbers =
        !sections->isTensor() || sections->toTensor().dim() == 0 ? integers(*sections) : Integers();
    return numbers.size() == 1 ? numbers[0] : 0;
  }
  const std::int64_t dim = arguments.integer("dim", 0);
  if (dim < -tensor.dim() || dim >= tensor.dim()) return 0;
  const std::int64_t size = tensor.size(dim);
  if (const c10::IValue* const chunks = arguments.find("chunks")) return std::min(chunks->toInt(), size);
  const c10::IValue* const each = arguments.find("split_size");
  if (each != nullptr) return each->isInt() && each->toInt() > 0 ? size / each->toInt() : 0;
  // Overloads of other splits take a list of sizes or indices.
  return arguments.op() == "aten::unbind" || arguments.op() == "aten::unbind_copy" ? size : 0;
}

/// Each part is a tensor object, whose memory does not come from the guarded allocator.
std::string check_parts(const NamedArguments& arguments) {
  constexpr std::int64_t kFew = 1'000'000;
  constexpr std::int64_t kBytes = 512;  ///< minimum size of a view's tensor object
  const c10::IValue* const self = arguments.find("self");
  if (self == nullptr || !self->isTensor() || !self->toTensor().defined()) return {};
  const std::int64_t parts = parts_of(arguments, self->toTensor());
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
    {"aten::_linalg_eigvals", check_finite},
    {"aten::_masked_softmax", check_masked_softmax},
    {"aten::_pad_packed_sequence", check_batch_sizes},
    {"aten::_scaled_dot_product_attention_math", check_grouped_heads},
    {"aten::_weight_norm", check_weight_norm},
    {"aten::align_tensors", check_align_tensors},
    {"aten::align_to", check_align_to},
    {"aten::binomial", check_binomial},
    {"aten::chunk", check_parts},
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
    {"aten::polygamma", check_polygamma},
    {"aten::polygamma_", check_polygamma},
    {"aten::random", check_random},
    {"aten::random_", check_random},
    {"aten::reflection_pad3d", check_reflection_pad3d},
    {"aten::repeat_interleave", check_repeats},
    {"aten::replace", check_not_empty},
    {"aten::rnn_relu", check_recurrent},
    {"aten::rnn_tanh", check_recurrent},
    {"aten::rsplit", check_not_empty},
    {"aten::scaled_dot_product_attention", check_grouped_heads},
    {"aten::special_laguerre_polynomial_l", check_degree},
    {"aten::special_legendre_polynomial_p", check_degree},
    {"aten::special_polygamma", check_polygamma},
    {"aten::special_zeta", check_zeta},
    {"aten::split", check_parts},
    {"aten::split_copy", check_parts},
    {"aten::tensor_split", check_parts},
    {"aten::unbind", check_parts},
    {"aten::unbind_copy", check_parts},
    {"aten::unsafe_chunk", check_parts},
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
