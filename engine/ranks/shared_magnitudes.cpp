// SPDX-License-Identifier: Apache-2.0
#include "engine/ranks/shared_magnitudes.h"

#include "engine/ranks/group.h"

#include <nlohmann/json.hpp>

#include <ATen/ops/zeros.h>

#include <algorithm>
#include <set>
#include <string>

namespace binade::ranks {

using Magnitude = autocast::ProductState::Magnitude;

SharedMagnitudes::Place SharedMagnitudes::place_of(const Magnitude& magnitude) {
  return {magnitude.site, static_cast<int>(magnitude.operand), static_cast<int>(magnitude.element)};
}

bool SharedMagnitudes::has_new() const {
  const auto all = products_.magnitudes();
  return std::any_of(all.begin(), all.end(), [this](const Magnitude& each) {
    return !std::binary_search(places_.begin(), places_.end(), place_of(each));
  });
}

void SharedMagnitudes::share(bool any_new) {
  if (any_new) add_new();
  if (places_.empty()) return;
  at::Tensor largest = at::zeros({static_cast<std::int64_t>(places_.size())}, at::kFloat);
  auto* const values = largest.mutable_data_ptr<float>();
  for (const Magnitude& each : products_.magnitudes()) {
    const auto place = std::lower_bound(places_.begin(), places_.end(), place_of(each));
    // A replay of the step on this rank alone may have met another operand: its magnitude counts from the next step on.
    if (place == places_.end() || *place != place_of(each)) continue;
    values[place - places_.begin()] = each.largest;
  }
  group_.largest(largest);
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const auto& [site, operand, element] = places_[i];
    products_.observe_elsewhere(
        {site, static_cast<policy::Operand>(operand), static_cast<scaled::Element>(element), values[i]});
  }
}

/// Agrees on the places that any rank has met: rank 0 joins the lists of all.
void SharedMagnitudes::add_new() {
  std::vector<Place> own;
  for (const Magnitude& each : products_.magnitudes()) own.push_back(place_of(each));
  std::set<Place> all(places_.begin(), places_.end());
  for (const std::string& text : group_.gather(nlohmann::json(own).dump())) {
    for (const Place& place : nlohmann::json::parse(text).get<std::vector<Place>>()) all.insert(place);
  }
  places_ = nlohmann::json::parse(group_.broadcast(nlohmann::json(all).dump())).get<std::vector<Place>>();
}

}  // namespace binade::ranks
