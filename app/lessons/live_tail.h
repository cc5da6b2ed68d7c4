// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/run_model.h"
#include "engine/lessons/figure_data.h"

#include <QString>

#include <optional>
#include <vector>

namespace binade::app {

/// Why there is no figure, and what would bring one.
struct NoFigure {
  QString headline;
  QString sentence;
};

/// The figure `scaled_tail` of a live run: the gradients of all weights in the step that was observed last, because one
/// loss scale must suit them all. They are divided by the loss scale at which they were measured, multiplied by that of
/// the slider, and counted in the format that the run's policy casts to. Keeps the observation when the run is no
/// longer shown. A value type.
class LiveTail {
 public:
  /// Without an observation, and with the slider at a scale of 1.
  LiveTail();

  /// Takes the newest observation.
  void update(const RunModel& run);
  /// Moves the slider to a scale of 2^exponent, 0 to 24.
  void setExponent(double exponent);
  int exponent() const { return exponent_; }

  /// Whether there are gradients to show.
  bool hasFigure() const { return !missing_; }
  /// The figure with its slider. Call it only if there is one.
  lessons::FigureData figure() const;
  /// What is shown: the gradients, the step, how they were measured, and where the smallest and largest are.
  QString caption() const { return caption_; }
  /// Why there is none; empty texts if there is one.
  NoFigure missing() const { return missing_.value_or(NoFigure{}); }

 private:
  void take(const RunModel& run, const std::vector<const TensorTrack*>& gradients);

  int exponent_ = 0;
  int measured_ = 0;  ///< exponent of the loss scale
  formats::TensorStats stats_;
  formats::Format format_;
  QString caption_;
  std::optional<NoFigure> missing_;  ///< nullopt: there is an observation
};

}  // namespace binade::app
