// SPDX-License-Identifier: Apache-2.0
#include "engine/diagnose/model_cures.h"

#include "engine/diagnose/cause_text.h"
#include "engine/diagnose/traced_walk.h"
#include "engine/graph/dtype_format.h"
#include "engine/words/numbers.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

namespace binade::diagnose {

namespace {

using Kind = InvalidOperation::Kind;
using Reached = TracedWalk::Reached;

const std::initializer_list<std::string_view> kLogs{"log", "log2", "log10", "log1p"};
const std::initializer_list<std::string_view> kSoftmax{"softmax", "_softmax"};
const std::initializer_list<std::string_view> kAnySoftmax{"softmax",      "_softmax",  "log_softmax",
                                                          "_log_softmax", "logsumexp", "scaled_dot_product_attention"};
const std::initializer_list<std::string_view> kProducts{"matmul", "bmm", "mm", "baddbmm", "einsum"};
const std::initializer_list<std::string_view> kNorms{"linalg_vector_norm", "norm"};

/// Returns ` (net.py:12)`; empty if the source line is unknown.
std::string line_of(const TracedCall& call) {
  return call.site->source.empty() ? std::string() : " (" + call.site->source + ")";
}
std::string name_of(const TracedCall& call) {
  return call.site->key.name() + line_of(call);
}

class Cures {
 public:
  Cures(const Trace& trace, const Cause& cause, wire::Verdict verdict)
      : trace_(trace), walk_(trace), cause_(cause), verdict_(verdict) {}

  std::string find() const {
    if (cause_.call < 0) return {};
    // The scale is the cause, and the scaler corrects it.
    if (verdict_ == wire::Verdict::kBenign || verdict_ == wire::Verdict::kScaleHeld) return {};
    for (const auto cure : {&Cures::of_own_cast, &Cures::of_mask, &Cures::of_logarithm, &Cures::of_epsilon,
                            &Cures::of_exponential, &Cures::of_scores, &Cures::of_square, &Cures::of_sum}) {
      if (std::string text = (this->*cure)(); !text.empty()) return text;
    }
    return {};
  }

 private:
  const TracedCall& call() const { return call_of(cause_.call); }
  const TracedCall& call_of(int id) const { return walk_.call(id); }
  const TracedValue& value_of(int id) const { return walk_.value(id); }
  bool is(std::initializer_list<std::string_view> names) const { return is_op(call(), names); }

  /// A result, or an argument after its cast, is beyond the largest value of its format.
  bool overflows() const {
    return !cause_.backward && (cause_.fault == Cause::Fault::kOverflow || cause_.fault == Cause::Fault::kCast);
  }
  bool result_overflows() const { return overflows() && cause_.fault == Cause::Fault::kOverflow; }
  /// Returns whether float32 has a larger range than the format that overflowed.
  bool is_narrow() const { return format_of_result(call()) != formats::kFloat32; }

  formats::Format format_of_result(const TracedCall& of) const {
    if (of.rounding) return of.rounding->format;
    return of.results.empty() ? formats::kFloat32 : graph::stored_format(value_of(of.results.front()).seen.dtype);
  }

  // Constants.

  /// Returns the narrowest format of the step's values, since gradients may be cast to it.
  formats::Format narrowest() const {
    const auto is_half = [this](const TracedCall& each) { return format_of_result(each) == formats::kFloat16; };
    return std::any_of(trace_.calls().begin(), trace_.calls().end(), is_half) ? formats::kFloat16 : formats::kBFloat16;
  }

  /// Returns the smallest epsilon for a divisor or a logarithm's argument. `numerator` divided by it, and a gradient of
  /// about 1 divided by it, stay in range. `numerator` is 0 if unknown.
  std::string least_divisor(double numerator) const {
    constexpr double kHalf = 1e-4;  // 1 / 1e-4 is a seventh of float16's largest value
    constexpr double kWide = 1e-6;
    if (narrowest() != formats::kFloat16) return words::figure(kWide);
    double least = kHalf;
    while (numerator / least > formats::kFloat16.largest() / 4) least *= 10;
    return words::figure(least);
  }

  /// Inside a root a smaller epsilon suffices: the slope is the inverse of its square root.
  static std::string least_in_root() { return "1e-06"; }

  /// Returns whether most values remain if `count` of `of` are replaced by a constant, so that the model can learn.
  static bool most_are_left(const InvalidOperation& why) { return why.of > 0 && why.count * 2 <= why.of; }

  // Cures.

  std::string of_own_cast() const {
    if (cause_.fault != Cause::Fault::kCast || !call().converts || cause_.backward) return {};
    const at::ScalarType to = value_of(call().results.front()).seen.dtype;
    const std::string limit = words::figure(graph::stored_format(to).largest());
    const std::string what =
        to == at::kHalf || to == at::kBFloat16
            ? " casts to " + formats::name(graph::stored_format(to)) + ", whose largest value is " + limit
            : std::string(" casts to that format");
    return "The model's own code" + line_of(call()) + what +
           ": remove the cast, or reduce the values below the limit before it.";
  }

  /// The call that writes a mask's number, which is at or below the lowest number of the format, and that number.
  struct Mask {
    int call;
    double lowest;
  };
  std::optional<Mask> mask_at(int id, double limit) const {
    const TracedCall& at = call_of(id);
    const auto lowest = std::min_element(at.numbers.begin(), at.numbers.end());
    if (lowest == at.numbers.end() || *lowest > limit) return std::nullopt;
    if (is_op(at, {"masked_fill", "where"})) return Mask{id, *lowest};
    if (!walk_.takes_part_in(id, kAnySoftmax)) return std::nullopt;
    if (is_op(at, {"full", "full_like", "new_full", "fill"})) return Mask{id, *lowest};
    if (!is_op(at, {"mul"}) || at.uses.size() != 1) return std::nullopt;
    // A tensor of zeros and one other number selects the masked positions.
    const observe::Values& chosen = value_of(at.uses.front().value).seen;
    return chosen.finite() && chosen.smallest == chosen.largest ? std::optional(Mask{id, *lowest}) : std::nullopt;
  }

  std::optional<Mask> mask(double limit) const {
    if (const auto at = mask_at(cause_.call, limit)) return at;
    if (!is({"add", "sub"}) && cause_.fault != Cause::Fault::kCast) return std::nullopt;
    for (std::size_t use = 0; use < call().uses.size(); ++use) {
      const auto maker = walk_.maker(cause_.call, use);
      if (!maker) continue;
      if (const auto at = mask_at(*maker, limit)) return at;
    }
    return std::nullopt;
  }

  /// Advice for a mask: a number that is written or added at positions to be ignored.
  std::string of_mask() const {
    if (!cause_.backward && cause_.why.kind == Kind::kAllMasked) {
      return "Rows of " + name_of(call()) +
             " are masked as a whole. Mask with torch.finfo(scores.dtype).min in place of -inf, or take such rows out "
             "with torch.where before the softmax and put 0 in their place after it.";
    }
    if (!overflows()) return {};
    const bool below = std::all_of(call().results.begin(), call().results.end(), [&](int result) {
      const observe::Values& seen = value_of(result).seen;
      return seen.nan == 0 && seen.positive_infinity == 0;
    });
    if (!below) return {};
    formats::Format format = format_of_result(call());
    if (cause_.fault == Cause::Fault::kCast) {
      for (const TracedUse& use : call().uses) {
        if (use.argument == cause_.argument && use.cast) format = graph::stored_format(use.cast->dtype);
      }
    }
    const double limit = -format.largest();
    const auto found = mask(limit);
    if (!found) return {};
    const std::string instead =
        " Put torch.finfo(scores.dtype).min there with a boolean mask (masked_fill), which adds nothing up; -inf in "
        "its "
        "place makes NaN of rows that are masked as a whole.";
    if (found->lowest < limit) {
      return "A mask is written as a number that the format does not hold, at " + name_of(call_of(found->call)) + "." +
             instead;
    }
    return "A mask is written as the lowest number of its format, at " + name_of(call_of(found->call)) +
           ", and the addition at " + name_of(call()) + " exceeds the format." + instead;
  }

  /// Returns the logarithm that the first cause affects: the cause itself, or one whose argument it determines.
  std::optional<int> logarithm() const {
    if (is(kLogs)) return cause_.call;
    if (cause_.fault != Cause::Fault::kLost) return std::nullopt;
    const auto log = walk_.goes_to(cause_.call, kLogs);
    return log ? std::optional(log->call) : std::nullopt;
  }

  /// Returns the argument of the logarithm as a linear function of the result of `made`; log1p adds 1.
  Line taken(int log, const Reached& made) const {
    return {made.line.factor, made.line.offset + (is_op(call_of(log), {"log1p"}) ? 1 : 0)};
  }

  std::string of_logarithm() const {
    const bool lost = cause_.fault == Cause::Fault::kLost;
    if (cause_.fault != Cause::Fault::kInvalid && !lost && !cause_.backward) return {};
    const auto log = logarithm();
    if (!log) return {};
    if (const auto sigmoid = walk_.made_by(*log, {"sigmoid"})) {
      const Line line = taken(*log, *sigmoid);
      if (line.is_same() || line.is(-1, 1)) {
        return "The model takes the logarithm of a sigmoid" + line_of(call_of(sigmoid->call)) +
               ": pass the sigmoid's input to binary_cross_entropy_with_logits (or to logsigmoid), which needs "
               "no constant and never takes the logarithm of 0.";
      }
    }
    if (const auto softmax = walk_.made_by(*log, kSoftmax); softmax && taken(*log, *softmax).is_same()) {
      return "The model takes the logarithm of a softmax" + line_of(call_of(softmax->call)) +
             ": pass its input to log_softmax or cross_entropy.";
    }
    if (const auto sum = walk_.made_by(*log, {"sum"}); sum && taken(*log, *sum).is_same()) {
      if (const auto exp = walk_.made_by(sum->call, {"exp"}); exp && exp->line.is_same()) return of_logsumexp(*sum);
    }
    if (std::string text = of_product(*log); !text.empty()) return text;
    if (lost || verdict_ == wire::Verdict::kLostValue || !most_are_left(cause_.why)) return {};
    return "Clamp the input of " + name_of(call_of(*log)) + " to at least " + least_divisor(0) + ".";
  }

  std::string of_logsumexp(const Reached& sum) const {
    return "The model takes the logarithm of a sum of exponentials" + line_of(call_of(sum.call)) +
           ": use torch.logsumexp.";
  }

  /// The logarithm of a product that is outside of its format, although no factor is 0.
  std::string of_product(int log) const {
    const auto product = walk_.made_by(log, {"prod", "cumprod"});
    if (!product || !taken(log, *product).is_same() || call_of(product->call).uses.empty()) return {};
    const TracedCall& of = call_of(product->call);
    if (value_of(of.uses.front().value).seen.zeros > 0) return {};
    const auto sigmoid = walk_.made_by(product->call, {"sigmoid"});
    const bool of_sigmoids = sigmoid && sigmoid->line.is_same();
    const std::string sum = is_op(of, {"prod"}) ? "sum" : "cumsum";
    return "The product at " + name_of(of) + " is outside the format, although no factor is 0. Take the " + sum +
           " of the logarithms instead of the " + "logarithm of the product" +
           (of_sigmoids ? ": logsigmoid(x)." + sum + "(...) of the sigmoid's input." : ".");
  }

  /// A constant that is 0 in its format, or a missing one.
  std::string of_epsilon() const {
    if (cause_.fault == Cause::Fault::kLost) return of_lost_constant();
    const bool zeros = cause_.why.about_zeros();
    if (!zeros || (cause_.fault != Cause::Fault::kInvalid && !cause_.backward)) return {};
    if (is(kLogs)) return {};
    // In float32 the value is not 0, so no constant is needed.
    if (verdict_ == wire::Verdict::kLostValue) return {};
    const bool root = is({"sqrt", "rsqrt"});
    const auto behind = behind_argument(cause_.why.argument, {"sqrt"});
    if (root || behind) {
      return "Add a constant of at least " + least_in_root() + " inside the root" +
             line_of(root ? call() : call_of(*behind)) + ": sqrt(x + " + least_in_root() + ").";
    }
    const bool power = is({"pow"}) && cause_.why.kind == Kind::kSlopeAtZero;
    if (!power && (!is({"div", "reciprocal"}) || !most_are_left(cause_.why))) return {};
    const std::string least = power ? least_in_root() : least_divisor(numerator_of(call()));
    if (const auto norm = behind_argument(cause_.why.argument, kNorms)) {
      return "Clamp the norm" + line_of(call_of(*norm)) + " to at least " + least + " before it divides at " +
             name_of(call()) + ".";
    }
    return "Add a constant of at least " + least + " to the argument " + cause_.why.argument + " of " +
           name_of(call()) + ", or clamp it.";
  }

  std::string of_lost_constant() const {
    if (call().results.empty() || !cause_.lost.constant) return {};
    const bool root_in_front = walk_.goes_to(cause_.call, {"sqrt", "rsqrt"}).has_value();
    const bool rooted = is({"add", "clamp", "clamp_min"}) && walk_.goes_to(cause_.call, {"div", "reciprocal"}) &&
                        walk_.made_by(cause_.call, {"sqrt"});
    std::string least = least_in_root();
    if (!root_in_front && !rooted) {
      const auto divides = walk_.goes_to(cause_.call, {"div"});
      least = least_divisor(divides && divides->argument == 1 ? numerator_of(call_of(divides->call)) : 1);
    }
    return "Take a constant of at least " + least + " at " + name_of(call()) +
           (rooted ? ", inside the root rather than after it" : "") + ", or compute it in float32.";
  }

  double numerator_of(const TracedCall& division) const {
    if (division.uses.size() < 2) return division.numbers.empty() ? 1 : std::abs(division.numbers.front());
    return value_of(division.uses.front().value).seen.largest;
  }

  /// Returns the nearest call of `names` that produces one argument of the cause.
  std::optional<int> behind_argument(const std::string& argument, std::initializer_list<std::string_view> names) const {
    for (std::size_t use = 0; use < call().uses.size(); ++use) {
      if (call().site->argument_names[call().uses[use].argument] != argument) continue;
      if (const auto found = walk_.made_by(cause_.call, names, use)) return found->call;
    }
    return std::nullopt;
  }

  std::string of_exponential() const {
    if (!result_overflows()) return {};
    if (is({"cosh"})) return of_hyperbolic_cosine();
    if (!is({"exp", "expm1"})) return {};
    const double less = is({"expm1"}) ? -1 : 0;
    for (const Reached& log : walk_.all_in_front(cause_.call, {"log", "log1p"})) {
      Line line = taken(log.call, log);
      line.offset += less * line.factor;
      if (line.is(1, 1)) {
        return "The model takes log(1 + exp(x))" + line_of(call_of(log.call)) +
               ": torch.nn.functional.softplus does that without an exponential that overflows.";
      }
      if (line.is(1, -1)) {
        return "The model takes log(exp(x) - 1)" + line_of(call_of(log.call)) +
               ": x + log(-expm1(-x)) is the same without an exponential that overflows.";
      }
      if (line.factor == 1 && line.offset == 0) {
        return "The model takes log(exp(x))" + line_of(call_of(log.call)) + ", which is x.";
      }
    }
    if (less != 0) return clamp_of_exponential();
    for (const Reached& sum : walk_.all_in_front(cause_.call, {"sum"})) {
      if (!sum.line.is_same()) continue;
      for (const Reached& log : walk_.all_in_front(sum.call, {"log"})) {
        if (log.line.is_same()) return of_logsumexp(sum);
      }
      if (is_divided_by(sum.call)) {
        return "The model computes its own softmax" + line_of(call()) +
               ": torch.softmax subtracts the largest value first.";
      }
    }
    return clamp_of_exponential();
  }

  /// Returns whether the exponentials are divided by this sum of themselves.
  bool is_divided_by(int sum) const {
    for (const Reached& division : walk_.all_in_front(sum, {"div"})) {
      if (division.argument != 1 || !division.line.is_same()) continue;
      const auto exp = walk_.made_by(division.call, {"exp"});
      if (exp && exp->call == cause_.call && exp->line.is_same()) return true;
    }
    return false;
  }

  std::string clamp_of_exponential() const {
    const observe::Values& seen = value_of(call().results.front()).seen;
    // For float32 the explanation has this advice. Clamped values have no gradient, so most must not be clamped.
    if (!is_narrow() || seen.infinite() * 2 > seen.count) return {};
    return "Clamp the input of " + name_of(call()) + ".";
  }

  std::string of_hyperbolic_cosine() const {
    const auto log = walk_.goes_to(cause_.call, {"log"});
    if (!log || !log->line.is_same()) return {};
    return "The model takes log(cosh(x))" + line_of(call_of(log->call)) +
           ": x.abs() + softplus(-2 * x.abs()) - log(2) is the same without an exponential that overflows.";
  }

  /// A product of two activations. It has the scores of an attention if its softmax is a factor of another product.
  std::string of_scores() const {
    if (!result_overflows() || !is_narrow() || !is(kProducts)) return {};
    const bool of_weights = std::any_of(call().uses.begin(), call().uses.end(), [&](const TracedUse& use) {
      return value_of(use.value).origin == TracedValue::Origin::kParameter;
    });
    if (of_weights || call().uses.size() < 2) return {};
    const bool scores = is_attention();
    if (const auto scaled = scaling_behind()) {
      const TracedCall& scaling = call_of(*scaled);
      const double by = scaling.numbers.front();
      const bool divides = is_op(scaling, {"div"});
      if (std::abs(by) > 0 && (divides ? std::abs(by) > 1 : std::abs(by) < 1)) {
        const std::string with = (divides ? "/ " : "* ") + words::figure(by) + ") @ ";
        return "The product " + name_of(call()) + " is scaled only afterwards" + line_of(scaling) + ": scale " +
               (scores ? "the query before the product, (q " + with + "k."
                       : "one of its factors before the product, (a " + with + "b.");
      }
    }
    if (!scores) return {};
    const auto scaled_before = [&](std::size_t use) {
      const auto maker = walk_.maker(cause_.call, use);
      return maker && is_op(call_of(*maker), {"mul", "div"}) && call_of(*maker).uses.size() == 1;
    };
    if (scaled_before(0) || scaled_before(1))
      return "Normalise query and key before the product " + name_of(call()) + ".";
    return "Scale the query before the product " + name_of(call()) +
           ", by one over the root of its size, or normalise query and key.";
  }

  /// Returns whether a softmax of the product is a factor of another product.
  bool is_attention() const {
    for (int id = cause_.call + 1; id < walk_.count(); ++id) {
      if (!is_op(call_of(id), kSoftmax) || !softmax_of_cause(id)) continue;
      if (walk_.takes_part_in(id, kProducts)) return true;
    }
    return false;
  }
  bool softmax_of_cause(int softmax) const {
    std::vector<int> open{softmax};
    for (int steps = 0; steps < 6 && !open.empty(); ++steps) {
      std::vector<int> further;
      for (const int at : open) {
        for (const TracedUse& use : call_of(at).uses) {
          const TracedValue& of = value_of(use.value);
          if (of.origin != TracedValue::Origin::kCall) continue;
          if (of.call == cause_.call) return true;
          const TracedCall& maker = call_of(of.call);
          if (passes_values(maker) || is_op(maker, {"add", "sub", "mul", "div", "masked_fill", "where", "clamp"})) {
            further.push_back(of.call);
          }
        }
      }
      open = std::move(further);
    }
    return false;
  }

  /// Returns the call that scales the product by a constant, if the product has no other use.
  std::optional<int> scaling_behind() const {
    if (call().uses.size() != 2) return std::nullopt;
    int at = cause_.call;
    for (int steps = 0; steps < 6; ++steps) {
      const std::vector<TracedWalk::Taker> takers = walk_.takers(at);
      if (takers.size() != 1) return std::nullopt;
      at = takers.front().call;
      const TracedCall& next = call_of(at);
      if (is_op(next, {"div", "mul"}) && next.uses.size() == 1 && !next.numbers.empty()) return at;
      if (!passes_values(next)) return std::nullopt;
    }
    return std::nullopt;
  }

  /// A hand-written norm: a root of a mean or a sum of squares.
  std::string of_square() const {
    if (!overflows() || !is_narrow()) return {};
    const bool product = is({"mul"}) && call().uses.size() == 2 && call().uses[0].value == call().uses[1].value;
    const bool square =
        is({"square"}) || product || (is({"pow"}) && !call().numbers.empty() && call().numbers.front() == 2);
    const auto sum = square ? walk_.goes_to(cause_.call, {"mean", "sum"}) : std::nullopt;
    if (!sum) return {};
    bool rooted = false;
    for (const Reached& root : walk_.all_in_front(sum->call, {"sqrt", "rsqrt", "pow"})) {
      const TracedCall& at = call_of(root.call);
      const bool power = is_op(at, {"pow"});
      if (power && (at.numbers.empty() || std::abs(at.numbers.front()) != 0.5)) continue;
      rooted = true;
      if (is_normed_by(root.call)) {
        return "The model computes its own norm: square x.float() at " + name_of(call()) +
               ", divide x by its largest magnitude first, or use rms_norm, layer_norm or linalg.vector_norm with "
               "dtype=torch.float32.";
      }
    }
    if (!rooted) return {};
    const bool adds = is_op(call_of(sum->call), {"sum"});
    return std::string("The model takes the root of a ") + (adds ? "sum" : "mean") +
           " of squares: square x.float() at " + name_of(call()) +
           (adds ? ", or use linalg.vector_norm with dtype=torch.float32." : ".");
  }

  /// Returns whether the squared value is divided by this root, or multiplied by its inverse.
  bool is_normed_by(int root) const {
    if (call().uses.empty()) return false;
    const int squared = call().uses.front().value;
    const auto same = [&](const TracedUse& use) {
      if (use.value == squared) return true;
      const TracedValue& a = value_of(use.value);
      const TracedValue& b = value_of(squared);
      return a.origin == TracedValue::Origin::kCall && b.origin == TracedValue::Origin::kCall && a.call == b.call;
    };
    for (const Reached& taker : walk_.all_in_front(root, {"div", "mul"})) {
      const std::vector<TracedUse>& uses = call_of(taker.call).uses;
      if (uses.size() == 2 && std::any_of(uses.begin(), uses.end(), same)) return true;
    }
    return false;
  }

  std::string of_sum() const {
    if (!result_overflows() || !is_narrow() || !is({"sum", "cumsum", "mean"})) return {};
    return "Sum in float32 at " + name_of(call()) + ": dtype=torch.float32.";
  }

  const Trace& trace_;
  const TracedWalk walk_;
  const Cause& cause_;
  const wire::Verdict verdict_;
};

}  // namespace

std::string cure_of(const Trace& trace, const Cause& cause, wire::Verdict verdict) {
  return Cures(trace, cause, verdict).find();
}

}  // namespace binade::diagnose
