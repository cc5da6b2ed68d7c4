// SPDX-License-Identifier: Apache-2.0
#include "engine/ranks/backend_choice.h"

#include "engine/ranks/absence.h"

#include <algorithm>
#include <cstddef>
#include <map>

namespace binade::ranks {

GradientsOver gradients_over(const std::string& name) {
  return name == "nccl" ? GradientsOver::kNccl : name == "gloo" ? GradientsOver::kGloo : GradientsOver::kAuto;
}

std::string nccl_version_text(int version) {
  constexpr int kMajor = 10000, kMinor = 100;
  return std::to_string(version / kMajor) + "." + std::to_string(version % kMajor / kMinor) + "." +
         std::to_string(version % kMinor);
}

BackendChoice choose_backend(GradientsOver wanted, const std::vector<NcclAbility>& abilities,
                             const std::vector<std::string>& names) {
  if (wanted == GradientsOver::kGloo) return {};
  const auto name = [&names](std::size_t rank) { return within_sentence(names[rank]); };
  const NcclAbility& first = abilities.front();
  const auto lacks_as = [](const std::string& reason) {
    return [&reason](const NcclAbility& each) { return each.lacks == reason; };
  };
  for (std::size_t rank = 0; rank < abilities.size(); ++rank) {
    const std::string& lacks = abilities[rank].lacks;
    if (lacks.empty()) continue;
    const bool all = std::all_of(abilities.begin(), abilities.end(), lacks_as(lacks));
    return {.why = (all ? "" : "on " + name(rank) + " ") + lacks};
  }
  std::map<std::string, std::size_t> ranks_of_gpus;
  for (std::size_t rank = 0; rank < abilities.size(); ++rank) {
    const NcclAbility& each = abilities[rank];
    if (each.version != first.version) {
      return {.why = name(rank) + " has NCCL " + nccl_version_text(each.version) + ", and " + name(0) + " has " +
                     nccl_version_text(first.version)};
    }
    const auto [other, is_new] = ranks_of_gpus.emplace(each.gpu, rank);
    if (!is_new) return {.why = name(other->second) + " and " + name(rank) + " share one GPU"};
  }
  return {.nccl = true};
}

}  // namespace binade::ranks
