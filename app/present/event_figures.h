// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/run_model.h"

#include <QString>

#include <optional>

namespace binade::app {

/// What was measured where an event started: at the first cause that a replay proved, else at the tensor that is first
/// in the order of execution. Pointers are into the run and the event.
struct EventFigures {
  const wire::Root* root = nullptr;          ///< null without a replay
  const wire::EventTensor* seen = nullptr;   ///< the event's tensor there; may be null
  const TensorTrack* track = nullptr;        ///< of `seen`
  const wire::ValueRange* before = nullptr;  ///< the argument before its cast, if that cast made it infinite
  std::optional<formats::Format> format{};   ///< that holds the value, or the target of the failing cast
  int site = -1;
  bool in_cast = false;    ///< the cause is a cast
  double largest = 0;      ///< largest magnitude; 0: unknown
  bool unrounded = false;  ///< `largest` is from before the rounding that overflowed

  /// Doublings until `largest` overflows, negative beyond; nullopt: unknown.
  std::optional<double> doublingsLeft() const;
};

/// `event` must be one of the run's.
EventFigures eventFigures(const RunModel& run, const wire::Event& event);

/// The tensor in words, `gradient of weight`; empty: unknown.
QString tensorText(const EventFigures& figures);

/// Doublings rounded down, so that a negative value never appears as 0. Small values get a second digit: `−0.02` rather
/// than −0.1.
QString doublingsLeftText(double left);

}  // namespace binade::app
