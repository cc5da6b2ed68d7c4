// SPDX-License-Identifier: Apache-2.0
#include "engine/lessons/scaled_tail.h"

#include "engine/formats/effect.h"
#include "engine/lessons/figure_parts.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace binade::lessons {

namespace {

constexpr int kTailScales = 24;  ///< exponent of the largest scale
constexpr int kTailLow = -44;    ///< of the axis
constexpr int kTailHigh = 24;

/// Shares in percent of the finite non-zero values.
struct TailShares {
  double zero = 0;
  double subnormal = 0;
  double normal = 0;
  double overflow = 0;
};

/// A gradient's statistics, and the exponent of the loss scale at which they were measured.
struct MeasuredTail {
  formats::TensorStats stats;
  int scale = 0;
};

TailShares shares_at(const MeasuredTail& tail, const formats::Format& format, int exponent) {
  const formats::FormatEffect effect = formats::effect_of(tail.stats, format, exponent - tail.scale);
  if (effect.occupied == 0) return {};
  const auto share = [&](const formats::Portion& portion) {
    return 100.0 * static_cast<double>(portion.count.high) / static_cast<double>(effect.occupied);
  };
  TailShares shares{share(effect.zero), share(effect.subnormal), 0, share(effect.overflow)};
  shares.normal = std::max(0.0, 100 - shares.zero - shares.subnormal - shares.overflow);
  return shares;
}

Series histogram(const MeasuredTail& tail, int exponent, double& top) {
  const formats::TensorStats& stats = tail.stats;
  Series series;
  series.steps = true;
  for (int binade = kTailLow; binade <= kTailHigh; ++binade) {
    const int source = binade - (exponent - tail.scale) - formats::kFirstBinade;
    const bool known = source >= 0 && source < formats::kBinades;
    const double count = known ? stats.binades[static_cast<std::size_t>(source)] : 0;
    const double share = 100 * count / static_cast<double>(std::max<std::uint64_t>(1, stats.occupied()));
    top = std::max(top, share);
    series.points.push_back({power_of_two(binade), share});
  }
  return series;
}

Panel histogram_panel(const MeasuredTail& tail, const formats::Format& format, int exponent) {
  Panel panel;
  panel.x = {"magnitude as the format sees it", AxisScale::kLog2, power_of_two(kTailLow), power_of_two(kTailHigh)};
  double top = 0;
  Series now = histogram(tail, exponent, top);
  now.title = "scaled by 2^" + std::to_string(exponent);
  now.filled = true;
  Series before = histogram(tail, 0, top);
  before.title = "at scale 1";
  before.role = Role::kPast;
  panel.y = {"% of values", AxisScale::kLinear, 0, 1.1 * std::max(top, 1.0)};
  panel.series = {std::move(now), std::move(before)};
  add_window(panel, format, true);
  return panel;
}

Panel every_scale_panel(const MeasuredTail& tail, const formats::Format& format, int exponent, double allowed) {
  Panel panel;
  panel.title = "For every scale";
  panel.x = {"loss scale", AxisScale::kLog2, 1, power_of_two(kTailScales)};
  panel.y = {"% of values", AxisScale::kLog10, 1e-3, 100};
  Series zero{.title = "becomes 0", .role = Role::kZero};
  Series overflow{.title = "overflows", .role = Role::kOverflow};
  for (int each = 0; each <= kTailScales; ++each) {
    const TailShares shares = shares_at(tail, format, each);
    zero.points.push_back({power_of_two(each), shares.zero});
    overflow.points.push_back({power_of_two(each), shares.overflow});
  }
  panel.series = {std::move(zero), std::move(overflow)};
  panel.marks = {{.at = power_of_two(exponent), .label = "2^" + std::to_string(exponent)},
                 {.at = 100 * allowed, .label = share_text(100 * allowed), .on_x = false}};
  return panel;
}

void add_shares(FigureData& data, const TailShares& shares, const std::string& suffix) {
  add_fact(data, "zero" + suffix, shares.zero, share_text(shares.zero));
  add_fact(data, "subnormal" + suffix, shares.subnormal, share_text(shares.subnormal));
  add_fact(data, "normal" + suffix, shares.normal, share_text(shares.normal));
  add_fact(data, "overflow" + suffix, shares.overflow, share_text(shares.overflow));
}

}  // namespace

FigureData scaled_tail_of(const formats::TensorStats& stats, const formats::Format& format, int exponent,
                          double allowed, int measured) {
  MeasuredTail tail{stats, measured};
  tail.stats.censored = false;  // what was lost before the measurement cannot come back at any scale
  FigureData data;
  data.title = "A gradient and the range of " + formats::name(format);
  data.panels = {histogram_panel(tail, format, exponent), every_scale_panel(tail, format, exponent, allowed)};
  const TailShares now = shares_at(tail, format, exponent);
  const TailShares before = shares_at(tail, format, 0);
  add_shares(data, now, "");
  add_shares(data, before, "_at_1");
  std::optional<int> smallest;
  std::optional<int> highest;
  for (int each = 0; each <= kTailScales; ++each) {
    const TailShares shares = shares_at(tail, format, each);
    if (!smallest && shares.zero < 100 * allowed) smallest = each;
    if (shares.overflow == 0) highest = each;
  }
  add_fact(data, "smallest_exponent", smallest.value_or(-1), smallest ? std::to_string(*smallest) : "none");
  add_fact(data, "highest_exponent", highest.value_or(-1), highest ? std::to_string(*highest) : "none");
  data.table.heads = {"values", "at scale 1", "at 2^" + std::to_string(exponent)};
  data.table.rows = {{"become 0", share_text(before.zero), share_text(now.zero)},
                     {"become subnormal", share_text(before.subnormal), share_text(now.subnormal)},
                     {"stay normal", share_text(before.normal), share_text(now.normal)},
                     {"overflow", share_text(before.overflow), share_text(now.overflow)}};
  data.text = "At a loss scale of 2^" + std::to_string(exponent) + ' ' + share_text(now.zero) +
              " of the gradient's values become 0 in " + formats::name(format) + " (" + share_text(before.zero) +
              " at scale 1), " + share_text(now.subnormal) + " become subnormal, " + share_text(now.normal) +
              " stay normal and " + share_text(now.overflow) + " overflow. The smallest scale at which less than " +
              share_text(100 * allowed) + " become 0 is 2^" + data.fact("smallest_exponent")->text +
              ", the largest without overflow 2^" + data.fact("highest_exponent")->text + '.';
  return data;
}

}  // namespace binade::lessons
