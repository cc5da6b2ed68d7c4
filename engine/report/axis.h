// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace binade::report {

/// The vertical axis of a chart: places between its ends, and its marks.
class Axis {
 public:
  enum class Scale : std::uint8_t { kLinear, kPowersOf2, kPowersOf10 };
  struct Mark {
    double value = 0;
    std::string label;
  };

  /// From `lowest` to `highest`, which are finite. On a scale of powers both are positive.
  Axis(Scale scale, double lowest, double highest);

  /// 0 at the lower end, 1 at the upper end.
  double place(double value) const;
  const std::vector<Mark>& marks() const { return marks_; }

 private:
  double along(double value) const;
  void mark_powers(int base);
  void mark_numbers();

  Scale scale_;
  double low_ = 0;
  double high_ = 1;
  std::vector<Mark> marks_;
};

/// A number for coordinates: one digit after the point, whatever the locale.
std::string coordinate(double value);

}  // namespace binade::report
