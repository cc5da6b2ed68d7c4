// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace binade::wire {

inline constexpr double kNotMeasured = std::numeric_limits<double>::quiet_NaN();

/// Time that one site kept the training thread busy in one step, in seconds. Parts do not include each other or nested
/// sites. On a GPU this is the time to launch, not to compute.
struct SiteTime {
  int site = 0;
  int calls = 0;
  double forward = 0;     ///< the op, its casts and rounding
  double backward = 0;    ///< the autograd nodes that it created
  double accumulate = 0;  ///< accumulating its parameters' gradients
  double observe = 0;     ///< Binade's own statistics of it
  friend bool operator==(const SiteTime&, const SiteTime&) = default;
};

/// The matrix product that a site computes, from its first execution. A convolution counts as the equivalent product.
struct SiteProduct {
  int site = 0;
  std::int64_t m = 0, n = 0, k = 0, batches = 1;
  friend bool operator==(const SiteProduct&, const SiteProduct&) = default;
};

/// Times of the sites in one step.
struct StepTimes {
  std::int64_t step = 0;
  double seconds = 0;  ///< wall time of the whole step
  std::vector<SiteTime> sites;
  std::vector<SiteProduct> new_products;  ///< products not reported before
  friend bool operator==(const StepTimes&, const StepTimes&) = default;
};

/// Source of figures, or the reason why there are none.
struct ProfileSource {
  std::string source;    ///< `cpu-clock`, `kernel-records`, `pm-sampling`, `gpm`, `recorded`, `none`
  std::string state;     ///< `running`, `no-driver`, `no-permission`, ...: as reported by `binade-engine probe`
  std::string sentence;  ///< text for the user
  std::string next;      ///< what the user can do about it; empty if nothing
  std::string detail;    ///< the metric and the chip
  friend bool operator==(const ProfileSource&, const ProfileSource&) = default;
};

/// A time slice of the device's curve. Percentages are of the peak over all elapsed cycles; NaN: not measured.
struct ProfileBin {
  double time = 0;     ///< start, in seconds since the run began
  double seconds = 0;  ///< width
  double covered = 0;  ///< share of the slice that was sampled, 0..1
  double tensor = kNotMeasured;
  double hmma = kNotMeasured;       ///< part of `tensor`: float16, bfloat16, tfloat32, float8
  double imma = kNotMeasured;       ///< part of `tensor`: int8
  double dmma = kNotMeasured;       ///< part of `tensor`: float64
  double sm_active = kNotMeasured;  ///< multiprocessors with work
  double clock = kNotMeasured;      ///< Hz
  friend bool operator==(const ProfileBin&, const ProfileBin&) = default;
};

/// A kernel that ran for a site.
struct ProfileKernel {
  std::string name;
  std::int64_t launches = 0;
  double seconds = 0;   ///< per step
  std::string by_name;  ///< `tensor`, `ordinary`, `unknown`: guessed from the name, not measured
  friend bool operator==(const ProfileKernel&, const ProfileKernel&) = default;
};

/// Why tensor cores are or are not used at a site.
struct TensorVerdict {
  enum class Kind : std::uint8_t {
    kUsed,         ///< runs on tensor cores
    kNoGpu,        ///< the run's device has none
    kNotMatrix,    ///< not a matrix product
    kEmulated,     ///< emulated formats are computed in float32
    kFormat,       ///< a format that tensor cores do not support
    kDimensions,   ///< dimensions that are not the required multiples
    kTooSmall,     ///< too little work for the device
    kMemoryBound,  ///< limited by memory bandwidth, not by arithmetic
    kNotMeasured,  ///< no obstacle found, and nothing was measured
    kUnexplained,  ///< no obstacle found, but the measured use is low
  };
  /// Operations per byte below which current data-centre GPUs are memory-bound. An A100's ridge is 153 to 200, an
  /// H100's about 300.
  static constexpr double kRidge = 100;

  Kind kind = Kind::kNotMeasured;
  /// The next obstacle after an edit of the device or the execution: kDimensions, kTooSmall or kMemoryBound.
  std::optional<Kind> then{};
  std::string format{};     ///< the format that the site runs in: `float16`
  bool on_gpu = false;      ///< whether the run is on a GPU
  bool of_outputs = false;  ///< kDimensions: `size` counts outputs; otherwise inputs
  std::int64_t size = 0;    ///< kDimensions: a dimension that is no multiple of `multiple`
  std::int64_t multiple = 0;
  std::int64_t padded = 0;  ///< kDimensions: the next larger dimension that is one
  double operations = 0;    ///< kTooSmall: of one call
  double per_byte = 0;      ///< kMemoryBound: operations for each byte that is moved
  friend bool operator==(const TensorVerdict&, const TensorVerdict&) = default;
};

/// One site over the profiled steps of a profile. Seconds are means per step: of the training thread on a CPU, of
/// kernels on a GPU.
struct SiteProfile {
  int site = 0;
  double calls = 0;  ///< per step
  double forward = 0;
  double backward = 0;
  double accumulate = 0;
  double observe = 0;
  double launches = kNotMeasured;      ///< kernels per step
  double tensor = kNotMeasured;        ///< percentage of its kernels' cycles in which tensor pipes are active
  double tensor_error = kNotMeasured;  ///< standard error of `tensor`, in percentage points
  std::string confidence = "none";     ///< `none`, `low`, `fair`, `good`
  bool emulated = false;               ///< its time is that of emulation and says nothing about the format's speed
  std::vector<ProfileKernel> kernels;  ///< longest first
  TensorVerdict verdict{};
  friend bool operator==(const SiteProfile&, const SiteProfile&) = default;
};

/// Measurements since the last profile, sent a few times a second at most.
struct Profile {
  std::int64_t first_step = 0;  ///< first step that `sites` are means over
  std::int64_t last_step = 0;
  std::int64_t steps = 0;      ///< number of profiled steps; 0: `sites` is empty
  double step_seconds = 0;     ///< mean wall time of a profiled step
  ProfileSource curve;         ///< source of `bins`
  ProfileSource times;         ///< source of the seconds in `sites`
  ProfileSource tensor;        ///< source of the tensor-core figures in `sites`
  bool estimate = true;        ///< some site has a tensor-core figure, joined from samples and kernels by least squares
  double outside = 0;          ///< seconds per step outside of all sites: optimizer, scaler, data
  double idle = kNotMeasured;  ///< of `outside`, seconds in which the GPU ran no kernel; not measured on a CPU
  std::vector<ProfileBin> bins;
  std::vector<SiteProfile> sites;  ///< those that ran, by site
  friend bool operator==(const Profile&, const Profile&) = default;
};

}  // namespace binade::wire
