// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace binade::wire {

inline constexpr double kNotMeasured = std::numeric_limits<double>::quiet_NaN();

/// How long one site kept the training thread in one step, seconds; each part without those inside it. On a GPU this
/// is the time to launch, not the time to compute.
struct SiteTime {
  int site = 0;
  int calls = 0;
  double forward = 0;     ///< the op, its casts and rounding
  double backward = 0;    ///< the nodes of the autograd graph that it made
  double accumulate = 0;  ///< adding its parameters' gradients up
  double observe = 0;     ///< Binade's own statistics of it
  friend bool operator==(const SiteTime&, const SiteTime&) = default;
};

/// The matrix product that a site computes, as met first; a convolution as the product it amounts to.
struct SiteProduct {
  int site = 0;
  std::int64_t m = 0, n = 0, k = 0, batches = 1;
  friend bool operator==(const SiteProduct&, const SiteProduct&) = default;
};

/// The sites of one step.
struct StepTimes {
  std::int64_t step = 0;
  double seconds = 0;  ///< wall time of the whole step
  std::vector<SiteTime> sites;
  std::vector<SiteProduct> new_products;  ///< those not told before
  friend bool operator==(const StepTimes&, const StepTimes&) = default;
};

/// Where figures come from, or why there are none.
struct ProfileSource {
  std::string source;    ///< `cpu-clock`, `kernel-records`, `pm-sampling`, `gpm`, `recorded`, `none`
  std::string state;     ///< `running`, `no-driver`, `no-permission`, ...: what binade-engine probe says too
  std::string sentence;  ///< what a person reads
  std::string next;      ///< what would change it; empty where nothing can
  std::string detail;    ///< the metric, the chip
  friend bool operator==(const ProfileSource&, const ProfileSource&) = default;
};

/// A slice of the device's curve. Percentages are of the peak over all elapsed cycles; NaN: not measured.
struct ProfileBin {
  double time = 0;     ///< its beginning, seconds since the run began
  double seconds = 0;  ///< its width
  double covered = 0;  ///< share of it that was sampled, 0..1
  double tensor = kNotMeasured;
  double hmma = kNotMeasured;       ///< of it float16, bfloat16, tfloat32, float8
  double imma = kNotMeasured;       ///< of it int8
  double dmma = kNotMeasured;       ///< of it float64
  double sm_active = kNotMeasured;  ///< multiprocessors with work
  double clock = kNotMeasured;      ///< Hz
  friend bool operator==(const ProfileBin&, const ProfileBin&) = default;
};

/// A kernel that ran for a site.
struct ProfileKernel {
  std::string name;
  std::int64_t launches = 0;
  double seconds = 0;   ///< a step
  std::string by_name;  ///< `tensor`, `ordinary`, `unknown`: what the name suggests, never a measurement
  friend bool operator==(const ProfileKernel&, const ProfileKernel&) = default;
};

/// One site over the profiled steps of a profile. Seconds are means a step, on the device that computes: of the
/// training thread on a CPU, of kernels on a GPU.
struct SiteProfile {
  int site = 0;
  double calls = 0;  ///< a step
  double forward = 0;
  double backward = 0;
  double accumulate = 0;
  double observe = 0;
  double launches = kNotMeasured;      ///< kernels a step
  double tensor = kNotMeasured;        ///< percent of the cycles of its kernels in which tensor pipes are active
  double tensor_error = kNotMeasured;  ///< its standard error, points
  std::string confidence = "none";     ///< `none`, `low`, `fair`, `good`
  bool emulated = false;               ///< its time is the emulation's and no speed of the format
  std::vector<ProfileKernel> kernels;  ///< the longest first
  std::string verdict;                 ///< why not tensor cores: `used`, `format`, `dimensions`, ...
  std::string sentence;                ///< the verdict in words
  std::string edit;                    ///< what would change it; empty where nothing would
  friend bool operator==(const SiteProfile&, const SiteProfile&) = default;
};

/// What was measured since the last profile; a few a second at most.
struct Profile {
  std::int64_t first_step = 0;  ///< that `sites` are means over
  std::int64_t last_step = 0;
  std::int64_t steps = 0;   ///< how many of them were profiled; 0: `sites` is empty
  double step_seconds = 0;  ///< mean wall time of a profiled step
  ProfileSource curve;      ///< of `bins`
  ProfileSource times;      ///< of the seconds in `sites`
  ProfileSource tensor;     ///< of the tensor-core figures in `sites`
  bool estimate = true;  ///< the figures per site are joined by least squares, and no hardware run has proved that yet
  double outside = 0;    ///< seconds a step that no site took: optimizer, scaler, data
  std::vector<ProfileBin> bins;
  std::vector<SiteProfile> sites;  ///< those that ran, by site
  friend bool operator==(const Profile&, const Profile&) = default;
};

}  // namespace binade::wire
