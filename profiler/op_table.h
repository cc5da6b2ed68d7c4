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

/// How far an op's tensor-core figure can be trusted.
enum class Confidence : std::uint8_t {
  kNone,  ///< not measured, or not determined: show no figure
  kLow,   ///< give or take 5 points or more
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

/// One op in one phase over what was recorded since the table was cleared.
struct OpFigures {
  OpKey op = kOutsideOps;
  double seconds = 0;  ///< on the device
  std::uint64_t launches = 0;
  double percent = -1;  ///< tensor pipes active while it ran; below 0: not measured
  double error = -1;    ///< its standard error, points
  Confidence confidence = Confidence::kNone;
  std::vector<OpKernel> kernels;  ///< the longest first, at most 8
};

/// Adds kernels up by op, and keeps what is known of each op's tensor-core use; other steps' are left out. For one
/// thread.
class OpTable {
 public:
  void add(const std::vector<Kernel>& kernels);
  /// One stretch of time more in which kernels and samples were joined. Figures are means over stretches, each by what
  /// its error makes it worth, and half as much with each that follows: changes show within seconds, and a stretch that
  /// says little spoils nothing.
  void add(const Attribution& joined);

  /// Figures since the last clear(); `names` as the source gives them.
  std::vector<OpFigures> figures(const std::vector<std::string>& names) const;
  /// Times and launches begin at 0 again; tensor-core figures stay until there are newer ones.
  void clear();
  /// Tensor-core figures are gone: what ran before is not what runs now, or nothing is sampled any more.
  void forget_figures();

  /// How far the samples' clock was found to be from the kernels', seconds.
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
