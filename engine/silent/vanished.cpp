// SPDX-License-Identifier: Apache-2.0
#include "engine/silent/vanished.h"

#include "engine/wire/site_text.h"
#include "engine/words/numbers.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace binade::silent {

namespace {

/// Advice if no change of the policy removes the overflow. A cast in the model's own code stays under every rule, and
/// in the float32 run too.
std::string without_fix(const wire::SiteInfo& site, formats::Format format) {
  constexpr std::array<std::string_view, 3> kCasts{"aten::to", "aten::_to_copy", "aten::type_as"};
  if (std::find(kCasts.begin(), kCasts.end(), site.key.op) == kCasts.end()) {
    return "No rule that was tried takes the overflow away. Compare one step with float32, and look at what goes into "
           "the op call.";
  }
  return "The model's own code casts to " + formats::name(format) + " there" +
         (site.source.empty() ? "" : " (" + site.source + ")") +
         ", and no rule changes such a cast: leave it out, or bring the values below the format's limit before it.";
}

}  // namespace

std::vector<Sign> vanished_signs(const Evidence& evidence, std::span<const wire::SiteInfo> sites) {
  std::vector<Sign> signs;
  for (const VanishedSeen& seen : evidence.vanished) {
    Sign sign;
    sign.kind = Sign::Kind::kVanishedOverflow;
    sign.site = seen.site;
    sign.what = "output";
    sign.format = seen.format;
    sign.largest = seen.largest;
    const std::string where = seen.where.empty() ? "a later op call" : seen.where;
    sign.sentence = "The output of " + wire::place_of(sites[static_cast<std::size_t>(seen.site)]) + " overflows in " +
                    formats::name(seen.format) + ": " + words::percent(seen.infinite) +
                    " of its values are not finite, and that vanishes in " + where;
    if (seen.wrong) {
      sign.amount = *seen.wrong;
      sign.unit = "of the values of " + where;
      sign.sentence += ", of whose values " + words::percent(*seen.wrong) + " are wrong" +
                       (seen.harmless ? ", which has been harmless so far: the loss" : ": the loss") + " of step " +
                       std::to_string(seen.measured) + " was " + words::figure(seen.loss) + ", and is " +
                       words::figure(seen.mended) + " without the overflow";
    } else {
      sign.amount = seen.infinite;
      sign.unit = "of its values";
      sign.sentence += "; loss and gradients are finite all the same";
      if (!seen.unmeasured.empty()) {
        sign.sentence += ", and what it changes is not known: its measurement failed (" + seen.unmeasured + ")";
      }
    }
    sign.harmless = seen.harmless;
    sign.fix = seen.fix;
    if (sign.fix.text.empty()) sign.next = without_fix(sites[static_cast<std::size_t>(seen.site)], seen.format);
    signs.push_back(std::move(sign));
  }
  return signs;
}

}  // namespace binade::silent
