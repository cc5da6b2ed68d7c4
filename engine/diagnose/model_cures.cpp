// SPDX-License-Identifier: Apache-2.0
#include "engine/diagnose/model_cures.h"

#include "engine/diagnose/why_words.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

namespace binade::diagnose {

namespace {

using Kind = Why::Kind;

constexpr int kFarthest = 6;  // most calls between a first cause and the cure's subject

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

formats::Format format_of(at::ScalarType dtype) {
  return dtype == at::kHalf ? formats::kFloat16 : dtype == at::kBFloat16 ? formats::kBFloat16 : formats::kFloat32;
}

class Cures {
 public:
  Cures(const Trace& trace, const Cause& cause) : trace_(trace), cause_(cause) {}

  std::string find() const {
    if (cause_.call < 0) return {};
    for (const auto cure : {&Cures::of_own_cast, &Cures::of_mask, &Cures::of_logarithm, &Cures::of_epsilon,
                            &Cures::of_exponential, &Cures::of_scores, &Cures::of_square, &Cures::of_sum}) {
      if (std::string text = (this->*cure)(); !text.empty()) return text;
    }
    return {};
  }

 private:
  const TracedCall& call() const { return call_of(cause_.call); }
  const TracedCall& call_of(int id) const { return trace_.calls()[static_cast<std::size_t>(id)]; }
  const TracedValue& value_of(int id) const { return trace_.values()[static_cast<std::size_t>(id)]; }

  static bool is(const TracedCall& call, std::initializer_list<std::string_view> names) {
    std::string_view op = call.site->op;
    op.remove_prefix(op.find(':') + 2);
    if (op.ends_with('_')) op.remove_suffix(1);
    return std::find(names.begin(), names.end(), op) != names.end();
  }

  /// ` (net.py:12)`; empty if the source line is unknown.
  static std::string line_of(const TracedCall& call) {
    return call.site->source.empty() ? std::string() : " (" + call.site->source + ")";
  }
  static std::string name_of(const TracedCall& call) { return call.site->key.name() + line_of(call); }

  bool overflows() const {
    return !cause_.backward && (cause_.fault == Cause::Fault::kOverflow || cause_.fault == Cause::Fault::kCast);
  }

  /// Returns the users of `id`'s results, nearest first, through views, casts and scalings by a number.
  std::vector<int> takers(int id) const {
    std::vector<int> found;
    for (int next = id + 1; next < static_cast<int>(trace_.calls().size()); ++next) {
      for (const TracedUse& use : call_of(next).uses) {
        const TracedValue& value = value_of(use.value);
        if (value.origin == TracedValue::Origin::kCall && value.call == id) {
          found.push_back(next);
          break;
        }
      }
    }
    return found;
  }

  static bool passes(const TracedCall& call) {
    return call.site->view || call.converts || is(call, {"contiguous", "reshape", "clone", "neg"});
  }
  /// Returns whether the call adds or subtracts a number, or clamps.
  static bool shifts(const TracedCall& call) {
    return is(call, {"add", "sub", "rsub", "clamp", "clamp_min", "clamp_max"}) && tensors_of(call) == 1;
  }
  static std::size_t tensors_of(const TracedCall& call) { return call.uses.size(); }

  /// Returns the nearest call before `id` among `names`, back through shifts and calls that pass values on.
  std::optional<int> made_by(int id, std::initializer_list<std::string_view> names) const {
    int at = id;
    for (int steps = 0; steps < kFarthest; ++steps) {
      const TracedCall& here = call_of(at);
      if (here.uses.empty()) return std::nullopt;
      const TracedValue& value = value_of(here.uses.front().value);
      if (value.origin != TracedValue::Origin::kCall) return std::nullopt;
      at = value.call;
      if (is(call_of(at), names)) return at;
      if (!passes(call_of(at)) && !shifts(call_of(at))) return std::nullopt;
    }
    return std::nullopt;
  }

  /// Returns the nearest call after `id` among `names`, through shifts and calls that pass values on.
  std::optional<int> goes_to(int id, std::initializer_list<std::string_view> names) const {
    std::vector<int> open{id};
    for (int steps = 0; steps < kFarthest && !open.empty(); ++steps) {
      std::vector<int> further;
      for (const int at : open) {
        for (const int taker : takers(at)) {
          if (is(call_of(taker), names)) return taker;
          if (passes(call_of(taker)) || shifts(call_of(taker))) further.push_back(taker);
        }
      }
      open = std::move(further);
    }
    return std::nullopt;
  }

  // Cures.

  std::string of_own_cast() const {
    if (cause_.fault != Cause::Fault::kCast || !call().converts || cause_.backward) return {};
    const at::ScalarType to = value_of(call().results.front()).seen.dtype;
    const std::string limit = number(format_of(to).largest());
    const std::string what = to == at::kHalf || to == at::kBFloat16
                                 ? " asks for " + formats::name(format_of(to)) + " itself, which ends at " + limit
                                 : std::string(" asks for that format itself");
    return "The model's own code" + line_of(call()) + what +
           ": leave that cast out, or bring the values below before it.";
  }

  /// A large number added to mask positions.
  std::string of_mask() const {
    if (!cause_.backward && cause_.why.kind == Kind::kAllMasked) {
      return "Rows of " + name_of(call()) +
             " are masked as a whole. Mask with torch.finfo(scores.dtype).min in place of -inf, or take such rows out "
             "with torch.where before the softmax and put 0 in their place behind it.";
    }
    if (!overflows()) return {};
    const bool below = std::all_of(call().results.begin(), call().results.end(), [&](int result) {
      const observe::Values& seen = value_of(result).seen;
      return seen.nan == 0 && seen.positive_infinity == 0;
    });
    const bool number_below = std::any_of(call().numbers.begin(), call().numbers.end(),
                                          [](double value) { return value <= -formats::kFloat16.largest(); });
    const auto made = made_by(cause_.call, {"mul"});
    const bool mask_made = made && std::any_of(call_of(*made).numbers.begin(), call_of(*made).numbers.end(),
                                               [](double value) { return value <= -formats::kFloat16.largest(); });
    const bool masks = goes_to(cause_.call, {"softmax", "_softmax", "log_softmax", "_log_softmax"}).has_value();
    if (!below || !(number_below || mask_made || (masks && is(call(), {"add", "sub", "mul"})))) return {};
    return "A mask is written as a number that the format does not hold, at " + name_of(call()) +
           ". Write torch.finfo(scores.dtype).min in its place, or use a boolean mask (masked_fill) with the rows that "
           "are masked as a whole taken out. -inf in its place makes NaN of such rows.";
  }

  std::string of_logarithm() const {
    const bool lost = cause_.fault == Cause::Fault::kLost;
    const bool logs = is(call(), {"log", "log2", "log10", "log1p"});
    if (cause_.fault != Cause::Fault::kInvalid && !lost && !(cause_.backward && logs)) return {};
    std::optional<int> log = logs ? std::optional(cause_.call) : std::nullopt;
    if (!log) log = goes_to(cause_.call, {"log", "log2", "log10", "log1p"});
    if (!log) return {};
    if (const auto sigmoid = made_by(*log, {"sigmoid"})) {
      return "The model takes the logarithm of a sigmoid" + line_of(call_of(*sigmoid)) +
             ": give what goes into that sigmoid to binary_cross_entropy_with_logits (or to logsigmoid), which needs "
             "no constant and never meets a 0.";
    }
    if (const auto softmax = made_by(*log, {"softmax", "_softmax"})) {
      return "The model takes the logarithm of a softmax" + line_of(call_of(*softmax)) +
             ": take log_softmax, or cross_entropy, of what goes into it.";
    }
    if (const auto sum = made_by(*log, {"sum"}); sum && made_by(*sum, {"exp"})) {
      return "The model takes the logarithm of a sum of exponentials" + line_of(call_of(*sum)) +
             ": torch.logsumexp does both at once.";
    }
    if (lost) return {};
    return "Clamp what goes into " + name_of(call_of(*log)) + ", to at least " + least_of(*log) + ".";
  }

  /// Returns the smallest constant that a call's format can hold, and by which it can divide.
  std::string least_of(int id) const {
    constexpr double kDivisible = 1e-12;  // its inverse times a loss scale is far below float32's maximum
    const TracedCall& of = call_of(id);
    if (of.uses.empty()) return number(kDivisible);
    const formats::Format format = format_of(value_of(of.uses.front().value).seen.dtype);
    return format.smallest_subnormal() < kDivisible ? number(kDivisible) : least_constant(format);
  }

  /// A constant that is 0 in its format, or a missing one.
  std::string of_epsilon() const {
    if (cause_.fault == Cause::Fault::kLost && !call().results.empty()) {
      const formats::Format format =
          call().rounding ? call().rounding->format : format_of(value_of(call().results.front()).seen.dtype);
      const std::string least = least_constant(format);
      if (!cause_.lost.constant) return {};
      const bool rooted = is(call(), {"add", "clamp", "clamp_min"}) && goes_to(cause_.call, {"div", "reciprocal"}) &&
                          made_by(cause_.call, {"sqrt", "linalg_vector_norm", "norm"});
      return "Take a constant of at least " + least + " at " + name_of(call()) +
             (rooted ? ", inside the root rather than behind it" : "") + ", or compute it in float32.";
    }
    const bool zeros = cause_.why.about_zeros();
    if (!zeros || (cause_.fault != Cause::Fault::kInvalid && !cause_.backward)) return {};
    if (is(call(), {"log", "log2", "log10"})) return {};
    // At the smallest constant the derivative of a root exceeds float16.
    const bool steep = cause_.why.kind == Kind::kSlopeAtZero;
    const std::string least = steep ? "1e-06" : least_of(cause_.call);
    const bool root = is(call(), {"sqrt", "rsqrt"});
    const auto behind = made_by_argument(cause_.why.argument, {"sqrt", "linalg_vector_norm", "norm"});
    if (root || behind) {
      return "Add a constant of at least " + least + " inside the root" + line_of(root ? call() : call_of(*behind)) +
             ": sqrt(x + " + least + ").";
    }
    return "Add a constant of at least " + least + " to the argument " + cause_.why.argument + " of " +
           name_of(call()) + ", or clamp it.";
  }

  /// Returns the nearest call among `names` before one argument of the cause.
  std::optional<int> made_by_argument(const std::string& argument,
                                      std::initializer_list<std::string_view> names) const {
    for (const TracedUse& use : call().uses) {
      if (call().site->argument_names[use.argument] != argument) continue;
      const TracedValue& value = value_of(use.value);
      if (value.origin != TracedValue::Origin::kCall) continue;
      if (is(call_of(value.call), names)) return value.call;
      if (passes(call_of(value.call)) || shifts(call_of(value.call))) return made_by(value.call, names);
    }
    return std::nullopt;
  }

  std::string of_exponential() const {
    if (!overflows() || !is(call(), {"exp", "expm1"})) return {};
    if (const auto log = goes_to(cause_.call, {"log", "log1p"})) {
      return "The model takes log(1 + exp(x))" + line_of(call_of(*log)) +
             ": torch.nn.functional.softplus does that without an exponential that overflows.";
    }
    if (const auto sum = goes_to(cause_.call, {"sum", "mean", "cumsum"})) {
      if (goes_to(*sum, {"log"})) {
        return "The model takes the logarithm of a sum of exponentials" + line_of(call_of(*sum)) +
               ": torch.logsumexp does both at once.";
      }
      if (goes_to(*sum, {"div"})) {
        return "The model writes a softmax of its own" + line_of(call()) +
               ": torch.softmax subtracts the largest value first.";
      }
    }
    return "Subtract the largest value before " + name_of(call()) + ", or clamp what goes in.";
  }

  /// A product of two activations, such as the scores of an attention.
  std::string of_scores() const {
    if (!overflows() || !is(call(), {"matmul", "bmm", "mm", "baddbmm", "einsum"})) return {};
    const bool of_weights = std::any_of(call().uses.begin(), call().uses.end(), [&](const TracedUse& use) {
      return value_of(use.value).origin == TracedValue::Origin::kParameter;
    });
    if (of_weights || tensors_of(call()) < 2) return {};
    const auto scaled = goes_to(cause_.call, {"div", "mul"});
    if (scaled && !call_of(*scaled).numbers.empty()) {
      const double by = std::abs(call_of(*scaled).numbers.front());
      const bool divides = is(call_of(*scaled), {"div"});
      if (by > 0 && (divides ? by > 1 : by < 1)) {
        return "The product " + name_of(call()) + " is scaled only behind it" + line_of(call_of(*scaled)) +
               ": scale the query before the product, (q " + (divides ? "/ " : "* ") + number(by) + ") @ k.";
      }
    }
    if (!goes_to(cause_.call, {"softmax", "_softmax", "log_softmax", "add", "masked_fill", "div", "mul"})) return {};
    return "Scale the query before the product " + name_of(call()) +
           ", by one over the root of its size, or normalise query and key.";
  }

  /// A norm written by hand.
  std::string of_square() const {
    if (!overflows()) return {};
    const bool product = is(call(), {"mul"}) && call().uses.size() == 2 && call().uses[0].value == call().uses[1].value;
    const bool square = is(call(), {"square"}) || product ||
                        (is(call(), {"pow"}) && !call().numbers.empty() && call().numbers.front() == 2);
    if (!square || !goes_to(cause_.call, {"mean", "sum"})) return {};
    return "The model writes a norm of its own: square x.float() at " + name_of(call()) +
           ", divide x by its largest magnitude first, or use rms_norm, layer_norm or linalg.vector_norm with "
           "dtype=torch.float32.";
  }

  std::string of_sum() const {
    if (!overflows() || !is(call(), {"sum", "cumsum", "mean"})) return {};
    return "Add up in float32 at " + name_of(call()) + ": dtype=torch.float32.";
  }

  const Trace& trace_;
  const Cause& cause_;
};

}  // namespace

std::string cure_of(const Trace& trace, const Cause& cause) {
  return Cures(trace, cause).find();
}

}  // namespace binade::diagnose
