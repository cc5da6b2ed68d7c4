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

/// Adds kernels up by op, and keeps the newest of them to be joined with samples. For one thread.
class OpTable {
 public:
  explicit OpTable(std::size_t window = 200'000) : window_(window) {}

  void add(const std::vector<Kernel>& kernels);
  void add(const std::vector<Sample>& samples);
  /// Joins what the window holds; the figures are those of the newest window. Cheap where nothing is new.
  void attribute();

  /// Figures since the last clear(); `names` as the source gives them.
  std::vector<OpFigures> figures(const std::vector<std::string>& names) const;
  /// Times and launches begin at 0 again; tensor-core figures stay until there are newer ones.
  void clear();

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

  std::size_t window_;
  std::map<OpKey, Entry> ops_;
  std::unordered_map<OpKey, OpShare> shares_;
  std::vector<Kernel> kernels_;
  std::vector<Sample> samples_;
  double shift_ = 0;
};

}  // namespace binade::profiler
