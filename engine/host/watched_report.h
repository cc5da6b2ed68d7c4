// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/records.h"

#include <nlohmann/json.hpp>

#include <map>
#include <string>
#include <vector>

namespace binade::host {

/// What headless commands print of tensors that a run watches on request: arguments before their cast, parameters and
/// their unscaled gradients.
class WatchedReport {
 public:
  void add(const wire::StepRecord& step);
  bool empty() const { return newest_.empty(); }

  /// The line `watched` of a step; null where it showed none of these. `sites`: names by id. After add() of the step.
  nlohmann::ordered_json line(const wire::StepRecord& step, const std::vector<std::string>& sites) const;
  /// A table of what was seen last, the least room first.
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
