// SPDX-License-Identifier: Apache-2.0
#include "engine/silent/vanished.h"

namespace binade::silent {

std::vector<Sign> vanished_signs(const Evidence& evidence) {
  std::vector<Sign> signs;
  for (const VanishedSeen& seen : evidence.vanished) {
    Sign sign;
    sign.kind = Sign::Kind::kVanishedOverflow;
    sign.site = seen.site;
    sign.what = "output";
    sign.format = seen.format;
    sign.largest = seen.largest;
    sign.amount = seen.wrong.value_or(seen.infinite);
    sign.unit = seen.wrong ? wire::SilentFault::Unit::kLaterValues : wire::SilentFault::Unit::kValues;
    sign.facts.share = seen.infinite;
    sign.facts.where = seen.where;
    sign.facts.wrong = seen.wrong;
    sign.facts.harmless = seen.harmless;
    sign.facts.unmeasured = seen.unmeasured;
    if (seen.wrong) {
      sign.facts.step = seen.measured;
      sign.facts.loss = seen.loss;
      sign.facts.usual_loss = seen.mended;
    }
    sign.harmless = seen.harmless;
    sign.fix = seen.fix;
    signs.push_back(std::move(sign));
  }
  return signs;
}

}  // namespace binade::silent
