// SPDX-License-Identifier: Apache-2.0
#include "engine/run/notices.h"

#include <cmath>

namespace binade::run {

namespace {

wire::Event event(wire::Event::Kind kind, std::int64_t step, double scale, std::string sentence) {
  wire::Event made;
  made.kind = kind;
  made.step = step;
  made.scale = scale;
  made.sentence = std::move(sentence);
  return made;
}

}  // namespace

wire::Event scale_warning(const scaler::ScaleWarning& warning) {
  return event(wire::Event::Kind::kScaleWarning, warning.step, warning.scale, warning.message + " " + warning.cause);
}

wire::Event diverged(std::int64_t step, double scale, double loss, std::int64_t in_a_row, bool scaled, bool pauses) {
  const std::string was = std::isnan(loss) ? "NaN" : "infinite";
  const std::string count = in_a_row == 1 ? "The loss was " + was + " at step " + std::to_string(step)
                                          : "The loss was not finite " + std::to_string(in_a_row) +
                                                " times in a row, until step " + std::to_string(step);
  const char* const why =
      scaled ? ": no loss scale helps where the loss itself is not finite; the first event names the cause. "
             : ": the step was left out. ";
  return event(
      wire::Event::Kind::kDiverged, step, scale,
      count + why + (pauses ? "The run is paused" : "The run ends here") + "; parameters are as they were before.");
}

wire::Event clip_refused(std::int64_t step, double scale, const std::string& parameter, bool by_norm) {
  const std::string what = parameter.empty() ? std::string("The norm of all gradients") : "Gradient of " + parameter;
  const char* const why = by_norm ? "clipping the norm would have made every gradient 0"
                                  : "clipping the values would have put the limit in place of an infinity";
  return event(wire::Event::Kind::kGradientOverflow, step, scale,
               what + " was not finite at step " + std::to_string(step) + ": " + why + ", so the step was left out.");
}

wire::Event out_of_memory(std::int64_t step, double scale, const std::string& what) {
  return event(wire::Event::Kind::kOutOfMemory, step, scale,
               "Memory ran out at step " + std::to_string(step) + ", in " + what +
                   ". The step was undone; a smaller batch, or more of the model in a 16-bit format, takes less.");
}

wire::Event half_step(std::int64_t step, double scale, const std::string& failure) {
  const std::string what = failure.empty()
                               ? "Memory ran out in the middle of the optimizer's step " + std::to_string(step)
                               : failure + ". The optimizer was in the middle of its step";
  return event(wire::Event::Kind::kOutOfMemory, step, scale,
               what +
                   ": some parameters have been updated and others not. The run ends here, and nothing is saved of "
                   "that state.");
}

}  // namespace binade::run
