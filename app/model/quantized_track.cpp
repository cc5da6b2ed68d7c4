// SPDX-License-Identifier: Apache-2.0
#include "app/model/quantized_track.h"

#include <algorithm>
#include <utility>

namespace binade::app {

void QuantizedTrack::add(const wire::QuantizedStep& quantized) {
  dropFrom(quantized.step);
  if (steps_.size() == kMostSteps) {
    std::vector<wire::QuantizedStep> kept;
    kept.reserve(kMostSteps);
    for (std::size_t i = 0; i < steps_.size(); i += 2) kept.push_back(std::move(steps_[i]));
    steps_ = std::move(kept);
  }
  steps_.push_back(quantized);
}

void QuantizedTrack::dropFrom(std::int64_t step) {
  std::erase_if(steps_, [step](const wire::QuantizedStep& each) { return each.step >= step; });
}

const wire::QuantizedStep* QuantizedTrack::at(std::optional<std::int64_t> step) const {
  const auto later = std::find_if(steps_.begin(), steps_.end(),
                                  [step](const wire::QuantizedStep& each) { return step && each.step > *step; });
  return later == steps_.begin() ? nullptr : &*(later - 1);
}

}  // namespace binade::app
