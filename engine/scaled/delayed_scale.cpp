// SPDX-License-Identifier: Apache-2.0
#include "engine/scaled/delayed_scale.h"

#include "engine/formats/error.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace binade::scaled {

DelayedScale::DelayedScale(Element element, const DelayedSettings& settings) : element_(element), settings_(settings) {
  settings_.history = std::max(settings_.history, 1);
}

void DelayedScale::observe(float largest) {
  present_ = std::fmax(present_, largest);
}

void DelayedScale::end_step() {
  const auto room = static_cast<std::size_t>(settings_.history);
  if (ring_.size() < room) {
    ring_.push_back(present_);
  } else {
    ring_[next_] = present_;
  }
  next_ = (next_ + 1) % room;
  const float largest = settings_.newest ? present_ : *std::max_element(ring_.begin(), ring_.end());
  present_ = 0;
  if (!std::isfinite(largest) || largest <= 0) return;
  scale_.multiply = std::ldexp(layout(element_).largest, -settings_.margin) / largest;
  scale_.multiply = std::min(scale_.multiply, std::numeric_limits<float>::max());
  scale_.restore = 1 / scale_.multiply;
}

float DelayedScale::capacity() const {
  return layout(element_).largest / scale_.multiply;
}

std::vector<float> DelayedScale::state() const {
  std::vector<float> numbers{scale_.multiply, present_};
  for (std::size_t age = 1; age <= ring_.size(); ++age) {
    numbers.push_back(ring_[(next_ + 2 * ring_.size() - age) % ring_.size()]);
  }
  return numbers;
}

void DelayedScale::restore(const std::vector<float>& state) {
  const auto room = static_cast<std::size_t>(settings_.history);
  if (state.size() < 2 || state.size() - 2 > room) {
    throw Error(ErrorCode::kBadFile,
                "The state of a delayed scale has " + std::to_string(state.size()) + " numbers, where 2 to " +
                    std::to_string(room + 2) + " are possible",
                "Use the length of the history with which the training was saved.");
  }
  if (!std::isfinite(state[0]) || state[0] <= 0) {
    throw Error(ErrorCode::kBadFile, "The state of a delayed scale has the scale " + std::to_string(state[0]) +
                                         ", which is not a positive number");
  }
  for (const float magnitude : std::vector<float>(state.begin() + 1, state.end())) {
    if (std::isnan(magnitude) || magnitude < 0) {
      throw Error(ErrorCode::kBadFile, "The state of a delayed scale has the magnitude " + std::to_string(magnitude) +
                                           ", where numbers from 0 on are possible");
    }
  }
  scale_ = {state[0], 1 / state[0]};
  present_ = state[1];
  ring_.assign(state.rbegin(), state.rend() - 2);
  next_ = ring_.size() % room;
}

}  // namespace binade::scaled
