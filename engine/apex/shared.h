// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/apex/amp.h"
#include "engine/policy/resolve.h"

namespace binade::apex {

/// What all copies of an Amp share.
struct Amp::Shared {
  Options options;
  policy::ApexProperties properties;
  std::vector<scaler::ApexScaler> scalers;
  std::shared_ptr<const policy::Resolved> o1_policy;  ///< of casts(), made when it is first asked for

  /// A line for people, where the verbosity lets it.
  void print(const std::string& line) const;
};

}  // namespace binade::apex
