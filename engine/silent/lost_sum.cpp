// SPDX-License-Identifier: Apache-2.0
#include "engine/silent/lost_sum.h"

#include "engine/wire/site_text.h"
#include "engine/words/numbers.h"

#include <algorithm>
#include <cmath>

namespace binade::silent {

namespace {

constexpr std::size_t kMostRules = 16;

/// The line in the model's source, as the end of a sentence; empty if unknown.
std::string at_line(const wire::SiteInfo& site) {
  return site.source.empty() ? std::string() : " (" + site.source + ")";
}

}  // namespace

double notable_sum_error(const formats::Format& format) {
  constexpr double kLeast = 0.01;
  return std::max(kLeast, std::ldexp(1.0, 1 - format.mantissa_bits));
}

std::vector<Sign> lost_sum_signs(const Evidence& evidence, std::span<const wire::SiteInfo> sites) {
  std::vector<Sign> signs;
  for (const SumSeen& seen : evidence.sums) {
    // A sum that is not finite has left its format: that is an overflow, and is told as one.
    if (!std::isfinite(seen.error) || seen.error < notable_sum_error(seen.format)) continue;
    const wire::SiteInfo& site = sites[static_cast<std::size_t>(seen.site)];
    Sign sign;
    sign.kind = Sign::Kind::kLostSum;
    sign.site = seen.site;
    sign.what = "sum";
    sign.format = seen.format;
    sign.amount = std::min(1.0, seen.error);
    sign.unit = "of error in the sum";
    sign.sentence = "The sum at " + wire::place_of(site) + ", " +
                    words::grouped(static_cast<std::uint64_t>(seen.additions)) + " additions one behind the other" +
                    (seen.loop ? " in a loop" : "") + ", is " + words::percent(seen.error) + " off in " +
                    formats::name(seen.format) + ", where each of them rounds its result";
    const std::string collect =
        "begin it with a float32 zero, or collect the terms and take torch.sum of them once" + at_line(site) + ".";
    if (seen.in_place || seen.sites.size() > kMostRules) {
      sign.next = "Keep the sum in float32: " + collect;
      signs.push_back(std::move(sign));
      continue;
    }
    std::string names;
    for (const int id : seen.sites) {
      policy::SiteRule& rule = sign.fix.rules.emplace_back();
      rule.match = sites[static_cast<std::size_t>(id)].key.name();
      rule.format = formats::kFloat32;
      rule.why = "roundings of a long sum add up";
    }
    names = sign.fix.rules.front().match;
    if (sign.fix.rules.size() > 1) names += " and " + std::to_string(sign.fix.rules.size() - 1) + " more";
    sign.fix.text = names + " in float32 keeps the sum. In the model: " + collect;
    signs.push_back(std::move(sign));
  }
  return signs;
}

}  // namespace binade::silent
