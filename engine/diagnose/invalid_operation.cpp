// SPDX-License-Identifier: Apache-2.0
#include "engine/diagnose/invalid_operation.h"

#include "engine/graph/op_traits.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/full.h>
#include <ATen/ops/gather.h>
#include <ATen/ops/isfinite.h>
#include <ATen/ops/isinf.h>
#include <ATen/ops/isnan.h>
#include <ATen/ops/isneginf.h>
#include <ATen/ops/isposinf.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/logical_or.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>
#include <exception>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string_view>

namespace binade::diagnose {

namespace {

using Kind = InvalidOperation::Kind;

std::int64_t count_of(const at::Tensor& truths) {
  return truths.sum().item<std::int64_t>();
}

/// One call's values, and the positions where its result is not finite.
class Case {
 public:
  Case(const graph::OpTraits& op, const std::vector<c10::IValue>& arguments, const at::Tensor& result)
      : traits_(op), arguments_(arguments), result_(result), bad_(at::isfinite(result).logical_not()) {
    name_ = op.op.substr(op.op.find(':') + 2);
    if (name_.ends_with('_')) name_.pop_back();
  }

  InvalidOperation find() const {
    for (const auto part :
         {&Case::of_logarithm, &Case::of_quotient, &Case::of_root, &Case::of_domain, &Case::of_softmax,
          &Case::of_labels, &Case::of_few_values, &Case::of_product, &Case::of_sum}) {
      if (const InvalidOperation why = (this->*part)(); why.known()) return why;
    }
    return of_infinity();
  }

 private:
  bool is(std::initializer_list<std::string_view> names) const {
    return std::find(names.begin(), names.end(), name_) != names.end();
  }

  std::optional<std::size_t> place_of(std::string_view argument) const {
    const auto& names = traits_.argument_names;
    const auto found = std::find(names.begin(), names.end(), argument);
    const auto place = static_cast<std::size_t>(found - names.begin());
    return found == names.end() || place >= arguments_.size() ? std::nullopt : std::optional(place);
  }

  /// Returns an argument (also a plain number) as float64; undefined if there is none.
  at::Tensor numbers(std::string_view argument) const {
    const auto place = place_of(argument);
    if (!place) return {};
    const c10::IValue& value = arguments_[*place];
    if (value.isTensor() && value.toTensor().defined() && !value.toTensor().is_complex()) {
      return value.toTensor().to(at::kDouble);
    }
    if (!value.isScalar() || value.toScalar().isComplex()) return {};
    return at::full({}, value.toScalar().toDouble(), result_.options().dtype(at::kDouble));
  }

  /// Returns how many positions of the result are not finite and satisfy `truths`, which broadcasts to it; 0 if it does
  /// not.
  std::int64_t bad_where(const at::Tensor& truths) const {
    try {
      const at::Tensor both = bad_.logical_and(truths);
      return both.sizes() == bad_.sizes() ? count_of(both) : 0;
    } catch (const std::exception&) {
      return 0;
    }
  }

  InvalidOperation reason(Kind kind, std::string_view argument, const at::Tensor& values, const at::Tensor& so) const {
    if (bad_where(so) == 0) return {};
    // Counts in the argument itself, since that is what the user can inspect.
    const bool alike = values.sizes() == so.sizes();
    return {kind, std::string(argument), count_of(so), alike ? values.numel() : so.numel()};
  }

  InvalidOperation most(std::initializer_list<InvalidOperation> all) const {
    const auto found =
        std::max_element(all.begin(), all.end(), [](const InvalidOperation& a, const InvalidOperation& b) {
          return (a.known() ? a.count : 0) < (b.known() ? b.count : 0);
        });
    return *found;
  }

  InvalidOperation of_logarithm() const {
    if (!is({"log", "log2", "log10", "log1p"})) return {};
    const at::Tensor self = numbers("self");
    if (!self.defined()) return {};
    const double zero = name_ == "log1p" ? -1 : 0;
    const InvalidOperation of_zero = reason(zero == 0 ? Kind::kLogOfZero : Kind::kPole, "self", self, self.eq(zero));
    return most({of_zero, reason(Kind::kLogOfNegative, "self", self, self.lt(zero))});
  }

  InvalidOperation of_quotient() const {
    at::Tensor above;
    at::Tensor below;
    std::string_view whose = "other";
    if (is({"div", "true_divide", "divide", "floor_divide", "fmod", "remainder"})) {
      above = numbers("self");
      below = numbers("other");
    } else if (is({"reciprocal"})) {
      below = numbers(whose = "self");
    } else if (is({"rsqrt"})) {
      const at::Tensor self = numbers(whose = "self");
      if (self.defined() && bad_where(self.lt(0)) == 0) below = self;
    } else if (is({"pow"})) {
      const at::Tensor exponent = numbers("exponent");
      const at::Tensor self = numbers(whose = "self");
      if (exponent.defined() && self.defined()) {
        return reason(Kind::kDivisionByZero, whose, self, self.eq(0).logical_and(exponent.lt(0)));
      }
    } else if (is({"addcdiv"})) {
      above = numbers("tensor1");
      below = numbers(whose = "tensor2");
    }
    if (!below.defined()) return {};
    const at::Tensor zero = below.eq(0);
    if (above.defined()) {
      const at::Tensor both = zero.logical_and(above.eq(0));
      const at::Tensor infinite = at::isinf(below).logical_and(at::isinf(above));
      if (bad_where(infinite) > bad_where(zero)) return reason(Kind::kInfinityByInfinity, whose, below, infinite);
      const std::int64_t zero_by_zero = bad_where(both);
      if (zero_by_zero > 0 && 2 * zero_by_zero >= bad_where(zero)) {
        return {Kind::kZeroByZero, std::string(whose), count_of(zero), below.numel()};
      }
    }
    return reason(Kind::kDivisionByZero, whose, below, zero);
  }

  InvalidOperation of_root() const {
    const at::Tensor self = numbers("self");
    if (!self.defined()) return {};
    if (is({"sqrt", "rsqrt"})) return reason(Kind::kRootOfNegative, "self", self, self.lt(0));
    if (!is({"pow"})) return {};
    const at::Tensor exponent = numbers("exponent");
    if (!exponent.defined()) return {};
    return reason(Kind::kRootOfNegative, "self", self, self.lt(0).logical_and(exponent.ne(exponent.floor())));
  }

  InvalidOperation of_domain() const {
    const at::Tensor self = numbers("self");
    if (!self.defined()) return {};
    at::Tensor outside;
    at::Tensor pole;
    if (is({"acos", "asin", "arccos", "arcsin"})) outside = self.abs().gt(1);
    if (is({"acosh", "arccosh"})) outside = self.lt(1);
    if (is({"atanh", "arctanh", "erfinv"})) {
      outside = self.abs().gt(1);
      pole = self.abs().eq(1);
    }
    if (is({"logit"})) {
      outside = self.lt(0).logical_or(self.gt(1));
      pole = self.eq(0).logical_or(self.eq(1));
    }
    if (is({"lgamma", "digamma"})) pole = self.le(0).logical_and(self.eq(self.floor()));
    const InvalidOperation is_outside =
        outside.defined() ? reason(Kind::kOutsideOfDomain, "self", self, outside) : InvalidOperation{};
    return most({is_outside, pole.defined() ? reason(Kind::kPole, "self", self, pole) : InvalidOperation{}});
  }

  /// Checks for rows that are all -inf, or hold +inf, and whose results are not finite.
  InvalidOperation of_softmax() const {
    const bool sums = is({"logsumexp"});
    const bool attends = is({"scaled_dot_product_attention", "_scaled_dot_product_attention_math"});
    if (!sums && !attends && !is({"softmax", "_softmax", "log_softmax", "_log_softmax", "_safe_softmax"})) return {};
    const at::Tensor self = attends ? mask() : numbers("self");
    if (!self.defined() || self.dim() == 0) return {};
    std::int64_t dim = -1;
    if (const auto place = place_of("dim"); place && arguments_[*place].isInt()) dim = arguments_[*place].toInt();
    if (const auto place = place_of("dim"); place && arguments_[*place].isIntList()) {
      const auto dims = arguments_[*place].toIntVector();
      if (dims.size() != 1) return {};
      dim = dims.front();
    }
    const at::Tensor masked = at::isneginf(self).all(dim, true);
    const at::Tensor infinite = at::isposinf(self).any(dim, true);
    const bool drops = sums && result_.dim() < self.dim();
    const auto rows = [&](Kind kind, const at::Tensor& so) -> InvalidOperation {
      if (bad_where(drops ? so.squeeze(dim) : so) == 0) return {};
      return {kind, attends ? "attn_mask" : "self", count_of(so), so.numel()};
    };
    return most({rows(Kind::kAllMasked, masked), attends ? InvalidOperation{} : rows(Kind::kInfiniteRow, infinite)});
  }

  /// Returns an attention's mask as numbers to add.
  at::Tensor mask() const {
    const auto place = place_of("attn_mask");
    if (!place || !arguments_[*place].isTensor() || !arguments_[*place].toTensor().defined()) return {};
    const at::Tensor mask = arguments_[*place].toTensor();
    if (mask.scalar_type() != at::kBool) return mask.to(at::kDouble);
    const at::Tensor zero = at::zeros_like(mask, at::kDouble);
    return zero.masked_fill(mask.logical_not(), -std::numeric_limits<double>::infinity());
  }

  /// Checks for a loss over classes whose correct class is masked.
  InvalidOperation of_labels() const {
    if (!is({"cross_entropy_loss", "nll_loss", "nll_loss_nd", "nll_loss_forward", "nll_loss2d"})) return {};
    const at::Tensor self = numbers("self");
    const auto place = place_of("target");
    if (!self.defined() || self.dim() < 2 || !place || !arguments_[*place].isTensor()) return {};
    const at::Tensor target = arguments_[*place].toTensor();
    if (target.scalar_type() != at::kLong || target.dim() + 1 != self.dim()) return {};
    const at::Tensor labels = target.clamp(0, self.size(1) - 1).unsqueeze(1);
    const at::Tensor used = target.ge(0).logical_and(target.lt(self.size(1))).unsqueeze(1);
    const at::Tensor masked = at::isneginf(self.gather(1, labels)).logical_and(used);
    const std::int64_t count = count_of(masked);
    if (count == 0) return {};
    return {Kind::kMaskedLabel, "self", count, target.numel()};
  }

  InvalidOperation of_few_values() const {
    const at::Tensor self = numbers("self");
    if (!self.defined()) return {};
    if (is({"mean"}) && self.numel() == 0) return {Kind::kNoValues, "self", 0, 0};
    const bool finite = at::isfinite(self).all().item<bool>();
    // In float64 the variance of finite numbers is NaN only if there are too few of them.
    const bool small = self.numel() == 0 || self.abs().max().item<double>() < 1e150;
    if (is({"var", "std", "var_mean", "std_mean"}) && finite && small && at::isnan(result_).any().item<bool>()) {
      return {Kind::kTooFewValues, "self", count_of(bad_), bad_.numel()};
    }
    return {};
  }

  /// Products of numbers and matrices: an infinity meets a 0, or infinities of both signs are summed.
  InvalidOperation of_product() const {
    const at::Tensor nan = at::isnan(result_);
    if (!nan.any().item<bool>()) return {};
    using Product = std::function<at::Tensor(const at::Tensor&, const at::Tensor&)>;
    Product product;
    at::Tensor a = numbers("self");
    at::Tensor b = numbers("other");
    if (is({"mul", "multiply"})) {
      product = [](const at::Tensor& x, const at::Tensor& y) { return x.mul(y); };
    } else if (is({"matmul"})) {
      product = [](const at::Tensor& x, const at::Tensor& y) { return at::matmul(x, y); };
    } else if (is({"mm", "bmm"})) {
      b = numbers("mat2");
      product = [](const at::Tensor& x, const at::Tensor& y) { return at::matmul(x, y); };
    } else if (is({"linear"})) {
      a = numbers("input");
      b = numbers("weight");
      product = [](const at::Tensor& x, const at::Tensor& y) { return at::linear(x, y); };
    } else if (is({"addmm", "baddbmm"})) {
      a = numbers(name_ == "addmm" ? "mat1" : "batch1");
      b = numbers(name_ == "addmm" ? "mat2" : "batch2");
      product = [](const at::Tensor& x, const at::Tensor& y) { return at::matmul(x, y); };
    }
    if (!product || !a.defined() || !b.defined()) return {};
    const auto number = [](const at::Tensor& truths) { return truths.to(at::kDouble); };
    const at::Tensor met =
        product(number(at::isinf(a)), number(b.eq(0))).add(product(number(a.eq(0)), number(at::isinf(b))));
    const at::Tensor times_zero = met.gt(0).logical_and(nan);
    if (times_zero.any().item<bool>()) return {Kind::kInfinityTimesZero, "", count_of(times_zero), nan.numel()};
    if (is({"mul", "multiply"})) return {};
    // No infinity met a 0, so the NaN is a sum of infinities of both signs.
    return {Kind::kBothSigns, "", count_of(nan), nan.numel()};
  }

  /// Without a NaN among the terms, a sum is NaN only where infinities of both signs meet.
  InvalidOperation of_sum() const {
    if (!is({"add", "sub", "rsub", "subtract", "sum", "mean", "cumsum"})) return {};
    const at::Tensor alpha = numbers("alpha");
    if (alpha.defined() && !(alpha.eq(1).item<bool>())) return {};
    const at::Tensor nan = at::isnan(result_);
    if (!nan.any().item<bool>()) return {};
    const at::Tensor self = numbers("self");
    if (!self.defined() || !at::isinf(self).any().item<bool>()) return {};
    return {Kind::kBothSigns, "", count_of(nan), nan.numel()};
  }

  /// Checks for an infinite argument.
  InvalidOperation of_infinity() const {
    for (std::size_t i = 0; i < arguments_.size() && i < traits_.argument_names.size(); ++i) {
      if (!arguments_[i].isTensor() || !arguments_[i].toTensor().defined()) continue;
      const at::Tensor& values = arguments_[i].toTensor();
      if (!values.is_floating_point()) continue;
      const std::int64_t infinite = count_of(at::isinf(values));
      if (infinite > 0) return {Kind::kInfiniteArgument, traits_.argument_names[i], infinite, values.numel()};
    }
    return {};
  }

  const graph::OpTraits& traits_;
  const std::vector<c10::IValue>& arguments_;
  const at::Tensor& result_;
  at::Tensor bad_;
  std::string name_;
};

}  // namespace

InvalidOperation find_invalid_operation(const graph::OpTraits& op, const std::vector<c10::IValue>& arguments,
                                        const at::Tensor& result) {
  const at::NoGradGuard no_history;
  if (!result.defined() || !result.is_floating_point() || result.layout() != at::kStrided) return {};
  try {
    return Case(op, arguments, result).find();
  } catch (const std::exception&) {
    return {};  // arguments that these checks do not support: unknown
  }
}

}  // namespace binade::diagnose
