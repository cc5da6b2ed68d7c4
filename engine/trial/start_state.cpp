// SPDX-License-Identifier: Apache-2.0
#include "engine/trial/start_state.h"

#include "engine/train/model_state.h"
#include "engine/train/optimizer_fields.h"

#include <ATen/MemoryOverlap.h>
#include <ATen/core/grad_mode.h>
#include <torch/optim/optimizer.h>

namespace binade::trial {

StartState::StartState(train::Training& training)
    : attributes_(training.attributes.now()),
      cursor_(training.data->cursor()),
      random_(train::RandomState::of(training.device)) {
  const at::NoGradGuard no_history;
  const auto copy = [this](const train::NamedTensors& tensors) {
    for (const auto& [name, tensor] : tensors) {
      // No op writes a tensor whose elements share memory (an expanded buffer).
      if (tensor.layout() == at::kStrided && at::has_internal_overlap(tensor) == at::MemOverlap::Yes) continue;
      tensors_.emplace_back(tensor, tensor.detach().clone());
    }
  };
  copy(train::model_tensors(training.model));
  if (training.masters) copy(training.trainable);
  for (const auto& [name, tensor] : train::optimizer_tensors(*training.optimizer, training.trainable)) {
    optimizer_.emplace(name, tensor.detach().clone());
  }
  for (std::size_t i = 0; i < training.scalers.size(); ++i) {
    scalers_.emplace_back(training.scalers.config(i), training.scalers.state(i));
  }
}

void StartState::restore(train::Training& training) const {
  const at::NoGradGuard no_history;
  training.optimizer->zero_grad();
  if (training.masters) training.masters->zero_grad();
  training.attributes.put(attributes_);  // first: it puts buffers back that forward has replaced
  for (const auto& [tensor, copy] : tensors_) tensor.copy_(copy);
  train::load_optimizer_tensors(*training.optimizer, training.config.optimizer, training.trainable, optimizer_);
  for (std::size_t i = 0; i < scalers_.size(); ++i) {
    training.scalers.tune(scalers_[i].first);
    training.scalers.load(i, scalers_[i].second);
  }
  training.data->seek(cursor_);
  random_.restore();
  training.whole = true;
}

}  // namespace binade::trial
