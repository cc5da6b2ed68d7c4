// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/run/control.h"
#include "engine/wire/records.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace binade::run {

/// What rank 0 tells the other ranks before each step, so that a request takes effect on all of them at the same one.
/// Requests that change nothing on other ranks, such as one for a checkpoint, are not in it.
struct Orders {
  bool run_step = false;
  int level = 0;  ///< observe::Level of the step, which depends on rank 0's clock
  bool end = false;
  wire::Outcome outcome = wire::Outcome::kCompleted;  ///< if `end`
  std::optional<wire::PolicySet> policy;
  std::vector<std::pair<std::string, double>> scales;
  std::vector<wire::ScalerConfig> scalers;
  std::optional<wire::ObserveConfig> observe;
  std::optional<wire::ProfileConfig> profile;
  /// For each checkpoint that rank 0 loads: the policy in force from then on. Its state follows as a file.
  std::vector<std::optional<wire::PolicySet>> loads;
};

/// The part of the requests that concerns all ranks.
Orders orders_of(const Control::Next& next);

/// The bytes that ranks send: a single byte for a step without requests.
std::string encode(const Orders& orders);
/// Throws Error for other bytes.
Orders decode_orders(const std::string& bytes);

}  // namespace binade::run
