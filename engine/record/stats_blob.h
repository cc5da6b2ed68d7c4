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
  std::string packed;
};

/// For each observation: tensor id and length (4 bytes each, little-endian), then the bytes of formats::pack; all of
/// it as one zlib stream, level 1, which standard libraries unpack. docs/run-file.md has the layout.
StatsBlob pack_observations(const std::vector<wire::Observation>& observations);

/// Throws Error{kBadFile} for anything that `pack_observations` did not write.
std::vector<wire::Observation> unpack_observations(std::string_view packed, std::size_t size, std::size_t count);

}  // namespace binade::record
