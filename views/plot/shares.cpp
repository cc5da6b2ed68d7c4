// SPDX-License-Identifier: Apache-2.0
#include "views/plot/shares.h"

#include "engine/formats/effect.h"
#include "views/values/numbers.h"

#include <algorithm>
#include <cmath>

namespace binade::views {

namespace {

Shares::Between between(const formats::CountRange& count, double all) {
  return {static_cast<double>(count.low) / all, static_cast<double>(count.high) / all};
}

void addEffect(Shares& shares, const formats::FormatEffect& effect, double all) {
  shares.zeroRange = between(effect.zero.count, all);
  shares.subnormalRange = between(effect.subnormal.count, all);
  shares.overflowRange = between(effect.overflow.count, all);
  shares.zeroNorm = {effect.zero.norm.low, effect.zero.norm.high};
  const auto rest = [&](auto side) {
    const double gone = side(shares.zeroRange) + side(shares.subnormalRange) + side(shares.overflowRange);
    return std::clamp(1 - gone - shares.notFinite, 0.0, 1.0);
  };
  shares.normalRange = {rest([](const Shares::Between& b) { return b.high; }),
                        rest([](const Shares::Between& b) { return b.low; })};
  // Rounding may put the sums in the wrong order.
  shares.normalRange.low = std::min(shares.normalRange.low, shares.normalRange.high);
  if (!shares.exact()) return;
  shares.zero = shares.zeroRange.low;
  shares.subnormal = shares.subnormalRange.low;
  shares.overflow = shares.overflowRange.low;
  shares.normal = shares.normalRange.low;
  shares.overflowIsBound = false;
}

}  // namespace

QString betweenText(const Shares::Between& between) {
  if (between.exact()) return share(between.low);
  if (between.isTooWide()) return QStringLiteral("–");
  if (between.low <= 0) return QStringLiteral("≤ ") + share(between.high);
  QString low = share(between.low);
  const QString high = share(between.high);
  if (low == high) return high;
  low.remove(QStringLiteral(" %"));
  return low + QStringLiteral(" … ") + high;
}

Shares sharesOf(const formats::TensorStats& stats, const formats::Format& format, int shift) {
  Shares shares;
  if (stats.count <= stats.zero) return shares;
  const auto all = static_cast<double>(stats.count - stats.zero);
  const double limit = format.overflow_limit();
  const double underflow = format.underflow_limit();
  const bool reachesLimit = std::ldexp(static_cast<double>(stats.largest), shift) >= limit;

  double zero = 0, subnormal = 0, normal = 0, overflow = 0;
  for (int i = 0; i < formats::kBinades; ++i) {
    const double values = stats.binades[static_cast<std::size_t>(i)];
    if (values == 0) continue;
    const int exponent = formats::kFirstBinade + i + shift;
    const double low = std::ldexp(1.0, exponent);
    const bool straddles = low < limit && limit < 2 * low;
    if (low >= limit || (straddles && reachesLimit)) {
      overflow += values;
      shares.overflowIsBound = shares.overflowIsBound || straddles;
    } else if (2 * low <= underflow) {
      zero += values;
    } else if (exponent < format.min_exponent()) {
      subnormal += values;
    } else {
      normal += values;
    }
  }
  const auto infinite = static_cast<double>(stats.positive_infinity + stats.negative_infinity);
  const double unknown = stats.censored ? infinite : 0;
  overflow += unknown;
  shares.overflowIsBound = shares.overflowIsBound || unknown > 0;
  shares.notFinite = (static_cast<double>(stats.non_finite()) - unknown) / all;
  shares.zero = zero / all;
  shares.subnormal = subnormal / all;
  shares.normal = normal / all;
  shares.overflow = overflow / all;
  addEffect(shares, formats::effect_of(stats, format, shift), all);
  return shares;
}

}  // namespace binade::views
