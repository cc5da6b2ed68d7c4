// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/records.h"

#include <nlohmann/json.hpp>

#include <map>
#include <string>
#include <vector>

namespace binade::host {

/// What headless commands print of the tensors that are no op call's own: arguments before their cast, parameters and
/// their unscaled gradients.
class WatchedReport {
 public:
  void add(const wire::StepRecord& step);
  /// The line `watched` of a step; null where it showed none of these. `sites`: names by id. After add() of the step.
  nlohmann::ordered_json line(const wire::StepRecord& step, const std::vector<std::string>& sites) const;
  /// A table of what was seen last in a format below float32, where room may run out: the least room first. Empty where
  /// nothing was.
  std::string text(const std::vector<std::string>& sites) const;

 private:
  struct Seen {
    std::int64_t step = 0;
    formats::TensorStats stats;
  };
  std::map<int, wire::WatchedTensor> tensors_;
  std::map<int, Seen> newest_;  ///< by WatchedTensor::id
};

}  // namespace binade::host
