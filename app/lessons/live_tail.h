// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/run_model.h"
#include "engine/lessons/figure_data.h"

#include <QString>

#include <optional>

namespace binade::app {

/// Why there is no figure, and what would bring one.
struct NoFigure {
  QString headline;
  QString sentence;
};

/// The figure `scaled_tail` of a live run: the newest observation of the weight gradient with the smallest values,
/// divided by the loss scale at which it was measured and multiplied by the one of the slider. It counts in the
/// gradient's format or, if that is float32, in the format that the policy casts to. Keeps the observation when the run
/// is no longer shown. A value type.
class LiveTail {
 public:
  /// Without an observation, and with the slider at a scale of 1.
  LiveTail();

  /// Takes the newest observation. The tensor that was taken first is kept as long as it is observed.
  void update(const RunModel& run);
  /// Moves the slider to a scale of 2^exponent, 0 to 24.
  void setExponent(double exponent);
  int exponent() const { return exponent_; }

  /// Whether there is a gradient to show.
  bool hasFigure() const { return !missing_; }
  /// The figure with its slider. Call it only if there is one.
  lessons::FigureData figure() const;
  /// Names the gradient, the step and what was measured: `fc1/aten::linear#0  ·  gradient of weight, step 58. …`
  QString caption() const { return caption_; }
  /// Why there is none; empty texts if there is one.
  NoFigure missing() const { return missing_.value_or(NoFigure{}); }

 private:
  void take(const RunModel& run, const TensorTrack& track);

  int tensor_ = -1;
  int exponent_ = 0;
  int measured_ = 0;  ///< exponent of the loss scale
  formats::TensorStats stats_;
  formats::Format format_;
  QString caption_;
  std::optional<NoFigure> missing_;  ///< nullopt: there is an observation
};

}  // namespace binade::app
