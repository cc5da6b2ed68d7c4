// SPDX-License-Identifier: Apache-2.0
#include "engine/autocast/product_state.h"

#include <algorithm>
#include <cmath>

namespace binade::autocast {

namespace {

/// Mixes a value into a hash (the finaliser of SplitMix64).
std::uint64_t hash_with(std::uint64_t hash, std::uint64_t value) {
  std::uint64_t x = hash ^ (value + 0x9e3779b97f4a7c15u + (hash << 6) + (hash >> 2));
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

const void* values_of(const at::Tensor& tensor) {
  return tensor.has_storage() ? tensor.storage().data() : nullptr;
}

}  // namespace

void ProductState::begin_step(std::uint64_t seed, std::int64_t step) {
  seed_ = seed;
  step_ = step;
  stepping_ = true;
  forward_ = -1;
  weights_.clear();
  memory_.free_unused();
  for (auto& [place, operand] : delayed_) operand.present = 0;  // of a step that threw
}

void ProductState::begin_forward() {
  if (stepping_) {
    ++forward_;
  } else {
    weights_.clear();
  }
}

void ProductState::end_step(bool counted) {
  for (auto& [place, operand] : delayed_) {
    if (counted) {
      operand.scale.observe(operand.present);
      operand.scale.end_step();
    }
    operand.present = 0;
  }
  weights_.clear();  // the optimizer changes the parameters
  stepping_ = false;
  forward_ = 0;
}

void ProductState::follow(const ProductState& other) {
  seed_ = other.seed_;
  step_ = other.step_;
  stepping_ = true;
  forward_ = -1;
  delayed_ = other.delayed_;
  weights_.clear();
  for (auto& [place, operand] : delayed_) operand.present = 0;
}

scaled::RandomBits ProductState::draws(int site, int call, policy::Product product, policy::Operand operand) const {
  std::uint64_t stream = static_cast<std::uint64_t>(step_);
  for (const std::int64_t part : {forward_, std::int64_t{site}, std::int64_t{call}, static_cast<std::int64_t>(product),
                                  static_cast<std::int64_t>(operand)}) {
    stream = hash_with(stream, static_cast<std::uint64_t>(part));
  }
  return {seed_, stream};
}

const scaled::Scale& ProductState::delayed_scale(int site, policy::Operand operand, scaled::Element element) {
  auto [found, added] = delayed_.try_emplace({site, operand}, DelayedOperand{scaled::DelayedScale(element), 0});
  // Another rule may have given the op call another element format.
  if (found->second.scale.element() != element) found->second = DelayedOperand{scaled::DelayedScale(element), 0};
  return found->second.scale.scale();
}

void ProductState::observe(int site, policy::Operand operand, float largest) {
  const auto found = delayed_.find({site, operand});
  if (found == delayed_.end() || std::isnan(largest)) return;
  found->second.present = std::max(found->second.present, largest);
}

std::vector<ProductState::Magnitude> ProductState::magnitudes() const {
  std::vector<Magnitude> all;
  all.reserve(delayed_.size());
  for (const auto& [place, operand] : delayed_) {
    all.push_back({place.first, place.second, operand.scale.element(), operand.present});
  }
  return all;
}

void ProductState::observe_elsewhere(const Magnitude& magnitude) {
  if (!(magnitude.largest > 0)) return;
  delayed_scale(magnitude.site, magnitude.operand, magnitude.element);
  observe(magnitude.site, magnitude.operand, magnitude.largest);
}

std::vector<ProductState::Delayed> ProductState::delayed() const {
  std::vector<Delayed> all;
  for (const auto& [place, operand] : delayed_) {
    all.push_back({place.first, place.second, operand.scale.element(), operand.scale.state()});
  }
  return all;
}

void ProductState::restore(const std::vector<Delayed>& all) {
  std::map<Place, DelayedOperand> restored;
  for (const Delayed& each : all) {
    DelayedOperand operand{scaled::DelayedScale(each.element), 0};
    operand.scale.restore(each.state);
    restored.insert_or_assign({each.site, each.operand}, std::move(operand));
  }
  delayed_ = std::move(restored);
  weights_.clear();
}

at::Tensor ProductState::weight(const WeightKey& key, const at::Tensor& parameter) const {
  const auto kept = weights_.find(key.tensor);
  if (kept == weights_.end()) return {};
  for (const Weight& each : kept->second) {
    if (each.key == key && each.version == parameter._version() && each.data == values_of(parameter)) return each.copy;
  }
  return {};
}

void ProductState::keep_weight(const WeightKey& key, const at::Tensor& parameter, const at::Tensor& copy) {
  std::vector<Weight>& kept = weights_[key.tensor];
  std::erase_if(kept, [&key](const Weight& each) { return each.key == key; });
  kept.push_back({key, parameter, parameter._version(), values_of(parameter), copy});
}

void ProductState::note(std::string finding) {
  if (std::find(findings_.begin(), findings_.end(), finding) == findings_.end())
    findings_.push_back(std::move(finding));
}

bool ProductState::examine(int site, policy::Product product) {
  return examined_.try_emplace({site, product}, true).second;
}

void ProductState::clear_findings() {
  findings_.clear();
  examined_.clear();
}

}  // namespace binade::autocast
