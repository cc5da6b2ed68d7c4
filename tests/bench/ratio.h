// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace binade::bench {

/// A median with its 95 % confidence interval.
struct Interval {
  double median = 0;
  double low = 0;
  double high = 0;
};

/// Returns the interval of a figure without variance: a count, a size.
inline Interval exactly(double value) {
  return {value, value, value};
}

/// Returns the median and the order statistics that enclose it with 95 % confidence, without assuming a distribution.
/// Needs at least 6 values.
Interval median_interval(std::vector<double> values);

/// Times `one` and `other` alternately, `pairs` times, reversing the order in each pair, so that drift affects both
/// alike. Runs each `warm_up` times first. Returns the ratio one / other of each pair.
std::vector<double> interleaved_ratios(const std::function<void()>& one, const std::function<void()>& other, int pairs,
                                       int warm_up);

/// Prints one figure as a line of JSON. It passes if its median is at most `bar`.
void print_ratio(const std::string& bench, const std::string& what, const Interval& ratio, double bar);

/// The same for a figure without a bar.
void print_ratio(const std::string& bench, const std::string& what, const Interval& ratio);

/// Prints a figure in `unit`. It passes if its median is at most `bar`, or at least `bar` unless `smaller_is_better`.
void print_figure(const std::string& bench, const std::string& what, const Interval& figure, const std::string& unit,
                  double bar, bool smaller_is_better = true);

/// The same for a figure without a bar.
void print_figure(const std::string& bench, const std::string& what, const Interval& figure, const std::string& unit);

/// Prints a line for a measurement that was not made: state, reason, and the next step if there is one. It holds no
/// figure, because 0 would be one.
void print_not_measured(const std::string& bench, const std::string& what, const std::string& state,
                        const std::string& reason, const std::string& next = {});

}  // namespace binade::bench
