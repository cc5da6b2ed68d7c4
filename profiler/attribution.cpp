// SPDX-License-Identifier: Apache-2.0
#include "profiler/attribution.h"

#include "profiler/normal_equations.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace binade::profiler {

namespace {

/// Kernels and samples with times relative to the first kernel, where a double resolves nanoseconds over months.
class Problem {
 public:
  Problem(const std::vector<Kernel>& kernels, const std::vector<Sample>& samples, Channel channel) {
    if (kernels.empty()) return;
    const std::uint64_t zero = kernels.front().start;
    const auto relative = [zero](std::uint64_t time) {
      return static_cast<double>(static_cast<std::int64_t>(time - zero));
    };
    std::unordered_map<OpKey, std::uint32_t> index;
    for (const Kernel& kernel : kernels) {
      const auto [found, is_new] = index.try_emplace(kernel.op, static_cast<std::uint32_t>(shares_.size()));
      if (is_new) shares_.push_back({.op = kernel.op});
      OpShare& share = shares_[found->second];
      const double length = static_cast<double>(kernel.end) - static_cast<double>(kernel.start);
      if (length <= 0) continue;
      ++share.kernels;
      runs_.push_back({relative(kernel.start), relative(kernel.end), found->second});
      longest_ = std::max(longest_, length);
      last_ = std::max(last_, runs_.back().end);
    }
    slices_.reserve(samples.size());
    for (const Sample& sample : samples) {
      const float value = sample.values[channel];
      if (!std::isnan(value) && sample.end > sample.start) {
        slices_.push_back({relative(sample.start), relative(sample.end), static_cast<double>(value)});
      }
    }
    std::sort(slices_.begin(), slices_.end(), [](const Slice& a, const Slice& b) { return a.start < b.start; });
  }

  std::vector<OpShare>& shares() { return shares_; }

  /// Builds the equations with every sample delayed by `shift` nanoseconds. Samples before and after the kernels are
  /// left out. Uses at most `most` samples, from the middle.
  NormalEquations equations(double shift, std::size_t most) {
    NormalEquations system(shares_.size());
    std::size_t first = 0;
    const std::size_t count = std::min(most, slices_.size());
    const std::size_t begin = (slices_.size() - count) / 2;
    for (std::size_t s = begin; s < begin + count; ++s) {
      const Slice& slice = slices_[s];
      const double start = slice.start + shift;
      const double end = slice.end + shift;
      while (first < runs_.size() && runs_[first].start + longest_ < start) ++first;
      row_.clear();
      for (std::size_t i = first; i < runs_.size() && runs_[i].start < end; ++i) {
        const double overlap = std::min(runs_[i].end, end) - std::max(runs_[i].start, start);
        if (overlap > 0) add(runs_[i].op, overlap / (end - start));
      }
      // Within the traced time an idle device counts as well: a wrong shift would put busy samples there.
      if (!row_.empty() || (start >= 0 && end <= last_)) system.add(row_, slice.value);
    }
    return system;
  }

 private:
  struct Run {
    double start, end;
    std::uint32_t op;
  };
  struct Slice {
    double start, end, value;
  };

  void add(std::uint32_t op, double weight) {
    // Few ops per sample: a linear search is faster than a map.
    for (NormalEquations::Entry& entry : row_) {
      if (entry.unknown == op) {
        entry.weight += weight;
        return;
      }
    }
    row_.push_back({op, weight});
  }

  std::vector<OpShare> shares_;
  std::vector<Run> runs_;
  std::vector<Slice> slices_;
  double longest_ = 0;
  double last_ = 0;
  std::vector<NormalEquations::Entry> row_;
};

constexpr double kMostPercent = 100;
constexpr int kScanSweeps = 15;
constexpr std::size_t kScanned = 5000;  ///< samples used in the search for the shift
constexpr int kSweeps = 400;
constexpr double kWorthIt = 0.02;

/// Returns the shift with the smallest residual, in nanoseconds: a coarse scan, then finer ones around its minimum.
double best_shift(Problem& problem, double span) {
  std::vector<double> values;
  const auto cost = [&](double shift) {
    NormalEquations system = problem.equations(shift, kScanned);
    // Starts from the previous solution, since neighbouring shifts differ little.
    if (values.empty()) values = system.start(kMostPercent);
    system.solve(values, kMostPercent, kScanSweeps);
    return system.residual(values) / std::max<double>(1, static_cast<double>(system.rows()));
  };
  const double unshifted = cost(0);
  double best = 0;
  double least = unshifted;
  const auto scan = [&](double middle, double step, int steps) {
    for (int i = -steps; i <= steps; ++i) {
      const double shift = middle + i * step;
      const double value = cost(shift);
      if (value < least) {
        least = value;
        best = shift;
      }
    }
  };
  scan(0, 4e3, static_cast<int>(span / 4e3));
  scan(best, 1e3, 4);
  scan(best, 250, 4);
  return unshifted > 0 && 1 - least / unshifted >= kWorthIt ? best : 0;
}

}  // namespace

Attribution attribute(std::vector<Kernel> kernels, const std::vector<Sample>& samples,
                      const AttributionOptions& options) {
  std::sort(kernels.begin(), kernels.end(), [](const Kernel& a, const Kernel& b) { return a.start < b.start; });
  Problem problem(kernels, samples, options.channel);
  Attribution result;
  const double shift = options.find_shift ? best_shift(problem, options.shift_span * 1e9) : 1e9 * options.shift;
  NormalEquations system = problem.equations(shift, std::numeric_limits<std::size_t>::max());
  const std::vector<double> overlap = system.start(kMostPercent);
  std::vector<double> values = overlap;
  system.solve(values, kMostPercent, kSweeps);
  const std::vector<double> errors = system.errors(values);
  result.ops = std::move(problem.shares());
  for (std::size_t i = 0; i < result.ops.size(); ++i) {
    result.ops[i].percent = values[i];
    result.ops[i].overlap = overlap[i];
    result.ops[i].error = errors[i];
  }
  result.shift_seconds = 1e-9 * shift;
  result.samples = system.rows();
  if (result.samples > 0) result.unexplained = std::sqrt(system.residual(values) / static_cast<double>(result.samples));
  return result;
}

}  // namespace binade::profiler
