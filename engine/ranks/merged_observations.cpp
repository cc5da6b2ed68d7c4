// SPDX-License-Identifier: Apache-2.0
#include "engine/ranks/merged_observations.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <tuple>

namespace binade::ranks {

namespace {

/// Tells tensors apart whatever their number.
auto key_of(const wire::WatchedTensor& tensor) {
  return std::tuple(tensor.site, tensor.kind, tensor.argument, formats::name(tensor.format), tensor.emulated);
}
using Key = decltype(key_of(wire::WatchedTensor()));

/// Whether every rank observes the same values.
bool is_common(const wire::WatchedTensor& tensor) {
  using enum wire::WatchedTensor::Kind;
  if (tensor.kind == kParameter || tensor.kind == kParameterGradient) return true;
  static const std::set<std::string_view> kArguments{"weight", "bias", "running_mean", "running_var"};
  return tensor.kind == kInput && kArguments.contains(tensor.argument);
}

const wire::WatchedTensor* find(const std::vector<wire::WatchedTensor>& all, int id) {
  const auto index = static_cast<std::size_t>(id);
  return id >= 0 && index < all.size() ? &all[index] : nullptr;
}

}  // namespace

void MergedObservations::keep_own(wire::StepRecord& record, const std::vector<wire::WatchedTensor>& watched) {
  std::erase_if(record.observations, [&](const wire::Observation& each) {
    const wire::WatchedTensor* const tensor = find(watched, each.tensor);
    return tensor == nullptr || is_common(*tensor);
  });
}

std::size_t MergedObservations::add(wire::StepRecord& to, const std::vector<wire::WatchedTensor>& watched, int rank,
                                    const wire::StepRecord& of) {
  std::vector<wire::WatchedTensor>& declared = declared_[rank];
  declared.insert(declared.end(), of.new_tensors.begin(), of.new_tensors.end());
  if (of.observations.empty()) return 0;
  std::map<Key, int> ids;
  for (const wire::WatchedTensor& tensor : watched) ids.emplace(key_of(tensor), tensor.id);
  std::map<int, std::size_t> places;
  for (std::size_t i = 0; i < to.observations.size(); ++i) places.emplace(to.observations[i].tensor, i);
  std::size_t unknown = 0;
  for (const wire::Observation& each : of.observations) {
    const wire::WatchedTensor* const tensor = find(declared, each.tensor);
    const auto id = tensor == nullptr ? ids.end() : ids.find(key_of(*tensor));
    if (id == ids.end()) {
      ++unknown;
      continue;
    }
    const auto [place, is_new] = places.emplace(id->second, to.observations.size());
    if (is_new) {
      to.observations.push_back({id->second, each.stats});
    } else {
      formats::add(to.observations[place->second].stats, each.stats);
    }
  }
  return unknown;
}

}  // namespace binade::ranks
