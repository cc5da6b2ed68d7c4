// SPDX-License-Identifier: Apache-2.0
#include "engine/train/random_state.h"

#include <ATen/Context.h>

#include <mutex>

namespace binade::train {

namespace {

void set_state(c10::Device device, const at::Tensor& state) {
  at::Generator generator = at::globalContext().defaultGenerator(device);
  const std::scoped_lock lock(generator.mutex());
  generator.set_state(state);
}

}  // namespace

RandomState RandomState::of(c10::Device device) {
  RandomState all;
  const auto take = [&all](c10::Device each) {
    at::Generator generator = at::globalContext().defaultGenerator(each);
    const std::scoped_lock lock(generator.mutex());
    all.states_.emplace_back(each, generator.get_state());
  };
  take(c10::Device(c10::kCPU));
  if (!device.is_cpu()) take(device);
  return all;
}

void RandomState::restore() const {
  for (const auto& [device, state] : states_) set_state(device, state);
}

std::vector<std::pair<std::string, at::Tensor>> RandomState::named() const {
  std::vector<std::pair<std::string, at::Tensor>> all;
  for (const auto& [device, state] : states_) all.emplace_back(device.str(), state);
  return all;
}

void RandomState::restore(const std::string& device, const at::Tensor& bytes) {
  set_state(c10::Device(device), bytes.clone());
}

}  // namespace binade::train
