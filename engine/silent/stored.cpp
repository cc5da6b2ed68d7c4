// SPDX-License-Identifier: Apache-2.0
#include "engine/silent/stored.h"

#include "engine/wire/site_text.h"
#include "engine/words/numbers.h"

#include <algorithm>
#include <cmath>

namespace binade::silent {

namespace {

/// The largest integer up to which a format holds all integers.
std::uint64_t exact_up_to(const formats::Format& format) {
  return std::uint64_t{1} << (format.mantissa_bits + 1);
}

double share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

namespace {

/// Sign of an update that is infinite or 0 / 0, because a root and the epsilon beside it are 0.
Sign broken_sign(const UpdateSeen& seen) {
  const std::string format = formats::name(seen.format);
  Sign sign;
  sign.kind = Sign::Kind::kLowState;
  sign.direction = wire::Direction::kBackward;
  sign.what = seen.parameter;
  sign.format = seen.format;
  sign.proved = true;
  sign.amount = share(seen.broken, seen.elements);
  sign.unit = "of the weights";
  sign.sentence = "The optimizer's step in " + format + " leaves " + words::grouped(seen.broken) + " of " +
                  words::grouped(seen.elements) + " weights of " + seen.parameter +
                  " not finite; in float64 it leaves all finite";
  if (seen.epsilon > 0 && seen.epsilon <= seen.format.underflow_limit()) {
    sign.sentence += ". Its epsilon, " + words::figure(seen.epsilon) + ", is 0 in " + format +
                     ", and squares of small gradients are too: the update is divided by 0";
  }
  sign.next =
      "Keep float32 master weights (the level apex-o2): the optimizer's sums are in float32 then too. Or raise "
      "optimizer.epsilon to what the format holds.";
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
    sign.unit = "of the update's norm";
    sign.sentence = words::percent(sign.amount) + " of the update of " + seen.parameter + " is lost in " +
                    formats::name(seen.format) + ": " + words::grouped(seen.lost) + " of " +
                    words::grouped(seen.moved) + " weights stay as they are, since an update is " +
                    words::figure(seen.update_over_weight) + " of its weight";
    const bool wide = seen.format.mantissa_bits >= formats::kFloat32.mantissa_bits;
    sign.next = wide
                    ? "So small an update changes nothing even in float32: raise the learning rate, or look at why the "
                      "gradient is so small."
                    : "Keep float32 master weights (the level apex-o2), or the model in float32 and a policy that "
                      "casts it; a higher learning rate also helps.";
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
    sign.unit = mostly_vanished ? "of its numbers" : "of its change";
    sign.sentence =
        "The optimizer's " + seen.tensor + " in " + formats::name(seen.format) +
        (mostly_vanished ? " holds 0 for " + words::grouped(seen.vanished) + " of " + words::grouped(seen.counted) +
                               " numbers that are not 0 in float32"
                         : " stands still for " + words::grouped(seen.lost) + " of " + words::grouped(seen.moved) +
                               " numbers, " + words::percent(seen.lost_norm) + " of what it ought to change by");
    sign.next = "Keep float32 master weights (the level apex-o2): the optimizer's sums are in float32 then too.";
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
    sign.unit = "of the numbers";
    sign.sentence = words::grouped(seen.changed) + " of " + words::grouped(seen.whole) + " whole numbers in " +
                    seen.argument + " of " + wire::place_of(site) + " become others in " + formats::name(seen.format) +
                    ", which holds all of them up to " + words::grouped(exact_up_to(seen.format)) +
                    " only; they reach " + words::figure(seen.largest);
    if (seen.cast_by_policy) {
      policy::SiteRule& rule = sign.fix.rules.emplace_back();
      rule.match = site.key.name();
      rule.format = formats::kFloat32;
      rule.why = "whole numbers that the format does not hold";
      sign.fix.text = rule.match + " in float32 holds them.";
    } else {
      sign.next = "The model casts them itself: keep whole numbers of that size in float32, or as integers.";
    }
    signs.push_back(std::move(sign));
  }
  return signs;
}

}  // namespace binade::silent
