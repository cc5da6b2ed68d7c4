// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/apex/amp.h"

namespace binade::apex {

/// What all copies of an Amp share.
struct Amp::Shared {
  Options options;
  policy::ApexProperties properties;
  std::vector<scaler::ApexScaler> scalers;

  /// A line for people, where the verbosity lets it.
  void print(const std::string& line) const;
};

}  // namespace binade::apex
