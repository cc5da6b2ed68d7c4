// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/records.h"

#include <string>
#include <string_view>
#include <vector>

namespace binade::record {

/// The statistics of one step, as stored in the table `stats`.
struct StatsBlob {
  std::size_t size = 0;  ///< before compression
  std::string packed;
};

/// Packs observations as one zlib stream of level 1. Each consists of tensor id and length (4 bytes each,
/// little-endian), followed by the bytes of formats::pack. docs/run-file.md has the layout.
StatsBlob pack_observations(const std::vector<wire::Observation>& observations);

/// Unpacks the result of pack_observations(). Throws Error{kBadFile} for invalid bytes.
std::vector<wire::Observation> unpack_observations(std::string_view packed, std::size_t size, std::size_t count);

}  // namespace binade::record
