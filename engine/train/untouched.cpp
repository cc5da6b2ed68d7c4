// SPDX-License-Identifier: Apache-2.0
#include "engine/train/untouched.h"

namespace binade::train {

Untouched::Untouched(Training& training)
    : training_(training),
      masters_(training.masters.get()),
      random_(RandomState::of(training.device)),
      attributes_(training.attributes.now()) {
  training_.buffers.keep();
  for (const auto& [name, parameter] : training_.model.parameters()) {
    gradients_.emplace_back(parameter, parameter.grad());
    parameter.mutable_grad().reset();
  }
}

Untouched::~Untouched() {
  restore();
  for (auto& [parameter, gradient] : gradients_) parameter.mutable_grad() = gradient;
}

void Untouched::restore() {
  training_.buffers.restore();
  training_.attributes.put(attributes_);
  random_.restore();
  for (auto& [parameter, gradient] : gradients_) parameter.mutable_grad().reset();
}

}  // namespace binade::train
