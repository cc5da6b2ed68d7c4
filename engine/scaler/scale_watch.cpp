// SPDX-License-Identifier: Apache-2.0
#include "engine/scaler/scale_watch.h"

#include <cmath>
#include <cstdio>

namespace binade::scaler {

namespace {

/// `2^24` for a power of two, else the number; as words/scale_text, which this library does not link.
std::string watched_scale_text(double scale) {
  int exponent = 0;
  if (std::isfinite(scale) && scale > 0 && std::frexp(scale, &exponent) == 0.5) {
    return "2^" + std::to_string(exponent - 1);
  }
  char text[32];
  const bool whole = scale == std::floor(scale) && std::abs(scale) < 1e15;
  std::snprintf(text, sizeof text, whole ? "%.0f" : "%.4g", scale);
  return text;
}

std::string message_of(Trouble trouble, std::int64_t skips, std::int64_t window, double scale) {
  switch (trouble) {
    case Trouble::kRepeatedSkips:
      return std::to_string(skips) + " steps in a row were skipped; the loss scale is " + watched_scale_text(scale) +
             ".";
    case Trouble::kCollapsingScale:
      return "The loss scale fell below 1, to " + watched_scale_text(scale) + ", after " + std::to_string(skips) +
             " skipped steps in a row.";
    case Trouble::kFrequentSkips:
      return std::to_string(skips) + " of the last " + std::to_string(window) +
             " steps were skipped, more than the growth of the scale explains; it is " + watched_scale_text(scale) +
             ".";
  }
  return {};
}

}  // namespace

std::optional<Trouble> ScaleWatch::trouble(const WatchedStep& step) {
  for (auto* const all : {&skips_, &unreported_}) {
    while (!all->empty() && all->front() <= step.step - options_.window) all->pop_front();
  }
  if (!step.found_inf) {
    in_a_row_ = 0;
    calibrating_ = false;
    said_repeated_ = false;
    if (step.scale >= 1) said_collapsing_ = false;
    if (skips_.empty()) said_frequent_ = false;
    return std::nullopt;
  }
  always_same_parameter_ = in_a_row_ == 0 || (always_same_parameter_ && step.first_parameter == parameter_);
  if (in_a_row_ == 0) parameter_ = step.first_parameter;
  ++in_a_row_;
  const bool comes_down = calibrating_ && step.held_by.empty();
  skips_.push_back(step.step);
  if (!comes_down && !said_repeated_) unreported_.push_back(step.step);

  if (step.scale < 1 && !said_collapsing_) {
    said_collapsing_ = true;
    return Trouble::kCollapsingScale;
  }
  if (!comes_down && in_a_row_ >= options_.repeated && !said_repeated_) {
    said_repeated_ = true;
    unreported_.clear();
    return Trouble::kRepeatedSkips;
  }
  // One skip after each growth is expected. More than twice that plus five is reported.
  const std::int64_t by_design = options_.growth_interval > 0 ? 1 + options_.window / options_.growth_interval : 0;
  if (static_cast<std::int64_t>(unreported_.size()) > 2 * by_design + 5 && !said_frequent_) {
    said_frequent_ = true;
    return Trouble::kFrequentSkips;
  }
  return std::nullopt;
}

std::optional<ScaleWarning> ScaleWatch::step(const WatchedStep& step) {
  const auto found = trouble(step);
  if (!found) return std::nullopt;
  ScaleWarning warning;
  warning.trouble = *found;
  warning.step = step.step;
  warning.skips = *found == Trouble::kFrequentSkips ? static_cast<std::int64_t>(skips_.size()) : in_a_row_;
  warning.scale = step.scale;
  warning.message = message_of(*found, warning.skips, options_.window, step.scale);
  if (!step.held_by.empty() && step.finite_loss != false) {
    warning.message.back() = ',';
    warning.message += " and cannot fall: " + step.held_by + ".";
  }
  warning.cause = likely_cause(step);
  return warning;
}

std::string ScaleWatch::likely_cause(const WatchedStep& step) const {
  if (step.finite_loss == false) {
    return "The loss itself is not finite, so that no scale helps: an op of the forward pass overflowed or was given "
           "bad values. Find the first op call whose output is not finite.";
  }
  if (!step.held_by.empty()) {
    return "No step is taken while gradients overflow at this scale: give the scaler a lower first scale or floor, or "
           "let it fall.";
  }
  if (step.scale < 1) {
    return "Gradients overflow although nothing enlarges them: values are too large for their format, as with weights "
           "that were trained in bfloat16, a NaN is made from finite values, or the learning rate let weights grow too "
           "far. Check what overflows first.";
  }
  if (in_a_row_ >= options_.repeated && always_same_parameter_ && !parameter_.empty()) {
    return "The gradient of " + parameter_ + " always overflows first: check the op calls that use it.";
  }
  if (in_a_row_ >= options_.repeated) {
    return "Halving the scale " + std::to_string(in_a_row_) +
           " times did not help: a NaN made from finite values (0/0, log of 0, a root at 0) is likelier than a scale "
           "that is too large.";
  }
  return "Single batches have far larger gradients than the rest: check the data of the skipped steps, lower the "
         "learning rate, or give the scale a ceiling or a hysteresis.";
}

}  // namespace binade::scaler
