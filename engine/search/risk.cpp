// SPDX-License-Identifier: Apache-2.0
#include "engine/search/risk.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace binade::search {

namespace {

constexpr double kSomeLost = 0.01;    ///< share of values lost above which a change is doubtful
constexpr double kMostLost = 0.5;     ///< share above which it is unlikely to hold
constexpr double kFewDoublings = 1;   ///< margin below which the next steps may overflow
constexpr double kManyRoundings = 8;  ///< error in roundings of the format above which a change is doubtful

double at_least_zero(double value) {
  return value > 0 ? value : 0;  // also for NaN
}

double rounding_error(const formats::Format& format) {
  return std::ldexp(1.0, -1 - format.mantissa_bits);
}

/// What is left before an overflow of `format`, where the evidence is about `low`.
std::optional<double> doublings_in(const CallEvidence& call, const formats::Format& format,
                                   const formats::Format& low) {
  if (!call.doublings_left || std::isnan(*call.doublings_left)) return std::nullopt;
  return *call.doublings_left + format.max_exponent() - low.max_exponent();
}

bool overflows_in(const CallEvidence& call, const formats::Format& format, const formats::Format& low) {
  const std::optional<double> left = doublings_in(call, format, low);
  return (left && *left < 0) || (call.overflowed && format.exponent_bits <= low.exponent_bits);
}

double lost_in(const CallEvidence& call, const formats::Format& format, const formats::Format& low) {
  return format.exponent_bits > low.exponent_bits ? 0 : at_least_zero(call.lost);
}

double error_in(const CallEvidence& call, const formats::Format& format, const formats::Format& low) {
  const double finer = std::ldexp(1.0, low.mantissa_bits - format.mantissa_bits);
  // An op call that computes in float32 now has hardly any error yet, but will round its result.
  return std::max(error_of(call) * finer, rounding_error(format) * std::max(1.0, at_least_zero(call.amplifies)));
}

}  // namespace

double error_of(const CallEvidence& call) {
  const double error = std::max(at_least_zero(call.error), at_least_zero(call.gradient_error));
  return error * std::max(1.0, at_least_zero(call.amplifies));
}

double risk_of(const CallEvidence& call, const formats::Format& format, const formats::Format& low) {
  double risk = error_in(call, format, low) + lost_in(call, format, low);
  const std::optional<double> left = doublings_in(call, format, low);
  if (overflows_in(call, format, low)) {
    risk += 1 - std::min(0.0, left.value_or(0));
  } else if (left && *left < kFewDoublings) {
    risk += 0.1;
  }
  return risk;
}

Chance chance_of(const CallEvidence& call, const formats::Format& format, const formats::Format& low) {
  const double lost = lost_in(call, format, low);
  if (overflows_in(call, format, low) || lost > kMostLost) return Chance::kUnlikely;
  const std::optional<double> left = doublings_in(call, format, low);
  const bool doubtful = lost > kSomeLost || (left && *left < kFewDoublings) ||
                        error_in(call, format, low) > kManyRoundings * rounding_error(format);
  return doubtful ? Chance::kDoubtful : Chance::kSafe;
}

}  // namespace binade::search
