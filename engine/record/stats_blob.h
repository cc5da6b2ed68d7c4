// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/records.h"

#include <string>
#include <string_view>
#include <vector>

namespace binade::record {

/// The statistics of one step as the table `stats` holds them.
struct StatsBlob {
  std::size_t size = 0;  ///< before compression
  std::string zstd;
};

/// For each observation: tensor id and length (4 bytes each, little-endian), then the bytes of formats::pack; all of
/// it through zstd, level 1. The packed counts are base-128 already: shuffling their bytes first gains 4 % and is not
/// worth a second layout.
StatsBlob pack_observations(const std::vector<wire::Observation>& observations);

/// Throws Error{kBadFile} for anything that `pack_observations` did not write.
std::vector<wire::Observation> unpack_observations(std::string_view zstd, std::size_t size, std::size_t count);

}  // namespace binade::record
