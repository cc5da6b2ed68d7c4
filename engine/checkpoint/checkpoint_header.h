// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/files/safetensors.h"
#include "engine/scaler/scaler_options.h"
#include "engine/train/training.h"
#include "engine/wire/records.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace binade::checkpoint {

/// A saved scaler: its settings, which may differ from the run description, and its state. `init_scale` is not saved.
struct SavedScaler {
  wire::ScalerConfig config;
  scaler::State state;
};

/// The contents of a checkpoint besides its tensors.
struct CheckpointHeader {
  std::int64_t step = 0;
  std::string reason;
  std::int64_t saved = 0;      ///< seconds since 1970
  std::optional<double> loss;  ///< of the previous step, if there was one
  wire::RunConfig run;
  wire::PolicyApplied policy;
  std::vector<SavedScaler> scalers;
  std::int64_t cursor = 0;   ///< of the data
  std::optional<int> ranks;  ///< of its run; empty: an older version saved it, which did not say
  nlohmann::json optimizer, attributes;
};

/// Returns the metadata of a checkpoint of `training` before step `step`.
std::map<std::string, std::string> checkpoint_metadata(const train::Training& training, std::int64_t step,
                                                       const std::string& reason, std::int64_t saved,
                                                       std::optional<double> loss);

/// Reads the metadata. Throws Error{kBadFile}, naming `file`, if it is not a checkpoint's or is damaged.
CheckpointHeader read_checkpoint_metadata(const files::Safetensors& contents, const std::string& file);

/// Throws Error{kBadFile}: `what` is wrong with `file`.
[[noreturn]] void refuse_checkpoint(const std::string& file, const std::string& what, const std::string& hint);

}  // namespace binade::checkpoint
