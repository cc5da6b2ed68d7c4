// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiler/attribution.h"
#include "profiler/kernel_class.h"
#include "profiler/kernel_source.h"

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace binade::profiler {

/// Reliability of an op's tensor-core figure.
enum class Confidence : std::uint8_t {
  kNone,  ///< not measured, not determined, or worse than 15 points: show no figure
  kLow,   ///< standard error of 5 to 15 points
  kFair,  ///< 2 to 5 points
  kGood,
};
std::string_view name(Confidence confidence);

/// A kernel that ran for an op.
struct OpKernel {
  std::string name;
  std::uint64_t launches = 0;
  double seconds = 0;
  KernelClass by_name = KernelClass::kUnknown;  ///< a hint, never a measurement
};

/// One op in one phase, over all records since the table was cleared.
struct OpFigures {
  OpKey op = kOutsideOps;
  double seconds = 0;  ///< on the device
  std::uint64_t launches = 0;
  double percent = -1;  ///< tensor pipes active while it ran; below 0: not measured
  double error = -1;    ///< its standard error in points; below 0: not measured
  Confidence confidence = Confidence::kNone;
  std::vector<OpKernel> kernels;  ///< the longest first, at most 8
};

/// Sums kernels by op and keeps each op's tensor-core use. Kernels of other steps are left out. Not thread-safe.
class OpTable {
 public:
  void add(const std::vector<Kernel>& kernels);
  /// Adds the result for one more stretch of time. Figures are means over stretches, weighted by inverse variance and
  /// halved with each new stretch. So changes show within seconds, and an imprecise stretch has little weight.
  void add(const Attribution& joined);

  /// Returns the figures since the last clear(). `names` are KernelSource::names().
  std::vector<OpFigures> figures(const std::vector<std::string>& names) const;
  /// Resets times and launches. Tensor-core figures stay until they are replaced.
  void clear();
  /// Discards tensor-core figures: they belong to an earlier policy, or sampling has stopped.
  void forget_figures();

  /// Returns the offset between the samples' clock and the kernels', in seconds.
  double shift() const { return shift_; }

 private:
  struct Sum {
    std::uint64_t launches = 0;
    double seconds = 0;
  };
  struct Entry {
    Sum all;
    std::unordered_map<std::uint32_t, Sum> kernels;
  };
  struct Share {
    double weight = 0;    ///< 1 / variance of `percent`
    double weighted = 0;  ///< percent times weight
  };

  std::map<OpKey, Entry> ops_;
  std::unordered_map<OpKey, Share> shares_;
  double shift_ = 0;
};

}  // namespace binade::profiler
