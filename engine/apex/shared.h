// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/apex/amp.h"
#include "engine/policy/resolve.h"

namespace binade::apex {

/// State shared by all copies of an Amp.
struct Amp::Shared {
  Options options;
  policy::ApexProperties properties;
  std::vector<scaler::ApexScaler> scalers;
  std::shared_ptr<const policy::Resolved> o1_policy;  ///< used by casts(); created at first use

  /// Prints a message unless `verbosity` is below 1.
  void print(const std::string& line) const;
};

}  // namespace binade::apex
