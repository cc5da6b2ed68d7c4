// SPDX-License-Identifier: Apache-2.0
#pragma once

// Private to engine/wire: helpers that reject values of a run description.

#include "engine/formats/error.h"
#include "engine/wire/run_config.h"

#include <cmath>
#include <initializer_list>
#include <string>

namespace binade::wire {

class Check {
 public:
  /// `source` begins every message; it may be empty.
  explicit Check(const std::string& source) : prefix_(source.empty() ? source : source + ": ") {}

  void that(bool holds, const std::string& field, const std::string& must, const std::string& hint = {}) const {
    if (!holds) throw Error(ErrorCode::kBadRun, prefix_ + field + " must " + must, hint).at(field);
  }

  void one_of(const std::string& value, const std::string& field, std::initializer_list<const char*> known,
              const std::string& also = {}) const {
    std::string list;
    for (const char* each : known) {
      if (value == each) return;
      list += (list.empty() ? "" : ", ") + std::string(each);
    }
    if (!also.empty()) list += ", " + also;
    throw Error(ErrorCode::kBadRun, prefix_ + field + " is \"" + value + "\", which is unknown",
                "Use one of: " + list + ".")
        .at(field);
  }

 private:
  std::string prefix_;
};

inline bool finite(double value, double low, double high) {
  return std::isfinite(value) && value >= low && value <= high;
}

/// Checks the source of batches. Throws Error{kBadRun} naming the field.
void check_data(const Check& check, const DataConfig& data);

}  // namespace binade::wire
