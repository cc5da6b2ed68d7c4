// SPDX-License-Identifier: Apache-2.0
#include "engine/silent/stored.h"

#include <algorithm>
#include <cmath>

namespace binade::silent {

namespace {

double share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

namespace {

/// Sign of an update that is infinite or 0 / 0, because a root and the epsilon beside it are 0.
Sign broken_sign(const UpdateSeen& seen) {
  Sign sign;
  sign.kind = Sign::Kind::kLowState;
  sign.direction = wire::Direction::kBackward;
  sign.what = seen.parameter;
  sign.format = seen.format;
  sign.proved = true;
  sign.amount = share(seen.broken, seen.elements);
  sign.unit = wire::SilentFault::Unit::kWeights;
  sign.facts.share = sign.amount;
  sign.facts.count = seen.broken;
  sign.facts.of = seen.elements;
  if (seen.epsilon > 0 && seen.epsilon <= seen.format.underflow_limit()) sign.facts.epsilon = seen.epsilon;
  return sign;
}

}  // namespace

double no_gradient(const formats::Format& computed) {
  constexpr double kLeast = 1e-4;  // error of long float32 sums
  return std::max(kLeast, std::ldexp(1.0, -computed.mantissa_bits));
}

std::vector<Sign> update_signs(const Evidence& evidence) {
  double largest = 0;
  for (const UpdateSeen& seen : evidence.updates) largest = std::max(largest, seen.gradient);
  std::vector<Sign> signs;
  for (const UpdateSeen& seen : evidence.updates) {
    if (seen.broken > 0) signs.push_back(broken_sign(seen));
    if (seen.lost == 0 || seen.lost_norm < kLostUpdate) continue;
    if (seen.gradient < no_gradient(seen.computed) * largest) continue;
    Sign sign;
    sign.kind = Sign::Kind::kUpdateLost;
    sign.direction = wire::Direction::kBackward;
    sign.what = seen.parameter;
    sign.format = seen.format;
    sign.amount = std::min(1.0, seen.lost_norm);
    sign.unit = wire::SilentFault::Unit::kUpdateNorm;
    sign.facts.share = sign.amount;
    sign.facts.count = seen.lost;
    sign.facts.of = seen.moved;
    sign.facts.update_over_weight = seen.update_over_weight;
    signs.push_back(std::move(sign));
  }
  return signs;
}

std::vector<Sign> state_signs(const Evidence& evidence) {
  std::vector<Sign> signs;
  for (const StateSeen& seen : evidence.states) {
    const double vanished = share(seen.vanished, seen.counted);
    const double amount = std::max(vanished, seen.lost_norm);
    if (amount < kLostState) continue;
    const bool mostly_vanished = vanished >= seen.lost_norm;
    Sign sign;
    sign.kind = Sign::Kind::kLowState;
    sign.direction = wire::Direction::kBackward;
    sign.what = seen.tensor;
    sign.format = seen.format;
    sign.amount = std::min(1.0, amount);
    sign.unit = mostly_vanished ? wire::SilentFault::Unit::kStateNumbers : wire::SilentFault::Unit::kStateChange;
    sign.facts.share = amount;
    sign.facts.count = mostly_vanished ? seen.vanished : seen.lost;
    sign.facts.of = mostly_vanished ? seen.counted : seen.moved;
    signs.push_back(std::move(sign));
  }
  return signs;
}

std::vector<Sign> integer_signs(const Evidence& evidence, std::span<const wire::SiteInfo> sites) {
  std::vector<Sign> signs;
  for (const ArgumentSeen& seen : evidence.arguments) {
    if (seen.whole == 0 || seen.changed == 0 || seen.learnt) continue;
    const wire::SiteInfo& site = sites[static_cast<std::size_t>(seen.site)];
    Sign sign;
    sign.kind = Sign::Kind::kInexactIntegers;
    sign.site = seen.site;
    sign.what = seen.argument;
    sign.format = seen.format;
    sign.amount = share(seen.changed, seen.whole);
    sign.unit = wire::SilentFault::Unit::kNumbers;
    sign.facts.share = sign.amount;
    sign.facts.count = seen.changed;
    sign.facts.of = seen.whole;
    sign.facts.largest = seen.largest;
    if (seen.cast_by_policy) {
      policy::SiteRule& rule = sign.fix.rules.emplace_back();
      rule.match = site.key.name();
      rule.format = formats::kFloat32;
      rule.why = "whole numbers that the format does not hold";
    }
    signs.push_back(std::move(sign));
  }
  return signs;
}

}  // namespace binade::silent
