// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

#include <vector>

namespace binade::views {

struct Range {
  double low = 0;
  double high = 1;
  double span() const { return high - low; }
  bool contains(double value) const { return value >= low && value <= high; }
  friend bool operator==(const Range&, const Range&) = default;
};

struct Tick {
  double value = 0;
  QString label;
  friend bool operator==(const Tick&, const Tick&) = default;
};

/// Ticks at 1, 2 or 5 x 10^n within `range`, at most `most`.
std::vector<Tick> linearTicks(const Range& range, int most);
/// Ticks for steps: integers only, grouped.
std::vector<Tick> stepTicks(const Range& range, int most);
/// Ticks of a binade axis (values are exponents): every 1, 2, 4, 8, 16 or 32 binades, with labels like `2¹⁶`. At most
/// `most`, but three if the range has as many.
std::vector<Tick> binadeTicks(const Range& range, int most);

/// Height of a label in px. Labels closer than this overlap.
inline constexpr double kLabelLine = 15;

/// Returns the ticks whose labels are at least `least` px apart, at `pixels` px per unit of value. The last tick is
/// always included, since its label may contain the unit.
std::vector<Tick> labelsApart(const std::vector<Tick>& ticks, double pixels, double least);

/// `range` widened to the linear ticks around it, so that an automatic axis does not change with every sample.
Range widened(const Range& range, int ticks = 5);

}  // namespace binade::views
