// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/silent/evidence.h"
#include "engine/wire/diagnosis.h"

#include <map>
#include <string>

namespace binade::run {

/// Remembers which parameters became non-finite in an optimizer step in a low format, and explains later non-finite
/// steps by it.
class BrokenUpdates {
 public:
  /// Adds the parameters that the evidence of a step proves.
  void add(const silent::Evidence& evidence);

  /// If `diagnosis` blames one of these parameters, replaces its message and fix by the earlier update. Returns whether
  /// it did.
  bool explain(wire::Diagnosis& diagnosis) const;

 private:
  std::map<std::string, std::string> sentences_;  ///< by parameter
};

}  // namespace binade::run
