// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/records.h"

#include <nlohmann/json.hpp>

#include <map>
#include <string>
#include <vector>

namespace binade::host {

/// Report of commands on tensors that are not an op call's output: arguments before their cast, parameters and
/// their unscaled gradients.
class WatchedReport {
 public:
  /// Takes the tensors that a step declares and observes.
  void add(const wire::StepRecord& step);
  /// Returns the line `watched` of a step, or null if it has no such tensor. Call add() with the step first. `sites`:
  /// names of op calls by id.
  nlohmann::ordered_json line(const wire::StepRecord& step, const std::vector<std::string>& sites) const;
  /// Returns a table of the newest figures in formats below float32, fewest doublings left first; empty if there are
  /// none.
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
