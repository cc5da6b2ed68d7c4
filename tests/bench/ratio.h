// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace binade::bench {

/// A median with its 95 % interval.
struct Interval {
  double median = 0;
  double low = 0;
  double high = 0;
};

/// Of a figure that has none: a count, a size.
inline Interval exactly(double value) {
  return {value, value, value};
}

/// Median of `values` and the order statistics that hold it with 95 %: no shape of distribution is assumed.
/// Needs at least 6 values.
Interval median_interval(std::vector<double> values);

/// Times `one` and `other` in turn, `pairs` times, each pair in the other order than the last, so that drift of the
/// machine meets both alike. Each is run `warm_up` times first. Returns the ratio one / other of each pair.
std::vector<double> interleaved_ratios(const std::function<void()>& one, const std::function<void()>& other, int pairs,
                                       int warm_up);

/// One figure as a line of JSON on standard output. `bar`: what the figure is held against; smaller is better.
void print_ratio(const std::string& bench, const std::string& what, const Interval& ratio, double bar);

/// The same without a bar: for the figures that stand beside one.
void print_ratio(const std::string& bench, const std::string& what, const Interval& ratio);

/// A figure that is no ratio, in `unit`.
void print_figure(const std::string& bench, const std::string& what, const Interval& figure, const std::string& unit,
                  double bar, bool smaller_is_better = true);

/// One line for a measurement that was not made: the state's code, why, and what would change it where anything would.
/// Never a figure: 0 would be one.
void print_not_measured(const std::string& bench, const std::string& what, const std::string& state,
                        const std::string& reason, const std::string& next = {});

}  // namespace binade::bench
