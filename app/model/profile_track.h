// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/profile.h"

#include <cstdint>
#include <deque>
#include <vector>

namespace binade::app {

/// The profile of a run: the newest figures of every op call, and the device's curve over steps. A value type.
class ProfileTrack {
 public:
  /// One step of the device's curve, in percent; NaN: not measured.
  struct CurvePoint {
    std::int64_t step = 0;
    double tensor = wire::kNotMeasured;
    double lowest = wire::kNotMeasured;
    double highest = wire::kNotMeasured;
  };

  void add(const wire::Profile& profile);

  bool empty() const { return !any_; }
  /// Sources, reasons, and the sites of the newest profile that had any.
  const wire::Profile& latest() const { return latest_; }
  /// The newest profile with sites that was measured up to a step; one without sites if there is none. A long run
  /// keeps only some of its profiles.
  const wire::Profile& at(std::int64_t step) const;
  /// One point per step with bins. A bin is assigned to a step between the first and the last of its profile, by its
  /// time.
  const std::vector<CurvePoint>& curve() const { return curve_; }
  /// Mean over the bins of the last `seconds`; NaN where nothing was measured.
  wire::ProfileBin recent(double seconds = 10) const;
  bool hasCurve() const { return !curve_.empty(); }

 private:
  void addBins(const wire::Profile& profile);
  void keep(const wire::Profile& profile);

  bool any_ = false;
  wire::Profile latest_;
  std::vector<wire::Profile> kept_;  ///< with sites, without bins, oldest first
  std::vector<CurvePoint> curve_;
  std::deque<wire::ProfileBin> bins_;  ///< the newest, for recent()
};

/// Returns whether the profile has figures per op call.
bool hasSites(const wire::Profile& profile);

}  // namespace binade::app
