// SPDX-License-Identifier: Apache-2.0
#include "engine/wire/model_info.h"

namespace binade::wire {

SitePlaces::SitePlaces(const ModelInfo& model) {
  const auto block = [this](int index) -> const policy::OwnBlock* {
    const bool known = index >= 0 && index < static_cast<int>(blocks_.size());
    return known ? blocks_[static_cast<std::size_t>(index)].get() : nullptr;
  };
  for (const OwnBlockInfo& info : model.own_blocks) {
    const policy::OwnBlock made{
        policy::parse_base(info.list), info.low, info.enabled, info.cache_enabled, info.source, block(info.outer)};
    blocks_.push_back(std::make_unique<policy::OwnBlock>(made));
  }
  places_.reserve(model.sites.size());
  for (const SiteInfo& site : model.sites) {
    places_.push_back({.block = block(site.own_block),
                       .repeats = site.in_loop,
                       .inside = site.inside,
                       .view = site.view && !site.in_place});
  }
}

}  // namespace binade::wire
