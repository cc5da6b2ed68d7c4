// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <c10/core/DeviceType.h>

#include <cstdint>
#include <optional>

namespace binade::scaler {

/// How to treat known faults of PyTorch 2.11.
enum class Behaviour : std::uint8_t {
  kFixed,      ///< corrected; every other result is PyTorch's
  kPytorch211  ///< reproduced bit for bit
};

/// Defaults are PyTorch's. Features that PyTorch lacks are off.
struct Options {
  double init_scale = 65536;
  double growth_factor = 2;             ///< must be above 1
  double backoff_factor = 0.5;          ///< must be below 1
  std::int64_t growth_interval = 2000;  ///< clean updates in a row before the scale grows; 0 or less: it never grows
  bool enabled = true;
  /// With kCUDA and no CUDA device, the scaler warns and disables itself, as PyTorch's does by default. nullopt: the
  /// scale lives on the device of the first scaled tensor.
  std::optional<c10::DeviceType> device = {};
  Behaviour behaviour = Behaviour::kFixed;
  double minimum = 0;           ///< lower limit of the scale; 0: none
  double maximum = 0;           ///< upper limit of the scale; 0: none
  std::int64_t hysteresis = 1;  ///< overflows in a row before the scale is reduced
  bool dynamic = true;          ///< false: the scale never changes; overflowing steps are still skipped
};

/// The fields of PyTorch's `state_dict()`, and the counter that the hysteresis needs.
struct State {
  double scale = 65536;
  double growth_factor = 2;
  double backoff_factor = 0.5;
  std::int64_t growth_interval = 2000;
  std::int64_t growth_tracker = 0;
  std::int64_t overflows_in_a_row = 0;  ///< counted only with a hysteresis above 1
  friend bool operator==(const State&, const State&) = default;
};

/// What has been done with an optimizer since the last update().
enum class Stage : std::uint8_t { kReady, kUnscaled, kStepped };

/// Why the scale changed.
enum class Cause : std::uint8_t { kBackOff, kGrowth, kSet, kLoaded };

struct ScaleChange {
  double from = 0;
  double to = 0;
  Cause cause = Cause::kSet;
};

}  // namespace binade::scaler
