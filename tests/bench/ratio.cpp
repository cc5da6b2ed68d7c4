// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/ratio.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

namespace binade::bench {

namespace {

double seconds(const std::function<void()>& work) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  work();
  return std::chrono::duration<double>(Clock::now() - start).count();
}

nlohmann::ordered_json figure(const std::string& bench, const std::string& what, const Interval& ratio) {
  const auto rounded = [](double value) { return std::round(value * 1e4) / 1e4; };
  return {{"bench", bench},
          {"case", what},
          {"value", rounded(ratio.median)},
          {"low", rounded(ratio.low)},
          {"high", rounded(ratio.high)},
          {"unit", "ratio"}};
}

void print(const nlohmann::ordered_json& line) {
  std::printf("%s\n", line.dump().c_str());
  std::fflush(stdout);
}

}  // namespace

Interval median_interval(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  const double median = values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
  // The number of values below the median follows binomial(n, 1/2): 1.96 standard deviations on either side.
  const auto count = static_cast<double>(values.size());
  const auto edge = static_cast<std::size_t>(std::max(0.0, std::floor(count / 2 - 1.96 * std::sqrt(count) / 2)));
  return {median, values[edge], values[values.size() - 1 - edge]};
}

std::vector<double> interleaved_ratios(const std::function<void()>& one, const std::function<void()>& other, int pairs,
                                       int warm_up) {
  for (int i = 0; i < warm_up; ++i) {
    one();
    other();
  }
  std::vector<double> ratios;
  for (int i = 0; i < pairs; ++i) {
    double first = 0;
    double second = 0;
    if (i % 2 == 0) {
      first = seconds(one);
      second = seconds(other);
    } else {
      second = seconds(other);
      first = seconds(one);
    }
    ratios.push_back(first / second);
  }
  return ratios;
}

void print_ratio(const std::string& bench, const std::string& what, const Interval& ratio, double bar) {
  auto line = figure(bench, what, ratio);
  line["bar"] = bar;
  line["better"] = "lower";
  line["pass"] = ratio.median <= bar;
  print(line);
}

void print_figure(const std::string& bench, const std::string& what, const Interval& figure_of, const std::string& unit,
                  double bar, bool smaller_is_better) {
  auto line = figure(bench, what, figure_of);
  line["unit"] = unit;
  line["bar"] = bar;
  line["better"] = smaller_is_better ? "lower" : "higher";
  line["pass"] = smaller_is_better ? figure_of.median <= bar : figure_of.median >= bar;
  print(line);
}

void print_figure(const std::string& bench, const std::string& what, const Interval& figure_of,
                  const std::string& unit) {
  auto line = figure(bench, what, figure_of);
  line["unit"] = unit;
  print(line);
}

void print_ratio(const std::string& bench, const std::string& what, const Interval& ratio) {
  print(figure(bench, what, ratio));
}

void print_not_measured(const std::string& bench, const std::string& what, const std::string& state,
                        const std::string& reason, const std::string& next) {
  nlohmann::ordered_json line{{"bench", bench}, {"case", what}, {"state", state}, {"reason", reason}};
  if (!next.empty()) line["next"] = next;
  print(line);
}

}  // namespace binade::bench
