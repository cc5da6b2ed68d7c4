// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <c10/core/DeviceType.h>

#include <cstdint>
#include <optional>

namespace binade::scaler {

/// How to treat what PyTorch 2.11 does wrong.
enum class Behaviour : std::uint8_t {
  kFixed,      ///< put right; every other result is PyTorch's
  kPytorch211  ///< copied, bit for bit
};

/// PyTorch's own defaults. What PyTorch has not is off.
struct Options {
  double init_scale = 65536;
  double growth_factor = 2;             ///< must be above 1
  double backoff_factor = 0.5;          ///< must be below 1
  std::int64_t growth_interval = 2000;  ///< clean updates in a row before the scale grows; 0 or less: it never does
  bool enabled = true;
  /// kCUDA: without a CUDA device the scaler warns and disables itself, as PyTorch's does by default. Nothing: the
  /// scale lives where the first scaled tensor does.
  std::optional<c10::DeviceType> device = {};
  Behaviour behaviour = Behaviour::kFixed;
  double minimum = 0;           ///< floor of the scale; 0: none
  double maximum = 0;           ///< ceiling of the scale; 0: none
  std::int64_t hysteresis = 1;  ///< overflows in a row before the scale backs off
  bool dynamic = true;          ///< false: the scale stays; overflowing steps are skipped all the same
};

/// What `state_dict()` holds upstream, field by field, and what the hysteresis needs.
struct State {
  double scale = 65536;
  double growth_factor = 2;
  double backoff_factor = 0.5;
  std::int64_t growth_interval = 2000;
  std::int64_t growth_tracker = 0;
  std::int64_t overflows_in_a_row = 0;  ///< counted only where the hysteresis is above 1
  friend bool operator==(const State&, const State&) = default;
};

/// Where an optimizer stands since the last update().
enum class Stage : std::uint8_t { kReady, kUnscaled, kStepped };

/// Why the scale is another one.
enum class Cause : std::uint8_t { kBackOff, kGrowth, kSet, kLoaded };

struct ScaleChange {
  double from = 0;
  double to = 0;
  Cause cause = Cause::kSet;
};

}  // namespace binade::scaler
