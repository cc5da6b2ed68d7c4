// SPDX-License-Identifier: Apache-2.0
#include "engine/silent/vanished.h"

#include "engine/silent/numbers.h"
#include "engine/wire/site_text.h"

namespace binade::silent {

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
                    formats::name(seen.format) + ": " + percent(seen.infinite) +
                    " of its values are not finite, and that vanishes in " + where;
    if (seen.wrong) {
      sign.amount = *seen.wrong;
      sign.unit = "of the values of " + where;
      sign.sentence += ", of whose values " + percent(*seen.wrong) + " are wrong: the loss of step " +
                       std::to_string(seen.measured) + " was " + figure(seen.loss) + ", and is " + figure(seen.mended) +
                       " without the overflow";
    } else {
      sign.amount = seen.infinite;
      sign.unit = "of its values";
      sign.sentence += "; loss and gradients are finite all the same";
    }
    sign.fix = seen.fix;
    if (sign.fix.text.empty()) {
      sign.next = "Compare one step with float32, and look at what goes into it: a larger format did not help.";
    }
    signs.push_back(std::move(sign));
  }
  return signs;
}

}  // namespace binade::silent
