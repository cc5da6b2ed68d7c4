// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/scaled/block_scale.h"

#include <vector>

namespace binade::scaled {

/// Settings of delayed scaling. The defaults are Transformer Engine's.
struct DelayedSettings {
  int history = 1024;   ///< number of steps; at least 1
  int margin = 0;       ///< scales are 2^-margin of what the history would allow
  bool newest = false;  ///< from the newest magnitude instead of the largest
  friend bool operator==(const DelayedSettings&, const DelayedSettings&) = default;
};

/// Scale of one tensor by delayed scaling, as Transformer Engine's recipe updates it: the scale of a step follows from
/// the largest magnitudes of earlier steps. It is 1 in the first step, and keeps its value while the history has no
/// magnitude above 0 or contains infinity. A plain value whose state() continues it exactly. Not thread-safe.
class DelayedScale {
 public:
  explicit DelayedScale(Element element = Element::kE4M3, const DelayedSettings& settings = {});

  /// Scale of the present step.
  const Scale& scale() const { return scale_; }

  /// Notes the largest magnitude of the tensor, or of a part of it, in the present step. NaN is ignored.
  void observe(float largest);

  /// Ends the step: its magnitude enters the history, and the next step's scale is computed.
  void end_step();

  /// Largest magnitude that the present scale represents.
  float capacity() const;

  /// Numbers that continue the scale: multiply, the magnitude of the present step, then the history, newest first.
  std::vector<float> state() const;
  /// Restores what state() returned. Throws Error{kBadFile} if it does not fit the settings.
  void restore(const std::vector<float>& state);

  Element element() const { return element_; }
  const DelayedSettings& settings() const { return settings_; }

 private:
  Element element_;
  DelayedSettings settings_;
  Scale scale_;
  float present_ = 0;
  std::vector<float> ring_;  ///< grows to settings_.history, then the oldest is overwritten
  std::size_t next_ = 0;     ///< place of the next magnitude in a full ring
};

}  // namespace binade::scaled
